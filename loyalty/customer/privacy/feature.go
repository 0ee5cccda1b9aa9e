package privacy

import (
	"time"

	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/job"
)

// Feature returns the export and the erasure of personal data. See docs/behaviour/privacy.md.
func Feature(d *db.DB, hooks Hooks) feature.Feature {
	return feature.Feature{
		Section:   feature.Section{Name: "Customers"},
		Endpoints: Endpoints(hooks),
		Jobs: []job.Job{
			{Name: "deleted accounts", Every: time.Minute, Run: store.Everywhere(d, hooks.EraseLeft)},
			{Name: "anonymous", Every: time.Minute, Run: store.Everywhere(d, hooks.ClearAnonymized)},
		},
		Limits: []feature.Limit{
			{Name: "accountReturn", Value: ReturnDays, Unit: "days"},
		},
	}
}
