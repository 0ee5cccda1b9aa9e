package verification

import (
	"time"

	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/platform/db"
	"punchcard/platform/job"
)

// Feature returns the activation of accounts, and changes of passwords and contacts.
// See docs/behaviour/accounts.md.
func (v *Verifier) Feature(d *db.DB) feature.Feature {
	return feature.Feature{
		Section: feature.Section{Name: "Accounts",
			Description: "Activate accounts, reset forgotten passwords and confirm new contacts by links and codes."},
		Endpoints: v.Endpoints(),
		Customers: feature.Personal{
			Exports:       []feature.Export{{Name: "contactChanges", Rank: 14, Read: ExportChanges}},
			Forget:        []feature.Trace{Forget},
			ForgetDeleted: []feature.Trace{Forget},
			NotHandedOver: "the merged customer cannot log in",
		},
		On: []feature.Reaction{
			feature.On(notifyPasswordChanged), feature.On(factorsRemoved), feature.On(codesLocked),
			feature.On(contactChanged), feature.On(RequestChange), feature.On(leaving),
			feature.On(func(tx *db.Tx, s *store.Store, e customer.Registered) error { return greet(tx, s, e.Customers...) }),
			feature.On(func(tx *db.Tx, s *store.Store, e customer.Greeting) error { return greet(tx, s, e.Customer) }),
			feature.On(sessionsEnded), feature.On(administratorChanged), feature.On(sellerChanged),
		},
		Jobs:  []job.Job{{Name: "verification tokens", Every: time.Hour, Run: DeleteExpired(d)}},
		Rules: Rules(),
		Limits: []feature.Limit{
			feature.Seconds("accountTokenLifetime", TokenLife, ""),
			feature.Seconds("staffLinkLifetime", StaffLinkLife, ""),
			feature.Seconds("administratorInvitationLifetime", InvitationLife, ""),
			feature.Seconds("accountCodeLifetime", CodeLife, ""),
			{Name: "accountCodeAttempts", Value: CodeAttempts, Unit: "attempts"},
			{Name: "accountTokens", Value: LiveTokens, Unit: "tokens"},
			{Name: "accountMessages", Value: MessagesPerHour, Unit: "messages"},
			feature.Seconds("accountMessagesWindow", RequestWindow, ""),
			feature.Seconds("contactChangeLifetime", ChangeLife, ""),
			feature.Seconds("accountRest", Rest, ""),
			feature.Seconds("formerContactLifetime", FormerContactLife, ""),
			{Name: "formerContacts", Value: FormerContacts, Unit: "contacts"},
		},
	}
}
