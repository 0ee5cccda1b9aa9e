package notification

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"punchcard/loyalty/campaign"
	"punchcard/platform/db"
)

// The states of an announcement.
const (
	Running  = "running"  // the audience is being notified
	Finished = "finished" // the audience was notified; new arrivals still are
	Closed   = "closed"   // the campaign is not available
)

// Announcement is the progress of notifying the customers of a campaign that it is available.
type Announcement struct {
	StoreKey   int64
	CampaignID string
	State      string
	Basis      string // version of what the audience depends on; a new basis restarts the announcement
	After      string // id of the last customer examined
	Total      int64  // size of the audience when it started
	Done       int64  // customers of the audience examined so far
	Notified   int64  // customers ever notified
	StartedAt  time.Time
	FinishedAt time.Time // when all were examined or the campaign was closed; zero before
}

var announcementTable = db.NewTable("announcements", "store_id, campaign_id", func(a *Announcement) db.Row {
	return db.Row{
		"store_id", &a.StoreKey, "campaign_id", &a.CampaignID, "state", &a.State, "basis", &a.Basis, "after_id", &a.After,
		"total", &a.Total, "done", &a.Done, "notified", &a.Notified, "started_at", db.Time(&a.StartedAt),
		"finished_at", db.Time(&a.FinishedAt),
	}
})

// basisOf returns what the audience of a campaign depends on, apart from new customers: the version
// of the campaign and the generations of its segments.
func basisOf(o *campaign.Opening, generations map[string]int64) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d", o.Version)
	for _, id := range o.Segments {
		if generation, open := generations[id]; open {
			fmt.Fprintf(&b, " %s:%d", id, generation)
		}
	}
	return b.String()
}

// begin inserts an announcement, or restarts the existing one.
func (a *Announcement) begin(tx *db.Tx) error {
	return announcementTable.InsertOr(tx, `ON CONFLICT (store_id, campaign_id) DO UPDATE
		SET state = excluded.state, basis = excluded.basis, after_id = '', total = excluded.total, done = 0,
			started_at = excluded.started_at, finished_at = NULL`, a)
}

// save stores the progress of a locked announcement.
func (a *Announcement) save(tx *db.Tx) error {
	return announcementTable.Update(tx, "state, after_id, done, notified, finished_at, total", a)
}

// available lists the announcements of a store whose campaigns are available.
func available(tx *db.Tx, storeKey int64) ([]Announcement, error) {
	return announcementTable.All(tx, `SELECT * FROM announcements
		WHERE store_id = ? AND state IN ('running', 'finished') ORDER BY campaign_id`, storeKey)
}

// lockAnnouncements locks the announcements of distinct campaigns, in the order of their ids.
// Notifying customers of a campaign requires this lock, so that nobody is notified twice.
func lockAnnouncements(tx *db.Tx, storeKey int64, campaignIDs []string) (map[string]*Announcement, error) {
	byID := make(map[string]*Announcement, len(campaignIDs))
	return byID, announcementTable.Each(tx, func(a Announcement) { byID[a.CampaignID] = &a },
		`SELECT a.* FROM ? AS v (store, id) CROSS JOIN announcements a
		WHERE a.store_id = v.store AND a.campaign_id = v.id
		ORDER BY a.campaign_id FOR UPDATE OF a`, tx.Among(storeKey, campaignIDs...))
}

func findAnnouncement(tx *db.Tx, storeKey int64, campaignID string) (Announcement, bool, error) {
	return announcementTable.One(tx, `SELECT * FROM announcements
		WHERE store_id = ? AND campaign_id = ?`, storeKey, campaignID)
}

// announcements returns a page of the announcements of a store, the newest campaign first, and their
// number.
func announcements(tx *db.Tx, storeKey int64, limit, offset int) (found []Announcement, total int64, err error) {
	total, err = db.Value[int64](tx, `SELECT COUNT(*) FROM announcements WHERE store_id = ?`, storeKey)
	if err != nil {
		return nil, 0, err
	}
	found, err = announcementTable.All(tx, `SELECT * FROM announcements
		WHERE store_id = ? ORDER BY campaign_id DESC LIMIT ? OFFSET ?`, storeKey, limit, offset)
	return found, total, err
}

// recipient is a customer who is or was notified of a campaign.
type recipient struct{ campaignID, customerID string }

// announcedTo is a row of announced.
type announcedTo struct {
	recipient
	storeKey int64
	notified bool
}

var announcedTable = db.NewTable("announced", "store_id, campaign_id, customer_id", func(r *announcedTo) db.Row {
	return db.Row{
		"store_id", &r.storeKey, "campaign_id", &r.campaignID, "customer_id", &r.customerID, "notified", &r.notified,
	}
})

// pairs combines customers with the campaign of the announcement.
func (a *Announcement) pairs(customerIDs []string) []recipient {
	all := make([]recipient, len(customerIDs))
	for i, id := range customerIDs {
		all[i] = recipient{a.CampaignID, id}
	}
	return all
}

// knownAtOnce is how many pairs one statement looks up. SQLite limits the number of parameters.
const knownAtOnce = 1000

// alreadyNotified returns those of distinct pairs that were notified before.
func alreadyNotified(tx *db.Tx, storeKey int64, pairs []recipient) (map[recipient]bool, error) {
	found := map[recipient]bool{}
	for part := range slices.Chunk(pairs, knownAtOnce) {
		rows := make([][]any, len(part))
		for i := range part {
			rows[i] = []any{&part[i].campaignID, &part[i].customerID}
		}
		err := announcedTable.Each(tx, func(r announcedTo) { found[r.recipient] = true }, `SELECT a.campaign_id, a.customer_id
			FROM ? AS v (store, campaign, customer)
				CROSS JOIN announced a WHERE a.store_id = v.store AND a.campaign_id = v.campaign
				AND a.customer_id = v.customer`, tx.AmongRows(storeKey, []string{"TEXT", "TEXT"}, rows...))
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

// insertRecipients records who was notified, or need not be because it is no news for them.
func insertRecipients(tx *db.Tx, storeKey int64, pairs []recipient, quiet map[string]bool) error {
	rows := make([]*announcedTo, len(pairs))
	for i, r := range pairs {
		rows[i] = &announcedTo{r, storeKey, !quiet[r.customerID]}
	}
	return announcedTable.Insert(tx, rows...)
}
