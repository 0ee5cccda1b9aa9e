package customer

import "punchcard/platform/db"

// Buyer has the fields of a customer that a purchase uses.
type Buyer struct {
	ID, Status, LevelID, Email, Phone, FirstName, LastName string
	Address                                                string // JSON as stored
	MergedInto                                             string
}

var buyerView = db.NewView(table, func(b *Buyer) db.Row {
	return db.Row{
		"customer_id", &b.ID, "status", &b.Status, "level_id", &b.LevelID, "email", &b.Email, "phone", &b.Phone,
		"first_name", &b.FirstName, "last_name", &b.LastName, "address", &b.Address, "merged_into", &b.MergedInto,
	}
})

// Gone returns why there is no such customer any more, or nil.
func (b *Buyer) Gone() error { return gone(b.Status, b.MergedInto) }

// Buyers reads customers of a store. The ids must be distinct; unknown ones are missing from the result.
func Buyers(tx *db.Tx, storeKey int64, ids []string) (map[string]*Buyer, error) {
	buyers, query := SelectBuyers(tx, storeKey, ids)
	return buyers, tx.Run(query)
}

// SelectBuyers returns the query of Buyers, and the map that it fills.
func SelectBuyers(tx *db.Tx, storeKey int64, ids []string) (map[string]*Buyer, db.Query) {
	buyers := make(map[string]*Buyer, len(ids))
	return buyers, buyerView.Select(func(b Buyer) { buyers[b.ID] = &b }, `SELECT c.* FROM ? AS v (store, id)
		CROSS JOIN customers c WHERE c.store_id = v.store AND c.customer_id = v.id`,
		tx.Among(storeKey, ids...))
}

// Standing is the status and level used to select offers, beside the segments.
type Standing struct{ Status, LevelID string }

// SelectStandings returns a query for the standing of customers of a store, and the map that it fills. The ids must be
// distinct; unknown ones are missing from the result.
func SelectStandings(tx *db.Tx, storeKey int64, ids []string) (map[string]Standing, db.Query) {
	standings := make(map[string]Standing, len(ids))
	return standings, buyerView.Select(func(b Buyer) { standings[b.ID] = Standing{b.Status, b.LevelID} },
		`SELECT customer_id, status, level_id FROM ? AS v (store, id)
		CROSS JOIN customers c WHERE c.store_id = v.store AND c.customer_id = v.id`,
		tx.Among(storeKey, ids...))
}
