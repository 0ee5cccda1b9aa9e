package mailing

import "punchcard/platform/db"

// checkTargets finds targets that are not those of their ids, so that a link would lead elsewhere than the message said,
// and targets of no mailing or journey.
func checkTargets(tx *db.Tx, found func(store int64, id, is, want string)) error {
	type row struct {
		store              int64
		source, id, target string
		known              bool
	}
	return db.Each(tx, func(r *row) []any { return []any{&r.store, &r.source, &r.id, &r.target, &r.known} }, func(r row) {
		if want := targetID(r.target); r.id != want {
			found(r.store, r.source, "target "+r.id, want)
		}
		if !r.known {
			found(r.store, r.source, "target "+r.id, "a mailing or journey")
		}
	}, `SELECT store_id, source_id, target_id, target,
			EXISTS (SELECT 1 FROM mailings m WHERE m.store_id = t.store_id AND m.mailing_id = t.source_id)
			OR EXISTS (SELECT 1 FROM journeys j WHERE j.store_id = t.store_id AND j.journey_id = t.source_id)
		FROM marketing_targets t ORDER BY store_id, source_id, target_id`)
}
