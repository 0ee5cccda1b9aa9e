package analytics

import (
	"time"

	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/platform/db"
	"punchcard/platform/job"
)

// Feature returns figures over time. See docs/behaviour/analytics.md.
func Feature(catalogue *campaign.Catalogue, d *db.DB) feature.Feature {
	return feature.Feature{
		Section: feature.Section{Name: "Analytics",
			Description: "Metrics over time, best-selling rewards, counts of customers, points and sales, " +
				"what needs attention."},
		Endpoints: Endpoints(catalogue),
		Jobs: []job.Job{
			{Name: "daily sums", Every: time.Minute, Run: store.Everywhere(d, Recompute)},
			{Name: "points owed", Every: time.Hour, Run: store.Everywhere(d, RecomputeOwed)},
		},
		Rules: Rules(),
		Limits: []feature.Limit{
			{Name: "analyticsDays", Value: DaysLimit, Unit: "days"},
			{Name: "analyticsSaleRows", Value: SaleRowsLimit, Unit: "rows"},
			{Name: "analyticsCouponRows", Value: CouponRowsLimit, Unit: "rows"},
			{Name: "analyticsOwedLive", Value: OwedLive, Unit: "customers"},
			feature.Seconds("analyticsOwedEvery", OwedEvery, ""),
			{Name: "pointCosts", Value: store.PointCostsLimit, Unit: "costs"},
			{Name: "analyticsExpiringAccounts", Value: ExpiringAccountsLimit, Unit: "accounts"},
		},
	}
}
