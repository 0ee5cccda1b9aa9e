package branding

import (
	"punchcard/core/feature"
	"punchcard/platform/check"
)

// Feature returns the look of a store. See docs/behaviour/branding.md.
func Feature() feature.Feature {
	return feature.Feature{
		Section: feature.Section{Name: "Branding",
			Description: "The name, colors, pictures and terms of a store, as its customers see them."},
		Endpoints: Endpoints(),
		Tables:    []check.Table{Files},
		Limits: []feature.Limit{
			{Name: "conditionsFile", Value: MaxConditions, Unit: "bytes"},
		},
	}
}
