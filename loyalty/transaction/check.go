package transaction

import (
	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
	"punchcard/loyalty/pos"
	"punchcard/platform/check"
	"punchcard/platform/counter"
	"punchcard/platform/keytext"
)

// Transactions is the table that rows of other packages refer to.
var Transactions = check.Table{Name: "transactions", ID: "transaction_id"}

// The totals of transactions by a column: the number of sales that are not completely returned, and their amount.
func countOf(column string) check.Totals {
	return check.Totals(`SELECT store_id, ` + column + ` AS id, COUNT(*) AS total FROM transactions
		WHERE document_type = 'sell' AND NOT fully_returned AND ` + column + ` <> '' GROUP BY store_id, ` + column)
}

func amountOf(column string) check.Totals {
	return check.Totals(`SELECT store_id, ` + column + ` AS id, SUM(gross_value - returned) AS total FROM transactions
		WHERE document_type = 'sell' AND ` + column + ` <> '' GROUP BY store_id, ` + column)
}

// Rules returns the invariants of transactions.
func Rules() []check.Rule {
	return []check.Rule{
		check.Refers("transaction.customer", Transactions, "customer_id", customer.Customers),
		check.Refers("transaction.pos", Transactions, "pos_id", pos.PointsOfSale),
		check.Refers("transaction.revised", Transactions, "revised_id", Transactions),
		check.Refers("transaction.labelled", check.Table{Name: "transaction_labels", ID: "transaction_id"},
			"transaction_id", Transactions),
		check.Refers("transaction.transfer", points.Transfers, "transaction_id", Transactions),
		check.Refers("transaction.revised_transfer", points.Transfers, "revised_transaction_id", Transactions),
		check.Written("transaction.document_number", Transactions, "document_number", keytext.Clean),
		check.Equal("transaction.count", counter.Totals(counterName),
			`SELECT store_id, '`+counterName+`' AS id, COUNT(*) AS total FROM transactions GROUP BY store_id`),
		check.Equal("transaction.returned",
			`SELECT store_id, transaction_id AS id, returned AS total FROM transactions WHERE document_type = 'sell'`,
			`SELECT store_id, revised_id AS id, SUM(returned) AS total FROM transactions
				WHERE document_type = 'return' GROUP BY store_id, revised_id`),
		check.Equal("transaction.customer_count", customer.CountTotals, countOf("customer_id")),
		check.Equal("transaction.customer_amount", customer.AmountTotals, amountOf("customer_id")),
		check.Equal("transaction.last_sale", customer.LastPurchases,
			`SELECT store_id, customer_id AS id, MAX(purchased_at) AS total FROM transactions
				WHERE document_type = 'sell' AND NOT fully_returned AND customer_id <> '' GROUP BY store_id, customer_id`),
		check.Equal("transaction.pos_count", pos.CountTotals, countOf("pos_id")),
		check.Equal("transaction.pos_amount", pos.AmountTotals, amountOf("pos_id")),
		check.JSON[CustomerData]("transaction.customer_data", Transactions, "customer_data"),
		check.JSON[[]Item]("transaction.items", Transactions, "items"),
		check.JSON[[]Label]("transaction.labels", Transactions, "labels"),
		check.JSON[Excluded]("transaction.excluded", Transactions, "excluded"),
	}
}
