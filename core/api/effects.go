package api

import (
	"net/http"
	"slices"
	"strings"

	"punchcard/core/access"
	"punchcard/platform/decimal"
)

// EffectsType is the media type of the effects of a dry run, for clients that accept it.
const EffectsType = "application/vnd.punchcard.effects+json"

// Effects lists what a call would change, read from its transaction: docs/behaviour/dry-run.md#effects.
type Effects struct {
	Status   int             `json:"status"` // of the response
	Events   []EventEffect   `json:"events"`
	Points   []PointsEffect  `json:"points"`
	Counters []CounterEffect `json:"counters"`
}

// EventEffect is an event that the call would record.
type EventEffect struct {
	Type string `json:"type"`
}

// PointsEffect is a change of a balance.
type PointsEffect struct {
	CustomerID string             `json:"customerId"`
	Before     decimal.Hundredths `json:"before"`
	After      decimal.Hundredths `json:"after"`
}

// CounterEffect is a change of the number of coupons that a campaign has sold.
type CounterEffect struct {
	CampaignID string `json:"campaignId"`
	SoldBefore int64  `json:"soldBefore"`
	SoldAfter  int64  `json:"soldAfter"`
}

// Balance is recorded in a dry run when an account is locked and when it is written.
type Balance struct {
	CustomerID string
	Points     decimal.Hundredths
}

// Sold is recorded in a dry run when the counters of a campaign are locked and when they are written.
type Sold struct {
	CampaignID string
	Coupons    int64
}

// recordedEvent is a fact that was appended.
type recordedEvent interface{ EventType() string }

// acceptsEffects reports whether the client asks for effects instead of the body.
func (c *Call) acceptsEffects() bool {
	for _, line := range c.Header["Accept"] {
		for entry := range strings.SplitSeq(line, ",") {
			media, _, _ := strings.Cut(entry, ";")
			if strings.EqualFold(strings.TrimSpace(media), EffectsType) {
				return true
			}
		}
	}
	return false
}

// effects sums up what the operations have recorded. Callers see the balances and counters that they could read.
func (c *Call) effects(recorded []any) *Effects {
	status, _ := c.Held()
	e := &Effects{Status: max(status, http.StatusOK), Events: []EventEffect{}, Points: []PointsEffect{},
		Counters: []CounterEffect{}}
	points, counters := map[string]PointsEffect{}, map[string]CounterEffect{}
	for _, one := range recorded {
		switch one := one.(type) {
		case recordedEvent:
			e.Events = append(e.Events, EventEffect{one.EventType()})
		case Balance:
			of, known := points[one.CustomerID]
			if !known {
				of = PointsEffect{CustomerID: one.CustomerID, Before: one.Points}
			}
			of.After = one.Points
			points[one.CustomerID] = of
		case Sold:
			of, known := counters[one.CampaignID]
			if !known {
				of = CounterEffect{CampaignID: one.CampaignID, SoldBefore: one.Coupons}
			}
			of.SoldAfter = one.Coupons
			counters[one.CampaignID] = of
		}
	}
	for id, of := range points {
		if of.Before != of.After && c.maySeePoints(id) {
			e.Points = append(e.Points, of)
		}
	}
	for _, of := range counters {
		if of.SoldBefore != of.SoldAfter && c.maySeeSold() {
			e.Counters = append(e.Counters, of)
		}
	}
	slices.SortFunc(e.Points, func(a, b PointsEffect) int { return strings.Compare(a.CustomerID, b.CustomerID) })
	slices.SortFunc(e.Counters, func(a, b CounterEffect) int { return strings.Compare(a.CampaignID, b.CampaignID) })
	return e
}

func (c *Call) maySeePoints(customerID string) bool {
	return c.Caller != nil && (c.Caller.ID == customerID || c.Caller.Role == access.Seller ||
		c.Caller.Allowed("CUSTOMER", access.View))
}

func (c *Call) maySeeSold() bool {
	return c.Caller != nil && (c.Caller.Role == access.Seller || c.Caller.Allowed("REWARD_CAMPAIGN", access.View))
}

// sendEffects responds with effects instead of what the handler responded.
func (c *Call) sendEffects(e *Effects) error {
	c.Hold()
	header := c.ResponseHeader()
	header["Vary"] = append(header["Vary"], "Accept")
	if err := c.OK(e); err != nil {
		return err
	}
	header["Content-Type"] = []string{EffectsType}
	return nil
}
