// Package earning holds the rules by which customers earn points, and gives the points when something
// happens that a rule pays for.
package earning

import (
	"slices"
	"time"

	"punchcard/loyalty/transaction"
	"punchcard/platform/decimal"
	"punchcard/platform/fault"
)

// The types of rules (program-api group G).
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

// Types lists all types of rules.
var Types = []string{
	Spending, ProductPurchase, MultiplyProduct, MultiplyLabels, InstantReward, Event, CustomEvent, Referral,
	Geolocation, QRCode,
}

// purchaseTypes are those that a sale is evaluated by.
var purchaseTypes = []string{Spending, ProductPurchase, MultiplyProduct, MultiplyLabels, InstantReward}

// The events that pay by rules of the type event; clients send these names.
const (
	accountCreated   = "oloy.account.created"
	loggedIn         = "oloy.customer.logged_in"
	firstTransaction = "oloy.transaction.customer_first_transaction"
	newsletter       = "oloy.customer.newsletter_subscription"
)

// Events lists the events of the type event.
var Events = []string{accountCreated, loggedIn, firstTransaction, newsletter}

// ReferralEvents and ReferralRewards are the choices of a referral rule.
var (
	ReferralEvents  = []string{"register", "first_purchase", "every_purchase"}
	ReferralRewards = []string{"referred", "referrer", "both"}
)

// How a rule of the type points treats the labels of lines.
const (
	AnyLabels     = "none_labels"
	IncludeLabels = "include_labels"
	ExcludeLabels = "exclude_labels"
)

// The refusals of a reported event; clients compare the texts.
var (
	ErrNoEvent       = fault.New(fault.Refused, "event does not exist")
	ErrLimitExceeded = fault.New(fault.Refused, "limit exceeded")
)

// Rule is one earning rule.
type Rule struct {
	StoreKey          int64
	ID                string
	Type              string
	Name, Description string
	Active            bool
	AllTime           bool
	StartAt, EndAt    time.Time // both moments included
	EventName         string    // of the types event, custom_event and referral
	CreatedAt         time.Time
	Photo             Photo
	Definition        Definition
}

// Photo is a rule's picture, without its bytes.
type Photo struct {
	ID       string // empty for none; another one for every upload
	MIMEType string
}

// Definition is what nothing is looked up by: the conditions, and the fields of the rule's type.
type Definition struct {
	Levels           []string `json:"levels,omitempty"`
	Segments         []string `json:"segments,omitempty"`
	POS              []string `json:"pos,omitempty"`              // empty for all
	LastExecuted     bool     `json:"lastExecutedRule,omitempty"` // no rule of a purchase comes after it
	Points           Amount   `json:"pointsAmount,omitempty"`     // for one line, event or use
	SKUs             []string `json:"skuIds,omitempty"`           // that a product rule pays for or multiplies
	Labels           []Label  `json:"labels,omitempty"`           // that multiply_for_product multiplies
	Multiplier       Amount   `json:"multiplier,omitempty"`       // of multiply_for_product
	LabelMultipliers []Factor `json:"labelMultipliers,omitempty"` // of multiply_by_product_labels
	RewardCampaignID string   `json:"rewardCampaignId,omitempty"` // of instant_reward
	RewardType       string   `json:"rewardType,omitempty"`       // of referral: who is paid
	Code             string   `json:"code,omitempty"`             // of qrcode
	Circle           Circle   `json:"circle,omitzero"`            // of geolocation
	Limit            Limit    `json:"limit,omitzero"`             // of custom_event, geolocation, qrcode
	NotByCustomers   bool     `json:"notByCustomers,omitempty"`   // a custom event that only administrators report
	General          General  `json:"general,omitzero"`           // of points
}

// Amount is a number with two digits after the point: points, money, or a factor.
type Amount = decimal.Hundredths

// Label is a key and a value, as products and customers carry them.
type Label = transaction.Label

// Factor multiplies the points of products with a label.
type Factor struct {
	Label
	Multiplier Amount `json:"multiplier"`
}

// General is what a rule of the type points says.
type General struct {
	PointValue          Amount   `json:"pointValue"` // points for one unit of the currency
	ExcludeDeliveryCost bool     `json:"excludeDeliveryCost,omitempty"`
	ExcludedSKUs        []string `json:"excludedSKUs,omitempty"`
	LabelsInclusion     string   `json:"labelsInclusionType"`
	IncludedLabels      []Label  `json:"includedLabels,omitempty"`
	ExcludedLabels      []Label  `json:"excludedLabels,omitempty"`
	MinOrder            Amount   `json:"minOrderValue,omitempty"` // total below which the rule is skipped
}

// Limit is how often a rule pays one customer in a calendar window; zero for always.
type Limit struct {
	Active bool   `json:"active"`
	Period string `json:"period,omitempty"`
	Uses   int64  `json:"limit,omitempty"`
}

// limited tells whether rules of the type may have a limit, so that their uses are counted.
func limited(ruleType string) bool {
	return ruleType == CustomEvent || ruleType == Geolocation || ruleType == QRCode
}

// isPurchaseRule tells whether sales are evaluated by the type.
func isPurchaseRule(ruleType string) bool { return slices.Contains(purchaseTypes, ruleType) }

// Earner is what the conditions of rules ask of a customer.
type Earner struct {
	LevelID  string
	Segments []string // active ones that he is in
	POSID    string   // assigned to him
	Active   bool
	Sales    int64 // that he made and did not bring back completely
}

// UsableBy tells whether the rule may pay the customer for what happened at the moment and, for a
// purchase, in the point of sale (program-api 4.3); its limit is another question.
func (r *Rule) UsableBy(who Earner, at time.Time, posID string) bool {
	if !r.Active || !r.AllTime && (at.Before(r.StartAt) || at.After(r.EndAt)) {
		return false
	}
	if len(r.Definition.POS) > 0 && !slices.Contains(r.Definition.POS, posID) {
		return false
	}
	if r.Type == Event && r.EventName == accountCreated {
		return true // a new customer may have no level and is not activated yet
	}
	return who.Active && r.targets(who)
}

func (r *Rule) targets(who Earner) bool {
	return slices.Contains(r.Definition.Levels, who.LevelID) ||
		slices.ContainsFunc(who.Segments, func(id string) bool { return slices.Contains(r.Definition.Segments, id) })
}

// Best is the rule that pays the most points, the oldest among equals; nil without rules.
func Best(rules []Rule) *Rule {
	var best *Rule
	for i := range rules {
		if best == nil || rules[i].Definition.Points > best.Definition.Points {
			best = &rules[i]
		}
	}
	return best
}
