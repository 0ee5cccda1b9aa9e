package segment

import (
	"slices"

	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/platform/form"
)

// Consent selects customers who gave an agreement, or who did not.
type Consent struct {
	Agreement string `json:"agreement"` // agreement1, agreement2 or agreement3
	Given     bool   `json:"given"`
}

var consent = CriterionType[Consent]{
	Name:       "customer_consent",
	Has:        func(f *Consent, c Candidate) any { return f.isGiven(c) },
	Hint:       "The customer has decided otherwise.",
	FormFields: []string{"agreement", "given"},
	Read: func(g *form.Group, _ *store.Store) *Consent {
		return &Consent{g.Choice("agreement", customer.Agreements[:], form.NotBlank), g.Checkbox("given")}
	},
	Matches: func(f *Consent, c Candidate) bool { return f.isGiven(c) == f.Given },
}

func (f *Consent) isGiven(c Candidate) bool {
	i := slices.Index(customer.Agreements[:], f.Agreement)
	return i >= 0 && c.Agreements[i]
}
