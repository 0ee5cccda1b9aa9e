package campaign

import (
	"time"

	"punchcard/core/store"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
)

type usesKey struct{}

// AddUses adds n coupons of a campaign, marked as used at a time, to the day of that time when the operation ends.
func AddUses(tx *db.Tx, s *store.Store, campaignID string, usedAt time.Time, n int64) {
	addUses(tx, s.Key, calendar.DayOf(usedAt, s.Zone), campaignID, n)
}

func addUses(tx *db.Tx, storeKey int64, day calendar.Day, campaignID string, n int64) {
	uses := db.Keep(tx, usesKey{}, func() dayCounts {
		uses := dayCounts{}
		tx.BeforeCommit("campaign uses", func() error { return writeUses(tx, uses) })
		return uses
	})
	uses[dayKey{storeKey, day, campaignID}] += n
}

func writeUses(tx *db.Tx, uses dayCounts) error { return useTable.InsertAdding(tx, uses.rows(tx)...) }

var useTable = db.NewTable("campaign_uses", "store_id, campaign_id, day, shard", func(c *dayCount) db.Row {
	return db.Row{
		"store_id", &c.store, "campaign_id", &c.campaign, "day", (*int64)(&c.day), "shard", &c.shard, "used", &c.coupons,
	}
})

// UsedIn returns the coupons of a campaign by day of the use, both days included. Days without any are missing.
func UsedIn(tx *db.Tx, storeKey int64, campaignID string, from, to calendar.Day) (map[calendar.Day]int64, error) {
	return eachDay(tx, `SELECT day, used AS bought FROM campaign_uses
		WHERE store_id = ? AND campaign_id = ? AND day BETWEEN ? AND ?`, storeKey, campaignID, int64(from), int64(to))
}

// UsedByDay returns the number of used coupons of a store by day and campaign.
func UsedByDay(tx *db.Tx, storeKey int64) (map[OnDay]int64, error) {
	return eachCampaignDay(tx, `SELECT day, campaign_id, used AS bought FROM campaign_uses WHERE store_id = ?`, storeKey)
}

// CorrectUses adds to the used coupons of campaigns when the operation ends.
func CorrectUses(tx *db.Tx, storeKey int64, missing map[OnDay]int64) {
	for key, n := range missing {
		addUses(tx, storeKey, key.Day, key.CampaignID, n)
	}
}
