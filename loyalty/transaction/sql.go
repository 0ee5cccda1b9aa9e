package transaction

import (
	"time"

	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

const columns = "store_id, transaction_id, document_number, document_type, revised_id, customer_id, assigned_at, " +
	"pos_id, purchased_at, registered_at, gross_value, gross_without_delivery, excluded_for_level, excluded_delivery, " +
	"returned, returned_without_delivery, returned_excluded, returned_excluded_delivery, fully_returned, " +
	"purchase_place, revised_document, customer_data, items, labels, excluded, level_id, line_points"

func (t *Transaction) row() []any {
	sold, returned := &t.Amounts, &t.Returned
	return []any{
		&t.StoreKey, &t.ID, &t.DocumentNumber, &t.Type, &t.RevisedID, &t.CustomerID, db.Time(&t.AssignedAt),
		&t.POSID, db.Time(&t.PurchasedAt), db.Time(&t.RegisteredAt), &sold.Gross, &sold.WithoutDelivery,
		&sold.ExcludedForLevel, &sold.ExcludedDelivery, &returned.Gross, &returned.WithoutDelivery,
		&returned.ExcludedForLevel, &returned.ExcludedDelivery, &t.FullyReturned,
		&t.PurchasePlace, &t.RevisedDocument, db.JSON(&t.CustomerData), db.JSON(&t.Items), db.JSON(&t.Labels),
		db.JSON(&t.Excluded), &t.LevelID, db.JSON(&t.LinePoints),
	}
}

// keyColumns are the columns that filters compare. They are written, but never read.
const keyColumns = ", document_key, name_key, email_key, phone_key, loyalty_card_key"

func (t *Transaction) keys(s *store.Store) []any {
	c := &t.CustomerData
	return []any{
		filterKey(t.DocumentNumber), filterKey(c.Name), filterKey(c.Email),
		phoneFilterKey(s, c.Phone), filterKey(c.LoyaltyCard),
	}
}

// selectNumbers returns a query for the documents whose numbers have distinct keys.
func selectNumbers(tx *db.Tx, storeKey int64, keys []string, visit func(key, number string)) db.Query {
	type row struct{ key, number string }
	return db.Select(func(r *row) []any { return []any{&r.key, &r.number} }, func(r row) { visit(r.key, r.number) },
		`SELECT t.document_key, t.document_number FROM ? AS v (store, key) CROSS JOIN transactions t
			WHERE t.store_id = v.store AND t.document_key = v.key`, tx.Among(storeKey, keys...))
}

// Recased is a document whose number differs only in case from that of an earlier one.
type Recased struct {
	ID, Number, Earlier string
	RegisteredAt        time.Time
}

// FindRecased returns at most limit such documents that were registered since a time, the newest first.
func FindRecased(tx *db.Tx, storeKey int64, since time.Time, limit int) ([]Recased, error) {
	return db.All(tx, func(r *Recased) []any { return []any{&r.ID, &r.Number, &r.Earlier, db.Time(&r.RegisteredAt)} },
		`SELECT transaction_id, document_number, recased_of, registered_at FROM transactions
			WHERE store_id = ? AND recased_of <> '' AND registered_at >= ? ORDER BY registered_at DESC LIMIT ?`,
		storeKey, since.UnixMicro(), limit)
}

// Find returns a transaction of a store.
func Find(tx *db.Tx, storeKey int64, id string) (*Transaction, error) {
	return readOne(tx, `store_id = ? AND transaction_id = ?`, storeKey, id)
}

// byDocument uses the unique index, which begins with the key, so that filters use it too.
const byDocument = `store_id = ? AND document_key = ? AND document_number = ?`

// FindByDocument returns the transaction with exactly this document number.
func FindByDocument(tx *db.Tx, storeKey int64, number string) (*Transaction, error) {
	return readOne(tx, byDocument, storeKey, filterKey(number), number)
}

// lock is Find with a row lock.
func lock(tx *db.Tx, storeKey int64, id string) (*Transaction, error) {
	return readOne(tx, `store_id = ? AND transaction_id = ? FOR UPDATE`, storeKey, id)
}

// lockByDocument is FindByDocument with a row lock. Transactions are locked before everything else.
func lockByDocument(tx *db.Tx, storeKey int64, number string) (*Transaction, error) {
	return readOne(tx, byDocument+` FOR UPDATE`, storeKey, filterKey(number), number)
}

// lockingByDocument returns the query of lockByDocument for distinct numbers. It locks in the order of ids.
func lockingByDocument(tx *db.Tx, storeKey int64, numbers []string, visit func(*Transaction)) db.Query {
	keys := make([][]any, len(numbers))
	for i, number := range numbers {
		keys[i] = []any{filterKey(number), number}
	}
	return db.Select((*Transaction).row, func(t Transaction) { visit(&t) }, `SELECT `+columns+`
		FROM ? AS v (store, key, number)
		CROSS JOIN transactions t
		WHERE t.store_id = v.store AND t.document_key = v.key AND t.document_number = v.number
		ORDER BY t.transaction_id FOR UPDATE OF t`, tx.AmongRows(storeKey, []string{"TEXT", "TEXT"}, keys...))
}

func readOne(tx *db.Tx, where string, args ...any) (*Transaction, error) {
	t, found, err := db.One(tx, (*Transaction).row, `SELECT `+columns+` FROM transactions WHERE `+where, args...)
	if err == nil && !found {
		err = fault.ErrNotFound
	}
	return &t, err
}

// OfCustomers calls visit for every transaction of distinct customers, grouped by customer, oldest registration first.
// visit must not use tx.
func OfCustomers(tx *db.Tx, storeKey int64, customerIDs []string, visit func(*Transaction)) error {
	return db.Each(tx, (*Transaction).row, func(t Transaction) { visit(&t) }, `SELECT `+columns+`
		FROM ? AS v (store, id)
		CROSS JOIN transactions t WHERE t.store_id = v.store AND t.customer_id = v.id AND t.customer_id <> ''
		ORDER BY t.customer_id, t.transaction_id`, tx.Among(storeKey, customerIDs...))
}

func saveReturned(tx *db.Tx, sales ...*Transaction) error {
	rows := make([][]any, len(sales))
	for i, sale := range sales {
		r := &sale.Returned
		rows[i] = []any{sale.StoreKey, sale.ID, r.Gross, r.WithoutDelivery, r.ExcludedForLevel, r.ExcludedDelivery,
			sale.FullyReturned}
	}
	return tx.Update("transactions",
		[]db.Column{{Name: "store_id", Type: "BIGINT"}, {Name: "transaction_id", Type: "TEXT"}},
		[]db.Column{
			{Name: "returned", Type: "BIGINT"}, {Name: "returned_without_delivery", Type: "BIGINT"},
			{Name: "returned_excluded", Type: "BIGINT"}, {Name: "returned_excluded_delivery", Type: "BIGINT"},
			{Name: "fully_returned", Type: "BOOLEAN"},
		}, rows...)
}

const lastSaleQuery = `SELECT purchased_at FROM transactions
	WHERE store_id = ? AND customer_id = ? AND customer_id <> '' AND document_type = 'sell' AND fully_returned = FALSE
	ORDER BY purchased_at DESC LIMIT 1`

// lastSale returns when the customer's last sale was that is not completely returned, or the zero time.
func lastSale(tx *db.Tx, storeKey int64, customerID string) (at time.Time, err error) {
	_, _, err = db.One(tx, func(*struct{}) []any { return []any{db.Time(&at)} }, lastSaleQuery,
		storeKey, customerID)
	return at, err
}

func saveOwner(tx *db.Tx, t *Transaction) error {
	_, err := tx.Exec(`UPDATE transactions SET customer_id = ?, assigned_at = ?, level_id = ?
		WHERE store_id = ? AND transaction_id = ?`, t.CustomerID, db.Time(&t.AssignedAt), t.LevelID, t.StoreKey, t.ID)
	return err
}

// lockReturns locks and returns the returns of a sale in order of registration.
func lockReturns(tx *db.Tx, sale *Transaction) ([]Transaction, error) {
	return db.All(tx, (*Transaction).row, `SELECT `+columns+` FROM transactions
		WHERE store_id = ? AND revised_id = ? AND revised_id <> '' ORDER BY transaction_id FOR UPDATE`,
		sale.StoreKey, sale.ID)
}

// HasAny returns whether a store has any transaction.
func HasAny(tx *db.Tx, storeKey int64) (bool, error) {
	n, err := db.Value[int64](tx, `SELECT COUNT(*) FROM (SELECT 1 FROM transactions WHERE store_id = ? LIMIT 1) AS found`,
		storeKey)
	return n > 0, err
}

// countStored returns how many of the documents with these ids are stored.
func countStored(tx *db.Tx, storeKey int64, ids []string) (int64, error) {
	return db.Value[int64](tx, `SELECT COUNT(*) FROM ? AS v (store, id) CROSS JOIN transactions t
		WHERE t.store_id = v.store AND t.transaction_id = v.id`, tx.Among(storeKey, ids...))
}
