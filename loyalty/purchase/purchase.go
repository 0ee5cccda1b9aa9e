// Package purchase sells coupons and tracks their use. Limits, codes and points are decided in one transaction, so
// that nothing is sold twice.
package purchase

import (
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
	"punchcard/platform/fault"
)

// DeliveryOrdered is the delivery status that a coupon gets when it is used.
const DeliveryOrdered = "ordered"

// The errors of a purchase other than those of limits and codes. Clients compare the texts.
var (
	ErrNotAllowed          = fault.New(fault.Refused, "purchase_not_allowed", "Not allowed")
	ErrInvalidQuantity     = fault.New(fault.Refused, "invalid_quantity", "Invalid quantity")
	ErrTransactionRequired = fault.New(fault.Refused, "transaction_required", "Transaction required")
	ErrInvalidTransaction  = fault.New(fault.Refused, "invalid_transaction", "Invalid transaction")
	ErrNoValue             = fault.New(fault.Refused, "worthless_coupon", "Generated coupon value is 0")
)

// QuantityLimit is the maximal quantity of one request.
const QuantityLimit = 1000

// Purchase is one bought coupon.
type Purchase struct {
	Owned
	StoreKey             int64
	CustomerID           string
	HeldBy               string        // the reservation that keeps it until HeldUntil
	Position             int64         // unique in the campaign; that of the code, if codes are individual
	Price                points.Amount // of the campaign
	PointsBefore         points.Amount // balance before the purchase
	SpendID              string        // the transfer that paid; empty if nothing was charged
	Reward               string
	CampaignName         string
	UsedForTransactionID string
	UsedPOSID            string // the point of sale of the seller who used it; empty if nobody did
	LevelID              string // of the customer when it was bought
	UsedLevelID          string // of the customer when it was used
	ReceiptPOSID         string // the point of sale of the receipt that it was used for
	// ReceiptSales is the value of the receipt that it was used for, less returns. It is nil unless this coupon is the
	// first one of its campaign that was used for the receipt.
	ReceiptSales        *decimal.Money
	ReturnedAmount      decimal.Money
	TaxPrice            *decimal.Money
	Email, Phone        string // of the customer at purchase time, as are name and address
	FirstName, LastName string
	ShippingAddress     string // JSON
}

// NewID returns a new id of a coupon that is bought now. The order of these ids is the order of buying.
func NewID(tx *db.Tx) string { return db.NewIDAt(tx.Now()) }

// Owned holds the fields of a purchase that the lists of one customer need.
type Owned struct {
	CouponID       string // made by NewID
	CampaignID     string
	Code           string
	Status         string // as stored; StatusAt computes the present one
	Used           bool
	PurchasedAt    time.Time
	ActiveSince    time.Time // zero if active from the start
	ActiveTo       time.Time // zero means forever
	UsedAt         time.Time
	Cost           points.Amount // charged
	DeliveryStatus string
	TransactionID  string
	HeldUntil      time.Time // when the reservation ends that keeps it; zero for none
}

// Buy is one request to buy.
type Buy struct {
	Store         *store.Store
	CustomerID    string
	CampaignID    string
	Quantity      int64
	WithoutPoints bool   // nothing is charged; administrators only
	Administrator bool   // bought by an administrator: visibility and targets are ignored
	TransactionID string // of percentage campaigns and instant rewards
	Locale        string // default language, for the stored name
	// TransactionValue is the gross value of that transaction. It is nil unless the transaction is the customer's.
	TransactionValue *decimal.Money
	Explanation      *Explanation // gets the rules that were checked; nil for none
	Reserved         *Reserved    // nil unless a reservation keeps the purchase
}

// Coupon is the JSON of a coupon in the response of a purchase.
type Coupon struct {
	Code string `json:"code"`
	ID   string `json:"id"`
}
