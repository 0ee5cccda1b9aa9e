package earning

import (
	"punchcard/core/audit"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/platform/db"
)

// Feature returns earning rules. See docs/behaviour/earning-rules.md.
func (svc *Service) Feature() feature.Feature {
	return feature.Feature{
		Section: feature.Section{Name: "Earning rules",
			Description: "What receipts, events and visits earn."},
		Endpoints: svc.Endpoints(),
		Customers: feature.Personal{
			Exports: []feature.Export{
				{Name: "earningRuleUses", Rank: 5, Read: ExportUses},
				{Name: "earningEvents", Rank: 6, Read: ExportOnce},
			},
			NotForgotten: "ids and times are left, of a customer without a name",
			HandOver: []feature.HandOver{
				feature.HandsOver("Earning", "uses of earning rules", handOver, moveAll),
			},
		},
		On: []feature.Reaction{
			feature.On(svc.loggedIn), feature.On(svc.registered), feature.On(svc.imported), feature.On(svc.changed),
			feature.On(paysBirthdays), feature.On(svc.payBirthdays),
		},
		Rules:     svc.Rules(),
		Emissions: Emissions(),
		Objects: map[string]audit.Object{"earningRule": func(tx *db.Tx, of *store.Store, id string) (any, error) {
			return Find(tx, of.Key, id)
		}},
		Limits: []feature.Limit{
			{Name: "earningRuleUsesShown", Value: UsagesShown, Unit: "uses"},
			{Name: "earningRulesExplainedOff", Value: ExplainedOff, Unit: "rules"},
			{Name: "earningRulesForVisitors", Value: MaxPublicRules, Unit: "rules"},
		},
	}
}
