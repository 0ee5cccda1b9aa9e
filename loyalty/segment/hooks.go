package segment

import (
	"punchcard/core/store"
	"punchcard/loyalty/customer/customerapi"
	"punchcard/platform/db"
)

// Hooks are the functions of later features that segments call. Package app sets all of them.
type Hooks struct {
	// Purchases returns the coupons of customers, newest first, for the list of members. It runs in the reading
	// transaction of the list, without locks.
	Purchases func(tx *db.Tx, s *store.Store, customerIDs ...string) (map[string][]customerapi.CampaignPurchase, error)
}
