package segment

// averageAmount selects customers by the average amount of their transactions.
var averageAmount = CriterionType[AmountRange]{
	Name:       "average_transaction_amount",
	FormFields: []string{"fromAmount", "toAmount"},
	Read:       readAmountRange,
	Matches:    func(r *AmountRange, c Candidate) bool { return r.contains(c.Purchases.Average(c.MoneyDigits)) },
}
