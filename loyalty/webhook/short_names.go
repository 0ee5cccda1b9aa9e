package webhook

import (
	"encoding/json"
	"slices"
	"strings"

	"punchcard/platform/event"
)

const (
	accountEvent     = "Platform.Domain.Account.Event."
	transactionEvent = "Platform.Domain.Transaction.Event."
	userEvent        = "Platform.Domain.User.Event."
)

// shortName is a name of older receivers for some events. Calls with it have a body of their own: docs/web-hooks.md.
type shortName struct {
	name  string
	types []string                  // of the events that it stands for
	means func(e *event.Event) bool // whether it stands for an event of these types; nil: for every one
	data  dataFunc
}

// shortNames are disjoint: an event has one short name at most.
var shortNames = []*shortName{
	{name: "customer.registered", types: []string{userEvent + "CustomerWasRegistered"}, data: customerData},
	{name: "customer.updated", types: []string{userEvent + "CustomerDetailsWereUpdated"}, data: customerData},
	{name: "customer.deactivated", types: []string{userEvent + "CustomerWasDeactivated"}, data: customerData},
	{name: "customer.level_changed_automatically", types: []string{userEvent + "CustomerWasMovedToLevel"},
		means: isAutomaticMove, data: automaticMoveData},
	{name: "customer.level_changed", types: []string{userEvent + "CustomerWasMovedToLevel"},
		means: isMoveByHand, data: moveData},
	{name: "transaction.registered", types: []string{transactionEvent + "TransactionWasRegistered"}, data: receiptData},
	{name: "transaction.assigned_to_customer", types: []string{userEvent + "AssignedTransactionToCustomer"},
		data: assignmentData},
	{name: "account.available_points_amount_changed", types: []string{
		accountEvent + "PointsWereAdded", accountEvent + "PointsWereSpent", accountEvent + "PointsWereBlocked",
		accountEvent + "PointsWereReturned", accountEvent + "PointsWereTransferred", accountEvent + "PointsWereMoved",
		accountEvent + "PointsTransferHasBeenCanceled", accountEvent + "PointsTransferHasBeenExpired",
		accountEvent + "PointsTransferHasBeenUnlocked",
	}, means: changesBalance, data: balanceData},
	{name: "customer.bought_campaign", types: []string{userEvent + "CampaignWasBoughtByCustomer"}, data: purchaseData},
	{name: "account.expiring_points_notification", types: []string{accountEvent + "PointsAreAboutToExpire"},
		data: endingPointsData},
	{name: "account.expiring_level_notification", types: []string{userEvent + "CustomerLevelIsAboutToExpire"},
		data: endingLevelData},
	{name: "campaign.coupon_expiration", types: []string{userEvent + "CampaignCouponIsAboutToExpire"},
		data: endingCouponData},
}

// ShortNames returns the short names, sorted.
func ShortNames() []string {
	names := make([]string, len(shortNames))
	for i, n := range shortNames {
		names[i] = n.name
	}
	slices.Sort(names)
	return names
}

// shortNameOf returns the short name of an event, or nil if it has none.
func shortNameOf(e *event.Event) *shortName {
	for _, n := range shortNames {
		if slices.Contains(n.types, e.Type) && (n.means == nil || n.means(e)) {
			return n
		}
	}
	return nil
}

// isShort reports whether an event name of a subscription stands for short names. All events, "*", are not short.
func isShort(name string) bool {
	return name != anyEvent && slices.ContainsFunc(shortNames, func(n *shortName) bool { return nameFits(name, n.name) })
}

// payload holds the members of events that short names need.
type payload struct {
	Customer    struct{ CustomerID string }       `json:"customerId"`
	Transaction struct{ TransactionID string }    `json:"transactionId"`
	Campaign    struct{ CampaignID string }       `json:"campaignId"`
	Level       struct{ LevelID string }          `json:"levelId"`
	OldLevel    struct{ LevelID string }          `json:"oldLevelId"`
	Manually    bool                              `json:"manually"`
	UpdateAt    string                            `json:"updateAt"`
	Document    string                            `json:"documentNumber"`
	Cost        json.Number                       `json:"costInPoints"`
	Ending      json.Number                       `json:"points"` // that are about to expire
	ExpiresAt   string                            `json:"expiresAt"`
	ActiveTo    string                            `json:"activeTo"`
	Name        string                            `json:"campaignName"`
	Coupon      struct{ ID, Code string }         `json:"coupon"`
	Transfer    struct{ PointsTransferID string } `json:"pointsTransferId"`
	Points      struct {
		ID     struct{ PointsTransferID string } `json:"id"`
		Locked bool                              `json:"locked"`
	} `json:"pointsTransfer"`
}

// payloadOf leaves members empty that an event lacks.
func payloadOf(e *event.Event) (p payload) {
	_ = json.Unmarshal(e.Payload, &p)
	return p
}

// isAutomaticMove leaves out the first level of a customer.
func isAutomaticMove(e *event.Event) bool {
	p := payloadOf(e)
	return !p.Manually && p.OldLevel.LevelID != ""
}

func isMoveByHand(e *event.Event) bool { return payloadOf(e).Manually }

// changesBalance leaves out points that are added as pending: they change the balance when they are unlocked.
func changesBalance(e *event.Event) bool {
	return !strings.HasSuffix(e.Type, "PointsWereAdded") || !payloadOf(e).Points.Locked
}
