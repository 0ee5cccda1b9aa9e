package customer

import (
	"punchcard/platform/db"
	"punchcard/store"
)

// identifying maps the fields of customersIdentificationPriority to the columns that hold them as compared.
var identifying = map[string]string{
	store.ByEmail: "email", store.ByLoyaltyCard: "loyalty_card_key", store.ByPhone: "phone_key",
}

// Identify finds the active customer whose e-mail address, loyalty card or phone, as the field says, has the
// value; trimmed and without regard to case (program-api 4.1).
func Identify(tx *db.Tx, storeKey int64, field, value string) (*Customer, bool, error) {
	column, known := identifying[field]
	if value = matchKey(value); !known || value == "" {
		return nil, false, nil
	}
	c, found, err := findBy(tx, storeKey, column, value)
	return c, found && c.IsActive(), err
}

// AddPurchases adds to the sums of what a customer bought, and with negative sums takes away what he brought
// back; LastAt only ever moves forward. His row stays locked. Whoever calls it checks his level after.
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
		db.Time(&p.LastAt), tx.Now.UnixMicro(), p.PointsTakenBack)
	return err
}
