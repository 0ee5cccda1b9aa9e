package earning

import (
	"fmt"
	"strings"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/purchase"
	"punchcard/platform/db"
)

// ruleTypes lists the types of rules in the order in which forms list them. docs/extending.md shows how to add
// one.
func ruleTypes() []RuleType {
	return []RuleType{
		spendingRule,
		productPurchaseRule,
		multiplyProductRule,
		multiplyLabelsRule,
		instantRewardRule,
		eventRule,
		customEventRule,
		referralRule,
		geolocationRule,
		qrCodeRule,
	}
}

// RuleType is one type of earning rule. See docs/behaviour/earning-rules.md#types.
type RuleType struct {
	Name    string // in forms, responses and the database
	Limited bool   // rules can have a limit, so that their uses are counted

	// Read reads the fields of the type into the rule. A field that another type has, too, uses the same member of
	// Definition.
	Read func(f *Form)
	// ReadEventName reads the event by which the rule is found. It is nil for types without events.
	ReadEventName func(f *Form)
	// Examine adds the form errors that only the database can detect. What it locks stays locked until the rule is
	// stored. It is nil for types without such errors.
	Examine func(tx *db.Tx, s *store.Store, f *Form) error
	// View sets the members that are shown of rules of the type.
	View func(r *Rule, s *store.Store, to *TypeView)

	// Step is the step of a sale in which rules of the type apply, from 1. It is 0 for types that do not apply to
	// sales.
	Step int
	// Conditions are conditions that a sale must keep, in the order in which explanations have them. Apply runs if it
	// keeps all, and then contributes points or rewards.
	Conditions []Condition
	// Apply applies a rule to a sale.
	Apply func(e *Evaluation, r *Rule)
}

// Service holds the operations that depend on the types of rules.
type Service struct {
	// Guesses limits codes and names of events that customers present and no rule has.
	Guesses api.Guesses

	desk   *purchase.Desk
	names  []string // of the types, in order
	onSale []string // those of types that apply to sales
	byName map[string]*RuleType
}

// New returns the operations for the types of this program and the further ones.
func New(desk *purchase.Desk, further ...RuleType) *Service {
	svc := &Service{desk: desk, byName: map[string]*RuleType{}}
	for _, t := range append(ruleTypes(), further...) {
		svc.names = append(svc.names, t.Name)
		svc.byName[t.Name] = &t
		if t.Step > 0 {
			svc.onSale = append(svc.onSale, t.Name)
		}
	}
	return svc
}

// typeOf returns the type of a stored rule, or an error if this program does not know it.
func (svc *Service) typeOf(r *Rule) (*RuleType, error) {
	if t := svc.byName[r.Type]; t != nil {
		return t, nil
	}
	return nil, fmt.Errorf("earning rule %s has the unknown type %q; known are %s",
		r.ID, r.Type, strings.Join(svc.names, ", "))
}
