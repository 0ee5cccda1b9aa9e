package merge

import (
	"punchcard/core/feature"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
	"punchcard/platform/check"
	"punchcard/platform/event"
)

// Feature returns merges of customers.
func (svc *Service) Feature() feature.Feature {
	const all = "POST /api/{storeCode}/admin/customer/{customer}/merge"
	facts := customer.MergeFacts
	return feature.Feature{
		Section:   feature.Section{Name: "Customers"},
		Endpoints: svc.Endpoints(),
		Customers: feature.Personal{
			Exports:       []feature.Export{{Name: "merges", Rank: 16, Read: Export}},
			Forget:        []feature.Trace{Forget},
			ForgetDeleted: []feature.Trace{Forget},
			NotHandedOver: "a customer into whom others were merged is not merged",
		},
		Rules: Rules(),
		Emissions: []event.Emission{
			{By: []string{all}, Facts: []event.Fact{facts.Updated, facts.Address, facts.Company, facts.Card,
				points.Facts.Moved, points.Facts.Added, facts.Merged, facts.Level}},
			{By: []string{all + "/{merge}/undo"}, Facts: []event.Fact{facts.Undone, facts.Updated, facts.Level,
				points.Facts.Moved, points.Facts.Added}},
		},
		Limits: []feature.Limit{
			{Name: "customerMergeRows", Value: RowLimit, Unit: "rows of each kind"},
			{Name: "customerMergeLots", Value: points.MergedLots, Unit: "lots"},
			{Name: "customersMergedIntoOne", Value: MergeLimit, Unit: "customers"},
		},
	}
}

// Rules returns the invariants of merges.
func Rules() []check.Rule {
	merges := check.Table{Name: "customer_merges", ID: "merge_id"}
	return []check.Rule{
		check.Refers("merge.target", merges, "kept_id", customer.Customers),
		check.Refers("merge.merged", merges, "merged_id", customer.Customers),
		check.Rows("merge.open", `SELECT store_id, merged_id, SUM(made), SUM(merged) FROM (
			SELECT store_id, merged_id, kept_id, 1 AS made, 0 AS merged FROM customer_merges WHERE undone_at IS NULL
			UNION ALL SELECT store_id, customer_id, merged_into, 0, 1 FROM (`+customer.MergedQuery+`) AS c) AS sides
			GROUP BY store_id, merged_id, kept_id HAVING SUM(made) <> SUM(merged)`),
		check.Rows("merge.account", `SELECT a.store_id, a.customer_id, 'points left or a history', 'none of a merged customer'
			FROM (`+points.SumsQuery+`) a JOIN (`+customer.MergedQuery+`) m
			ON m.store_id = a.store_id AND m.customer_id = a.customer_id WHERE a.held <> 0 OR a.past <> 0`),
	}
}
