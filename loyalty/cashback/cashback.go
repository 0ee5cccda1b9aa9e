// Package cashback exchanges points for money. It chooses the campaign that pays best, sends payment
// orders to the store's payment provider, handles the provider's callbacks, and refunds points when
// a payment fails.
package cashback

import (
	"slices"
	"strings"
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/points"
	"punchcard/platform/decimal"
	"punchcard/platform/fault"
)

// ErrNotAvailable means that no cashback campaign is open to the customer. Clients compare its text.
var ErrNotAvailable = fault.New(fault.Refused, "cashback_not_available", "cashback not available")

// ErrWorthless means that the points are worth less than the smallest unit of money. Clients compare
// its text.
var ErrWorthless = fault.New(fault.Refused, "worthless_cashback", "This value should be greater than 0.")

// State is the state of a payment.
type State int64

// The states of a payment. Clients and events see these numbers.
const (
	Created  State = 0
	Paid     State = 1
	Failed   State = 2
	UnderWay State = 3
)

// Cashback is one exchange of points for money. The purchase with the same customer and coupon spent
// the points.
type Cashback struct {
	StoreKey     int64
	CustomerID   string
	CouponID     string
	CampaignID   string // stored with the purchase only: empty after reading a cashback
	Points       points.Amount
	PointValue   decimal.Rate  // money for each point
	RewardAmount decimal.Money // money
	Provider     string        // of the campaign, later of the callback; empty for manual payment
	State        State
	Code         string // Code and Message are the provider's
	Message      string
	CreatedAt    time.Time
	UpdatedAt    time.Time
}

// best returns the campaign with the highest value per point, the first one on a tie. With an id it
// considers only that campaign. It returns nil if there is none.
func best(available []campaign.Campaign, id string) *campaign.Campaign {
	var chosen *campaign.Campaign
	for i := range available {
		c := &available[i]
		if (id == "" || c.ID == id) &&
			(chosen == nil || c.Definition.PointValue > chosen.Definition.PointValue) {
			chosen = c
		}
	}
	return chosen
}

// reward returns what the points are worth, rounded to the digits of the currency according to the store's setting.
// ok is false on overflow.
func reward(s *store.Store, amount points.Amount, value decimal.Rate) (_ decimal.Money, ok bool) {
	return decimal.Worth(amount, value, s.MoneyDigits(), s.Settings.CashbackRounding == store.RoundDown)
}

// The final statuses of providers, compared without regard to case.
var (
	failures  = []string{"FAILURE", "FAILED", "REJECTED", "CANCELLED", "CANCELED", "ERROR", "EXPIRED"}
	successes = []string{"SUCCESS"}
)

// outcome returns the state that a provider's status words mean. A failure outweighs a success.
func outcome(words ...string) State {
	says := func(known []string) bool {
		return slices.ContainsFunc(words, func(word string) bool {
			return slices.Contains(known, strings.ToUpper(strings.TrimSpace(word)))
		})
	}
	switch {
	case says(failures):
		return Failed
	case says(successes):
		return Paid
	}
	return UnderWay
}

// leadsTo reports whether a payment can go from s to next. A failed payment stays failed, because
// its points may have been spent again. A paid one does not go back to UnderWay.
func (s State) leadsTo(next State) bool {
	return s != Failed && (s != Paid || next != UnderWay)
}
