package campaign

import (
	"time"

	"punchcard/core/api"
	"punchcard/core/audit"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/storeapi"
	"punchcard/platform/check"
	"punchcard/platform/db"
	"punchcard/platform/job"
)

// Feature returns reward campaigns. See docs/behaviour/campaigns.md.
func (k *Catalogue) Feature(d *db.DB) feature.Feature {
	return feature.Feature{
		Section: feature.Section{Name: "Campaigns",
			Description: "The rewards that a store offers, with their audience, codes and pictures."},
		Endpoints: k.Endpoints(),
		On: []feature.Reaction{feature.On(func(tx *db.Tx, s *store.Store, e storeapi.LanguageRemoved) error {
			return k.DropLocale(tx, s.Key, e.Code)
		})},
		Jobs:    []job.Job{{Name: "campaign codes", Every: time.Minute, Run: store.Everywhere(d, k.FillBatches)}},
		Rules:   Rules(k.Types),
		Tables:  []check.Table{Campaigns},
		Effects: []*api.Effect{sold},
		Objects: map[string]audit.Object{"campaign": func(tx *db.Tx, of *store.Store, id string) (any, error) {
			return k.Audited(tx, of.Key, id)
		}},
		Limits: []feature.Limit{
			{Name: "campaignPhotos", Value: PhotoLimit, Unit: "photos"},
			{Name: "campaignCodesUploaded", Value: UploadedCodes, Unit: "codes"},
			{Name: "campaignCodesGenerated", Value: GeneratedCodes, Unit: "codes"},
			{Name: "campaignMarkdownSteps", Value: MarkdownSteps, Unit: "steps"},
			{Name: "campaignMarkdownLevels", Value: MarkdownLevels, Unit: "levels"},
			{Name: "campaignLabelConditions", Value: LabelConditions, Unit: "labels"},
		},
	}
}
