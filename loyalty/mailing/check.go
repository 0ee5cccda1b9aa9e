package mailing

import (
	"punchcard/platform/check"
	"punchcard/platform/db"
)

// JourneyTargets are the targets of links in messages of journeys.
var JourneyTargets = check.Table{Name: "marketing_targets", ID: "target_id", Only: `NOT EXISTS (SELECT 1
	FROM mailings m WHERE m.store_id = r.store_id AND m.mailing_id = r.source_id)`}

// checkTargets finds targets that are not those of their ids: a link would lead elsewhere than its message said.
func checkTargets(tx *db.Tx, found func(store int64, id, is, want string)) error {
	type row struct {
		store      int64
		id, target string
	}
	return db.Each(tx, func(r *row) []any { return []any{&r.store, &r.id, &r.target} }, func(r row) {
		if want := targetID(r.target); r.id != want {
			found(r.store, r.id, r.target, "the target with the id "+want)
		}
	}, `SELECT store_id, target_id, target FROM marketing_targets ORDER BY store_id, source_id, target_id`)
}
