package segment

import (
	"punchcard/core/store"
	"punchcard/platform/decimal"
	"punchcard/platform/form"
)

// AmountRange is a range of amounts in the currency of the store. Both bounds are included.
type AmountRange struct {
	From decimal.Money `json:"fromAmount"`
	To   decimal.Money `json:"toAmount"`
}

// transactionAmount selects customers by the sum of their transactions.
var transactionAmount = CriterionType[AmountRange]{
	Name:       "transaction_amount",
	Has:        func(_ *AmountRange, c Candidate) any { return c.Purchases.Amount },
	Hint:       "The sum of sales is not in this range.",
	FormFields: []string{"fromAmount", "toAmount"},
	Read:       readAmountRange,
	Matches:    func(r *AmountRange, c Candidate) bool { return r.contains(c.Purchases.Amount) },
}

func readAmountRange(g *form.Group, s *store.Store) *AmountRange {
	amount := func(name string) decimal.Money {
		return s.ReadMoney(g, name, form.NotBlank, form.AtLeast(0))
	}
	r := &AmountRange{From: amount("fromAmount"), To: amount("toAmount")}
	inOrder(g, r.From <= r.To, "fromAmount", "toAmount")
	return r
}

func (r *AmountRange) contains(amount decimal.Money) bool {
	return r.From <= amount && amount <= r.To
}
