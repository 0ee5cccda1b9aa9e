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

// changed returns the keys with a number other than 0. Their order is always the same, so that concurrent operations
// do not deadlock.
func (c dayCounts) changed() []dayKey {
	keys := slices.SortedFunc(maps.Keys(c), func(a, b dayKey) int {
		return cmp.Or(cmp.Compare(a.store, b.store), cmp.Compare(a.day, b.day), cmp.Compare(a.campaign, b.campaign))
	})
	return slices.DeleteFunc(keys, func(key dayKey) bool { return c[key] == 0 })
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

func writeDays(tx *db.Tx, days dayCounts) error {
	var rows [][]any
	for _, key := range days.changed() {
		rows = append(rows, []any{key.store, int64(key.day), key.campaign, days[key]})
	}
	return tx.Insert("campaign_days", "store_id, day, campaign_id, bought",
		"ON CONFLICT (store_id, day, campaign_id) DO UPDATE SET bought = campaign_days.bought + excluded.bought", rows...)
}

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
		UNION ALL SELECT last_day, sold_on_last_day FROM campaign_counters
			WHERE store_id = ? AND campaign_id = ? AND last_day BETWEEN ? AND ?`,
		tx.AmongRows(storeKey, []string{"BIGINT"}, days...), campaignID, storeKey, campaignID, int64(from), int64(to))
}

// eachDay returns the sums of a query for days and numbers.
func eachDay(tx *db.Tx, query string, args ...any) (map[calendar.Day]int64, error) {
	type row struct {
		day calendar.Day
		n   int64
	}
	sums := map[calendar.Day]int64{}
	return sums, db.Each(tx, func(r *row) []any { return []any{(*int64)(&r.day), &r.n} },
		func(r row) { sums[r.day] += r.n }, query, args...)
}

// OnDay identifies one day of a campaign.
type OnDay struct {
	Day        calendar.Day
	CampaignID string
}

// eachCampaignDay returns the sums of a query for days, campaigns and numbers.
func eachCampaignDay(tx *db.Tx, query string, args ...any) (map[OnDay]int64, error) {
	type row struct {
		OnDay
		n int64
	}
	sums := map[OnDay]int64{}
	return sums, db.Each(tx, func(r *row) []any { return []any{(*int64)(&r.Day), &r.CampaignID, &r.n} },
		func(r row) { sums[r.OnDay] += r.n }, query, args...)
}

// SoldByDay returns the number of coupons of a store by day and campaign.
func SoldByDay(tx *db.Tx, storeKey int64) (map[OnDay]int64, error) {
	return eachCampaignDay(tx, `SELECT day, campaign_id, bought FROM campaign_days WHERE store_id = ?
		UNION ALL SELECT last_day, campaign_id, sold_on_last_day FROM campaign_counters WHERE store_id = ?`,
		storeKey, storeKey)
}

// CorrectDays adds to the days of campaigns when the operation ends.
func CorrectDays(tx *db.Tx, storeKey int64, missing map[OnDay]int64) {
	for key, n := range missing {
		addToDay(tx, storeKey, key.Day, key.CampaignID, n)
	}
}
