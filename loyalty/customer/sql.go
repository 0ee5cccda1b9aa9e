package customer

import (
	"fmt"
	"strings"
	"time"

	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

const columns = "store_id, customer_id, status, email, phone, loyalty_card, phone_key, loyalty_card_key, " +
	"first_name, last_name, gender, birth_date, agreement1, agreement2, agreement3, level_id, manual_level_id, " +
	"level_achieved_at, level_recalculated_at, pos_id, seller_id, transactions_count, transactions_amount, " +
	"transactions_amount_without_delivery, amount_excluded_for_level, last_transaction_at, password_hash, " +
	"password_temporary, last_login_at, created_at, updated_at, version, address, company, labels, " +
	"first_name_key, last_name_key, city_key, postal_key, amount_excluded_delivery, points_taken_back, anonymized_at, " +
	"email_verified, phone_verified, inactive_since, locale, invitation_id, first_name_order, last_name_order, merged_into"

func (c *Customer) row() []any {
	cardKey := matchKey(c.LoyaltyCard)
	firstKey, lastKey := matchKey(c.FirstName), matchKey(c.LastName)
	firstOrder, lastOrder := orderOf(c.FirstName), orderOf(c.LastName)
	cityKey, postalKey := matchKey(c.Address.City), matchKey(c.Address.Postal)
	return []any{
		&c.StoreKey, &c.ID, &c.Status, &c.Email, &c.Phone, &c.LoyaltyCard, &c.PhoneKey, &cardKey,
		&c.FirstName, &c.LastName, &c.Gender, &c.BirthDate, &c.Agreements[0], &c.Agreements[1], &c.Agreements[2],
		&c.LevelID, &c.ManualLevelID, db.Time(&c.LevelAchievedAt), db.Time(&c.LevelRecalculatedAt),
		&c.POSID, &c.SellerID, &c.Purchases.Count, &c.Purchases.Amount, &c.Purchases.AmountWithoutDelivery,
		&c.Purchases.ExcludedForLevel, db.Time(&c.Purchases.LastAt), &c.PasswordHash, &c.PasswordTemporary,
		db.Time(&c.LastLoginAt), db.Time(&c.CreatedAt), db.Time(&c.UpdatedAt), &c.Version,
		db.JSON(&c.Address), db.JSON(&c.Company), db.JSON(&c.Labels),
		&firstKey, &lastKey, &cityKey, &postalKey, &c.Purchases.ExcludedDelivery,
		&c.Purchases.PointsTakenBack, db.Time(&c.AnonymizedAt), &c.EmailVerified, &c.PhoneVerified,
		db.Time(&c.InactiveSince), &c.Locale, &c.InvitationID, &firstOrder, &lastOrder, &c.MergedInto,
	}
}

// findBy reads by a column that is unique in the store. The column must be a constant, never input.
func findBy(tx *db.Tx, storeKey int64, column, value string) (*Customer, bool, error) {
	c, found, err := db.One(tx, (*Customer).row,
		`SELECT `+columns+` FROM customers WHERE store_id = ? AND `+column+` = ?`+present(column), storeKey, value)
	return &c, found, err
}

// present returns the condition of the column's partial index. Without it the database cannot use the index.
func present(column string) string {
	if column == "customer_id" {
		return ""
	}
	return ` AND ` + column + ` <> ''`
}

// selectTakenFields returns the query for the unique fields of c that another customer of the store has: email, phone
// and card. Empty fields never conflict; without any there is no query.
func selectTakenFields(c *Customer, visit func(field string)) []db.Query {
	var q db.SQL
	for _, field := range []struct{ name, column, value string }{
		{"email", "email", c.Email}, {"phone", "phone_key", c.PhoneKey},
		{"card", "loyalty_card_key", matchKey(c.LoyaltyCard)},
	} {
		if field.value == "" {
			continue
		}
		if len(q.Args()) > 0 {
			q.Add(` UNION ALL `)
		}
		q.Add(`SELECT '`+field.name+`' FROM customers WHERE store_id = ? AND customer_id <> ? AND `+field.column+` = ?`+
			present(field.column), c.StoreKey, c.ID, field.value)
	}
	if len(q.Args()) == 0 {
		return nil
	}
	return []db.Query{db.Select(func(field *string) []any { return []any{field} }, visit, q.Text(), q.Args()...)}
}

// LockRow locks a customer, deleted ones included. The caller must already hold the lock of the account, as Lock does.
func LockRow(tx *db.Tx, storeKey int64, id string) (*Customer, error) {
	c, found, err := db.One(tx, (*Customer).row,
		`SELECT `+columns+` FROM customers WHERE store_id = ? AND customer_id = ? FOR UPDATE`, storeKey, id)
	if err == nil && !found {
		err = fault.ErrNotFound
	}
	return &c, err
}

// updateStatus changes the status if it is one of from. Activating a new customer also verifies their e-mail
// address and phone.
func updateStatus(tx *db.Tx, storeKey int64, id, to string, from []string) (changed bool, err error) {
	var inactiveSince time.Time
	if to != Active {
		inactiveSince = tx.Now()
	}
	n, err := tx.Exec(`UPDATE customers SET status = ?, updated_at = ?, version = version + 1, inactive_since = ?,
			email_verified = (email_verified OR status = 'new' AND ? = 'active'),
			phone_verified = (phone_verified OR status = 'new' AND ? = 'active')
		WHERE store_id = ? AND customer_id = ? AND status IN ?`,
		to, tx.Now().UnixMicro(), db.Time(&inactiveSince), to, to, storeKey, id, db.List(from))
	return n == 1, err
}

// Save writes all columns of a locked customer.
func Save(tx *db.Tx, c *Customer) error {
	c.UpdatedAt, c.Version = tx.Now(), c.Version+1
	points.MoveInLists(tx, c.StoreKey, c.ID)
	_, err := tx.Exec(updateText, c.row()...)
	return err
}

// updateText sets every column except the two of the key.
var updateText = func() string {
	names := strings.Split(columns, ", ")
	for i, name := range names {
		names[i] = fmt.Sprintf("%s = $%d", name, i+1)
	}
	return "UPDATE customers SET " + strings.Join(names[2:], ", ") + " WHERE " + strings.Join(names[:2], " AND ")
}()

// CountByContact counts the customers with exactly this e-mail address or phone.
func CountByContact(tx *db.Tx, storeKey int64, emailOrPhone string) (int64, error) {
	phoneKey, err := phoneKeyIn(tx, storeKey, emailOrPhone)
	if err != nil {
		return 0, err
	}
	return db.Value[int64](tx, `SELECT COUNT(*) FROM (
		SELECT customer_id FROM customers WHERE store_id = ? AND email = ? AND email <> ''
		UNION SELECT customer_id FROM customers WHERE store_id = ? AND phone_key = ? AND phone_key <> '') AS found`,
		storeKey, matchKey(emailOrPhone), storeKey, phoneKey)
}

// LockRows locks customers in the order of their ids.
func LockRows(tx *db.Tx, storeKey int64, ids []string) (locked []*Customer, err error) {
	err = tx.Run(LockingRows(tx, storeKey, ids, func(c *Customer) { locked = append(locked, c) }))
	return locked, err
}

// LockingRows returns the query of LockRows, which passes the customers to visit.
func LockingRows(tx *db.Tx, storeKey int64, ids []string, visit func(*Customer)) db.Query {
	return db.Select((*Customer).row, func(c Customer) { visit(&c) }, `SELECT `+columns+` FROM ? AS v (store, id)
		CROSS JOIN customers c WHERE c.store_id = v.store AND c.customer_id = v.id
		ORDER BY c.customer_id FOR UPDATE OF c`, tx.Among(storeKey, ids...))
}
