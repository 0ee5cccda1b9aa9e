package campaign

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"punchcard/core/store"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
)

// dayKey is one day of a campaign.
type dayKey struct {
	store    int64
	day      calendar.Day
	campaign string
}

// dayCounts are numbers of coupons by day, which an operation adds when it ends.
type dayCounts map[dayKey]int64

// rows returns the rows of numbers other than 0. Their order is always the same, so that concurrent operations do not
// deadlock.
func (c dayCounts) rows(tx *db.Tx) (rows []*dayCount) {
	keys := slices.SortedFunc(maps.Keys(c), func(a, b dayKey) int {
		return cmp.Or(cmp.Compare(a.store, b.store), cmp.Compare(a.day, b.day), cmp.Compare(a.campaign, b.campaign))
	})
	for _, key := range keys {
		if c[key] != 0 {
			rows = append(rows, &dayCount{key, tx.Shard(), c[key]})
		}
	}
	return rows
}

type daysKey struct{}

// addToDay adds n coupons to a day of a campaign when the operation ends.
func addToDay(tx *db.Tx, storeKey int64, day calendar.Day, campaignID string, n int64) {
	days := db.Keep(tx, daysKey{}, func() dayCounts {
		days := dayCounts{}
		tx.BeforeCommit("campaign days", func() error { return writeDays(tx, days) })
		return days
	})
	days[dayKey{storeKey, day, campaignID}] += n
}

func writeDays(tx *db.Tx, days dayCounts) error { return dayTable.InsertAdding(tx, days.rows(tx)...) }

// dayCount is a number of coupons that were bought or used on one day of a campaign.
type dayCount struct {
	dayKey
	shard   int64 // of used ones
	coupons int64
}

var dayTable = db.NewTable("campaign_days", "store_id, day, campaign_id", func(c *dayCount) db.Row {
	return db.Row{"store_id", &c.store, "day", (*int64)(&c.day), "campaign_id", &c.campaign, "bought", &c.coupons}
})

// Unsell subtracts a coupon, which is cancelled now, from the day on which it was sold.
func Unsell(tx *db.Tx, s *store.Store, campaignID string, soldAt time.Time) {
	addToDay(tx, s.Key, calendar.DayOf(soldAt, s.Zone), campaignID, -1)
}

// Selling is the number of coupons of a campaign that were sold in a period.
type Selling struct {
	CampaignID string
	Coupons    int64
}

// BestSelling returns the campaigns that sold most coupons in a period, both days included. It reads a row for each
// campaign and day with a sale.
func BestSelling(tx *db.Tx, storeKey int64, from, to calendar.Day, limit int) ([]Selling, error) {
	return db.All(tx, func(s *Selling) []any { return []any{&s.CampaignID, &s.Coupons} },
		`SELECT campaign_id, CAST(SUM(bought) AS BIGINT) AS coupons FROM (
			SELECT campaign_id, bought FROM campaign_days WHERE store_id = ? AND day BETWEEN ? AND ?
			UNION ALL SELECT campaign_id, sold_on_last_day FROM campaign_counters
				WHERE store_id = ? AND last_day BETWEEN ? AND ?) AS sold
		GROUP BY campaign_id HAVING SUM(bought) > 0 ORDER BY coupons DESC, campaign_id LIMIT ?`,
		storeKey, int64(from), int64(to), storeKey, int64(from), int64(to), limit)
}

// SoldIn returns the coupons of a campaign by day of the sale, both days included. Days without any are missing. It
// looks up each day of the period.
func SoldIn(tx *db.Tx, storeKey int64, campaignID string, from, to calendar.Day) (map[calendar.Day]int64, error) {
	days := make([][]any, 0, to-from+1)
	for day := from; day <= to; day++ {
		days = append(days, []any{int64(day)})
	}
	return eachDay(tx, `SELECT d.day, d.bought FROM ? AS v (store, key) CROSS JOIN campaign_days d
			WHERE d.store_id = v.store AND d.day = v.key AND d.campaign_id = ?
		UNION ALL SELECT last_day AS day, sold_on_last_day AS bought FROM campaign_counters
			WHERE store_id = ? AND campaign_id = ? AND last_day BETWEEN ? AND ?`,
		tx.AmongRows(storeKey, []string{"BIGINT"}, days...), campaignID, storeKey, campaignID, int64(from), int64(to))
}

// eachDay returns the sums of a query for days and numbers.
func eachDay(tx *db.Tx, query string, args ...any) (map[calendar.Day]int64, error) {
	sums := map[calendar.Day]int64{}
	return sums, dayTable.Each(tx, func(c dayCount) { sums[c.day] += c.coupons }, query, args...)
}

// OnDay identifies one day of a campaign.
type OnDay struct {
	Day        calendar.Day
	CampaignID string
}

// eachCampaignDay returns the sums of a query for days, campaigns and numbers.
func eachCampaignDay(tx *db.Tx, query string, args ...any) (map[OnDay]int64, error) {
	sums := map[OnDay]int64{}
	return sums, dayTable.Each(tx, func(c dayCount) { sums[OnDay{c.day, c.campaign}] += c.coupons }, query, args...)
}

// SoldByDay returns the number of coupons of a store by day and campaign.
func SoldByDay(tx *db.Tx, storeKey int64) (map[OnDay]int64, error) {
	return eachCampaignDay(tx, `SELECT day, campaign_id, bought FROM campaign_days WHERE store_id = ?
		UNION ALL SELECT last_day AS day, campaign_id, sold_on_last_day AS bought FROM campaign_counters
		WHERE store_id = ?`, storeKey, storeKey)
}

// CorrectDays adds to the days of campaigns when the operation ends.
func CorrectDays(tx *db.Tx, storeKey int64, missing map[OnDay]int64) {
	for key, n := range missing {
		addToDay(tx, storeKey, key.Day, key.CampaignID, n)
	}
}
