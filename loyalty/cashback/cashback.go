// Package cashback exchanges points for money: which campaign pays best, what a payment provider says of the payment,
// and the points that come back when it fails.
package cashback

import (
	"math"
	"slices"
	"strings"
	"time"

	"punchcard/loyalty/campaign"
	"punchcard/loyalty/points"
	"punchcard/loyalty/store"
	"punchcard/platform/decimal"
	"punchcard/platform/fault"
)

// ErrNotAvailable says that no cashback campaign is open to the customer; clients compare the text.
var ErrNotAvailable = fault.New(fault.Refused, "cashback not available")

// ErrWorthless says that the points are too few to be worth the smallest unit of money; clients compare the text.
var ErrWorthless = fault.New(fault.Refused, "This value should be greater than 0.")

// State is how far a payment is.
type State int64

// The states of a payment, numbered as administrators read them (reference-behaviour 4.1).
const (
	Created  State = 0
	Paid     State = 1
	Failed   State = 2
	UnderWay State = 3
)

// Cashback is one exchange of points for money. The purchase of the same customer and coupon spent the points.
type Cashback struct {
	StoreKey     int64
	CustomerID   string
	CouponID     string
	CampaignID   string // kept by the purchase; empty when the cashback was read
	Points       points.Amount
	PointValue   decimal.Hundredths // money for each point
	RewardAmount decimal.Hundredths // money
	Provider     string             // of the campaign, then the one that called; empty when a person pays
	State        State
	Code         string // as the provider says it, as Message
	Message      string
	CreatedAt    time.Time
	UpdatedAt    time.Time
}

// best is the campaign with the highest value for each point, the first one on a tie; with an id only that one. It is
// nil when there is none.
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

// reward is what the points are worth, rounded to the smallest unit as the store's setting says; ok is false when
// no number is that large.
func reward(amount points.Amount, value decimal.Hundredths, rounding string) (_ decimal.Hundredths, ok bool) {
	if value > 0 && int64(amount)/100 >= math.MaxInt64/int64(value) {
		return 0, false
	}
	if rounding == store.RoundDown {
		return amount.MulDivDown(int64(value), 100), true
	}
	return amount.MulDiv(int64(value), 100), true
}

// The words with which providers end a payment, compared without regard to case.
var (
	failures  = []string{"FAILURE", "FAILED", "REJECTED", "CANCELLED", "CANCELED", "ERROR", "EXPIRED"}
	successes = []string{"SUCCESS"}
)

// outcome is the state that a provider's words tell; a failure in either of them counts more than a success.
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

// leadsTo tells whether a provider's word still counts. A failed payment stays failed, because its points may be
// spent again by then, and a paid one is not under way any more.
func (s State) leadsTo(next State) bool {
	return s != Failed && (s != Paid || next != UnderWay)
}
