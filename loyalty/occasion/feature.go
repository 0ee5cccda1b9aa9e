package occasion

import (
	"punchcard/core/feature"
	"punchcard/core/store"
)

// Feature returns the messages of birthdays and other occasions. See docs/behaviour/messages.md.
func Feature() feature.Feature {
	return feature.Feature{
		Customers: feature.Personal{
			NotExported:   "the message of an occasion is among the messages",
			Forget:        []feature.Trace{Forget},
			ForgetDeleted: []feature.Trace{Forget},
			NotHandedOver: "it stays with the merged customer",
		},
		StoreJobs: []store.Job{{Name: "occasions", Work: Send}},
		Limits: []feature.Limit{
			{Name: "birthdayMessagePause", Value: BirthdayPause, Unit: "days"},
			{Name: "occasionsMadeUp", Value: LateLimit, Unit: "days"},
		},
	}
}
