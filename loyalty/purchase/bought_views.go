package purchase

import (
	"encoding/json"
	"time"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/points"
	"punchcard/platform/decimal"
)

// own is the JSON of a purchase in the lists of one customer, with its campaign if details are requested.
type own[Campaign any] struct {
	PurchaseAt     string          `json:"purchaseAt"`
	CostInPoints   points.Amount   `json:"costInPoints"`
	CampaignID     campaignRef     `json:"campaignId"`
	Campaign       *Campaign       `json:"campaign,omitempty"`
	Used           bool            `json:"used"`
	Coupon         Coupon          `json:"coupon"`
	Status         string          `json:"status"`
	CanBeUsed      bool            `json:"canBeUsed"`
	ActiveSince    *string         `json:"activeSince,omitempty"`
	ActiveTo       *string         `json:"activeTo,omitempty"`
	UsageDate      *string         `json:"usageDate,omitempty"`
	DeliveryStatus string          `json:"deliveryStatus" enum:",ordered,shipped,delivered,canceled"`
	TransactionID  *transactionRef `json:"transactionId,omitempty"`
}

func ownView[Campaign any](s *store.Store, p *Owned, now time.Time) own[Campaign] {
	return own[Campaign]{
		PurchaseAt: api.Timestamp(p.PurchasedAt, s.Zone), CostInPoints: p.Cost, CampaignID: campaignRef{p.CampaignID},
		Used: p.Used, Coupon: Coupon{p.Code, p.CouponID}, Status: p.StatusAt(now), CanBeUsed: p.CanBeUsed(now),
		ActiveSince: api.OptionalTimestamp(p.ActiveSince, s.Zone), ActiveTo: api.OptionalTimestamp(p.ActiveTo, s.Zone),
		UsageDate: api.OptionalTimestamp(p.UsedAt, s.Zone), DeliveryStatus: p.DeliveryStatus,
		TransactionID: transactionOf(p.TransactionID),
	}
}

// bought is the JSON of a purchase in the bought list of a store.
type bought struct {
	CanBeUsed               bool            `json:"canBeUsed"`
	RewardCampaignID        string          `json:"rewardCampaignId"`
	CampaignID              string          `json:"campaignId"`
	CustomerID              string          `json:"customerId"`
	PurchasedAt             string          `json:"purchasedAt"`
	Coupon                  Coupon          `json:"coupon"`
	CampaignType            string          `json:"campaignType"`
	CampaignName            string          `json:"campaignName"`
	CustomerEmail           string          `json:"customerEmail,omitempty"`
	CustomerPhone           string          `json:"customerPhone,omitempty"`
	CustomerName            string          `json:"customerName"`
	CustomerLastname        string          `json:"customerLastname"`
	CampaignShippingAddress json.RawMessage `json:"campaignShippingAddress"`
	CostInPoints            points.Amount   `json:"costInPoints"`
	CurrentPointsAmount     points.Amount   `json:"currentPointsAmount"`
	TaxPriceValue           *decimal.Money  `json:"taxPriceValue,omitempty"`
	Used                    bool            `json:"used"`
	Status                  string          `json:"status"`
	ActiveSince             *string         `json:"activeSince,omitempty"`
	ActiveTo                *string         `json:"activeTo,omitempty"`
	UsageDate               *string         `json:"usageDate,omitempty"`
	TransactionID           *transactionRef `json:"transactionId,omitempty"`
	UsedForTransactionID    *transactionRef `json:"usedForTransactionId,omitempty"`
	ReturnedAmount          decimal.Money   `json:"returnedAmount"`
	DeliveryStatus          delivery        `json:"deliveryStatus"`
}

type delivery struct {
	Status string `json:"status" enum:",ordered,shipped,delivered,canceled"`
}

func boughtView(s *store.Store, p *Purchase, now time.Time) bought {
	return bought{
		CanBeUsed: p.CanBeUsed(now), RewardCampaignID: p.CampaignID, CampaignID: p.CampaignID, CustomerID: p.CustomerID,
		PurchasedAt: api.Timestamp(p.PurchasedAt, s.Zone), Coupon: Coupon{p.Code, p.CouponID},
		CampaignType: p.Reward, CampaignName: p.CampaignName, CustomerEmail: p.Email, CustomerPhone: p.Phone,
		CustomerName: p.FirstName, CustomerLastname: p.LastName,
		CampaignShippingAddress: json.RawMessage(p.ShippingAddress), CostInPoints: p.Price,
		CurrentPointsAmount: wholePoints(p.PointsBefore), TaxPriceValue: p.TaxPrice, Used: p.Used,
		Status: p.StatusAt(now), ActiveSince: api.OptionalTimestamp(p.ActiveSince, s.Zone),
		ActiveTo:  api.OptionalTimestamp(p.ActiveTo, s.Zone),
		UsageDate: api.OptionalTimestamp(p.UsedAt, s.Zone), TransactionID: transactionOf(p.TransactionID),
		UsedForTransactionID: transactionOf(p.UsedForTransactionID), ReturnedAmount: p.ReturnedAmount,
		DeliveryStatus: delivery{p.DeliveryStatus},
	}
}

// wholePoints rounds an amount down to whole points.
func wholePoints(amount points.Amount) points.Amount { return amount / 100 * 100 }

// detailed is the JSON of the campaign of a purchase, as administrators and sellers see it.
type detailed struct {
	campaign.Reduced
	Levels   []string `json:"levels"`
	Segments []string `json:"segments"`
	Coupons  []string `json:"coupons,omitzero"` // nil leaves them out
}
