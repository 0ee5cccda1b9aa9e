package transaction

import (
	"time"

	"punchcard/platform/db"
)

// Sale holds the fields of a sale that criteria of segments need.
type Sale struct {
	CustomerID  string
	POSID       string
	PurchasedAt time.Time
	Items       []Item // nil unless read with items
}

var saleView = db.NewView(table, func(s *Sale) db.Row {
	return db.Row{
		"customer_id", &s.CustomerID, "pos_id", &s.POSID, "purchased_at", db.Time(&s.PurchasedAt), "items", db.JSON(&s.Items),
	}
})

// SalesOf calls visit for every sale of distinct customers that is not completely returned, grouped by customer. Items
// are read only if withItems is set. visit must not use tx.
func SalesOf(tx *db.Tx, storeKey int64, customerIDs []string, withItems bool, visit func(*Sale)) error {
	items := `'null' AS items`
	if withItems {
		items = "items"
	}
	return saleView.Each(tx, func(s Sale) { visit(&s) },
		`SELECT customer_id, pos_id, purchased_at, `+items+` FROM ? AS v (store, id) CROSS JOIN transactions t
		WHERE t.store_id = v.store AND t.customer_id = v.id AND t.customer_id <> '' AND document_type = 'sell'
		AND NOT fully_returned ORDER BY t.customer_id, t.transaction_id`, tx.Among(storeKey, customerIDs...))
}
