package transaction

import (
	"fmt"
	"time"

	"punchcard/platform/db"
)

// BuyersBetween lists the customers of the sales of a time, one for each sale. It reads up to limit sales after a key,
// which is empty at first, and returns the next key, which is empty when there are no more.
func BuyersBetween(tx *db.Tx, storeKey int64, from, to time.Time, after string, limit int) (
	customerIDs []string, next string, err error) {
	start, transactionID := from.UnixMicro(), ""
	if after != "" {
		if _, err := fmt.Sscanf(after, "%d %s", &start, &transactionID); err != nil {
			return nil, "", err
		}
	}
	found, err := table.All(tx,
		`SELECT purchased_at, transaction_id, customer_id, document_type FROM transactions
		WHERE store_id = ? AND purchased_at >= ? AND purchased_at < ? AND (purchased_at > ? OR transaction_id > ?)
		ORDER BY purchased_at, transaction_id LIMIT ?`, storeKey, start, to.UnixMicro(), start, transactionID, limit)
	for i := range found {
		t := &found[i]
		if t.CustomerID != "" && t.Type == Sell {
			customerIDs = append(customerIDs, t.CustomerID)
		}
		next = fmt.Sprintf("%d %s", t.PurchasedAt.UnixMicro(), t.ID)
	}
	if len(found) < limit {
		next = ""
	}
	return customerIDs, next, err
}
