package pos

import (
	"maps"
	"slices"

	"punchcard/core/api"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
	"punchcard/platform/fault"
	"punchcard/platform/search"
)

var table = db.NewConfiguration("points_of_sale", "store_id, pos_id", func(p *POS) db.Row {
	return db.Row{
		"store_id", &p.StoreKey, "pos_id", &p.ID, "identifier", &p.Identifier, "name", &p.Name,
		"description", &p.Description, "location", db.JSON(&p.Location), "transactions_amount", &p.Amount,
		"transactions_count", &p.Count, "created_at", db.Time(&p.CreatedAt),
		"name_order", db.Derived(&p.Name, search.Fold),
	}
})

func updatePOS(tx *db.Tx, storeKey int64, id string, d Details) error {
	found, err := table.UpdateOne(tx, "identifier, name, description, location, name_order",
		&POS{StoreKey: storeKey, ID: id, Details: d})
	if err == nil && !found {
		err = fault.ErrNotFound
	}
	return err
}

// Find returns the store's point of sale with the id, and whether there is one.
func Find(tx *db.Tx, storeKey int64, id string) (POS, bool, error) {
	return table.One(tx, `SELECT * FROM points_of_sale WHERE store_id = ? AND pos_id = ?`, storeKey, id)
}

// FindByIdentifier returns the store's point of sale with the identifier, which is case-sensitive.
func FindByIdentifier(tx *db.Tx, storeKey int64, identifier string) (POS, bool, error) {
	return table.One(tx, `SELECT * FROM points_of_sale WHERE store_id = ? AND identifier = ?`, storeKey, identifier)
}

// FindAll returns points of sale by id. Ids must be distinct; unknown ones are missing from the result.
func FindAll(tx *db.Tx, storeKey int64, ids ...string) (map[string]*POS, error) {
	byID, query := SelectAll(tx, storeKey, ids...)
	return byID, tx.Run(query)
}

// SelectAll returns the query of FindAll, and the map that it fills.
func SelectAll(tx *db.Tx, storeKey int64, ids ...string) (map[string]*POS, db.Query) {
	byID := make(map[string]*POS, len(ids))
	return byID, table.Select(func(p POS) { byID[p.ID] = &p }, `SELECT p.* FROM ? AS v (store, id)
		CROSS JOIN points_of_sale p WHERE p.store_id = v.store AND p.pos_id = v.id`, tx.Among(storeKey, ids...))
}

// Names returns the names of points of sale by id. Ids must be distinct; unknown ones are missing from the result.
func Names(tx *db.Tx, storeKey int64, ids ...string) (map[string]string, error) {
	found, err := FindAll(tx, storeKey, ids...)
	names := make(map[string]string, len(found))
	for id, p := range found {
		names[id] = p.Name
	}
	return names, err
}

// Sums are the number and the amount of sales at a point of sale.
type Sums struct {
	Amount decimal.Money
	Count  int64
}

// Count adds to the sums of points of sale by their ids; a return subtracts. Unknown ids are ignored. Call it at the
// end of an operation, because all sales at a point of sale lock the same row. It locks them in the order of ids.
func Count(tx *db.Tx, storeKey int64, sums map[string]Sums) error {
	for _, id := range slices.Sorted(maps.Keys(sums)) {
		err := table.Add(tx, "transactions_amount, transactions_count",
			&POS{StoreKey: storeKey, ID: id, Amount: sums[id].Amount, Count: sums[id].Count})
		if err != nil {
			return err
		}
	}
	return nil
}

var sortable = api.Order{Tie: "pos_id", Columns: map[string]api.Column{
	"posId": "pos_id", "name": "name_order", "identifier": "identifier", "description": "description",
	"transactionsAmount": "transactions_amount", "transactionsCount": "transactions_count",
}}

// readPage returns one page of points of sale, and their total. A store has few enough to count them each time.
func readPage(tx *db.Tx, storeKey int64, order db.Order, limit, offset int) (found []POS, total int, err error) {
	total, err = db.Value[int](tx, `SELECT COUNT(*) FROM points_of_sale WHERE store_id = ?`, storeKey)
	if err != nil {
		return nil, 0, err
	}
	found, err = table.All(tx, `SELECT * FROM points_of_sale
		WHERE store_id = ? ORDER BY ? LIMIT ? OFFSET ?`, storeKey, order, limit, offset)
	return found, total, err
}
