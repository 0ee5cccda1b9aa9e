package eventlog

import (
	"strconv"

	"punchcard/loyalty/points"
	"punchcard/loyalty/store"
	"punchcard/loyalty/transaction"
	"punchcard/platform/db"
	"punchcard/platform/event"
)

const (
	exportedAtOnce     = 500 // events that an export holds in memory
	transactionsAtOnce = 50  // whose events it does: each has a few
)

// Export is the section of the events about a customer and his account, but for those of which purchases and transfers
// tell the same.
func Export(tx *db.Tx, s *store.Store, customerID, after string) (items []any, next string, err error) {
	accounts, err := points.AccountIDs(tx, s.Key, customerID)
	if err != nil {
		return nil, "", err
	}
	about := []string{customerID}
	if account := accounts[customerID]; account != "" {
		about = append(about, account)
	}
	last, _ := strconv.ParseInt(after, 10, 64) // our own; 0 for the first page
	found, err := event.About(tx, s.Key, last, exportedAtOnce, about...)
	if len(found) == exportedAtOnce {
		next = strconv.FormatInt(found[exportedAtOnce-1].ID, 10)
	}
	return views(found), next, err
}

// ExportTransactions is the section of the events about a customer's documents.
func ExportTransactions(tx *db.Tx, s *store.Store, customerID, after string) (items []any, next string, err error) {
	ids, err := transaction.IDsOf(tx, s.Key, customerID, after, transactionsAtOnce)
	if err != nil || len(ids) == 0 {
		return nil, "", err
	}
	if len(ids) == transactionsAtOnce {
		next = ids[transactionsAtOnce-1]
	}
	for last, more := int64(0), true; more && err == nil; {
		var found []event.Event
		found, err = event.About(tx, s.Key, last, exportedAtOnce, ids...)
		if more = len(found) == exportedAtOnce; more {
			last = found[exportedAtOnce-1].ID
		}
		items = append(items, views(found)...)
	}
	return items, next, err
}

func views(found []event.Event) (items []any) {
	for i := range found {
		items = append(items, viewOf(&found[i]))
	}
	return items
}
