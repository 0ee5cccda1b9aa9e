package message

import (
	"time"

	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/message/template"
	"punchcard/platform/db"
	"punchcard/platform/job"
	"punchcard/platform/mail"
)

// Feature returns what is sent to people, and how. See docs/behaviour/messages.md.
func Feature(c *Config, d *db.DB, retention time.Duration) feature.Feature {
	return feature.Feature{
		Section:   feature.Section{Name: "Messages"},
		Endpoints: Endpoints(c),
		Customers: feature.Personal{
			Exports:       []feature.Export{{Name: "messages", Rank: 13, Read: Export}},
			Forget:        []feature.Trace{Forget},
			ForgetDeleted: []feature.Trace{Forget},
			NotHandedOver: "it stays with the merged customer",
		},
		On: []feature.Reaction{feature.On(func(tx *db.Tx, s *store.Store, e customer.Registered) error {
			all := make([]Message, len(e.Customers))
			for i, c := range e.Customers {
				all[i] = To(c, template.CustomerRegistered, nil)
			}
			return Queue(tx, s, all...)
		})},
		Jobs:  []job.Job{{Name: "old messages", Every: time.Hour, Run: Clean(d, retention)}},
		Rules: Rules(),
		Limits: []feature.Limit{
			{Name: "messagesPerHour", Value: int64(c.PerHour), Unit: "messages", Setting: "--messages-per-hour"},
			{Name: "messagesPerAddressPerHour", Value: int64(c.PerAddressHour), Unit: "messages",
				Setting: "--messages-per-address"},
			{Name: "messagesPerUnconfirmedAddressPerDay", Value: int64(c.PerUnconfirmedDay), Unit: "messages",
				Setting: "--messages-per-unconfirmed"},
			feature.Seconds("messageRetention", retention, "--message-retention"),
			feature.Seconds("messageLifetime", Lifetime, ""),
			feature.Seconds("undeliverableAddress", UndeliverableTerm, ""),
			feature.Seconds("refusedAddressApart", RefusedApart, ""),
			{Name: "messageStores", Value: StoresAtOnce, Unit: "stores"},
			{Name: "messageCalls", Value: CallsPerQueue, Unit: "calls"},
			feature.Seconds("mailTimeout", mail.DefaultTimeout, ""),
			feature.Seconds("mailConnectionIdle", mail.IdleTimeout, ""),
			{Name: "mailConnectionsIdle", Value: mail.IdleConnections, Unit: "connections"},
			{Name: "browserMessage", Value: BrowserPayload, Unit: "bytes"},
			feature.Seconds("browserMessageKept", BrowserTTL, ""),
			{Name: "mailText", Value: mail.MaxText, Unit: "bytes"},
		},
	}
}
