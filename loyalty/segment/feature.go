package segment

import (
	"punchcard/core/audit"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/platform/db"
)

// Feature returns segments. See docs/behaviour/segments.md.
func (svc *Service) Feature() feature.Feature {
	return feature.Feature{
		Section: feature.Section{Name: "Segments",
			Description: "Groups of customers that meet criteria, for campaigns and earning rules."},
		Endpoints: svc.Endpoints(),
		StoreJobs: []store.Job{{Name: "segments", Work: svc.RebuildDue}},
		On:        svc.reactions(),
		Rules:     svc.Rules(),
		Objects: map[string]audit.Object{"segment": func(tx *db.Tx, of *store.Store, id string) (any, error) {
			return svc.Audited(tx, of.Key, id)
		}},
		Limits: []feature.Limit{
			{Name: "segmentParts", Value: PartLimit, Unit: "parts"},
			{Name: "segmentPartCriteria", Value: CriterionLimit, Unit: "criteria"},
			{Name: "segmentCriterionEntries", Value: EntryLimit, Unit: "entries"},
			{Name: "segmentCriterionCustomers", Value: CustomerLimit, Unit: "customers"},
		},
	}
}
