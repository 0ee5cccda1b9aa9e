package transfer

import "punchcard/loyalty/points"

// The following types are questions to later features, whose reactions set the last member. They come in a reading
// transaction, without locks.
type (
	// ReceiptsOf asks for the transactions of transfers. Unknown ids are missing from the result.
	ReceiptsOf struct {
		IDs      []string
		Receipts map[string]Transaction
	}
	// PurchaseOf asks for the purchase that a transfer paid for; nil if there is none.
	PurchaseOf struct {
		Spend    *points.Transfer
		Purchase *Purchase
	}
)

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
