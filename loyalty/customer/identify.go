package customer

import (
	"time"

	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/phone"
)

// identifying maps the fields of the setting customersIdentificationPriority to the columns with their
// compared form.
var identifying = map[string]string{
	store.ByEmail: "email", store.ByLoyaltyCard: "loyalty_card_key", store.ByPhone: "phone_key",
}

// compared returns a value in the form in which the field is compared.
func compared(s *store.Store, field, value string) string {
	if field == store.ByPhone {
		return phone.Key(value, s.Settings.Country)
	}
	return matchKey(value)
}

// Identify finds the active customer whose e-mail address, loyalty card or phone has the value, as each is compared.
// If the store verifies the field, an unverified value finds nobody: otherwise customers could claim the purchases of
// others.
func Identify(tx *db.Tx, s *store.Store, field, value string) (*Customer, bool, error) {
	column, known := identifying[field]
	if value = compared(s, field, value); !known || value == "" {
		return nil, false, nil
	}
	c, found, err := findBy(tx, s.Key, column, value)
	return c, found && c.IsActive() && c.trusts(s, field), err
}

// Has reports whether the customer has the value in the field, compared as in Identify, verified or not.
func (c *Customer) Has(s *store.Store, field, value string) bool {
	own := map[string]string{
		store.ByEmail: matchKey(c.Email), store.ByLoyaltyCard: matchKey(c.LoyaltyCard), store.ByPhone: c.PhoneKey,
	}
	wanted := compared(s, field, value)
	return wanted != "" && own[field] == wanted
}

// SameContact reports whether two values of a field are the same, compared as in Identify. An empty one is the same as
// none.
func SameContact(s *store.Store, field, a, b string) bool {
	key := compared(s, field, a)
	return key != "" && key == compared(s, field, b)
}

// IsIdentifiedBy reports whether Identify would find the customer, if active, by the value of the field.
func (c *Customer) IsIdentifiedBy(s *store.Store, field, value string) bool {
	return c.Has(s, field, value) && c.trusts(s, field)
}

// trusts reports whether the field is verified, or the store does not verify it.
func (c *Customer) trusts(s *store.Store, field string) bool {
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
	if c.Email != "" && !c.trusts(s, store.ByEmail) {
		fields = append(fields, store.ByEmail)
	}
	if c.Phone != "" && !c.trusts(s, store.ByPhone) {
		fields = append(fields, store.ByPhone)
	}
	return fields
}

// SetLastPurchase sets the time of the last purchase that counts, which a return can move back. The zero time means
// none. The caller has locked the row, as AddPurchases does.
func SetLastPurchase(tx *db.Tx, storeKey int64, id string, at time.Time) error {
	_, err := tx.Exec(`UPDATE customers SET last_transaction_at = $3 WHERE store_id = $1 AND customer_id = $2`,
		storeKey, id, db.Time(&at))
	return err
}

// AddPurchases adds to the customer's purchase sums; negative values subtract a return. LastAt never moves
// back, see SetLastPurchase. The row stays locked. The caller must check the customer's level afterwards.
func AddPurchases(tx *db.Tx, storeKey int64, id string, p Purchases) error {
	_, err := tx.Exec(`
		UPDATE customers SET transactions_count = transactions_count + $3,
			transactions_amount = transactions_amount + $4,
			transactions_amount_without_delivery = transactions_amount_without_delivery + $5,
			amount_excluded_for_level = amount_excluded_for_level + $6,
			amount_excluded_delivery = amount_excluded_delivery + $7,
			last_transaction_at = CASE WHEN last_transaction_at IS NULL OR last_transaction_at < CAST($8 AS BIGINT)
				THEN CAST($8 AS BIGINT) ELSE last_transaction_at END,
			updated_at = $9, points_taken_back = points_taken_back + $10, version = version + 1
		WHERE store_id = $1 AND customer_id = $2`,
		storeKey, id, p.Count, p.Amount, p.AmountWithoutDelivery, p.ExcludedForLevel, p.ExcludedDelivery,
		db.Time(&p.LastAt), tx.Now().UnixMicro(), p.PointsTakenBack)
	return err
}
