package customer

import (
	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/phone"
	"punchcard/platform/search"
)

// keyed holds the columns of a customer that are derived from their texts.
type keyed struct{ email, phone, card, first, last, firstOrder, lastOrder string }

// stored is a customer with the keys as they are stored.
type stored struct {
	Customer
	keyed
}

var storedKeys = db.NewView(table, func(s *stored) db.Row {
	k := &s.keyed
	return db.Row{
		"store_id", &s.StoreKey, "customer_id", &s.ID, "phone", &s.Phone, "loyalty_card", &s.LoyaltyCard,
		"first_name", &s.FirstName, "last_name", &s.LastName, "version", &s.Version, "email", &k.email,
		"phone_key", &k.phone, "loyalty_card_key", &k.card, "first_name_key", &k.first, "last_name_key", &k.last,
		"first_name_order", &k.firstOrder, "last_name_order", &k.lastOrder,
	}
})

// keys returns the keys as they should be in a store of the country.
func (c *Customer) keys(country string) keyed {
	return keyed{
		email: matchKey(c.Email), phone: phone.Key(c.Phone, country), card: matchKey(c.LoyaltyCard),
		first: matchKey(c.FirstName), last: matchKey(c.LastName),
		firstOrder: orderOf(c.FirstName), lastOrder: orderOf(c.LastName),
	}
}

// Mended is a customer whose keys were not those of their texts.
type Mended struct {
	ID    string
	Field string // the unique field that another customer has, too; empty if nobody has
	Other string // that customer
}

// givenKeys are unique keys that a dry run would have given, with the ids of their customers.
type givenKeys map[[2]string]string

// Repairer writes the keys by which the customers of a store are compared, after the country of the store or the rules
// of keys have changed. It merges nobody: a customer keeps the former key if another one has the new key.
type Repairer struct {
	Store  *store.Store
	DryRun bool // writes nothing
	given  givenKeys
}

// Repair mends up to limit customers after an id. It returns the last id, which is empty when there are no more. It
// locks them, so that it does not replace what a change has just written.
func (r *Repairer) Repair(tx *db.Tx, after string, limit int) (last string, mended []Mended, err error) {
	lock := ""
	if !r.DryRun {
		lock = " FOR UPDATE"
	}
	found, err := storedKeys.All(tx, `SELECT * FROM customers
		WHERE store_id = ? AND customer_id > ? AND status <> 'deleted' ORDER BY customer_id LIMIT ?`+lock,
		r.Store.Key, after, limit)
	if err != nil || len(found) == 0 {
		return "", nil, err
	}
	var documents []search.Document
	for i := range found {
		c := &found[i]
		c.Email = c.keyed.email
		lines, err := r.mend(tx, c)
		if err != nil {
			return "", nil, err
		}
		if len(lines) > 0 {
			mended, documents = append(mended, lines...), append(documents, c.document())
		}
	}
	if !r.DryRun {
		err = search.Put(tx, r.Store.Key, SearchKind, documents...)
	}
	return found[len(found)-1].ID, mended, err
}

// mend writes the keys of one customer. It returns nothing if they are right.
func (r *Repairer) mend(tx *db.Tx, c *stored) (lines []Mended, err error) {
	right := c.keys(r.Store.Settings.Country)
	if right == c.keyed {
		return nil, nil
	}
	for _, unique := range []struct {
		field, column string
		is, right     *string
	}{
		{"email", "email", &c.keyed.email, &right.email}, {"phone", "phone_key", &c.keyed.phone, &right.phone},
		{"loyaltyCardNumber", "loyalty_card_key", &c.keyed.card, &right.card},
	} {
		if *unique.is == *unique.right || *unique.right == "" {
			continue
		}
		other, err := r.owner(tx, c.ID, unique.column, *unique.right)
		if err != nil {
			return nil, err
		}
		if other != "" {
			lines = append(lines, Mended{c.ID, unique.field, other})
			*unique.right = *unique.is
		}
	}
	if right == c.keyed {
		return lines, nil
	}
	if lines == nil {
		lines = []Mended{{ID: c.ID}}
	}
	c.Email, c.PhoneKey = right.email, right.phone
	if r.DryRun {
		return lines, nil
	}
	c.keyed, c.Version = right, c.Version+1
	_, err = storedKeys.UpdateOne(tx, "email, phone_key, loyalty_card_key, first_name_key, last_name_key, "+
		"first_name_order, last_name_order, version", c)
	return lines, err
}

// owner returns another customer who has a unique key, or would get it in a dry run; empty if there is none.
func (r *Repairer) owner(tx *db.Tx, id, column, key string) (string, error) {
	if r.given == nil {
		r.given = givenKeys{}
	}
	other, found, err := findBy(tx, r.Store.Key, column, key)
	if err != nil || found && other.ID != id {
		return other.ID, err
	}
	if first := r.given[[2]string{column, key}]; first != "" && first != id {
		return first, nil
	}
	r.given[[2]string{column, key}] = id
	return "", nil
}

// checkKeys finds customers whose keys are not those of their texts.
func checkKeys(tx *db.Tx, found func(store int64, id, is, want string)) error {
	stores, err := store.All(tx)
	if err != nil {
		return err
	}
	const atOnce = 500
	for i := range stores {
		r := Repairer{Store: &stores[i], DryRun: true}
		for last, more := "", true; more; more = last != "" {
			var mended []Mended
			if last, mended, err = r.Repair(tx, last, atOnce); err != nil {
				return err
			}
			for _, m := range mended {
				if m.Field == "" {
					found(stores[i].Key, m.ID, "compared by former keys", "repaired by punchcard repair")
				} else {
					found(stores[i].Key, m.ID, "with the "+m.Field+" of "+m.Other, "another "+m.Field)
				}
			}
		}
	}
	return nil
}
