package transfer

import (
	"time"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
)

// Hooks let later features add to transfers. Package app sets all of them; a nil function finds nothing.
type Hooks struct {
	// Transactions returns the transactions of transfers by id. Unknown ids are missing from the result. It runs in
	// the reading transaction of a list or an export, without locks.
	Transactions func(tx *db.Tx, s *store.Store, ids ...string) (map[string]Transaction, error)
	// Purchase returns the purchase that a transfer paid for, or nil if there is none. It runs in a reading transaction,
	// without locks.
	Purchase func(tx *db.Tx, s *store.Store, spend *points.Transfer) (*Purchase, error)
	// RestsUntil returns until when a customer gives no points away because their account was changed just now; zero for
	// no such time. It runs in the transaction of the transfer.
	RestsUntil func(tx *db.Tx, storeKey int64, customerID string) (time.Time, error)
	// Guesses limits the receivers whom customers name and nobody is.
	Guesses api.Guesses
}

// Transaction holds the fields that a transfer shows of its transaction.
type Transaction struct {
	DocumentNumber string
	POSID          string
	View           any // encoded as JSON with grossValue, labels and items
}

// Purchase is the purchase that a transfer paid for, as lists show it.
type Purchase struct {
	CampaignID   string `json:"campaignId"`
	CampaignName string `json:"campaignName"`
	CouponID     string `json:"couponId"`
}
