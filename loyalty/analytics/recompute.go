package analytics

import (
	"context"
	"maps"

	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/rollup"
	"punchcard/loyalty/transaction"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
)

// Recompute corrects the sums of a store that were never computed, or whose time zone has changed, and finds the
// last active day of customers who have none stored. It is a job. In other stores it reads one row, and merges the sums
// of past days once a day.
func Recompute(ctx context.Context, d *db.DB, s *store.Store) (done int64, err error) {
	var state rollup.State
	err = store.Read(ctx, d, s, func(tx *db.Tx) (err error) {
		state, err = rollup.FindState(tx, s.Key)
		return err
	})
	if err != nil {
		return 0, err
	}
	if state.Holds(s) {
		return mergePast(ctx, d, s, state.MergedUntil)
	}
	if done, err = findActiveDays(ctx, d, s, state.ActiveAfter); err != nil || ctx.Err() != nil {
		return done, err
	}
	corrected, err := Correct(ctx, d, s)
	return done + corrected, err
}

// mergedAtOnce is the number of days that one transaction lists.
const mergedAtOnce = 100

// mergePast merges the sums of the days before yesterday, to which little is added any more, and returns their number.
func mergePast(ctx context.Context, d *db.DB, s *store.Store, merged calendar.Day) (done int64, err error) {
	var until calendar.Day
	for more := true; more && ctx.Err() == nil; {
		var days []calendar.Day
		err := store.Read(ctx, d, s, func(tx *db.Tx) (err error) {
			if until = calendar.DayOf(tx.Now(), s.Zone) - 2; merged < until {
				days, err = rollup.Scattered(tx, s.Key, until, mergedAtOnce)
			}
			return err
		})
		if err != nil || merged >= until {
			return done, err
		}
		for _, day := range days {
			if err := d.Write(ctx, func(tx *db.Tx) error { return rollup.Merge(tx, s.Key, day) }); err != nil {
				return done, err
			}
			done++
		}
		more = len(days) == mergedAtOnce
	}
	if ctx.Err() != nil {
		return done, nil
	}
	return done, d.Write(ctx, func(tx *db.Tx) error {
		state, err := rollup.LockState(tx, s.Key)
		if err != nil {
			return err
		}
		state.MergedUntil = until
		return state.Save(tx)
	})
}

// Correct compares the sums of a store with its rows, and adds the difference. It returns the number of sums that it
// changed. Both are read in one snapshot. What is written meanwhile changes rows and sums alike, so the difference
// stays right, and nobody waits.
func Correct(ctx context.Context, d *db.DB, s *store.Store) (changed int64, err error) {
	var found difference
	err = d.Snapshot(ctx, func(tx *db.Tx) (err error) {
		found, err = compare(tx, s)
		return err
	})
	if err != nil {
		return 0, err
	}
	err = store.Write(ctx, d, s, func(tx *db.Tx) error {
		state, err := rollup.LockState(tx, s.Key)
		if err != nil || state.Corrections != found.state.Corrections {
			return err // another correction came between, and the next run compares again
		}
		found.sums.Correct(tx, s.Key)
		campaign.CorrectDays(tx, s.Key, found.sold)
		campaign.CorrectUses(tx, s.Key, found.used)
		for day, n := range found.active {
			rollup.CorrectActive(tx, s.Key, day, n)
		}
		changed = int64(len(found.sums.Days) + len(found.sums.Sales) + len(found.sums.Rewards) + len(found.sold) +
			len(found.used) + len(found.active))
		// Nodes that have cached the former zone still use it for some seconds. The next run settles the sums.
		state.Settled = state.Zone == s.Settings.Timezone
		state.Zone, state.Corrections = s.Settings.Timezone, state.Corrections+1
		return state.Save(tx)
	})
	return changed, err
}

// difference holds the amounts that the sums of a store lack to equal its rows.
type difference struct {
	state  rollup.State
	sums   *rollup.Book
	sold   map[campaign.OnDay]int64 // coupons
	used   map[campaign.OnDay]int64
	active map[calendar.Day]int64 // customers by the last day on which they were active
}

func compare(tx *db.Tx, s *store.Store) (found difference, err error) {
	if found.state, err = rollup.FindState(tx, s.Key); err != nil {
		return found, err
	}
	found.sums, found.sold, found.used = rollup.NewBook(s.Zone), map[campaign.OnDay]int64{}, map[campaign.OnDay]int64{}
	err = purchase.RollUp(tx, s.Key, found.sums.Add, found.sums.AddReward, func(p *purchase.Purchase) {
		found.sold[campaign.OnDay{Day: calendar.DayOf(p.PurchasedAt, s.Zone), CampaignID: p.CampaignID}]++
		if p.Used {
			found.used[campaign.OnDay{Day: calendar.DayOf(p.UsedAt, s.Zone), CampaignID: p.CampaignID}]++
		}
	})
	if err != nil {
		return found, err
	}
	for _, count := range []func(tx *db.Tx, storeKey int64, add rollup.Adder) error{
		points.RollUp, customer.RollUp,
	} {
		if err := count(tx, s.Key, found.sums.Add); err != nil {
			return found, err
		}
	}
	if err := transaction.RollUp(tx, s.Key, found.sums.Add, found.sums.AddSale); err != nil {
		return found, err
	}
	if err := found.sums.Subtract(tx, s.Key); err != nil {
		return found, err
	}
	sold, err := campaign.SoldByDay(tx, s.Key)
	if err != nil {
		return found, err
	}
	subtract(found.sold, sold)
	used, err := campaign.UsedByDay(tx, s.Key)
	if err != nil {
		return found, err
	}
	subtract(found.used, used)
	found.active, err = missingActive(tx, s)
	return found, err
}

// missingActive compares the active days of accounts with the number of customers by day. On each day, the customers
// who were active, less those who came back later, are those whose last day it is.
func missingActive(tx *db.Tx, s *store.Store) (map[calendar.Day]int64, error) {
	last, err := points.LastActive(tx, s.Key)
	if err != nil {
		return nil, err
	}
	counted, err := rollup.ActiveUntil(tx, s.Key)
	subtract(last, counted)
	return last, err
}

// subtract subtracts other numbers, and leaves out those that are 0 then.
func subtract[Key comparable](from, others map[Key]int64) {
	for key, n := range others {
		from[key] -= n
	}
	maps.DeleteFunc(from, func(_ Key, n int64) bool { return n == 0 })
}
