package segment

// averageAmount selects customers by the average amount of their transactions.
var averageAmount = CriterionType[AmountRange]{
	Name:       "average_transaction_amount",
	Has:        func(_ *AmountRange, c Candidate) any { return c.Purchases.Average(c.MoneyDigits) },
	Hint:       "The average amount of a sale is not in this range.",
	FormFields: []string{"fromAmount", "toAmount"},
	Read:       readAmountRange,
	Matches:    func(r *AmountRange, c Candidate) bool { return r.contains(c.Purchases.Average(c.MoneyDigits)) },
}
