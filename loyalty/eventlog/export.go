package eventlog

import (
	"strconv"

	"punchcard/core/store"
	"punchcard/loyalty/points"
	"punchcard/loyalty/transaction"
	"punchcard/platform/db"
	"punchcard/platform/event"
)

const (
	exportedAtOnce     = 500 // events per page of an export, held in memory
	transactionsAtOnce = 50  // transactions per page, each with a few events
)

// Export returns a page of the events about a customer and their account for the personal data
// export. It leaves out events whose content is in the export as purchases and transfers.
func Export(tx *db.Tx, s *store.Store, customerID, after string) (items []any, next string, err error) {
	accounts, err := points.AccountIDs(tx, s.Key, customerID)
	if err != nil {
		return nil, "", err
	}
	about := []string{customerID}
	if account := accounts[customerID]; account != "" {
		about = append(about, account)
	}
	last, _ := strconv.ParseInt(after, 10, 64) // made by this function; 0 for the first page
	found, err := event.About(tx, s.Key, last, exportedAtOnce, about...)
	if len(found) == exportedAtOnce {
		next = strconv.FormatInt(found[exportedAtOnce-1].ID, 10)
	}
	return views(found), next, err
}

// ExportTransactions returns a page of the events about a customer's transactions for the personal
// data export.
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
		items = append(items, newView(&found[i]))
	}
	return items
}
