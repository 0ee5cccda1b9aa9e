package analytics

import (
	"context"
	"maps"
	"slices"

	"punchcard/core/store"
	"punchcard/loyalty/points"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/rollup"
	"punchcard/loyalty/transaction"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
)

// foundAtOnce is the number of accounts that one transaction examines, few enough not to delay buyers.
const foundAtOnce = 100

// findActiveDays counts the active days of customers from before these days were stored. It goes through the accounts
// in order of customers, and stores its progress.
func findActiveDays(ctx context.Context, d *db.DB, s *store.Store, after string) (done int64, err error) {
	for more := true; more && err == nil && ctx.Err() == nil; {
		err = store.Write(ctx, d, s, func(tx *db.Tx) (err error) {
			state, err := rollup.LockState(tx, s.Key)
			if err != nil {
				return err
			}
			var n int
			if n, state.ActiveAfter, more, err = countActiveDays(tx, s, state.ActiveAfter); err != nil {
				return err
			}
			done += int64(n)
			return state.Save(tx)
		})
	}
	return done, err
}

// countActiveDays counts the active days of some customers after one.
func countActiveDays(tx *db.Tx, s *store.Store, after string) (done int, last string, more bool, err error) {
	accounts, last, more, err := points.LockUncounted(tx, s.Key, after, foundAtOnce)
	if err != nil || len(accounts) == 0 {
		return 0, last, more, err
	}
	days := map[string]map[calendar.Day]bool{}
	for _, id := range accounts {
		days[id] = map[calendar.Day]bool{}
	}
	visit := func(customerID string, day calendar.Day) { days[customerID][day] = true }
	for _, find := range []func(*db.Tx, *store.Store, []string, func(string, calendar.Day)) error{
		points.Recount, purchase.PurchaseDays, transaction.AssignmentDays,
	} {
		if err := find(tx, s, accounts, visit); err != nil {
			return 0, last, false, err
		}
	}
	active := map[string]calendar.Day{}
	for id, of := range days {
		previous := calendar.Day(0)
		for _, day := range slices.Sorted(maps.Keys(of)) {
			rollup.AddActive(tx, s.Key, day, previous)
			previous = day
		}
		active[id] = previous
	}
	return len(accounts), last, more, points.SetActive(tx, s.Key, active)
}
