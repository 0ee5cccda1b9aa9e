// Package journey sends messages that customers get by themselves on an occasion, such as a birthday, with or without
// a gift: docs/behaviour/journeys.md.
package journey

import (
	"time"

	"punchcard/core/config"
	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/mailing"
	"punchcard/loyalty/message"
	"punchcard/loyalty/points"
	"punchcard/loyalty/purchase"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
	"punchcard/platform/delivery"
	"punchcard/platform/fault"
)

// Limit is the number of journeys of a store.
const Limit = 50

// The errors of what is done to a journey.
var (
	errGift = fault.New(fault.Forbidden, "gift_needs_point_transfer",
		"A journey with a gift of points needs the permission POINT_TRANSFER MODIFY.")
	errTooMany = fault.New(fault.Conflict, "too_many_journeys", "The store has 50 journeys. Delete one of them.")
	errUsed    = fault.New(fault.Conflict, "journey_used",
		"Customers entered this journey, which keeps its figures. Turn it off instead.")
	errOn = fault.New(fault.Conflict, "journey_on", "This journey is on. Turn it off first.")
)

// Service runs journeys.
type Service struct {
	mailings *mailing.Service
	desk     *purchase.Desk
}

// New returns a service that delivers by mailings, and gives coupons of desk.
func New(mailings *mailing.Service, desk *purchase.Desk) *Service { return &Service{mailings, desk} }

// Journey is a message that customers get on an occasion.
type Journey struct {
	StoreKey    int64
	ID          string
	Recipe      string // the name of one of recipes
	Name        string
	Active      bool
	ActiveSince time.Time // when it was last turned on; zero: never
	Content     Content
	FirstDay    string // the first day that was searched since then
	Through     string // the last day that was searched completely, YYYY-MM-DD
	After       string // the key after which the search of the next day continues
	Sent        int64  // entries with a message
	Clicked     int64
	Gifts       int64
	Skipped     map[string]int64               // entries without a message, by reason
	Results     map[string]message.StateCounts // of messages that do not wait any more, by channel
	CreatedBy   mailing.Author
	CreatedAt   time.Time
}

// Content holds what a journey says, to whom and when.
type Content struct {
	Channels []string `json:"channels"`
	Delay    int      `json:"delay"` // in days after the occasion, or hours
	Levels   []string `json:"levels,omitempty"`
	Segments []string `json:"segments,omitempty"`

	Days        int           `json:"days,omitempty"`        // until points expire, or without a purchase
	LeastPoints points.Amount `json:"leastPoints,omitempty"` // that expire
	Missing     decimal.Money `json:"missing,omitempty"`     // points or money to the next level, at most
	LeastAmount decimal.Money `json:"leastAmount,omitempty"` // of a receipt

	Gift Gift `json:"gift,omitzero"`
	mailing.Words
	OutcomeDays int `json:"outcomeDays"`
}

// Gift comes with the message: points, a coupon, or nothing.
type Gift struct {
	Points     points.Amount `json:"points,omitempty"`
	ValidDays  int           `json:"validDays,omitempty"` // days until the points expire; 0 means the store's setting
	CampaignID string        `json:"campaignId,omitempty"`
}

var table = db.NewConfiguration("journeys", "store_id, journey_id", func(j *Journey) db.Row {
	return db.Row{
		"store_id", &j.StoreKey, "journey_id", &j.ID, "recipe", &j.Recipe, "name", &j.Name, "active", &j.Active,
		"active_since", db.Time(&j.ActiveSince), "content", db.JSON(&j.Content), "first_day", &j.FirstDay,
		"through", &j.Through, "after_key", &j.After, "sent", &j.Sent, "clicked", &j.Clicked, "gifts", &j.Gifts,
		"skipped", db.JSON(&j.Skipped), "results", db.JSON(&j.Results), "created_by", db.JSON(&j.CreatedBy),
		"created_at", db.Time(&j.CreatedAt),
	}
}).Traffic("first_day", "through", "after_key", "sent", "clicked", "gifts", "skipped", "results")

