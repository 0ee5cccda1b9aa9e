package auditapi

import (
	"time"

	"punchcard/core/access"
	"punchcard/core/audit"
	"punchcard/core/feature"
	"punchcard/platform/db"
	"punchcard/platform/job"
)

// Feature returns the audit log. See docs/behaviour/audit.md.
func (l *Log) Feature(d *db.DB, retention time.Duration) feature.Feature {
	return feature.Feature{
		Section: feature.Section{Name: "Audit log",
			Description: "Who changed what, when and from where, who looked at a customer, and archives of it."},
		Endpoints: l.Endpoints(),
		Customers: feature.Personal{
			Forget:        []feature.Trace{audit.Forget},
			ForgetDeleted: []feature.Trace{audit.Forget},
			NotExported:   "the entries say what staff did; the events say what happened to the customer",
			NotHandedOver: "it stays with the merged customer",
		},
		Jobs:  []job.Job{{Name: "audit log", Every: time.Hour, Run: audit.Clean(d, retention)}},
		Rules: audit.Rules(),
		Timeline: []feature.TimelineSource{{
			Kind: "audit", Resource: access.Audit, Rank: 6, HistoryOnly: true, Page: timeline,
		}},
		Limits: []feature.Limit{
			feature.Seconds("auditRetention", retention, "--audit-retention"),
		},
	}
}
