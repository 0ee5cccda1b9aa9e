package storeapi

import (
	"punchcard/core/audit"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/outbound"
)

// Feature returns stores, languages and settings. See docs/behaviour/stores.md.
func Feature(client *outbound.Client, parts Parts) feature.Feature {
	return feature.Feature{
		Section: feature.Section{Name: "Stores",
			Description: "Stores with their settings and languages, and the clock of a sandbox store."},
		Endpoints: Endpoints(client, parts),
		Limits: []feature.Limit{
			{Name: "embedOrigins", Value: MaxEmbedOrigins, Unit: "origins"},
			{Name: "marketingMessagesMost", Value: MaxMarketingMessages, Unit: "messages"},
			{Name: "marketingMessagesDays", Value: MaxMarketingDays, Unit: "days"},
			{Name: "furtherTranslations", Value: store.TranslationLimit, Unit: "languages"},
			{Name: "sandboxClockStep", Value: store.StepLimit, Unit: "days"},
			{Name: "sandboxClockAhead", Value: store.AheadLimit, Unit: "days"},
		},
		Objects: map[string]audit.Object{"store": auditedStore, "language": auditedLanguage},
	}
}

// shop has the audited fields of a store besides its settings.
type shop struct {
	Code, Name, Currency string
	Active, Sandbox      bool
}

func auditedStore(tx *db.Tx, _ *store.Store, id string) (any, error) {
	found, known, err := store.ByID(tx, id)
	if !known {
		return nil, err
	}
	return shop{found.Code, found.Name, found.Currency, found.Active, found.Sandbox}, err
}

func auditedLanguage(tx *db.Tx, _ *store.Store, code string) (any, error) {
	return audit.OrNone(store.FindLanguage(tx, code))
}
