package customer

import (
	"time"

	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

var table = db.NewTable("customers", "store_id, customer_id", func(c *Customer) db.Row {
	p, a := &c.Purchases, &c.Address
	return db.Row{
		"store_id", &c.StoreKey, "customer_id", &c.ID, "status", &c.Status, "email", &c.Email, "phone", &c.Phone,
		"loyalty_card", &c.LoyaltyCard, "phone_key", &c.PhoneKey,
		"loyalty_card_key", db.Derived(&c.LoyaltyCard, matchKey), "first_name", &c.FirstName, "last_name", &c.LastName,
		"gender", &c.Gender, "birth_date", &c.BirthDate, "agreement1", &c.Agreements[0], "agreement2", &c.Agreements[1],
		"agreement3", &c.Agreements[2], "level_id", &c.LevelID, "manual_level_id", &c.ManualLevelID,
		"level_achieved_at", db.Time(&c.LevelAchievedAt), "level_recalculated_at", db.Time(&c.LevelRecalculatedAt),
		"pos_id", &c.POSID, "seller_id", &c.SellerID, "transactions_count", &p.Count, "transactions_amount", &p.Amount,
		"transactions_amount_without_delivery", &p.AmountWithoutDelivery,
		"amount_excluded_for_level", &p.ExcludedForLevel, "last_transaction_at", db.Time(&p.LastAt),
		"password_hash", &c.PasswordHash, "password_temporary", &c.PasswordTemporary,
		"last_login_at", db.Time(&c.LastLoginAt), "created_at", db.Time(&c.CreatedAt),
		"updated_at", db.Time(&c.UpdatedAt), "version", &c.Version, "address", db.JSON(a), "company", db.JSON(&c.Company),
		"labels", db.JSON(&c.Labels), "first_name_key", db.Derived(&c.FirstName, matchKey),
		"last_name_key", db.Derived(&c.LastName, matchKey), "city_key", db.Derived(&a.City, matchKey),
		"postal_key", db.Derived(&a.Postal, matchKey), "amount_excluded_delivery", &p.ExcludedDelivery,
		"points_taken_back", &p.PointsTakenBack, "anonymized_at", db.Time(&c.AnonymizedAt),
		"email_verified", &c.EmailVerified, "phone_verified", &c.PhoneVerified,
		"inactive_since", db.Time(&c.InactiveSince), "locale", &c.Locale, "invitation_id", &c.InvitationID,
		"first_name_order", db.Derived(&c.FirstName, orderOf), "last_name_order", db.Derived(&c.LastName, orderOf),
		"merged_into", &c.MergedInto,
	}
})

// findBy reads by a column that is unique in the store. The column must be a constant, never input.
func findBy(tx *db.Tx, storeKey int64, column, value string) (*Customer, bool, error) {
	c, found, err := table.One(tx,
		`SELECT * FROM customers WHERE store_id = ? AND `+column+` = ?`+present(column), storeKey, value)
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
	c, found, err := table.One(tx,
		`SELECT * FROM customers WHERE store_id = ? AND customer_id = ? FOR UPDATE`, storeKey, id)
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
	_, err := table.UpdateOne(tx, table.Others(), c)
	return err
}

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
	return table.Select(func(c Customer) { visit(&c) }, `SELECT c.* FROM ? AS v (store, id)
		CROSS JOIN customers c WHERE c.store_id = v.store AND c.customer_id = v.id
		ORDER BY c.customer_id FOR UPDATE OF c`, tx.Among(storeKey, ids...))
}
