package report

import (
	"time"

	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/platform/check"
	"punchcard/platform/db"
	"punchcard/platform/job"
)

// Reports is the table of reports.
var Reports = check.Table{Name: "reports", ID: "report_id"}

// Feature returns reports. See docs/behaviour/reports.md.
func (svc *Service) Feature(catalogue *campaign.Catalogue, d *db.DB) feature.Feature {
	return feature.Feature{
		Section:   feature.Section{Name: "Analytics"},
		Endpoints: svc.Endpoints(catalogue),
		Jobs: []job.Job{{
			Name: "reports", Every: 15 * time.Second, Run: store.Everywhere(d, Compute),
		}},
		Rules: []check.Rule{
			check.OneOf("report.state", Reports, "state", States...),
			check.Rows("report.ended", `SELECT store_id, report_id, state, 'a state that fits the time of its end' FROM reports
				WHERE (state IN ('finished', 'cancelled')) <> (finished_at IS NOT NULL)`),
		},
		Tables: []check.Table{Reports},
		Limits: []feature.Limit{
			{Name: "reports", Value: Limit, Unit: "reports"},
			{Name: "reportsOpen", Value: OpenLimit, Unit: "reports"},
			{Name: "reportSegmentDays", Value: SegmentDays, Unit: "days"},
			{Name: "reportSegments", Value: SegmentLimit, Unit: "segments"},
			{Name: "reportTopCustomers", Value: TopLimit, Unit: "customers"},
			{Name: "reportRewards", Value: RewardLimit, Unit: "rewards"},
		},
	}
}
