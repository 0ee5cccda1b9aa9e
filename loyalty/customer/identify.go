package customer

import (
	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/phone"
)

// identifying maps the fields of the setting customersIdentificationPriority to the columns with their
// compared form.
var identifying = map[string]string{
	store.ByEmail: "email", store.ByLoyaltyCard: "loyalty_card_key", store.ByPhone: "phone_key",
}

// Compared returns a value in the form in which a field of the setting customersIdentificationPriority is compared,
// empty for none.
func Compared(s *store.Store, field, value string) string {
	if identifying[field] == "" {
		return ""
	}
	if field == store.ByPhone {
		return phone.Key(value, s.Settings.Country)
	}
	return matchKey(value)
}

// Identify finds the active customer whose e-mail address, loyalty card or phone has the value, as each is compared.
// If the store verifies the field, an unverified value finds nobody: otherwise customers could claim the purchases of
// others.
func Identify(tx *db.Tx, s *store.Store, field, value string) (*Customer, bool, error) {
	if value = Compared(s, field, value); value == "" {
		return nil, false, nil
	}
	c, found, err := findBy(tx, s.Key, identifying[field], value)
	if err == nil && found {
		c, err = c.follow(tx)
	}
	if found = found && c.IsActive() && c.Trusts(s, field); !found && err == nil && field != store.ByLoyaltyCard {
		c, found, err = findLed(tx, s.Key, field, value, s.Settings.Verifies(field))
		found = found && c.IsActive()
	}
	return c, found, err
}

// Follow replaces merged customers, whom their cards found, by those into whom they were merged.
func Follow[K comparable](tx *db.Tx, storeKey int64, byKey map[K]*Customer) error {
	var target []string
	for _, c := range byKey {
		if c.MergedInto != "" {
			target = append(target, c.MergedInto)
		}
	}
	if len(target) == 0 {
		return nil
	}
	found, err := FindAll(tx, storeKey, db.Distinct(target)...)
	for key, c := range byKey {
		if into := found[c.MergedInto]; into != nil {
			byKey[key] = into
		}
	}
	return err
}

// SelectByContact returns queries for the customers, deleted ones excluded, whose field has one of distinct values, as
// Compared returns them, and for those to whom such a value leads. Like Identify, receipts are matched only with active
// customers whom the field identifies, and with one to whom it leads if there is none.
func SelectByContact(tx *db.Tx, s *store.Store, field string, values []string,
	visit func(value string, c *Customer, led bool)) []db.Query {
	return selectByContact(tx, s.Key, field, s.Settings.Verifies(field), values, visit)
}

// selectByContact is SelectByContact. With verified, only verified contacts of merged customers lead to others.
func selectByContact(tx *db.Tx, storeKey int64, field string, verified bool, values []string,
	visit func(value string, c *Customer, led bool)) []db.Query {
	column := identifying[field]
	query := `SELECT ` + column + ` AS found_by, FALSE AS led, * FROM customers
		WHERE store_id = ? AND ` + column + ` = $key` + present(column)
	args := []any{storeKey}
	if field != store.ByLoyaltyCard {
		args = append(args, storeKey)
		query += ` UNION ALL SELECT l.contact AS found_by, TRUE AS led, t.*` + leadsOf(field, verified) +
			` AND l.contact = $key`
	}
	return identified.SelectEach(tx, values, func(i identifiedBy) { visit(i.value, &i.Customer, i.led) }, query, args...)
}

// identifiedBy is a customer with the value that found them.
type identifiedBy struct {
	value string
	led   bool // from a customer who was merged
	Customer
}

var identified = db.NewView(table, func(i *identifiedBy) db.Row {
	return append(db.Row{"found_by", &i.value, "led", &i.led}, table.Row(&i.Customer)...)
}).Apart("found_by", "led")

// Has reports whether the customer has the value in the field, compared as in Identify, verified or not.
func (c *Customer) Has(s *store.Store, field, value string) bool {
	own := map[string]string{
		store.ByEmail: matchKey(c.Email), store.ByLoyaltyCard: matchKey(c.LoyaltyCard), store.ByPhone: c.PhoneKey,
	}
	wanted := Compared(s, field, value)
	return wanted != "" && own[field] == wanted
}

// SameContact reports whether two values of a field are the same, compared as in Identify. An empty one is the same as
// none.
func SameContact(s *store.Store, field, a, b string) bool {
	key := Compared(s, field, a)
	return key != "" && key == Compared(s, field, b)
}

// IsIdentifiedBy reports whether Identify would find the customer, if active, by the value of the field.
func (c *Customer) IsIdentifiedBy(s *store.Store, field, value string) bool {
	return c.Has(s, field, value) && c.Trusts(s, field)
}

// Trusts reports whether the field is verified, or the store does not verify it.
func (c *Customer) Trusts(s *store.Store, field string) bool {
	switch {
	case !s.Settings.Verifies(field):
		return true
	case field == store.ByEmail:
		return c.EmailVerified
	default:
		return c.PhoneVerified
	}
}

// Unverified lists the contact fields that must be verified before receipts are matched by them.
func (c *Customer) Unverified(s *store.Store) []string {
	var fields []string
	if c.Email != "" && !c.Trusts(s, store.ByEmail) {
		fields = append(fields, store.ByEmail)
	}
	if c.Phone != "" && !c.Trusts(s, store.ByPhone) {
		fields = append(fields, store.ByPhone)
	}
	return fields
}
