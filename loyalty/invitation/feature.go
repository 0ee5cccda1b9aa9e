package invitation

import (
	"punchcard/core/feature"
)

// Feature returns invitations. See docs/behaviour/invitations.md.
func Feature(limits Limits) feature.Feature {
	return feature.Feature{
		Section: feature.Section{Name: "Invitations",
			Description: "Customers invite others, and earn when they register and buy."},
		Endpoints: Endpoints(limits),
		Customers: feature.Personal{
			Exports:        []feature.Export{{Name: "invitations", Rank: 8, Read: Export}},
			Forget:         []feature.Trace{Forget},
			ForgetUnlinked: ForgetContact,
		},
		Rules:     Rules(),
		Emissions: Emissions(),
	}
}
