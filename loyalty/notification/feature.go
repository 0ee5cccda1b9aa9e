package notification

import (
	"time"

	"punchcard/core/access"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/message"
	"punchcard/loyalty/purchase"
	"punchcard/platform/db"
	"punchcard/platform/delivery"
	"punchcard/platform/job"
)

// Feature returns notifications. See docs/behaviour/notifications.md.
func Feature(p Parts) feature.Feature {
	return feature.Feature{
		Section: feature.Section{Name: "Notifications",
			Description: "Messages to customers about campaigns, coupons, points and levels, and the gateway that sends them."},
		Endpoints: Endpoints(p.Messages),
		Customers: feature.Personal{
			Exports:       []feature.Export{{Name: "notifications", Rank: 7, Read: Export}},
			Forget:        []feature.Trace{Forget},
			ForgetDeleted: []feature.Trace{Forget},
			NotHandedOver: "it stays with the merged customer",
		},
		On: []feature.Reaction{
			feature.On(func(tx *db.Tx, s *store.Store, e customer.Registered) error {
				return Welcome(tx, s, customer.IDs(e.Customers)...)
			}),
			feature.On(func(tx *db.Tx, s *store.Store, e customer.Imported) error {
				if e.WithoutWelcome {
					return nil
				}
				return Welcome(tx, s, customer.IDs(e.Customers)...)
			}),
		},
		StoreJobs: []store.Job{{Name: "ending notices", Work: NotifyEndings}},
		Jobs: []job.Job{
			{Name: Announcements, Every: time.Minute, Run: AnnounceAll(p.DB, p.Desk)},
			{Name: "notification gateways", Every: time.Minute, Run: message.TakePushes(p.DB)},
			{Name: "old notifications", Every: time.Hour, Run: store.Everywhere(p.DB, Clean(p.Retention))},
		},
		Rules:     Rules(),
		Emissions: Emissions(),
		Timeline:  []feature.TimelineSource{{Kind: "notification", Resource: access.Customers, Rank: 4, Page: timeline}},
		Limits: []feature.Limit{
			{Name: "notificationsOfPush", Value: message.PushLimit, Unit: "notifications"},
			{Name: "notificationPushesCounted", Value: delivery.CountLimit, Unit: "pushes"},
			feature.Seconds("notificationRetention", p.Retention, "--notification-retention"),
		},
	}
}

// Announcements is the name of the job that notifies customers of campaigns. It takes turns between stores.
const Announcements = "campaign notifications"

// Parts holds the parts of the server that notifications use.
type Parts struct {
	DB        *db.DB
	Messages  *message.Config // calls the gateway
	Desk      *purchase.Desk
	Retention time.Duration
}
