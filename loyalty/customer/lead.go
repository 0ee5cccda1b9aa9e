package customer

import (
	"slices"

	"punchcard/core/store"
	"punchcard/platform/db"
)

// Lead is the e-mail address or phone of a merged customer. It finds the customer into whom they were merged, as the
// loyalty card does, until another customer proves that it is theirs, or staff free it.
type Lead struct {
	storeKey   int64
	Field      string // store.ByEmail or store.ByPhone
	Contact    string // as it is compared
	CustomerID string // who was merged
	Verified   bool   // before the merge
}

var leadTable = db.NewTable("customer_leads", "store_id, field, contact", func(l *Lead) db.Row {
	return db.Row{
		"store_id", &l.storeKey, "field", &l.Field, "contact", &l.Contact, "customer_id", &l.CustomerID,
		"verified", &l.Verified,
	}
})

// contacts returns the e-mail address and the phone of a customer, as they are compared.
func (c *Customer) contacts() []Lead {
	var all []Lead
	for _, l := range []Lead{
		{c.StoreKey, store.ByEmail, c.Email, c.ID, c.EmailVerified},
		{c.StoreKey, store.ByPhone, c.PhoneKey, c.ID, c.PhoneVerified},
	} {
		if l.Contact != "" {
			all = append(all, l)
		}
	}
	return all
}

// leave makes the contacts of a customer who is merged lead to the target, unless the target has them. A contact that
// led somewhere before leads to the target now.
func leave(tx *db.Tx, target *Customer, contacts []Lead) error {
	return leadTable.Put(tx, db.Pointers(slices.DeleteFunc(contacts, func(l Lead) bool {
		return l.Contact == target.Email || l.Contact == target.PhoneKey
	}))...)
}

// leadsOf returns the part of a statement from FROM on that finds, as t, the customers to whom contacts of a field
// lead. Its value is the store. If the store verifies the field, only contacts that were verified lead to anybody.
func leadsOf(field string, verified bool) string {
	from := ` FROM customer_leads l
		CROSS JOIN customers m CROSS JOIN customers t
		WHERE l.store_id = ? AND l.field = '` + field + `'
		AND m.store_id = l.store_id AND m.customer_id = l.customer_id
		AND t.store_id = m.store_id AND t.customer_id = m.merged_into`
	if verified {
		from += ` AND l.verified`
	}
	return from
}

// findLed finds the customer to whom a contact leads.
func findLed(tx *db.Tx, storeKey int64, field, contact string, verified bool) (*Customer, bool, error) {
	c, found, err := table.One(tx, `SELECT t.*`+leadsOf(field, verified)+` AND l.contact = ?`, storeKey, contact)
	return &c, found, err
}

// LeadsOf lists the contacts of merged customers that lead to others.
func LeadsOf(tx *db.Tx, storeKey int64, mergedIDs ...string) ([]Lead, error) {
	return leadTable.All(tx, `SELECT * FROM customer_leads WHERE store_id = ? AND customer_id IN ?
		ORDER BY customer_id, field`, storeKey, db.List(mergedIDs))
}

// IsLedTo reports whether the value of a field, or a loyalty card, of somebody who was merged leads to the customer.
func (c *Customer) IsLedTo(tx *db.Tx, s *store.Store, field, value string) (bool, error) {
	value = Compared(s, field, value)
	if value == "" {
		return false, nil
	}
	if field == store.ByLoyaltyCard {
		found, exists, err := findBy(tx, s.Key, identifying[field], value)
		return exists && found.MergedInto == c.ID, err
	}
	found, exists, err := findLed(tx, s.Key, field, value, s.Settings.Verifies(field))
	return exists && found.ID == c.ID, err
}

// FreeLeads ends all leads of merged customers.
func FreeLeads(tx *db.Tx, storeKey int64, mergedIDs ...string) error {
	_, err := tx.Exec(`DELETE FROM customer_leads WHERE store_id = ? AND customer_id IN ?`, storeKey, db.List(mergedIDs))
	return err
}

// endLeads ends the leads of contacts that customers have proved to be theirs.
func endLeads(tx *db.Tx, s *store.Store, owners ...*Customer) error {
	var proved []string
	for _, c := range owners {
		for _, l := range c.contacts() {
			if c.IsActive() && c.Trusts(s, l.Field) {
				proved = append(proved, l.Contact)
			}
		}
	}
	if len(proved) == 0 {
		return nil
	}
	_, err := tx.Exec(`DELETE FROM customer_leads WHERE store_id = ? AND field IN ? AND contact IN ?`, s.Key,
		db.List([]string{store.ByEmail, store.ByPhone}), db.List(db.Distinct(proved)))
	return err
}
