package purchase

import (
	"time"

	"punchcard/core/api"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
	"punchcard/platform/decimal"
	"punchcard/platform/fault"
)

// attempt is a purchase that the rules decide, by a customer who is known and not deleted.
type attempt struct {
	campaign *campaign.Campaign
	counters campaign.Counters
	now      time.Time
	zone     *time.Location

	administrator bool // buys: visibility and targets do not matter
	isMeant       bool // the campaign targets the customer
	status        string
	mine          int64 // purchases of the customer that count for the limit per customer
	points        points.Amount
	cost          points.Amount // of one coupon
	quantity      int64
	transactionID string
	gross         *decimal.Money // of that transaction; nil unless it is the customer's
	targets       *targetNames   // to explain targets; otherwise nil
}

// rule is a condition of a purchase.
type rule struct {
	name   string
	limits bool // it is about limits or codes
	// applies reports whether the rule is checked; nil means always.
	applies func(a *attempt) bool
	// check returns the error of a purchase that breaks the rule, otherwise nil.
	check func(a *attempt) error
	// describe adds what is needed and what there is, and a hint if the rule is broken.
	describe func(a *attempt, f *api.Finding)
	// reason is the name of a broken rule for customers; nil or an empty name hides it.
	reason func(a *attempt) string
}

// rules are all conditions of a purchase in the order of docs/behaviour/purchase.md#order-of-checks, from the reward
// type on.
var rules = []rule{
	{name: "reward", check: isBuyable, describe: describeReward},
	{name: "active", check: isActive, describe: describeActive, reason: notActiveYet},
	{name: "visible", applies: byCustomer, check: isVisible, describe: describeVisible},
	{name: "target", applies: byCustomer, check: isMeant, describe: describeTarget, reason: targetsLevels},
	{name: "transaction", applies: isOfSale, check: hasSale, describe: describeSale},
	{name: "quantity", check: hasQuantity, describe: describeQuantity},
	{name: "limit", limits: true, applies: isCounted, check: checkLimit, describe: describeLimit,
		reason: always("soldOut")},
	{name: "limitPerCustomer", limits: true, applies: hasLimits, check: checkLimitPerCustomer,
		describe: describeLimitPerCustomer, reason: always("limitReached")},
	{name: "customer", check: isActiveCustomer, describe: describeCustomer},
	{name: "points", applies: hasPrice, check: coversCost, describe: describePoints, reason: always("points")},
	{name: "codes", limits: true, applies: hasCodes, check: checkCodes, describe: describeCodes,
		reason: always("soldOut")},
	{name: "worth", applies: isOfSale, check: isWorth, describe: describeWorth},
}

// decide returns the error of the first rule that the purchase breaks, or nil.
func (a *attempt) decide() error {
	for i := range rules {
		if err := rules[i].decide(a); err != nil {
			return err
		}
	}
	return nil
}

// isWithinLimits reports whether limits and codes allow the purchase.
func (a *attempt) isWithinLimits() bool {
	for i := range rules {
		if rules[i].limits && rules[i].decide(a) != nil {
			return false
		}
	}
	return true
}

func (r *rule) decide(a *attempt) error {
	if r.applies != nil && !r.applies(a) {
		return nil
	}
	return r.check(a)
}

func byCustomer(a *attempt) bool { return !a.administrator }

func isOfSale(a *attempt) bool { return a.campaign.Reward.Worth != nil }

func hasCodes(a *attempt) bool { return a.campaign.HasCodes() }

func hasPrice(a *attempt) bool { return a.cost > 0 }

func hasLimits(a *attempt) bool { return !a.campaign.Reward.Uncounted && !a.campaign.Unlimited }

// isCounted reports whether a limit of all customers is checked: that of the codes if the campaign has no other.
func isCounted(a *attempt) bool {
	return hasLimits(a) || !a.campaign.Reward.Uncounted && a.campaign.HasCodes()
}

func isBuyable(a *attempt) error { return unless(a.campaign.Reward.Buyable, fault.ErrInvalid) }

func isActive(a *attempt) error { return unless(a.campaign.ActiveAt(a.now), fault.ErrNotFound) }

func isVisible(a *attempt) error { return unless(a.campaign.VisibleAt(a.now), fault.ErrNotFound) }

func isMeant(a *attempt) error { return unless(a.isMeant, fault.ErrNotFound) }

func hasSale(a *attempt) error {
	if a.transactionID == "" {
		return ErrTransactionRequired
	}
	return unless(a.gross != nil, ErrInvalidTransaction)
}

func hasQuantity(a *attempt) error { return unless(a.quantity >= 1, ErrInvalidQuantity) }

func checkLimit(a *attempt) error {
	if a.campaign.Unlimited {
		return checkCodes(a)
	}
	return unless(a.quantity <= a.campaign.LimitLeft(a.counters), campaign.ErrLimit)
}

func checkLimitPerCustomer(a *attempt) error {
	return unless(a.quantity <= a.campaign.LimitPerUserLeft(a.mine), campaign.ErrLimitPerCustomer)
}

func isActiveCustomer(a *attempt) error { return unless(a.status == customer.Active, ErrNotAllowed) }

func coversCost(a *attempt) error {
	return unless(a.cost == 0 || a.points/a.cost >= points.Amount(a.quantity), points.ErrNotEnough)
}

func checkCodes(a *attempt) error {
	return unless(a.quantity <= a.counters.CodesLeft(), campaign.ErrNoCoupons)
}

func isWorth(a *attempt) error {
	return unless(a.gross != nil && a.campaign.Worth(*a.gross) > 0, ErrNoValue)
}

func unless(passed bool, err *fault.Error) error {
	if passed {
		return nil
	}
	return err
}
