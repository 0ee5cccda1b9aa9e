// Package purchase is the buying and using of coupons: limits, codes and points decided together, so
// that nothing is sold twice.
package purchase

import (
	"time"

	"punchcard/loyalty/campaign"
	"punchcard/loyalty/points"
	"punchcard/loyalty/store"
	"punchcard/platform/fault"
	"punchcard/platform/idempotency"
)

// The statuses of a purchase (reference-behaviour 3.7).
const (
	Inactive  = "inactive"
	Active    = "active"
	Expired   = "expired"
	Cancelled = "cancelled"
)

// DeliveryOrdered is the delivery status of a coupon from its use on.
const DeliveryOrdered = "ordered"

// The refusals of a purchase that are not the campaign's own; clients compare the texts.
var (
	ErrNotAllowed          = fault.New(fault.Refused, "Not allowed")
	ErrInvalidQuantity     = fault.New(fault.Refused, "Invalid quantity")
	ErrTransactionRequired = fault.New(fault.Refused, "Transaction required")
	ErrInvalidTransaction  = fault.New(fault.Refused, "Invalid transaction")
	ErrNoValue             = fault.New(fault.Refused, "Generated coupon value is 0")
)

// QuantityLimit is the number of coupons that one request may buy.
const QuantityLimit = 1000

// Purchase is one bought coupon.
type Purchase struct {
	Owned
	StoreKey             int64
	CustomerID           string
	Position             int64         // unique in the campaign; for individual codes the code's
	Price                points.Amount // of the campaign
	PointsBefore         points.Amount // balance before the purchase
	SpendID              string        // the transfer that paid; empty when nothing was charged
	Reward               string
	CampaignName         string
	UsedForTransactionID string
	ReturnedAmount       points.Amount
	TaxPrice             *points.Amount
	Email, Phone         string // the customer's, at purchase time, as his names and address
	FirstName, LastName  string
	ShippingAddress      string // JSON
}

// Owned is what the lists of one customer show of a purchase.
type Owned struct {
	CouponID       string
	CampaignID     string
	Code           string
	Status         string // as stored; StatusAt tells the present one
	Used           bool
	PurchasedAt    time.Time
	ActiveSince    time.Time // zero when active from the start
	ActiveTo       time.Time // zero for ever
	UsedAt         time.Time
	Cost           points.Amount // charged
	DeliveryStatus string
	TransactionID  string
}

// StatusAt is the status at the moment: coupons become active and expire at their very instant,
// whether or not a job has noted it.
func (o *Owned) StatusAt(now time.Time) string {
	status := o.Status
	if status == Inactive && !o.ActiveSince.After(now) {
		status = Active
	}
	if status == Active && !o.Used && !o.ActiveTo.IsZero() && o.ActiveTo.Before(now) {
		status = Expired
	}
	return status
}

// CanBeUsed tells whether the coupon can be marked as used at the moment.
func (o *Owned) CanBeUsed(now time.Time) bool { return o.StatusAt(now) == Active && !o.Used }

// dates sets when the coupon can be used: calendar days of the store's time zone at the same clock time.
func (p *Purchase) dates(c *campaign.Campaign, s *store.Store, now time.Time) {
	local := now.In(s.Zone)
	p.Status = Active
	if c.DaysInactive > 0 {
		p.Status = Inactive
		p.ActiveSince = local.AddDate(0, 0, int(c.DaysInactive)).UTC()
	}
	if c.DaysValid > 0 {
		p.ActiveTo = local.AddDate(0, 0, int(c.DaysInactive+c.DaysValid)).UTC()
	}
}

// Buy is one request to buy.
type Buy struct {
	Store         *store.Store
	CustomerID    string
	CampaignID    string
	Quantity      int64
	WithoutPoints bool   // nothing is charged; administrators only
	Administrator bool   // bought for the customer: neither visibility nor targeting count
	TransactionID string // of percentage campaigns and instant rewards
	Locale        string // default language, for the stored name
	// TransactionValue is the gross value of that transaction, nil unless it is known to be the customer's.
	TransactionValue *points.Amount
	Idempotency      *idempotency.Request // nil without an Idempotency-Key
}

// Coupon is what the buyer gets.
type Coupon struct {
	Code string `json:"code"`
	ID   string `json:"id"`
}
