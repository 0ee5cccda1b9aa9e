package transfer

import (
	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/customer/membership"
	"punchcard/loyalty/points"
	"punchcard/platform/check"
	"punchcard/platform/db"
)

// Feature returns points. See docs/behaviour/points.md.
func Feature(d *db.DB, guesses api.Guesses) feature.Feature {
	return feature.Feature{
		Section: feature.Section{Name: "Points",
			Description: "Give, take, block and move points, and list what happened to them."},
		Endpoints: Endpoints(d, guesses),
		Effects:   []*api.Effect{points.Effect},
		Customers: feature.Personal{
			Exports:       []feature.Export{{Name: "transfers", Rank: 1, Read: Export}},
			Forget:        []feature.Trace{points.Forget},
			NotHandedOver: "a merge moves the points by transfers of their own",
		},
		StoreJobs: []store.Job{{Name: "points due", Work: membership.SettlePoints}},
		Rules:     points.Rules(),
		Tables:    []check.Table{points.Accounts, points.Transfers},
		Emissions: Emissions(),
		Timeline: []feature.TimelineSource{{
			Kind: "transfer", Resource: access.PointTransfers, Rank: 2, Page: timeline,
		}},
		Limits: []feature.Limit{
			{Name: "customerLotsShown", Value: points.LotsShown, Unit: "lots"},
			{Name: "pointsByDateDays", Value: DatesLimit, Unit: "days"},
			{Name: "pointsAheadAccounts", Value: AheadAccountsLimit, Unit: "accounts"},
		},
	}
}
