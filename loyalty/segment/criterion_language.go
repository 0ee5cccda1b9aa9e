package segment

import (
	"slices"

	"punchcard/core/store"
	"punchcard/platform/form"
)

// Languages selects customers by the language of their messages.
type Languages struct {
	Languages []string `json:"languages"` // codes such as en
}

// inLanguage selects customers who get messages in one of the languages. Those who chose none are left out.
var inLanguage = CriterionType[Languages]{
	Name:       "customer_language",
	Has:        func(_ *Languages, c Candidate) any { return c.Locale },
	Hint:       "The customer has chosen none of these languages.",
	FormFields: []string{"languages"},
	Read: func(g *form.Group, _ *store.Store) *Languages {
		return &Languages{g.Texts("languages", form.MinItems(1), form.Matches(form.NotValid, func(code string) bool {
			return code == "" || store.IsLanguage(code)
		}))}
	},
	Matches: func(l *Languages, c Candidate) bool { return slices.Contains(l.Languages, c.Locale) },
}
