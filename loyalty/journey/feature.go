package journey

import (
	"time"

	"punchcard/core/audit"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/mailing"
	"punchcard/loyalty/points"
	"punchcard/loyalty/purchase"
	"punchcard/platform/check"
	"punchcard/platform/db"
	"punchcard/platform/event"
	"punchcard/platform/job"
)

// The tables of journeys and of the customers in them.
var (
	Journeys = check.Table{Name: "journeys", ID: "journey_id"}
	Entries  = check.Table{Name: "journey_entries", ID: "entry_id"}
	sent     = check.Table{Name: "journey_entries", ID: "entry_id", Only: "state = 'sent'"}
)

// Feature returns journeys. See docs/behaviour/journeys.md.
func (svc *Service) Feature(d *db.DB) feature.Feature {
	return feature.Feature{
		Section: feature.Section{Name: "Journeys",
			Description: "Messages that customers get by themselves on an occasion, with or without a gift."},
		Endpoints: svc.Endpoints(),
		Customers: feature.Personal{
			Exports:       []feature.Export{{Name: "journeys", Rank: 17, Read: Export}},
			Forget:        []feature.Trace{Forget},
			ForgetDeleted: []feature.Trace{Forget},
			NotHandedOver: "it stays with the merged customer",
		},
		On:        []feature.Reaction{feature.On(registered), feature.On(changed)},
		StoreJobs: []store.Job{{Name: "journeys", Work: svc.Run}},
		Jobs: []job.Job{
			{Name: "journeys after purchases", Every: time.Minute, Run: Receipts(d)},
			{Name: "journey results", Every: time.Minute, Run: store.Everywhere(d, svc.Settle)},
			{Name: "journey outcomes", Every: mailing.OutcomesEvery, Run: store.Everywhere(d, CountOutcomes)},
		},
		Rules:  Rules(),
		Tables: []check.Table{Journeys},
		Emissions: []event.Emission{{By: []string{"job journeys"}, Again: true, Facts: []event.Fact{
			points.Facts.Added, purchase.Facts.Bought, customer.Facts.Moved,
		}}, {By: []string{"job journey results"}, Again: true, Facts: []event.Fact{
			points.Facts.Canceled, purchase.Facts.StatusChanged, purchase.Facts.Returned, purchase.Facts.StatusChanged,
			customer.Facts.Moved,
		}}},
		Objects: map[string]audit.Object{"journey": func(tx *db.Tx, of *store.Store, id string) (any, error) {
			return audited(tx, of.Key, id)
		}},
		Limits: []feature.Limit{
			{Name: "journeys", Value: Limit, Unit: "journeys"},
			{Name: "journeyDelay", Value: DelayLimit, Unit: "days"},
			{Name: "journeyDelayAfterPurchase", Value: DelayLimit, Unit: "hours"},
			{Name: "journeyPause", Value: Pause, Unit: "days"},
			{Name: "journeyConditions", Value: ConditionLimit, Unit: "levels or segments"},
			{Name: "journeyGiftPoints", Value: giftLimit / 100, Unit: "points"},
			feature.Seconds("journeyReceiptAge", receiptAge, ""),
		},
	}
}

// audited holds what the audit log shows of a journey.
type auditedJourney struct {
	Recipe, Name string
	Active       bool
	Content
}

func audited(tx *db.Tx, storeKey int64, id string) (any, error) {
	j, err := findJourney(tx, storeKey, id)
	if err != nil {
		return nil, err
	}
	return auditedJourney{j.Recipe, j.Name, j.Active, j.Content}, nil
}

// Rules returns the consistency rules of journeys: each entry with a message has its recipient, and the gift that it
// names exists.
func Rules() []check.Rule {
	return []check.Rule{
		check.OneOf("journey.recipe", Journeys, "recipe", Recipes()...),
		check.OneOf("journey.state", Entries, "state", States...),
		check.Refers("journey.of_entry", Entries, "journey_id", Journeys),
		check.Refers("journey.of_target", mailing.JourneyTargets, "source_id", Journeys),
		check.Refers("journey.message", sent, "entry_id", mailing.Recipients),
		check.Refers("journey.recipient", mailing.Recipients, "entry_id", sent),
		check.Refers("journey.points", Entries, "transfer_id", points.Transfers),
		check.Refers("journey.coupon", Entries, "coupon_id", purchase.Purchases),
		check.Rows("journey.done", `SELECT store_id, entry_id, state, 'a state that fits its times and gifts'
			FROM journey_entries WHERE (state = 'waiting') <> (due_at IS NOT NULL)
				OR (state = 'waiting') = (done_at IS NOT NULL) OR (state = 'skipped' AND reason = '')
				OR (state = 'sent' AND reason <> '') OR (state <> 'sent' AND (transfer_id <> '' OR coupon_id <> ''))
				OR (state <> 'sent' AND settle_at IS NOT NULL)`),
		check.Rows("journey.gift_once", `SELECT store_id, gift, COUNT(*), 1 FROM (
				SELECT store_id, transfer_id AS gift FROM journey_entries WHERE transfer_id <> '' UNION ALL
				SELECT store_id, coupon_id FROM journey_entries WHERE coupon_id <> '') AS gifts
			GROUP BY store_id, gift HAVING COUNT(*) > 1`),
		check.Rows("journey.counts", `SELECT j.store_id, j.journey_id, j.sent || ' sent, ' || j.gifts || ' gifts',
				COALESCE(e.sent, 0) || ' sent, ' || COALESCE(e.gifts, 0) || ' gifts'
			FROM journeys j LEFT JOIN (SELECT store_id, journey_id, COUNT(*) AS sent,
					SUM(CASE WHEN transfer_id <> '' OR coupon_id <> '' THEN 1 ELSE 0 END) AS gifts
				FROM journey_entries WHERE state = 'sent' GROUP BY store_id, journey_id) e
				ON e.store_id = j.store_id AND e.journey_id = j.journey_id
			WHERE j.sent <> COALESCE(e.sent, 0) OR j.gifts <> COALESCE(e.gifts, 0)`),
		check.Equal("journey.clicks", `SELECT store_id, journey_id AS id, clicked AS total FROM journeys`,
			mailing.JourneyClicks),
	}
}
