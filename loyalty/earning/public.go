package earning

import (
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/platform/decimal"
)

// MaxPublicRules is the maximal number of rules in the list for visitors, oldest first.
const MaxPublicRules = 100

// publicRule is the JSON of a rule for visitors. Codes, places, products and audiences are left out.
type publicRule struct {
	EarningRuleID string         `json:"earningRuleId"`
	Type          string         `json:"type"`
	Name          string         `json:"name"`
	Description   string         `json:"description"`
	HasPhoto      bool           `json:"hasPhoto"`
	EndAt         *string        `json:"endAt,omitempty"`
	EventName     *string        `json:"eventName,omitempty"`
	PointValue    *decimal.Rate  `json:"pointValue,omitempty"`
	MinOrderValue *decimal.Money `json:"minOrderValue,omitempty"`
	Multiplier    *decimal.Rate  `json:"multiplier,omitempty"`
	AllProducts   bool           `json:"allProducts,omitempty"` // Multiplier counts for all of them
	PointsAmount  *Amount        `json:"pointsAmount,omitempty"`
}

type publicList struct {
	EarningRules []publicRule `json:"earningRules"`
	Currency     string       `json:"currency"`
}

// listPublic lists the rules that pay now, in the order in which they were added. Those for segments only are left out.
func (svc *Service) listPublic(r *api.Reading, locale api.Locale) (publicList, error) {
	list := publicList{EarningRules: []publicRule{}, Currency: r.Store.Currency}
	active, err := activeOf(r.Tx, r.Store.Key, svc.names...)
	if err != nil {
		return list, err
	}
	var rules []Rule
	for i := range active {
		if one := &active[i]; isRunning(one, r.Tx.Now()) && one.isForLevels() && len(rules) < MaxPublicRules {
			rules = append(rules, *one)
		}
	}
	views, err := svc.viewsOf(r, locale, rules)
	for i := range views {
		list.EarningRules = append(list.EarningRules, publicOf(r.Store, &rules[i], &views[i]))
	}
	return list, err
}

// isForLevels reports whether customers get the rule by their level, or by joining.
func (r *Rule) isForLevels() bool {
	return r.Definition.Everybody || len(r.Definition.Levels) > 0 || r.Type == Event && r.EventName == accountCreated
}

func publicOf(s *store.Store, r *Rule, v *ruleView) publicRule {
	shown := publicRule{
		EarningRuleID: r.ID, Type: r.Type, Name: r.Name, Description: r.Description, HasPhoto: v.HasPhoto,
		PointValue: v.PointValue, MinOrderValue: v.MinOrderValue, PointsAmount: v.PointsAmount,
		Multiplier: v.Multiplier, AllProducts: v.AllProducts,
	}
	if r.Type == Event {
		shown.EventName = v.EventName
	}
	if !r.AllTime {
		shown.EndAt = api.OptionalTimestamp(r.EndAt, s.Zone)
	}
	return shown
}
