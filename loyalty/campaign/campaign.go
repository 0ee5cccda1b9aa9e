// Package campaign stores the reward campaigns of a store: what they offer, to whom, when and how often.
package campaign

import (
	"math"
	"slices"
	"time"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
	"punchcard/platform/fault"
)

// Unbounded is the usageLeft of an unlimited campaign.
const Unbounded = math.MaxInt64

// The errors of a purchase that exceeds a limit or the codes. Clients compare the texts.
var (
	ErrNoCoupons        = fault.New(fault.Refused, "no_coupons_left", "No coupons left")
	ErrLimit            = fault.New(fault.Refused, "limit_exceeded", "Limit exceeded")
	ErrLimitPerCustomer = fault.New(fault.Refused, "limit_per_customer_exceeded", "Limit per customer exceeded")
)

// Campaign is one reward campaign.
type Campaign struct {
	StoreKey     int64
	ID           string
	Version      int64 // increases with every change
	Reward       *RewardType
	Active       bool
	Featured     bool
	Public       bool
	Cost         decimal.Hundredths // points
	Unlimited    bool               // neither limit applies
	SingleCoupon bool               // all customers get the same code
	Limit        int64              // purchases of all customers
	LimitPerUser int64              // purchases of one customer
	LimitPeriod  string             // in which LimitPerUser counts; empty for all time
	TotalPeriod  string             // in which Limit counts; empty for all time
	DaysInactive int64              // days until a bought coupon can be used
	DaysValid    int64              // days for which it can be used; 0 means forever
	Activity     Window
	Visibility   Window
	CreatedAt    time.Time
	ArchivedAt   time.Time // zero if it is not archived; an archived campaign is inactive
	Definition   Definition
}

// Definition holds the other fields of a campaign. It is stored as JSON, except for the fields that lists sort by.
type Definition struct {
	Translations []Translation `json:"translations"`
	Target       string        `json:"target,omitempty"`
	Everybody    bool          `json:"everybody,omitempty"` // customers of all levels, also of later ones; no lists
	Levels       []string      `json:"levels"`
	Segments     []string      `json:"segments"`
	Categories   []string      `json:"categories"`
	Labels       []Label       `json:"labels"`
	SingleCode   string        `json:"singleCode,omitempty"` // the code of a single coupon
	Photos       []Image       `json:"photos,omitempty"`
	Icon         *Image        `json:"icon,omitempty"` // of the brand

	Details map[string]string `json:"details,omitempty"` // fields of a reward type that have no column

	CashbackProvider     string         `json:"cashbackProvider,omitempty"`
	PushNotificationText string         `json:"-"`
	MoreInformationLink  string         `json:"-"`
	PointValue           decimal.Rate   `json:"-"` // of cashback
	Percentage           int64          `json:"-"` // of percentage discounts
	RewardValue          *decimal.Money `json:"-"`
	Tax                  *int64         `json:"-"` // percent
	TaxPriceValue        *decimal.Money `json:"-"`
	MinimumBasket        *decimal.Money `json:"minimumBasket,omitempty"` // of the receipt that a coupon is used for
	Basket               *Basket        `json:"basket,omitempty"`        // how coupons lower the price of a basket
	FulfillmentTracking  bool           `json:"-"`
	ConnectType          string         `json:"-"`
	EarningRuleID        string         `json:"-"`
}

// Image is a photo or the brand icon of a campaign. Its bytes are stored in another table.
type Image struct {
	ID       string `json:"id"`
	Name     string `json:"name"` // as uploaded
	MIMEType string `json:"mimeType"`
}

// Translation holds the texts of a campaign in one language.
type Translation struct {
	ID                    int64  `json:"id"`
	Locale                string `json:"locale"`
	Name                  string `json:"name"`
	ShortDescription      string `json:"shortDescription,omitempty"`
	ConditionsDescription string `json:"conditionsDescription,omitempty"`
	UsageInstruction      string `json:"usageInstruction,omitempty"`
	BrandDescription      string `json:"brandDescription,omitempty"`
	BrandName             string `json:"brandName,omitempty"`
}

// Label is a key with a value on a campaign.
type Label struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// Window is a span of time with inclusive ends, or all time.
type Window struct {
	AllTime  bool
	From, To time.Time
}

// Contains reports whether a time is in the window.
func (w Window) Contains(t time.Time) bool {
	return w.AllTime || !t.Before(w.From) && !t.After(w.To)
}

