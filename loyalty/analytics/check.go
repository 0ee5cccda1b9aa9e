package analytics

import (
	"fmt"

	"punchcard/core/store"
	"punchcard/loyalty/points"
	"punchcard/loyalty/rollup"
	"punchcard/platform/check"
	"punchcard/platform/db"
)

// Rules returns the invariants of the sums. They hold for stores whose sums the job has computed.
func Rules() []check.Rule {
	return []check.Rule{
		check.Fold("analytics.days", checkDays),
		check.Fold("analytics.held", checkHeld),
		check.Fold("analytics.active", checkActive),
	}
}

// eachStore calls one for every store whose sums must equal its rows.
func eachStore(tx *db.Tx, one func(s *store.Store) error) error {
	states, err := rollup.States(tx)
	if err != nil || len(states) == 0 {
		return err
	}
	stores, err := store.All(tx)
	for i := 0; i < len(stores) && err == nil; i++ {
		if state := states[stores[i].Key]; state.Holds(&stores[i]) {
			err = one(&stores[i])
		}
	}
	return err
}

// checkDays compares the sums with the rows that they count.
func checkDays(tx *db.Tx, found func(store int64, id, is, want string)) error {
	return eachStore(tx, func(s *store.Store) error {
		missing, err := compare(tx, s)
		for _, day := range missing.sums.SortedDays() {
			for kind, n := range missing.sums.Days[day] {
				if n != 0 {
					found(s.Key, day.String(), rollup.Kind(kind).String(), fmt.Sprintf("%+d", n))
				}
			}
		}
		for _, key := range missing.sums.SortedSales() {
			found(s.Key, key.Day.String(), key.String(), fmt.Sprintf("%+v", *missing.sums.Sales[key]))
		}
		for _, key := range missing.sums.SortedRewards() {
			found(s.Key, key.Day.String(), key.String(), fmt.Sprintf("%+v", *missing.sums.Rewards[key]))
		}
		for key, n := range missing.sold {
			found(s.Key, key.CampaignID, "coupons of "+key.Day.String(), fmt.Sprintf("%+d", n))
		}
		for key, n := range missing.used {
			found(s.Key, key.CampaignID, "used coupons of "+key.Day.String(), fmt.Sprintf("%+d", n))
		}
		return err
	})
}

// checkHeld compares what customers hold with what was issued, less what was spent or expired.
func checkHeld(tx *db.Tx, found func(store int64, id, is, want string)) error {
	return eachStore(tx, func(s *store.Store) error {
		held, err := points.Held(tx, s.Key)
		if err != nil {
			return err
		}
		sums, err := rollup.Total(tx, s.Key, lastDay)
		if is := points.Amount(outstanding(&sums)); is != held {
			found(s.Key, "outstanding points", is.String(), held.String())
		}
		return err
	})
}

// checkActive compares the active days of accounts with the number of customers by day.
func checkActive(tx *db.Tx, found func(store int64, id, is, want string)) error {
	return eachStore(tx, func(s *store.Store) error {
		missing, err := missingActive(tx, s)
		for day, n := range missing {
			found(s.Key, day.String(), "customers last active then", fmt.Sprintf("%+d", n))
		}
		return err
	})
}
