package transaction

import (
	"time"

	"punchcard/platform/db"
)

// Sale is what matters of a sale to those who ask what a customer bought.
type Sale struct {
	CustomerID  string
	POSID       string
	PurchasedAt time.Time
	Items       []Item // nil when they were not asked for
}

func (s *Sale) row() []any {
	return []any{&s.CustomerID, &s.POSID, db.Time(&s.PurchasedAt), db.JSON(&s.Items)}
}

// SalesOf hands every sale of different customers, of which something is left, to visit as it is read: those of
// one customer together. Items are read only when they are asked for. visit must not use tx.
func SalesOf(tx *db.Tx, storeKey int64, customerIDs []string, withItems bool, visit func(*Sale)) error {
	items := `'null'`
	if withItems {
		items = "items"
	}
	wanted, args := tx.Among([]any{storeKey}, customerIDs...)
	return db.Each(tx, (*Sale).row, func(s Sale) { visit(&s) },
		`SELECT customer_id, pos_id, purchased_at, `+items+` FROM `+wanted+` CROSS JOIN transactions t
		WHERE t.store_id = v.store AND t.customer_id = v.column1 AND t.customer_id <> '' AND document_type = 'sell'
		AND NOT fully_returned ORDER BY t.customer_id, t.transaction_id`, args...)
}