// Counters are the mutable numbers of a campaign. Every purchase locks and changes them.
type Counters struct {
	StoreKey     int64
	CampaignID   string
	Version      int64 // of the definition
	Sold         int64 // purchases, without those that were taken back
	Recent       int64 // those of the period of Campaign.TotalPeriod; Catalogue.Load sets it
	Customers    int64 // distinct customers of these
	NextPosition int64 // of the next purchase
	LastPosition int64 // of the last code that can be sold

	LastDay DayCount // the last day with a sale
	Ended   DayCount // the one before it, until it is saved

	Held        int64     // purchases that reservations keep; CountersOf, LockCounters and Catalogue.Load set it
	HeldUntil   time.Time // no reservation keeps any after it
	HeldCounted bool      // Held is set
}

// DayCount is the number of coupons that a campaign sold on a day.
type DayCount struct {
	Day  calendar.Day // 0 for none
	Sold int64
}

// Sell counts n coupons that are sold now.
func (k *Counters) Sell(tx *db.Tx, s *store.Store, n int64) {
	k.NextPosition, k.Sold, k.Recent = k.NextPosition+n, k.Sold+n, k.Recent+n
	if today := calendar.DayOf(tx.Now(), s.Zone); today != k.LastDay.Day {
		k.Ended, k.LastDay = k.LastDay, DayCount{Day: today}
	}
	k.LastDay.Sold += n
}

// Purchases returns the number of all purchases, also of those that were taken back.
func (k *Counters) Purchases() int64 { return k.NextPosition - 1 }

// TakeBack counts one purchase less. left is the number of coupons that the customer still has of the campaign.
func (k *Counters) TakeBack(left int64) {
	k.Sold--
	if left == 0 {
		k.Customers--
	}
}

// Text returns a text of the campaign in the locale.
func (c *Campaign) Text(locale api.Locale, field func(*Translation) string) string {
	return locale.Text(func(code string) string {
		for i := range c.Definition.Translations {
			if c.Definition.Translations[i].Locale == code {
				return field(&c.Definition.Translations[i])
			}
		}
		return ""
	})
}

// Name returns the campaign's name in the locale.
func (c *Campaign) Name(locale api.Locale) string {
	return c.Text(locale, func(t *Translation) string { return t.Name })
}

// ActiveAt reports whether the campaign can be bought at a time.
func (c *Campaign) ActiveAt(t time.Time) bool { return c.Active && c.Activity.Contains(t) }

// VisibleAt reports whether customers can see the campaign at a time, whether or not it is active.
func (c *Campaign) VisibleAt(t time.Time) bool {
	return c.Reward.Fields.Visibility && c.Visibility.Contains(t)
}

// TargetsLevel reports whether the campaign targets the level.
func (c *Campaign) TargetsLevel(levelID string) bool {
	return c.Definition.Everybody || slices.Contains(c.Definition.Levels, levelID)
}

// HasCodes reports whether every purchase takes an individual code from the list.
func (c *Campaign) HasCodes() bool {
	return !c.SingleCoupon && c.Reward.Fields.Codes
}

// Worth returns the value of a voucher for a sale, in whole units of the currency, and 0 for other reward types.
func (c *Campaign) Worth(gross decimal.Money) int64 {
	if c.Reward.Worth == nil {
		return 0
	}
	return c.Reward.Worth(&c.Definition, gross)
}

// CodesLeft returns how many individual codes are left to sell, and not kept by a reservation.
func (k *Counters) CodesLeft() int64 { return max(0, k.LastPosition-k.NextPosition+1-k.Held) }

// rest returns what a limit leaves when a number of purchases count for it.
func rest(unlimited bool, limit, counted int64) int64 {
	if unlimited {
		return Unbounded
	}
	return max(0, limit-counted)
}

// LimitLeft returns how many coupons the limit of all customers leaves, whatever the codes.
func (c *Campaign) LimitLeft(k Counters) int64 { return rest(c.Unlimited, c.Limit, c.sold(k)) }

// LimitPerUserLeft returns how many coupons the limit per customer leaves, whatever the codes. Mine are the purchases
// of the customer; those of the period of the limit, if it has one.
func (c *Campaign) LimitPerUserLeft(mine int64) int64 { return rest(c.Unlimited, c.LimitPerUser, mine) }

// free returns the number of purchases that the codes still allow.
func (c *Campaign) free(k Counters) int64 {
	switch {
	case c.Reward.Uncounted:
		return 0
	case c.HasCodes():
		return k.CodesLeft()
	}
	return c.LimitLeft(k)
}

// UsageLeft returns how often all customers together can still buy the campaign.
func (c *Campaign) UsageLeft(k Counters) int64 { return min(c.free(k), c.LimitLeft(k)) }

// UsageLeftFor returns how often a customer who bought it mine times can still buy it. Mine counts as in
// LimitPerUserLeft.
func (c *Campaign) UsageLeftFor(k Counters, mine int64) int64 {
	return min(c.free(k), c.LimitPerUserLeft(mine))
}
