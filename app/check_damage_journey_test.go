package app_test

import "punchcard/app/servertest"

// journeyDamages break a consistent journey with one entry.
func journeyDamages() []damage {
	const (
		entry     = "10000000-0000-7000-8000-000000000001"
		recipient = `INSERT INTO marketing_recipients (store_id, source_id, customer_id, occasion, entry_id, token, sent_at)
			VALUES (1, $1, $1, 'joined', $2, $2, 1)`
	)
	broken := func(rule, id, statement string, also ...string) damage {
		return damage{rule, also, "", func(h *hand) string {
			h.exec(`INSERT INTO journeys (store_id, journey_id, recipe, name, active, content, first_day, through, after_key,
					sent, clicked, gifts, skipped, results, created_by, created_at)
				VALUES (1, $1, 'welcome', 'Hello', FALSE, '{}', '', '', '', 1, 0, 0, '{}', '{}', '{}', $2)`,
				stranger, servertest.StartOfTests.UnixMicro())
			h.exec(`INSERT INTO journey_entries (store_id, journey_id, customer_id, occasion, entry_id, state, reason,
					entered_at, done_at, transfer_id, coupon_id)
				VALUES (1, $1, $1, 'joined', $2, 'sent', '', 1, 1, '', '')`, stranger, entry)
			h.exec(recipient, stranger, entry)
			h.exec(statement)
			return id
		}}
	}
	ofNoStore := damage{"store.of.journeys", nil, "", func(h *hand) string {
		h.exec(`INSERT INTO journeys (store_id, journey_id, recipe, name, active, content, first_day, through, after_key,
				sent, clicked, gifts, skipped, results, created_by, created_at)
			VALUES ($1, $2, 'welcome', 'Hello', FALSE, '{}', '', '', '', 0, 0, 0, '{}', '{}', '{}', $3)`,
			strayStore, stranger, servertest.StartOfTests.UnixMicro())
		return stranger
	}}
	return []damage{
		ofNoStore,
		broken("journey.recipe", stranger, `UPDATE journeys SET recipe = 'lost'`),
		broken("journey.state", entry, `UPDATE journey_entries SET state = 'lost'`, "journey.recipient", "journey.counts"),
		broken("journey.of_entry", entry, `DELETE FROM journeys`),
		broken("mailing.targets", "moved", `INSERT INTO marketing_targets (store_id, source_id, target_id, target)
			SELECT store_id, journey_id, 'moved', 'https://shop.example.com' FROM journeys`),
		broken("journey.of_target", "tJgfpZKWjYuGxvjJ", `INSERT INTO marketing_targets
			(store_id, source_id, target_id, target)
			SELECT store_id, 'nothing', 'tJgfpZKWjYuGxvjJ', 'https://shop.example.com' FROM journeys`),
		broken("journey.message", entry, `DELETE FROM marketing_recipients WHERE entry_id <> ''`),
		broken("journey.recipient", entry, `UPDATE journey_entries SET state = 'skipped', reason = 'over'`, "journey.counts"),
		broken("journey.points", entry, `UPDATE journey_entries SET transfer_id = customer_id`, "journey.counts"),
		broken("journey.coupon", entry, `UPDATE journey_entries SET coupon_id = customer_id`, "journey.counts"),
		broken("journey.done", entry, `UPDATE journey_entries SET done_at = NULL`),
		broken("journey.done", entry, `UPDATE journey_entries SET due_at = 1`),
		broken("journey.counts", stranger, `UPDATE journeys SET sent = 2`),
		broken("journey.counts", stranger, `UPDATE journeys SET gifts = 1`),
		broken("journey.clicks", stranger, `UPDATE journeys SET clicked = 1`),
		broken("journey.gift_once", stranger, `INSERT INTO journey_entries (store_id, journey_id, customer_id, occasion,
				entry_id, state, reason, entered_at, done_at, transfer_id, coupon_id)
			SELECT store_id, journey_id, other, '', other, 'sent', '', 1, 1, journey_id, ''
			FROM journeys CROSS JOIN (SELECT 'a' AS other UNION ALL SELECT 'b') others`,
			"journey.counts", "journey.points", "journey.message"),
	}
}
