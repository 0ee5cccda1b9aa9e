package privacy

import (
	"time"

	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/job"
)

// Feature returns the export and the erasure of personal data. See docs/behaviour/privacy.md.
func (svc *Service) Feature(d *db.DB) feature.Feature {
	return feature.Feature{
		Section:   feature.Section{Name: "Customers"},
		Endpoints: svc.Endpoints(),
		Jobs: []job.Job{
			{Name: "deleted accounts", Every: time.Minute, Run: store.Everywhere(d, svc.EraseLeft)},
			{Name: "anonymous", Every: time.Minute, Run: store.Everywhere(d, svc.ClearAnonymized)},
		},
		On: []feature.Reaction{feature.On(svc.changed)},
		Limits: []feature.Limit{
			{Name: "accountReturn", Value: ReturnDays, Unit: "days"},
		},
	}
}
