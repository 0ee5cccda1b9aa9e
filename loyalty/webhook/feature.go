package webhook

import (
	"time"

	"punchcard/core/audit"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/delivery"
	"punchcard/platform/event"
	"punchcard/platform/job"
	"punchcard/platform/outbound"
)

// Feature returns web hooks, whose subscriptions name the events of the facts. See docs/behaviour/web-hooks.md.
func Feature(
	facts []event.Fact, client *outbound.Client, sender *Sender, d *db.DB, retention time.Duration,
) feature.Feature {
	return feature.Feature{
		Section: feature.Section{Name: "Web hooks",
			Description: "Send events to a system of the store, signed and in order, and look at the deliveries."},
		Endpoints: Endpoints(facts, client, sender),
		Jobs:      []job.Job{{Name: "web hook deliveries", Every: time.Hour, Run: Clean(d, retention)}},
		Rules:     Rules(),
		Objects: map[string]audit.Object{"webhook": func(tx *db.Tx, of *store.Store, id string) (any, error) {
			return Audited(tx, of.Key, id)
		}},
		Limits: []feature.Limit{
			{Name: "webhookSubscriptions", Value: SubscriptionLimit, Unit: "subscriptions"},
			{Name: "webhookEventNames", Value: NameLimit, Unit: "names"},
			{Name: "webhookHeaders", Value: HeaderLimit, Unit: "headers"},
			{Name: "webhookURL", Value: outbound.MaxURL, Unit: "characters"},
			feature.Seconds("webhookConnect", outbound.DefaultConnectTimeout, ""),
			feature.Seconds("webhookCall", outbound.DefaultTimeout, ""),
			{Name: "webhookCallsInFlight", Value: CallLimit, Unit: "calls"},
			{Name: "webhookCallsOfSubscription", Value: SubscriptionCallLimit, Unit: "calls"},
			{Name: "webhookAttempts", Value: int64(delivery.Attempts), Unit: "attempts"},
			feature.Seconds("webhookSecretOverlap", RotationOverlap, ""),
			feature.Seconds("webhookFailing", FailingLimit, ""),
			{Name: "webhookOpenDeliveries", Value: OpenLimit, Unit: "deliveries"},
			{Name: "webhookReplay", Value: ReplayLimit, Unit: "events"},
			{Name: "webhookDeliveriesCounted", Value: delivery.CountLimit, Unit: "deliveries"},
			feature.Seconds("webhookRetention", retention, "--webhook-retention"),
		},
	}
}
