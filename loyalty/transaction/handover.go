package transaction

import "punchcard/platform/db"

// LockOf locks at most limit documents of a customer, and returns their ids. Documents are locked before all other
// rows.
func LockOf(tx *db.Tx, storeKey int64, customerID string, limit int) ([]string, error) {
	return db.AllValues[string](tx, `SELECT transaction_id FROM transactions
		WHERE store_id = ? AND customer_id = ? AND customer_id <> '' ORDER BY transaction_id LIMIT ? FOR UPDATE`,
		storeKey, customerID, limit)
}

// LockAll locks documents by their ids.
func LockAll(tx *db.Tx, storeKey int64, ids []string) error {
	_, err := db.AllValues[string](tx, `SELECT transaction_id FROM ? AS v (store, id)
		CROSS JOIN transactions t WHERE t.store_id = v.store AND t.transaction_id = v.id
		ORDER BY t.transaction_id FOR UPDATE OF t`, tx.Among(storeKey, ids...))
	return err
}

// HandOver gives locked documents to another customer, in a merge of two customers.
func HandOver(tx *db.Tx, storeKey int64, ids []string, to string) error {
	rows := make([]*Transaction, len(ids))
	for i, id := range ids {
		rows[i] = &Transaction{StoreKey: storeKey, ID: id, CustomerID: to}
	}
	return table.Update(tx, "customer_id", rows...)
}
