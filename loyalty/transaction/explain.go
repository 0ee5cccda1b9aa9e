package transaction

import (
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
	"punchcard/platform/form"
)

// ExplainedRule is an earning rule with what it gives for a sale, and why.
type ExplainedRule struct {
	EarningRuleID    string             `json:"earningRuleId"`
	Type             string             `json:"type"`
	Name             string             `json:"name"`
	Points           decimal.Hundredths `json:"points"`
	RewardCampaignID string             `json:"rewardCampaignId,omitempty"` // of a rule that gives a reward
	Explanation      []api.Finding      `json:"explanation"`
}

// explainQuery describes the switch for explanations, whose names are in a language.
func explainQuery(q *form.Group) {
	q.Checkbox("explain")
	api.LocaleQuery(q)
}

// wantsRules reports whether a simulation or preview is to explain earning rules.
func (h Hooks) wantsRules(c *api.Call) (bool, error) {
	explain, err := c.Input("explain")
	if err != nil || h.Explain == nil {
		return false, err
	}
	on, _ := form.ParseBool(explain.Text())
	return on, nil
}

// explain explains the earning rules for a sale that is not registered yet, to a customer who may be nil.
func (h Hooks) explain(tx *db.Tx, s *store.Store, locale api.Locale, sale Transaction, who *customer.Customer) (
	rules []ExplainedRule, err error) {
	if who != nil {
		sale.CustomerID = who.ID
	}
	sale.complete(tx, s)
	_, rules, err = h.Explain(tx, s, locale, &sale)
	return rules, err
}
