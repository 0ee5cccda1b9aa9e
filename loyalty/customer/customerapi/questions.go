package customerapi

import (
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
)

// The following types are questions to later features, whose reactions set the last member.
type (
	// SegmentsOf asks for the active segments of customers.
	SegmentsOf struct {
		CustomerIDs []string
		Segments    map[string][]customer.Segment
	}
	// MembersOf asks for a query for the ids of the customers in a segment.
	MembersOf struct {
		SegmentID string
		Query     *db.SQL
	}
	// CouponsOf asks for the coupons of customers, newest first, at most PurchasesShown of each customer.
	CouponsOf struct {
		CustomerIDs []string
		Coupons     map[string][]CampaignPurchase
	}
)

// Coupons returns the coupons of customers, newest first, at most PurchasesShown of each customer.
func Coupons(tx *db.Tx, s *store.Store, customerIDs ...string) (map[string][]CampaignPurchase, error) {
	asked := &CouponsOf{CustomerIDs: customerIDs}
	err := feature.React(tx, s, asked)
	return asked.Coupons, err
}

// PurchasesShown is how many coupons the details of a customer list at most.
const PurchasesShown = 100

// CampaignPurchase is a coupon in the views of a customer. It stands here, and not in the later package purchase that
// fills it, because these views hold it.
type CampaignPurchase struct {
	CanBeUsed      bool          `json:"canBeUsed"`
	PurchaseAt     string        `json:"purchaseAt"`
	CostInPoints   points.Amount `json:"costInPoints"`
	CampaignID     string        `json:"campaignId"`
	Used           bool          `json:"used"`
	Coupon         PurchasedCode `json:"coupon"`
	Status         string        `json:"status"`
	ActiveSince    *string       `json:"activeSince,omitempty"`
	ActiveTo       *string       `json:"activeTo,omitempty"`
	DeliveryStatus string        `json:"deliveryStatus"`
	UsageDate      *string       `json:"usageDate,omitempty"`
}

// PurchasedCode is the code of a coupon.
type PurchasedCode struct {
	ID   string `json:"id,omitempty"`
	Code string `json:"code"`
}