func findJourney(tx *db.Tx, storeKey int64, id string) (*Journey, error) {
	return readJourney(tx, storeKey, id, "")
}

// lock is findJourney with a row lock. It comes after the locks of campaign counters, accounts and customers.
func lock(tx *db.Tx, storeKey int64, id string) (*Journey, error) {
	return readJourney(tx, storeKey, id, " FOR UPDATE")
}

func readJourney(tx *db.Tx, storeKey int64, id, ending string) (*Journey, error) {
	j, found, err := table.One(tx, `SELECT * FROM journeys
		WHERE store_id = ? AND journey_id = ?`+ending, storeKey, id)
	if err == nil && !found {
		err = fault.ErrNotFound
	}
	return &j, err
}

// allJourneys returns the journeys of a store, in the order in which they were made. There are at most Limit.
func allJourneys(tx *db.Tx, storeKey int64) ([]Journey, error) {
	return table.All(tx, `SELECT * FROM journeys WHERE store_id = ? ORDER BY journey_id`, storeKey)
}

var activeJourneys = config.NewPart(func(tx *db.Tx, storeKey int64) ([]Journey, error) {
	return table.All(tx, `SELECT * FROM journeys WHERE store_id = ? AND active = TRUE ORDER BY journey_id`, storeKey)
}, table.Schema)

// active returns the journeys of a recipe that are on, without their progress and figures.
func active(tx *db.Tx, storeKey int64, recipe string) (found []Journey, err error) {
	all, err := activeJourneys.Of(tx, storeKey)
	for i := range all {
		if all[i].Recipe == recipe {
			found = append(found, all[i])
		}
	}
	return found, err
}

// save writes all that can change, besides clicks.
func save(tx *db.Tx, j *Journey) error {
	return table.Update(tx, "name, active, active_since, content, "+progress, j)
}

// progress lists the columns that change while a journey is on.
const progress = "first_day, through, after_key, sent, gifts, skipped, results"

func saveProgress(tx *db.Tx, j *Journey) error { return table.Update(tx, progress, j) }

// turnOn starts a locked journey with the occasions of today and later ones.
func (j *Journey) turnOn(tx *db.Tx) {
	j.Active, j.ActiveSince = true, tx.Now()
	j.FirstDay, j.Through, j.After = "", "", ""
}

func (j *Journey) skip(reason string) {
	if j.Skipped == nil {
		j.Skipped = map[string]int64{}
	}
	j.Skipped[reason]++
}

func (j *Journey) source() *mailing.Source {
	return &mailing.Source{ID: j.ID, Path: "journey", Channels: j.Content.Channels, Words: &j.Content.Words}
}

// suits reports whether the campaign of a gift can be given.
func (svc *Service) suits(tx *db.Tx, s *store.Store, g *Gift) (bool, error) {
	if g.CampaignID == "" {
		return true, nil
	}
	var c *campaign.Campaign
	c, _, err := svc.desk.Catalogue.Find(tx, s.Key, g.CampaignID)
	if fault.KindOf(err) == fault.NotFound {
		return false, nil
	}
	return err == nil && c.Active && c.Reward.Buyable && c.Reward.Worth == nil, err
}

// numbers counts entries that wait, or whose messages do.
type numbers struct{ Waiting, Unsettled int64 }

// waiting counts entries of a journey, each number up to delivery.CountLimit.
func waiting(tx *db.Tx, storeKey int64, id string) (numbers, error) {
	n, _, err := db.One(tx, func(n *numbers) []any { return []any{&n.Waiting, &n.Unsettled} },
		`SELECT (SELECT COUNT(*) FROM (SELECT 1 FROM journey_entries
				WHERE store_id = ? AND journey_id = ? AND due_at IS NOT NULL LIMIT ?) AS w),
			(SELECT COUNT(*) FROM (SELECT 1 FROM journey_entries
				WHERE store_id = ? AND journey_id = ? AND settle_at IS NOT NULL LIMIT ?) AS u)`,
		storeKey, id, delivery.CountLimit, storeKey, id, delivery.CountLimit)
	return n, err
}
