package rollup

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"punchcard/core/store"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
)

// RewardSums are sums of coupons of a reward. Points are in hundredths, money in ten-thousandths.
type RewardSums struct {
	Bought, Points  int64 // by the day of the purchase; the points are those that they cost
	Used            int64 // by the day of the use, as is the rest
	Receipts, Sales int64 // receipts for which they were used, and what returns have left of these
}

// Add adds n times other sums.
func (s *RewardSums) Add(other RewardSums, n int64) {
	s.Bought += n * other.Bought
	s.Points += n * other.Points
	s.Used += n * other.Used
	s.Receipts += n * other.Receipts
	s.Sales += n * other.Sales
}

// RewardKey identifies sums of a reward of a store.
type RewardKey struct {
	Dimension  Dimension
	Day        calendar.Day
	CampaignID string
	SubjectID  string // a point of sale or a level; empty for none
}

func (k RewardKey) compare(other RewardKey) int {
	return cmp.Or(cmp.Compare(k.Dimension, other.Dimension), cmp.Compare(k.Day, other.Day),
		cmp.Compare(k.CampaignID, other.CampaignID), cmp.Compare(k.SubjectID, other.SubjectID))
}

// String returns the reward of the sums, and the point of sale or the level.
func (k RewardKey) String() string {
	of := "level "
	if k.Dimension == ByPOS {
		of = "point of sale "
	}
	return "coupons of " + k.CampaignID + " at " + of + k.SubjectID
}

// RewardAdder adds to the sums of a reward on the day of a time.
type RewardAdder func(at time.Time, by Dimension, campaignID, subjectID string, sums RewardSums)

// AddingRewards returns an adder of n times the sums to those of a store, which are written like those of Adding.
func AddingRewards(tx *db.Tx, s *store.Store, n int64) RewardAdder {
	p := pendingOf(tx)
	if p.rewards[s.Key] == nil {
		p.rewards[s.Key] = rewards{}
	}
	of := p.rewards[s.Key]
	return func(at time.Time, by Dimension, campaignID, subjectID string, sums RewardSums) {
		of.add(RewardKey{by, calendar.DayOf(at, s.Zone), campaignID, subjectID}, sums, n)
	}
}

// rewards are sums of rewards of one store.
type rewards map[RewardKey]*RewardSums

func (r rewards) add(key RewardKey, sums RewardSums, n int64) {
	if r[key] == nil {
		r[key] = &RewardSums{}
	}
	r[key].Add(sums, n)
}

// sorted returns the keys of sums other than 0, so that concurrent operations write them in one order.
func (r rewards) sorted() []RewardKey {
	keys := slices.SortedFunc(maps.Keys(r), RewardKey.compare)
	return slices.DeleteFunc(keys, func(k RewardKey) bool { return *r[k] == RewardSums{} })
}

func (p *pending) writeRewards(tx *db.Tx) error {
	var rows []*keyedRewards
	for _, storeKey := range slices.Sorted(maps.Keys(p.rewards)) {
		for _, key := range p.rewards[storeKey].sorted() {
			rows = append(rows, &keyedRewards{storeKey, key, tx.Shard(), *p.rewards[storeKey][key]})
		}
	}
	return rewardTable.InsertAdding(tx, rows...)
}

// keyedRewards is a row of sums.
type keyedRewards struct {
	store int64
	key   RewardKey
	shard int64
	sums  RewardSums
}

var rewardTable = db.NewTable("reward_sums", "store_id, dimension, day, campaign_id, subject_id, shard",
	func(r *keyedRewards) db.Row {
		k, s := &r.key, &r.sums
		return db.Row{
			"store_id", &r.store, "dimension", (*int64)(&k.Dimension), "day", (*int64)(&k.Day),
			"campaign_id", &k.CampaignID, "subject_id", &k.SubjectID, "shard", &r.shard, "bought", &s.Bought,
			"points", &s.Points, "used", &s.Used, "receipts", &s.Receipts, "sales", &s.Sales,
		}
	})

// RewardsBy returns the sums of rewards in a period, by reward and point of sale or level. Keys have
// no day. It reads a row for each of them and each day.
func RewardsBy(tx *db.Tx, storeKey int64, by Dimension, from, to calendar.Day) (map[RewardKey]RewardSums, error) {
	sums := map[RewardKey]RewardSums{}
	return sums, rewardTable.Each(tx, func(r keyedRewards) { sums[r.key] = r.sums },
		`SELECT CAST(? AS BIGINT) AS dimension, campaign_id, subject_id, CAST(SUM(bought) AS BIGINT) AS bought,
			CAST(SUM(points) AS BIGINT) AS points, CAST(SUM(used) AS BIGINT) AS used,
			CAST(SUM(receipts) AS BIGINT) AS receipts, CAST(SUM(sales) AS BIGINT) AS sales
		FROM reward_sums WHERE store_id = ? AND dimension = ? AND day BETWEEN ? AND ?
		GROUP BY campaign_id, subject_id`, int64(by), storeKey, int64(by), int64(from), int64(to))
}

// AddReward is a RewardAdder.
func (b *Book) AddReward(at time.Time, by Dimension, campaignID, subjectID string, sums RewardSums) {
	b.Rewards.add(RewardKey{by, calendar.DayOf(at, b.zone), campaignID, subjectID}, sums, 1)
}

// subtractRewards subtracts the stored sums of rewards of a store.
func (b *Book) subtractRewards(tx *db.Tx, storeKey int64) error {
	err := rewardTable.Each(tx, func(r keyedRewards) { b.Rewards.add(r.key, r.sums, -1) },
		`SELECT * FROM reward_sums WHERE store_id = ?`, storeKey)
	maps.DeleteFunc(b.Rewards, func(_ RewardKey, sums *RewardSums) bool { return *sums == RewardSums{} })
	return err
}

// SortedRewards returns the keys of the sums of rewards in order.
func (b *Book) SortedRewards() []RewardKey { return b.Rewards.sorted() }

// mergeRewards puts the sums of each reward and point of sale or level on a day into one row.
func mergeRewards(tx *db.Tx, storeKey int64, day calendar.Day) error {
	rows, err := rewardTable.All(tx, `SELECT * FROM reward_sums
		WHERE store_id = ? AND dimension IN (?, ?) AND day = ?
		ORDER BY dimension, campaign_id, subject_id, shard FOR UPDATE`, storeKey, int64(ByPOS), int64(ByLevel), int64(day))
	if err != nil {
		return err
	}
	first := map[RewardKey]int64{} // shard
	rest := rewards{}
	var gone []*keyedRewards
	for i := range rows { // another transaction may add a row meanwhile, which stays
		r := &rows[i]
		if _, found := first[r.key]; !found {
			first[r.key] = r.shard
			continue
		}
		rest.add(r.key, r.sums, 1)
		gone = append(gone, r)
	}
	if err := rewardTable.Delete(tx, gone...); err != nil {
		return err
	}
	var merged []*keyedRewards
	for _, key := range rest.sorted() {
		merged = append(merged, &keyedRewards{storeKey, key, first[key], *rest[key]})
	}
	return rewardTable.InsertAdding(tx, merged...)
}
