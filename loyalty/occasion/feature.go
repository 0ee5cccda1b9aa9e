package occasion

import (
	"punchcard/core/feature"
	"punchcard/core/store"
)

// Feature returns the messages of birthdays and other occasions. See docs/behaviour/messages.md.
func Feature(h Hooks) feature.Feature {
	return feature.Feature{
		Customers: feature.Personal{Forget: []feature.Trace{Forget}, ForgetDeleted: []feature.Trace{Forget}},
		StoreJobs: []store.Job{{Name: "occasions", Work: h.Send}},
		Limits: []feature.Limit{
			{Name: "birthdayMessagePause", Value: BirthdayPause, Unit: "days"},
			{Name: "occasionsMadeUp", Value: LateLimit, Unit: "days"},
		},
	}
}
