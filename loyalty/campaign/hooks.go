package campaign

import (
	"punchcard/core/store"
	"punchcard/loyalty/customer/customerapi"
	"punchcard/platform/db"
)

// Hooks are the functions of features that build on campaigns. Package app sets them.
type Hooks struct {
	// Purchases lists the coupons of customers, newest first, at most customerapi.PurchasesShown of each customer.
	Purchases func(tx *db.Tx, s *store.Store, customerIDs ...string) (map[string][]customerapi.CampaignPurchase, error)
}
