package segment

import (
	"punchcard/core/store"
	"punchcard/platform/form"
)

// TransactionCount selects customers by the number of their transactions. Both bounds are included.
type TransactionCount struct {
	Min int64 `json:"min"`
	Max int64 `json:"max"`
}

var transactionCount = CriterionType[TransactionCount]{
	Name:       "transaction_count",
	Has:        func(_ *TransactionCount, c Candidate) any { return c.Purchases.Count },
	Hint:       "The number of sales is not in this range.",
	FormFields: []string{"min", "max"},
	Read: func(g *form.Group, _ *store.Store) *TransactionCount {
		t := &TransactionCount{
			Min: g.Integer("min", form.NotBlank, form.AtLeast(0)), Max: g.Integer("max", form.NotBlank, form.AtLeast(0)),
		}
		inOrder(g, t.Min <= t.Max, "min", "max")
		return t
	},
	Matches: func(t *TransactionCount, c Candidate) bool {
		return t.Min <= c.Purchases.Count && c.Purchases.Count <= t.Max
	},
}
