package bulk

import (
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/platform/check"
)

var (
	// Actions is the table of actions.
	Actions = check.Table{Name: "bulk_actions", ID: "action_id"}
	effects = check.Table{Name: "bulk_effects", ID: "customer_id"}
	// Actions of earlier programs may name customers who never existed.
	knownEffects = check.Table{Name: "bulk_effects", ID: "customer_id", Only: "result <> 'gone'"}
)

// Feature returns bulk actions. See docs/behaviour/bulk-actions.md.
func (svc *Service) Feature() feature.Feature {
	return feature.Feature{
		Section: feature.Section{Name: "Bulk actions",
			Description: "Label many customers, give them points or add them to a segment, and take that back."},
		Endpoints: svc.Endpoints(),
		Customers: feature.Personal{
			Forget:        []feature.Trace{Forget},
			NotExported:   "its transfers, labels and segments are exported by their features",
			NotHandedOver: "it stays with the merged customer",
		},
		StoreJobs: []store.Job{{Name: "bulk actions", Work: svc.Work}, {Name: "old bulk actions", Work: Expire}},
		Rules: []check.Rule{
			check.OneOf("bulk.state", Actions, "state", States...),
			check.OneOf("bulk.kind", Actions, "kind", kindNames()...),
			check.Rows("bulk.ended", `SELECT store_id, action_id, state, 'a state that fits the time of its end'
				FROM bulk_actions WHERE (state IN ('finished', 'stopped', 'undone')) <> (finished_at IS NOT NULL)`),
			check.Refers("bulk.of_effect", effects, "action_id", Actions),
			check.Refers("bulk.customer", knownEffects, "customer_id", customer.Customers),
			// The effects of an old action are deleted in parts.
			check.Rows("bulk.counts", `SELECT a.store_id, a.action_id,
					a.changed || ' changed, ' || a.undone || ' undone, ' || a.remaining || ' remaining',
					SUM(CASE WHEN e.result = 'done' THEN 1 ELSE 0 END) || ' changed, '
						|| SUM(CASE WHEN e.outcome = 'undone' THEN 1 ELSE 0 END) || ' undone, '
						|| SUM(CASE WHEN e.outcome NOT IN ('', 'undone') THEN 1 ELSE 0 END) || ' remaining'
				FROM bulk_actions a LEFT JOIN bulk_effects e ON e.store_id = a.store_id AND e.action_id = a.action_id
				GROUP BY a.store_id, a.action_id, a.changed, a.undone, a.remaining
				HAVING COUNT(e.customer_id) = a.visited AND (
					a.changed <> COALESCE(SUM(CASE WHEN e.result = 'done' THEN 1 ELSE 0 END), 0)
					OR a.undone <> COALESCE(SUM(CASE WHEN e.outcome = 'undone' THEN 1 ELSE 0 END), 0)
					OR a.remaining <> COALESCE(SUM(CASE WHEN e.outcome NOT IN ('', 'undone') THEN 1 ELSE 0 END), 0))`),
		},
		Tables: []check.Table{Actions},
		Limits: []feature.Limit{
			{Name: "bulkActionCustomers", Value: CustomersLimit, Unit: "customers"},
			{Name: "bulkActionChosen", Value: ChosenLimit, Unit: "customers"},
		},
	}
}
