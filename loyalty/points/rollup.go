package points

import (
	"punchcard/core/store"
	"punchcard/loyalty/rollup"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
)

// countIn adds what the transfer counts to the sums of its days. The points issued, less those that were spent and
// those that expired, are what customers hold: a cancelled grant counts with the part that was spent of it.
func (t *Transfer) countIn(add rollup.Adder) {
	switch {
	case t.Type == Adding && t.State == Canceled:
		add(t.CreatedAt, rollup.PointsIssued, int64(t.Value-t.Lapsed))
	case t.Type == Adding:
		add(t.CreatedAt, rollup.PointsIssued, int64(t.Value))
		if !t.ExpiresAt.IsZero() {
			add(t.ExpiresAt, rollup.PointsDue, int64(t.Value))
		}
	case t.Type == Spending && t.State != Canceled:
		add(t.CreatedAt, rollup.PointsSpent, int64(t.Value))
		add(t.CreatedAt, rollup.Spends, 1)
	}
	if t.State == Expired {
		add(t.ExpiresAt, rollup.PointsExpired, int64(t.Lapsed))
	}
}

// countIn adds the pending points of an open lot to the day on which they unlock.
func (l *openLot) countIn(add rollup.Adder) {
	if l.LockedUntil != 0 {
		add(moment(l.LockedUntil), rollup.PointsPending, l.Left)
	}
}

// rollUp adds the changes of the wallet to the sums of the store, and the customer to the active ones of today. An open
// lot that was read from the account has neither value nor time, so that these cancel out.
func (w *Wallet) rollUp() {
	add := rollup.Adding(w.tx, w.store)
	for _, t := range w.added {
		t.countIn(add)
	}
	fresh := len(w.added)
	for t := range w.changed {
		if fresh > 0 && w.isNew(t) {
			continue
		}
		before := *t
		before.State, before.Lapsed, before.ExpiresAt = t.stored.state, t.stored.lapsed, t.stored.expiresAt
		before.countIn(add.Minus())
		t.countIn(add)
	}
	for i := range w.stored {
		w.stored[i].countIn(add.Minus())
	}
	for _, lot := range w.lots {
		open := lot.openLot()
		open.countIn(add)
	}
	if w.active {
		day := rollup.Activate(w.tx, w.store, w.ActiveDay)
		w.dirty = w.dirty || day != w.ActiveDay
		w.ActiveDay = day
	}
}

// valueMoved reads the values of open lots that expired early: they were issued with another expiry.
func (w *Wallet) valueMoved() error {
	var ids []string
	for t := range w.changed {
		if t.Value == 0 && !t.ExpiresAt.Equal(t.stored.expiresAt) {
			ids = append(ids, t.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	rows, err := findAll(w.tx, w.StoreKey, ids...)
	for t := range w.changed {
		if row, found := rows[t.ID]; found {
			t.Value, t.CreatedAt = row.Value, row.CreatedAt
		}
	}
	return err
}

func (w *Wallet) isNew(t *Transfer) bool {
	for _, added := range w.added {
		if added == t {
			return true
		}
	}
	return false
}

// Activate counts the customer as active today.
func (w *Wallet) Activate() { w.active = true }

// RollUp counts all transfers and open lots of a store, as the sums count them.
func RollUp(tx *db.Tx, storeKey int64, add rollup.Adder) error {
	err := db.Each(tx, func(t *Transfer) []any {
		return []any{&t.Type, &t.State, &t.Value, &t.Lapsed, db.Time(&t.CreatedAt), db.Time(&t.ExpiresAt)}
	}, func(t Transfer) { t.countIn(add) },
		`SELECT type, state, value, lapsed, created_at, expires_at FROM transfers WHERE store_id = ?`, storeKey)
	if err != nil {
		return err
	}
	return db.Each(tx, func(a *Account) []any { return []any{db.JSON(&a.stored)} }, func(a Account) {
		for i := range a.stored {
			a.stored[i].countIn(add)
		}
	}, `SELECT lots FROM accounts WHERE store_id = ? AND locked > 0`, storeKey)
}

// Held returns the sums of all accounts of a store: available, pending and blocked points.
func Held(tx *db.Tx, storeKey int64) (Amount, error) {
	return db.Value[Amount](tx, `SELECT CAST(COALESCE(SUM(points + locked + blocked), 0) AS BIGINT) FROM accounts
		WHERE store_id = ?`, storeKey)
}

// LastActive returns the number of customers of a store by their last active day, without those who have none.
func LastActive(tx *db.Tx, storeKey int64) (map[calendar.Day]int64, error) {
	type row struct {
		day calendar.Day
		n   int64
	}
	days := map[calendar.Day]int64{}
	return days, db.Each(tx, func(r *row) []any { return []any{(*int64)(&r.day), &r.n} },
		func(r row) { days[r.day] = r.n }, `SELECT active_day, COUNT(*) FROM accounts
		WHERE store_id = ? AND active_day > 0 GROUP BY active_day`, storeKey)
}

// LockUncounted examines the accounts of at most limit customers after an id, and locks those without an active day.
// It returns these, the last customer it examined, and whether there are more.
func LockUncounted(tx *db.Tx, storeKey int64, after string, limit int) (
	ids []string, last string, more bool, err error) {
	type row struct {
		id  string
		day calendar.Day
	}
	n := 0
	last = after
	err = db.Each(tx, func(r *row) []any { return []any{&r.id, (*int64)(&r.day)} }, func(r row) {
		n, last = n+1, r.id
		if r.day == rollup.Unknown {
			ids = append(ids, r.id)
		}
	}, `SELECT customer_id, active_day FROM accounts WHERE store_id = ? AND customer_id > ?
		ORDER BY customer_id LIMIT ? FOR UPDATE`, storeKey, after, limit)
	return ids, last, n == limit, err
}

// SetActive stores the active days of locked accounts, by customer.
func SetActive(tx *db.Tx, storeKey int64, days map[string]calendar.Day) error {
	var rows []*Account
	for _, id := range sortedKeys(days) {
		rows = append(rows, &Account{StoreKey: storeKey, CustomerID: id, ActiveDay: days[id]})
	}
	return accountTable.Update(tx, "active_day", rows...)
}

// Recount calls visit for the days of all transfers of locked customers from before these days were stored. It also
// stores in their cancelled grants what the cancellation took, which was not stored then either.
func Recount(tx *db.Tx, s *store.Store, customerIDs []string, visit func(customerID string, day calendar.Day)) error {
	add := rollup.Adding(tx, s)
	for _, id := range customerIDs {
		all, err := Every(tx, s.Key, id)
		if err != nil {
			return err
		}
		taken := map[string]Amount{}
		for i := range all {
			if !all[i].ofMerge() {
				visit(id, calendar.DayOf(all[i].CreatedAt, s.Zone))
			}
			if all[i].State != Canceled {
				for _, part := range all[i].Lots {
					taken[part.LotID] += Amount(part.Amount)
				}
			}
		}
		var rows []*Transfer
		for i := range all {
			t := &all[i]
			if left := t.Value - taken[t.ID]; t.Type == Adding && t.State == Canceled && t.Lapsed != left {
				t.countIn(add.Minus())
				t.Lapsed = left
				t.countIn(add)
				rows = append(rows, t)
			}
		}
		if err := transferTable.Update(tx, "lapsed", rows...); err != nil {
			return err
		}
	}
	return nil
}
