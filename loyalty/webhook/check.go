package webhook

import (
	"punchcard/platform/check"
	"punchcard/platform/event"
)

// Rules returns the consistency rules of subscriptions and deliveries.
func Rules() []check.Rule {
	subscriptions := check.Table{Name: "webhook_subscriptions", ID: "subscription_id"}
	deliveries := check.Table{Name: "webhook_deliveries", ID: "event_id"}
	return []check.Rule{
		check.Refers("webhook.subscription", deliveries, "subscription_id", subscriptions),
		check.Rows("webhook.event", `SELECT d.store_id, d.event_id, d.type, COALESCE(e.type, 'an event of the store')
			FROM webhook_deliveries d LEFT JOIN (`+event.TypesQuery+`) e ON e.id = d.event_id AND e.store_id = d.store_id
			WHERE e.id IS NULL OR e.type <> d.type`),
		check.Rows("webhook.state", `SELECT store_id, event_id, state, CASE
			WHEN finished_at IS NOT NULL THEN 'delivered or dead' WHEN due_at IS NOT NULL THEN 'pending' ELSE 'waiting' END
			FROM webhook_deliveries WHERE (state IN ('delivered', 'dead')) <> (finished_at IS NOT NULL)
			OR (state = 'pending') <> (due_at IS NOT NULL) OR state NOT IN ('waiting', 'pending', 'delivered', 'dead')`),
		check.JSON[[]string]("webhook.event_names", subscriptions, "event_names"),
	}
}
