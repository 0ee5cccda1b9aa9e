package mailing

import (
	"time"

	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/message/letter"
	"punchcard/platform/check"
	"punchcard/platform/db"
	"punchcard/platform/job"
)

// Mailings is the table of mailings.
var Mailings = check.Table{Name: "mailings", ID: "mailing_id"}

// Recipients is the table of those who got a message of a journey, by the entry of the journey.
var Recipients = check.Table{Name: "marketing_recipients", ID: "entry_id", Only: "entry_id <> ''"}

// JourneyClicks counts the clicks of journeys.
const JourneyClicks check.Totals = `SELECT store_id, source_id AS id, COUNT(clicked_at) AS total
	FROM marketing_recipients WHERE entry_id <> '' GROUP BY store_id, source_id`

// Feature returns mailings. See docs/behaviour/mailings.md.
func (svc *Service) Feature(d *db.DB) feature.Feature {
	return feature.Feature{
		Section: feature.Section{Name: "Mailings",
			Description: "Write to many customers by e-mail, SMS, push or inbox, and see what came of it."},
		Endpoints: svc.Endpoints(),
		StoreJobs: []store.Job{{Name: "mailings", Work: svc.Send}},
		Jobs: []job.Job{
			{Name: "mailing results", Every: time.Hour, Run: store.Everywhere(d, Settle)},
			{Name: "mailing outcomes", Every: OutcomesEvery, Run: store.Everywhere(d, CountOutcomes)},
		},
		Rules: []check.Rule{
			check.OneOf("mailing.state", Mailings, "state", States...),
			check.Rows("mailing.ended", `SELECT store_id, mailing_id, state, 'a state that fits the time of its end'
				FROM mailings WHERE (state IN ('finished', 'stopped')) <> (finished_at IS NOT NULL)`),
			check.Refers("mailing.of_recipient", check.Table{Name: "marketing_recipients", ID: "customer_id",
				Only: "entry_id = ''"}, "source_id", Mailings),
			check.Fold("mailing.targets", checkTargets),
			check.Rows("mailing.counts", `SELECT m.store_id, m.mailing_id,
					m.recipients || ' recipients, ' || m.clicked || ' clicked',
					COUNT(r.customer_id) || ' recipients, ' || COUNT(r.clicked_at) || ' clicked'
				FROM mailings m LEFT JOIN marketing_recipients r ON r.store_id = m.store_id AND r.source_id = m.mailing_id
				GROUP BY m.store_id, m.mailing_id, m.recipients, m.clicked
				HAVING m.recipients <> COUNT(r.customer_id) OR m.clicked <> COUNT(r.clicked_at)`),
		},
		Tables: []check.Table{Mailings},
		Limits: []feature.Limit{
			{Name: "mailingDrafts", Value: DraftLimit, Unit: "mailings"},
			{Name: "mailingCustomers", Value: CustomersLimit, Unit: "customers"},
			{Name: "mailingShortText", Value: ShortLimit, Unit: "characters"},
			{Name: "mailingBlocks", Value: letter.BlockLimit, Unit: "blocks"},
			{Name: "mailingBlocksText", Value: letter.TotalLimit, Unit: "characters"},
			{Name: "mailingBlockText", Value: letter.TextLimit, Unit: "characters"},
			{Name: "mailingReach", Value: ReachLimit, Unit: "customers"},
			{Name: "outcomeDays", Value: OutcomeDaysLimit, Unit: "days"},
			feature.Seconds("outcomeReceiptsLate", lateReceipts, ""),
			{Name: "mailingWaiting", Value: WaitingLimit, Unit: "messages"},
		},
	}
}
