package earning

import (
	"punchcard/api"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
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
	PointsAmount  *Amount        `json:"pointsAmount,omitempty"`
}

type publicList struct {
	EarningRules []publicRule `json:"earningRules"`
	Currency     string       `json:"currency"`
}

// listPublic serves the rules that pay now, in the order in which they were added. Those for segments only are left
// out.
func (svc *Service) listPublic(c *api.Call) error {
	locale, err := c.Locale()
	if err != nil {
		return err
	}
	response := publicList{EarningRules: []publicRule{}, Currency: c.Store.Currency}
	err = c.Read(func(tx *db.Tx) error {
		active, err := activeOf(tx, c.Store.Key, svc.names...)
		if err != nil {
			return err
		}
		var rules []Rule
		for i := range active {
			if r := &active[i]; isRunning(r, tx.Now()) && r.isForLevels() && len(rules) < MaxPublicRules {
				rules = append(rules, *r)
			}
		}
		views, err := svc.viewsOf(tx, c, locale, rules)
		for i := range views {
			response.EarningRules = append(response.EarningRules, publicOf(c.Store, &rules[i], &views[i]))
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}

// isForLevels reports whether customers get the rule by their level, or by joining.
func (r *Rule) isForLevels() bool {
	return r.Definition.Everybody || len(r.Definition.Levels) > 0 || r.Type == Event && r.EventName == accountCreated
}

func publicOf(s *store.Store, r *Rule, v *ruleView) publicRule {
	shown := publicRule{
		EarningRuleID: r.ID, Type: r.Type, Name: r.Name, Description: r.Description, HasPhoto: v.HasPhoto,
		PointValue: v.PointValue, MinOrderValue: v.MinOrderValue, Multiplier: v.Multiplier, PointsAmount: v.PointsAmount,
	}
	if r.Type == Event {
		shown.EventName = v.EventName
	}
	if !r.AllTime {
		shown.EndAt = api.OptionalTimestamp(r.EndAt, s.Zone)
	}
	return shown
}
