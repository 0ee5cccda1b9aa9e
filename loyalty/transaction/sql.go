package transaction

import (
	"time"

	"punchcard/platform/db"
	"punchcard/platform/fault"
)

var table = db.NewTable("transactions", "store_id, transaction_id", func(t *Transaction) db.Row {
	sold, returned, c := &t.Amounts, &t.Returned, &t.CustomerData
	return db.Row{
		"store_id", &t.StoreKey, "transaction_id", &t.ID, "document_number", &t.DocumentNumber, "document_type", &t.Type,
		"revised_id", &t.RevisedID, "customer_id", &t.CustomerID, "assigned_at", db.Time(&t.AssignedAt),
		"pos_id", &t.POSID, "purchased_at", db.Time(&t.PurchasedAt), "registered_at", db.Time(&t.RegisteredAt),
		"gross_value", &sold.Gross, "gross_without_delivery", &sold.WithoutDelivery,
		"excluded_for_level", &sold.ExcludedForLevel, "excluded_delivery", &sold.ExcludedDelivery,
		"returned", &returned.Gross, "returned_without_delivery", &returned.WithoutDelivery,
		"returned_excluded", &returned.ExcludedForLevel, "returned_excluded_delivery", &returned.ExcludedDelivery,
		"fully_returned", &t.FullyReturned, "purchase_place", &t.PurchasePlace, "revised_document", &t.RevisedDocument,
		"customer_data", db.JSON(&t.CustomerData), "items", db.JSON(&t.Items), "labels", db.JSON(&t.Labels),
		"excluded", db.JSON(&t.Excluded), "level_id", &t.LevelID, "line_points", db.JSON(&t.LinePoints),
		// Filters compare these.
		"document_key", db.Derived(&t.DocumentNumber, filterKey), "name_key", db.Derived(&c.Name, filterKey),
		"email_key", db.Derived(&c.Email, filterKey), "phone_key", &t.phoneKey,
		"loyalty_card_key", db.Derived(&c.LoyaltyCard, filterKey), "recased_of", &t.recasedOf,
	}
}).Apart("phone_key", "recased_of")

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
	found, err := table.All(tx, `SELECT transaction_id, document_number, recased_of, registered_at FROM transactions
		WHERE store_id = ? AND recased_of <> '' AND registered_at >= ? ORDER BY registered_at DESC LIMIT ?`,
		storeKey, since.UnixMicro(), limit)
	recased := make([]Recased, len(found))
	for i, t := range found {
		recased[i] = Recased{t.ID, t.DocumentNumber, t.recasedOf, t.RegisteredAt}
	}
	return recased, err
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
	return table.Select(func(t Transaction) { visit(&t) }, `SELECT t.*
		FROM ? AS v (store, key, number)
		CROSS JOIN transactions t
		WHERE t.store_id = v.store AND t.document_key = v.key AND t.document_number = v.number
		ORDER BY t.transaction_id FOR UPDATE OF t`, tx.AmongRows(storeKey, []string{"TEXT", "TEXT"}, keys...))
}

func readOne(tx *db.Tx, where string, args ...any) (*Transaction, error) {
	t, found, err := table.One(tx, `SELECT * FROM transactions WHERE `+where, args...)
	if err == nil && !found {
		err = fault.ErrNotFound
	}
	return &t, err
}

// OfCustomers calls visit for every transaction of distinct customers, grouped by customer, oldest registration first.
// visit must not use tx.
func OfCustomers(tx *db.Tx, storeKey int64, customerIDs []string, visit func(*Transaction)) error {
	return table.Each(tx, func(t Transaction) { visit(&t) }, `SELECT t.*
		FROM ? AS v (store, id)
		CROSS JOIN transactions t WHERE t.store_id = v.store AND t.customer_id = v.id AND t.customer_id <> ''
		ORDER BY t.customer_id, t.transaction_id`, tx.Among(storeKey, customerIDs...))
}

func saveReturned(tx *db.Tx, sales ...*Transaction) error {
	return table.Update(tx, "returned, returned_without_delivery, returned_excluded, returned_excluded_delivery, "+
		"fully_returned", sales...)
}

const lastSaleQuery = `SELECT purchased_at FROM transactions
	WHERE store_id = ? AND customer_id = ? AND customer_id <> '' AND document_type = 'sell' AND fully_returned = FALSE
	ORDER BY purchased_at DESC LIMIT 1`

// lastSale returns when the customer's last sale was that is not completely returned, or the zero time.
func lastSale(tx *db.Tx, storeKey int64, customerID string) (time.Time, error) {
	t, _, err := table.One(tx, lastSaleQuery, storeKey, customerID)
	return t.PurchasedAt, err
}

func saveOwner(tx *db.Tx, t *Transaction) error {
	return table.Update(tx, "customer_id, assigned_at, level_id", t)
}

// lockReturns locks and returns the returns of a sale in order of registration.
func lockReturns(tx *db.Tx, sale *Transaction) ([]Transaction, error) {
	return table.All(tx, `SELECT * FROM transactions
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
