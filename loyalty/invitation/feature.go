package invitation

import (
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/platform/db"
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
			HandOver: []feature.HandOver{
				feature.HandsOver("Invitations", "invitations", handOver, moveInvitations),
			},
		},
		On: []feature.Reaction{
			feature.On(func(tx *db.Tx, s *store.Store, by *customer.Registering) (err error) {
				by.InvitationID, err = Claim(tx, s, by.Token)
				return err
			}),
			feature.On(func(tx *db.Tx, s *store.Store, e customer.Registered) error {
				for _, c := range e.Customers {
					if err := Attach(tx, s, c); err != nil {
						return err
					}
				}
				return nil
			}),
		},
		Rules:     Rules(),
		Emissions: Emissions(),
	}
}
