package customer

import (
	"punchcard/platform/db"
	"punchcard/platform/search"
)

// SearchKind is the kind of customers in the search index.
const SearchKind = "customer"

// document returns the searchable text of a customer.
func (c *Customer) document() search.Document {
	return search.Document{
		ID: c.ID, Name: []string{c.FirstName, c.LastName}, Text: []string{c.Email, c.Phone, c.LoyaltyCard},
	}
}

// Reindex writes up to limit customers after an id to the search index, and returns the last id, which is
// empty when there are no more. It locks them, so that an older text never replaces a newer one.
func Reindex(tx *db.Tx, storeKey int64, after string, limit int) (last string, done int, err error) {
	found, err := db.All(tx, (*Customer).row, `SELECT `+columns+` FROM customers
		WHERE store_id = $1 AND customer_id > $2 AND status <> 'deleted' ORDER BY customer_id LIMIT $3 FOR UPDATE`,
		storeKey, after, limit)
	if err != nil || len(found) == 0 {
		return "", 0, err
	}
	documents := make([]search.Document, len(found))
	for i := range found {
		documents[i] = found[i].document()
	}
	return found[len(found)-1].ID, len(found), search.Put(tx, storeKey, SearchKind, documents...)
}

// Search lists a page of the customers that a search finds, best match first.
func Search(tx *db.Tx, storeKey int64, query string, limit, offset int) ([]Customer, int64, error) {
	ids, total, err := search.Find(tx, storeKey, SearchKind, query, limit, offset)
	if err != nil || len(ids) == 0 {
		return nil, total, err
	}
	byID, err := FindAll(tx, storeKey, ids...)
	found := make([]Customer, 0, len(ids))
	for _, id := range ids {
		if c := byID[id]; c != nil {
			found = append(found, *c)
		}
	}
	return found, total, err
}
