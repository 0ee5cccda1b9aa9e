package customer

import (
	"fmt"
	"strings"
	"time"

	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

const columns = "store_id, customer_id, status, email, phone, loyalty_card, phone_key, loyalty_card_key, " +
	"first_name, last_name, gender, birth_date, agreement1, agreement2, agreement3, level_id, manual_level_id, " +
	"level_achieved_at, level_recalculated_at, pos_id, seller_id, transactions_count, transactions_amount, " +
	"transactions_amount_without_delivery, amount_excluded_for_level, last_transaction_at, password_hash, " +
	"password_temporary, last_login_at, created_at, updated_at, version, address, company, labels, " +
	"first_name_key, last_name_key, city_key, postal_key, amount_excluded_delivery, points_taken_back, anonymized_at, " +
	"email_verified, phone_verified, inactive_since"

func (c *Customer) row() []any {
	phoneKey, cardKey := matchKey(c.Phone), matchKey(c.LoyaltyCard)
	firstKey, lastKey := matchKey(c.FirstName), matchKey(c.LastName)
	cityKey, postalKey := matchKey(c.Address.City), matchKey(c.Address.Postal)
	return []any{
		&c.StoreKey, &c.ID, &c.Status, &c.Email, &c.Phone, &c.LoyaltyCard, &phoneKey, &cardKey,
		&c.FirstName, &c.LastName, &c.Gender, &c.BirthDate, &c.Agreements[0], &c.Agreements[1], &c.Agreements[2],
		&c.LevelID, &c.ManualLevelID, db.Time(&c.LevelAchievedAt), db.Time(&c.LevelRecalculatedAt),
		&c.POSID, &c.SellerID, &c.Purchases.Count, &c.Purchases.Amount, &c.Purchases.AmountWithoutDelivery,
		&c.Purchases.ExcludedForLevel, db.Time(&c.Purchases.LastAt), &c.PasswordHash, &c.PasswordTemporary,
		db.Time(&c.LastLoginAt), db.Time(&c.CreatedAt), db.Time(&c.UpdatedAt), &c.Version,
		db.JSON(&c.Address), db.JSON(&c.Company), db.JSON(&c.Labels),
		&firstKey, &lastKey, &cityKey, &postalKey, &c.Purchases.ExcludedDelivery,
		&c.Purchases.PointsTakenBack, db.Time(&c.AnonymizedAt), &c.EmailVerified, &c.PhoneVerified,
		db.Time(&c.InactiveSince),
	}
}

// findBy reads by a column that is unique in the store. The column must be a constant, never input.
func findBy(tx *db.Tx, storeKey int64, column, value string) (*Customer, bool, error) {
	c, found, err := db.One(tx, (*Customer).row,
		`SELECT `+columns+` FROM customers WHERE store_id = $1 AND `+column+` = $2`+present(column), storeKey, value)
	return &c, found, err
}

// present returns the condition of the column's partial index. Without it the database cannot use the index.
func present(column string) string {
	if column == "customer_id" {
		return ""
	}
	return ` AND ` + column + ` <> ''`
}

// takenFields returns the unique fields of c that another customer of the store has. Empty fields never
// conflict.
func takenFields(tx *db.Tx, c *Customer) ([]string, error) {
	var q db.SQL
	for _, field := range []struct{ name, column, value string }{
		{"email", "email", c.Email}, {"phone", "phone_key", matchKey(c.Phone)},
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
		return nil, nil
	}
	return db.All(tx, func(field *string) []any { return []any{field} }, q.Text(), q.Args()...)
}

func lock(tx *db.Tx, storeKey int64, id string) (*Customer, error) {
	c, found, err := db.One(tx, (*Customer).row,
		`SELECT `+columns+` FROM customers WHERE store_id = $1 AND customer_id = $2 FOR UPDATE`, storeKey, id)
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
	list, args := db.In([]any{storeKey, id, to, tx.Now().UnixMicro(), db.Time(&inactiveSince)}, from...)
	n, err := tx.Exec(`UPDATE customers SET status = $3, updated_at = $4, version = version + 1, inactive_since = $5,
			email_verified = (email_verified OR status = 'new' AND $3 = 'active'),
			phone_verified = (phone_verified OR status = 'new' AND $3 = 'active')
		WHERE store_id = $1 AND customer_id = $2 AND status IN `+list, args...)
	return n == 1, err
}

// update writes all columns of a locked customer.
func update(tx *db.Tx, c *Customer) error {
	c.UpdatedAt, c.Version = tx.Now(), c.Version+1
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

// Buyer is what a purchase needs to know about its customer.
type Buyer struct {
	ID, Status, LevelID, Email, Phone, FirstName, LastName string
	Address                                                string // JSON as stored
}

func (b *Buyer) row() []any {
	return []any{&b.ID, &b.Status, &b.LevelID, &b.Email, &b.Phone, &b.FirstName, &b.LastName, &b.Address}
}

// Buyers reads customers of a store. The ids must be distinct; unknown ones are missing from the result.
func Buyers(tx *db.Tx, storeKey int64, ids []string) (map[string]*Buyer, error) {
	buyers, query := SelectBuyers(tx, storeKey, ids)
	return buyers, tx.Run(query)
}

// SelectBuyers returns the query of Buyers, and the map that it fills.
func SelectBuyers(tx *db.Tx, storeKey int64, ids []string) (map[string]*Buyer, db.Query) {
	wanted, args := tx.Among([]any{storeKey}, ids...)
	buyers := make(map[string]*Buyer, len(ids))
	return buyers, db.Select((*Buyer).row, func(b Buyer) { buyers[b.ID] = &b }, `
		SELECT customer_id, status, level_id, email, phone, first_name, last_name, address FROM `+wanted+`
		CROSS JOIN customers c WHERE c.store_id = v.store AND c.customer_id = v.column1`, args...)
}

// Standing is what decides which campaigns a customer is offered, besides their segments.
type Standing struct{ Status, LevelID string }

// SelectStandings returns a query for the standing of customers of a store, and the map that it fills. The ids must be
// distinct; unknown ones are missing from the result.
func SelectStandings(tx *db.Tx, storeKey int64, ids []string) (map[string]Standing, db.Query) {
	wanted, args := tx.Among([]any{storeKey}, ids...)
	type row struct {
		id string
		Standing
	}
	standings := make(map[string]Standing, len(ids))
	return standings, db.Select(func(r *row) []any { return []any{&r.id, &r.Status, &r.LevelID} },
		func(r row) { standings[r.id] = r.Standing },
		`SELECT customer_id, status, level_id FROM `+wanted+`
		CROSS JOIN customers c WHERE c.store_id = v.store AND c.customer_id = v.column1`, args...)
}

// Login is what a log-in is checked against.
type Login struct {
	StoreKey         int64
	ID, Username     string
	PasswordHash     string
	Temporary        bool // the password must be changed
	Active           bool
	Blocked          bool // existing tokens may still read; false if anonymized
	LastLoginAt      time.Time
	anonymizedAt     time.Time
	status, fallback string
}

func (l *Login) row() []any {
	return []any{
		&l.StoreKey, &l.ID, &l.Username, &l.fallback, &l.PasswordHash, &l.Temporary, &l.status,
		db.Time(&l.LastLoginAt), db.Time(&l.anonymizedAt),
	}
}

const loginColumns = "store_id, customer_id, email, phone, password_hash, password_temporary, status, " +
	"last_login_at, anonymized_at"

// FindLogin finds a customer by e-mail address, phone or loyalty card, in this order.
func FindLogin(tx *db.Tx, storeKey int64, identifier string) (Login, bool, error) {
	for _, column := range []string{"email", "phone_key", "loyalty_card_key"} {
		l, found, err := findLogin(tx, storeKey, column, matchKey(identifier))
		if err != nil || found {
			return l, found, err
		}
	}
	return Login{}, false, nil
}

// EachInactiveSince visits the customers of all stores who were blocked or deleted at the moment or after it.
func EachInactiveSince(tx *db.Tx, moment time.Time, visit func(id string, since time.Time)) error {
	type row struct {
		id    string
		since time.Time
	}
	return db.Each(tx, func(r *row) []any { return []any{&r.id, db.Time(&r.since)} },
		func(r row) { visit(r.id, r.since) },
		`SELECT customer_id, inactive_since FROM customers WHERE inactive_since >= $1`, moment.UnixMicro())
}

// FindLoginByID finds a customer's log-in by id.
func FindLoginByID(tx *db.Tx, storeKey int64, id string) (Login, bool, error) {
	return findLogin(tx, storeKey, "customer_id", id)
}

func findLogin(tx *db.Tx, storeKey int64, column, value string) (Login, bool, error) {
	l, found, err := db.One(tx, (*Login).row, `SELECT `+loginColumns+` FROM customers
		WHERE store_id = $1 AND `+column+` = $2`+present(column), storeKey, value)
	l.Active, l.Blocked = l.status == Active, l.status == Blocked && l.anonymizedAt.IsZero()
	if l.Username == "" {
		l.Username = l.fallback
	}
	return l, found, err
}

// LoggedIn records the time of a successful log-in. It returns false, and records nothing, if the customer is
// not active or the password was changed meanwhile.
func LoggedIn(tx *db.Tx, storeKey int64, id, passwordHash string) (same bool, err error) {
	n, err := tx.Exec(`UPDATE customers SET last_login_at = $3 WHERE store_id = $1 AND customer_id = $2
		AND password_hash = $4 AND status = 'active'`, storeKey, id, tx.Now().UnixMicro(), passwordHash)
	return n == 1, err
}

// StoresWithLogin lists the internal keys of the active stores that have a customer with the identifier.
func StoresWithLogin(tx *db.Tx, identifier string) ([]int64, error) {
	stores, err := store.All(tx)
	if err != nil {
		return nil, err
	}
	var keys []int64
	for _, s := range stores {
		if !s.Active {
			continue
		}
		_, found, err := FindLogin(tx, s.Key, identifier)
		if err != nil {
			return nil, err
		}
		if found {
			keys = append(keys, s.Key)
		}
	}
	return keys, nil
}

// FindAll reads customers of a store, deleted ones included. The ids must be distinct; unknown ones are
// missing from the result.
func FindAll(tx *db.Tx, storeKey int64, ids ...string) (map[string]*Customer, error) {
	wanted, args := tx.Among([]any{storeKey}, ids...)
	found, err := db.All(tx, (*Customer).row, `SELECT `+columns+` FROM `+wanted+`
		CROSS JOIN customers c WHERE c.store_id = v.store AND c.customer_id = v.column1`, args...)
	byID := make(map[string]*Customer, len(found))
	for i := range found {
		byID[found[i].ID] = &found[i]
	}
	return byID, err
}

// countByContact counts the customers with exactly this e-mail address or phone.
func countByContact(tx *db.Tx, storeKey int64, emailOrPhone string) (int64, error) {
	return db.Value[int64](tx, `SELECT COUNT(*) FROM (
		SELECT customer_id FROM customers WHERE store_id = $1 AND email = $2 AND email <> ''
		UNION SELECT customer_id FROM customers WHERE store_id = $1 AND phone_key = $2 AND phone_key <> '') AS found`,
		storeKey, matchKey(emailOrPhone))
}

// FindByContact finds a customer who is not deleted by id, e-mail address or phone.
func FindByContact(tx *db.Tx, storeKey int64, name string) (*Customer, bool, error) {
	columns := []string{"email", "phone_key"}
	if form.IsUUID(name) {
		columns = []string{"customer_id"}
	}
	for _, column := range columns {
		c, found, err := findBy(tx, storeKey, column, matchKey(name))
		if err != nil || found {
			return c, found && c.Status != Deleted, err
		}
	}
	return nil, false, nil
}

// lockSome locks customers in the order of their ids.
func lockSome(tx *db.Tx, storeKey int64, ids []string) ([]*Customer, error) {
	wanted, args := tx.Among([]any{storeKey}, ids...)
	found, err := db.All(tx, (*Customer).row, `SELECT `+columns+` FROM `+wanted+`
		CROSS JOIN customers c WHERE c.store_id = v.store AND c.customer_id = v.column1
		ORDER BY c.customer_id FOR UPDATE OF c`, args...)
	locked := make([]*Customer, len(found))
	for i := range found {
		locked[i] = &found[i]
	}
	return locked, err
}

// MembersOf lists ids of the customers of a level that follow an id.
func MembersOf(tx *db.Tx, storeKey int64, levelID, after string, limit int) ([]string, error) {
	return db.All(tx, func(id *string) []any { return []any{id} }, `SELECT customer_id FROM customers
		WHERE store_id = $1 AND level_id = $2 AND customer_id > $3 ORDER BY customer_id LIMIT $4`,
		storeKey, levelID, after, limit)
}

// dueForCheck lists the ids of active customers who were last recalculated at the given moment or before,
// longest ago first.
func dueForCheck(tx *db.Tx, storeKey int64, since time.Time, limit int) ([]string, error) {
	return db.All(tx, func(id *string) []any { return []any{id} }, `SELECT customer_id FROM customers
		WHERE store_id = $1 AND status = 'active' AND COALESCE(level_recalculated_at, created_at) <= $2
		ORDER BY COALESCE(level_recalculated_at, created_at) LIMIT $3`, storeKey, since.UnixMicro(), limit)
}
