package customer

import (
	"strings"
	"unicode"

	"punchcard/platform/db"
	"punchcard/platform/phone"
	"punchcard/platform/search"
)

// SearchKind is the kind of customers in the search index.
const SearchKind = "customer"

// document returns the searchable text of a customer.
func (c *Customer) document() search.Document {
	return search.Document{
		ID: c.ID, Name: []string{c.FirstName, c.LastName},
		Text: []string{
			c.Email, c.Phone, c.PhoneKey, c.LoyaltyCard,
			search.Joined(c.LastName, c.FirstName), search.Joined(c.FirstName, c.LastName),
		},
	}
}

// Reindex writes up to limit customers after an id to the search index, and returns the last id, which is
// empty when there are no more. It locks them, so that an older text never replaces a newer one.
func Reindex(tx *db.Tx, storeKey int64, after string, limit int) (last string, done int, err error) {
	found, err := table.All(tx, `SELECT * FROM customers
		WHERE store_id = ? AND customer_id > ? AND status <> 'deleted' ORDER BY customer_id LIMIT ? FOR UPDATE`,
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
	ids, total, err := SearchIDs(tx, storeKey, query, limit, offset)
	if err != nil {
		return nil, 0, err
	}
	found, err := inOrder(tx, storeKey, ids)
	return found, total, err
}

// SearchIDs returns the ids of Search. If the query is the beginning of e-mail addresses, at least up to the @,
// it finds these alone: the words of an address, such as "com", are those of most customers.
func SearchIDs(tx *db.Tx, storeKey int64, query string, limit, offset int) (ids []string, total int64, err error) {
	ids, total, err = searchEmail(tx, storeKey, query, limit, offset)
	if err == nil && total == 0 {
		ids, total, err = search.Find(tx, storeKey, SearchKind, query, limit, offset)
	}
	if err == nil && total == 0 && phone.IsNumber(query) {
		var key string
		if key, err = phoneKeyIn(tx, storeKey, query); err == nil { // finds a number that was written in another way
			ids, total, err = search.Find(tx, storeKey, SearchKind, key, limit, offset)
		}
	}
	if err != nil || total > 0 || offset > 0 {
		return ids, total, err
	}
	id, err := searchMerged(tx, storeKey, query)
	if err == nil && id != "" {
		ids, total = []string{id}, 1
	}
	return ids, total, err
}

// searchMerged returns the id of the customer to whom the loyalty card or a contact of somebody who was merged leads;
// empty for none.
func searchMerged(tx *db.Tx, storeKey int64, query string) (string, error) {
	of, found, err := findBy(tx, storeKey, "loyalty_card_key", matchKey(query))
	if err != nil || found {
		return of.MergedInto, err
	}
	led, found, err := FindByContact(tx, storeKey, query)
	if err != nil || !found {
		return "", err
	}
	return led.ID, nil
}

// searchEmail returns a page of the ids of the customers whose e-mail address begins with the query, in the
// order of the addresses. total is at most search.ResultLimit.
func searchEmail(tx *db.Tx, storeKey int64, query string, limit, offset int) (ids []string, total int64, err error) {
	begin := matchKey(query)
	if strings.Index(begin, "@") < 1 {
		return nil, 0, nil
	}
	all, err := db.AllValues[string](tx, `SELECT customer_id FROM customers
		WHERE store_id = ? AND email >= ? AND email < ? AND email <> '' AND status <> 'deleted'
		ORDER BY email LIMIT ?`, storeKey, begin, begin+string(unicode.MaxRune), search.ResultLimit)
	first := min(offset, len(all))
	return all[first:min(first+limit, len(all))], int64(len(all)), err
}
