// Package earning stores the rules by which customers earn points, and gives the points for sales, events, scanned
// codes and visits.
package earning

import (
	"time"

	"punchcard/loyalty/transaction"
	"punchcard/platform/decimal"
	"punchcard/platform/fault"
)

// The types of rules. See docs/behaviour/earning-rules.md#types.
const (
	Spending        = "points" // "general spending"
	ProductPurchase = "product_purchase"
	MultiplyProduct = "multiply_for_product"
	MultiplyLabels  = "multiply_by_product_labels"
	InstantReward   = "instant_reward"
	Event           = "event"
	CustomEvent     = "custom_event"
	Referral        = "referral"
	Geolocation     = "geolocation"
	QRCode          = "qrcode"
)

// The events that pay by rules of the type event; clients send these names.
const (
	accountCreated   = "oloy.account.created"
	loggedIn         = "oloy.customer.logged_in"
	firstTransaction = "oloy.transaction.customer_first_transaction"
	newsletter       = "oloy.customer.newsletter_subscription"
	hadBirthday      = "oloy.customer.birthday"
)

// Events lists the events of the type event.
var Events = []string{accountCreated, loggedIn, firstTransaction, newsletter, hadBirthday}

// How a rule of the type points treats the labels of items.
const (
	AnyLabels     = "none_labels"
	IncludeLabels = "include_labels"
	ExcludeLabels = "exclude_labels"
)

// The errors of a report. Clients compare the texts.
var (
	ErrNoEvent       = fault.New(fault.Refused, "unknown_earning_event", "event does not exist")
	ErrLimitExceeded = fault.New(fault.Refused, "earning_limit_exceeded", "limit exceeded")
)

// Rule is one earning rule.
type Rule struct {
	StoreKey          int64
	ID                string
	Type              string
	Name, Description string
	Active            bool
	AllTime           bool
	StartAt, EndAt    time.Time // both inclusive
	EventName         string    // of the types event, custom_event and referral
	CreatedAt         time.Time
	Definition        Definition
}

// Definition holds the fields that no query searches by: the conditions, and the fields of the rule's type.
type Definition struct {
	Everybody        bool         `json:"everybody,omitempty"` // customers of all levels, also of later ones; no lists
	Levels           []string     `json:"levels,omitempty"`
	Segments         []string     `json:"segments,omitempty"`
	POS              []string     `json:"pos,omitempty"`              // empty for all
	LastExecuted     bool         `json:"lastExecutedRule,omitempty"` // later rules of a purchase are skipped
	Points           Amount       `json:"pointsAmount,omitempty"`     // for one item, event or use
	SKUs             []string     `json:"skuIds,omitempty"`           // of product_purchase and multiply_for_product
	Labels           []Label      `json:"labels,omitempty"`           // of multiply_for_product
	AllProducts      bool         `json:"allProducts,omitempty"`      // of multiply_for_product, in place of both
	Multiplier       decimal.Rate `json:"multiplier,omitempty"`       // of multiply_for_product
	LabelMultipliers []Factor     `json:"labelMultipliers,omitempty"` // of multiply_by_product_labels
	RewardCampaignID string       `json:"rewardCampaignId,omitempty"` // of instant_reward
	RewardType       string       `json:"rewardType,omitempty"`       // of referral: who is paid
	Code             string       `json:"code,omitempty"`             // of qrcode
	Circle           Circle       `json:"circle,omitzero"`            // of geolocation
	Limit            Limit        `json:"limit,omitzero"`             // of custom_event, geolocation, qrcode
	NotByCustomers   bool         `json:"notByCustomers,omitempty"`   // a custom event that only administrators report
	General          General      `json:"general,omitzero"`           // of points
}

// Amount is a number of points, or of kilometres.
type Amount = decimal.Hundredths

// Label is a key with a value on a product or a customer.
type Label = transaction.Label

// Factor multiplies the points of products with a label.
type Factor struct {
	Label
	Multiplier decimal.Rate `json:"multiplier"`
}

// General holds the fields of a rule of the type points.
type General struct {
	PointValue          decimal.Rate  `json:"pointValue"` // points for one unit of the currency
	ExcludeDeliveryCost bool          `json:"excludeDeliveryCost,omitempty"`
	ExcludedSKUs        []string      `json:"excludedSKUs,omitempty"`
	LabelsInclusion     string        `json:"labelsInclusionType"`
	IncludedLabels      []Label       `json:"includedLabels,omitempty"`
	ExcludedLabels      []Label       `json:"excludedLabels,omitempty"`
	MinOrder            decimal.Money `json:"minOrderValue,omitempty"` // total below which the rule is skipped
}

// Limit is how often a rule pays one customer in a calendar window. The zero Limit is none.
type Limit struct {
	Active bool   `json:"active"`
	Period string `json:"period,omitempty"`
	Uses   int64  `json:"limit,omitempty"`
}

// Earner holds the data of a customer that the conditions of rules need.
type Earner struct {
	LevelID  string
	Segments []string // active ones of the customer
	POSID    string   // assigned to the customer
	Active   bool
	Sales    int64 // not completely returned
}

// UsableBy reports whether the rule can pay the customer at a time and, for a purchase, at a point of sale. It does
// not check the limit. See docs/behaviour/earning-rules.md#who-may-earn.
func (r *Rule) UsableBy(who Earner, at time.Time, posID string) bool {
	t := trial{rule: r, who: who, at: at, posID: posID}
	return t.isUsable()
}

// Best returns the rule with the most points, the oldest among equals, or nil without rules.
func Best(rules []Rule) *Rule {
	var best *Rule
	for i := range rules {
		if best == nil || rules[i].Definition.Points > best.Definition.Points {
			best = &rules[i]
		}
	}
	return best
}
