package app_test

import "punchcard/app/servertest"

// bulkDamages break a consistent bulk action with one effect.
func bulkDamages() []damage {
	action := func(h *hand, store int64) {
		h.exec(`INSERT INTO bulk_actions (store_id, action_id, kind, state, details, selection, total, after_id, visited,
				changed, undone, remaining, created_by, created_at, finished_at)
			VALUES ($1, $2, 'addLabel', 'finished', '{}', '{}', 1, '', 1, 1, 0, 0, '{}', $3, $3)`,
			store, stranger, servertest.StartOfTests.UnixMicro())
	}
	broken := func(rule, statement string, also ...string) damage {
		return damage{rule, also, "", func(h *hand) string {
			action(h, 1)
			h.exec(`INSERT INTO bulk_effects (store_id, action_id, customer_id, result, transfer_id, outcome)
				VALUES (1, $1, $2, 'done', '', '')`, stranger, h.pick(person))
			h.exec(statement)
			return h.pick(`SELECT customer_id FROM bulk_effects`)
		}}
	}
	ofAction := func(rule, statement string) damage {
		d := broken(rule, statement)
		return damage{rule, nil, "", func(h *hand) string { d.do(h); return stranger }}
	}
	return []damage{
		{"store.of.bulk_actions", nil, "", func(h *hand) string { action(h, strayStore); return stranger }},
		ofAction("bulk.state", `UPDATE bulk_actions SET state = 'lost', finished_at = NULL`),
		ofAction("bulk.kind", `UPDATE bulk_actions SET kind = 'lost'`),
		ofAction("bulk.ended", `UPDATE bulk_actions SET finished_at = NULL`),
		ofAction("bulk.ended", `UPDATE bulk_actions SET state = 'undoing'`),
		broken("bulk.of_effect", `DELETE FROM bulk_actions`),
		broken("bulk.customer", `UPDATE bulk_effects SET customer_id = action_id`),
		ofAction("bulk.counts", `UPDATE bulk_actions SET changed = 0`),
		ofAction("bulk.counts", `UPDATE bulk_actions SET undone = 1`),
		ofAction("bulk.counts", `UPDATE bulk_actions SET remaining = 1`),
	}
}
