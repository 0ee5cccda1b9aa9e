package customer

import "punchcard/platform/db"

// Buyer has the fields of a customer that a purchase uses.
type Buyer struct {
	ID, Status, LevelID, Email, Phone, FirstName, LastName string
	Address                                                string // JSON as stored
	MergedInto                                             string
}

func (b *Buyer) row() []any {
	return []any{&b.ID, &b.Status, &b.LevelID, &b.Email, &b.Phone, &b.FirstName, &b.LastName, &b.Address,
		&b.MergedInto}
}

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
	return buyers, db.Select((*Buyer).row, func(b Buyer) { buyers[b.ID] = &b }, `
		SELECT customer_id, status, level_id, email, phone, first_name, last_name, address, merged_into
			FROM ? AS v (store, id)
		CROSS JOIN customers c WHERE c.store_id = v.store AND c.customer_id = v.id`,
		tx.Among(storeKey, ids...))
}

// Standing is the status and level used to select offers, beside the segments.
type Standing struct{ Status, LevelID string }

// SelectStandings returns a query for the standing of customers of a store, and the map that it fills. The ids must be
// distinct; unknown ones are missing from the result.
func SelectStandings(tx *db.Tx, storeKey int64, ids []string) (map[string]Standing, db.Query) {
	type row struct {
		id string
		Standing
	}
	standings := make(map[string]Standing, len(ids))
	return standings, db.Select(func(r *row) []any { return []any{&r.id, &r.Status, &r.LevelID} },
		func(r row) { standings[r.id] = r.Standing },
		`SELECT customer_id, status, level_id FROM ? AS v (store, id)
		CROSS JOIN customers c WHERE c.store_id = v.store AND c.customer_id = v.id`,
		tx.Among(storeKey, ids...))
}
