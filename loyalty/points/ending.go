package points

import (
	"time"

	"punchcard/core/store"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
)

// Ending is the sum of a customer's points that expire in a span of time.
type Ending struct {
	CustomerID string
	Points     Amount
	EndsAt     time.Time         // the earliest of them
	Lots       map[string]Amount // their lots by id
}

// Besides returns the points without those of some lots.
func (e *Ending) Besides(lots map[string]bool) Amount {
	left := e.Points
	for id, value := range e.Lots {
		if lots[id] {
			left -= value
		}
	}
	return left
}

// EndingBetween finds points that expire at or after from and before before. It examines the accounts of at most
// limit customers after an id, in order of ids, and returns the last customer it examined, and whether there are more.
func EndingBetween(tx *db.Tx, s *store.Store, from, before time.Time, after string, limit int) (
	found []Ending, last string, more bool, err error) {
	accounts, err := accountTable.All(tx, `SELECT *, lots FROM accounts
		WHERE store_id = ? AND customer_id > ? ORDER BY customer_id LIMIT ?`, s.Key, after, limit)
	for i := range accounts {
		if e := accounts[i].ending(from, before); e.Points > 0 {
			found = append(found, e)
		}
		last = accounts[i].CustomerID
	}
	return found, last, len(accounts) == limit, err
}

// EndingSoon finds the points that expire before a time, of customers who are present: a condition about the row a. It
// examines at most limit accounts, those that are due first, and returns whether these are all.
func EndingSoon(tx *db.Tx, s *store.Store, before time.Time, limit int, present string) (
	found []Ending, all bool, err error) {
	accounts, err := dueBefore(tx, s, before, limit, present)
	for i := range accounts {
		if e := accounts[i].ending(tx.Now(), before); e.Points > 0 {
			found = append(found, e)
		}
	}
	return found, len(accounts) < limit, err
}

// EndingByDay sums up the points that expire from now on and before a time, by day. It examines accounts like
// EndingSoon.
func EndingByDay(tx *db.Tx, s *store.Store, before time.Time, limit int, present string) (
	days map[calendar.Day]Amount, all bool, err error) {
	accounts, err := dueBefore(tx, s, before, limit, present)
	days = map[calendar.Day]Amount{}
	for i := range accounts {
		accounts[i].eachEnding(tx.Now(), before, func(lot *Transfer) {
			days[calendar.DayOf(lot.ExpiresAt, s.Zone)] += lot.Available
		})
	}
	return days, len(accounts) < limit, err
}

// dueBefore returns at most limit accounts with lots that unlock or expire before a time, those that are due first.
func dueBefore(tx *db.Tx, s *store.Store, before time.Time, limit int, present string) ([]Account, error) {
	return accountTable.All(tx, `SELECT *, lots FROM accounts a
		WHERE store_id = ? AND next_due_at IS NOT NULL AND next_due_at < ? AND `+present+`
		ORDER BY next_due_at LIMIT ?`,
		s.Key, before.UnixMicro(), limit)
}

// ending sums up the lots of an account that expire in a span of time.
func (a *Account) ending(from, before time.Time) Ending {
	e := Ending{CustomerID: a.CustomerID}
	a.eachEnding(from, before, e.add)
	return e
}

// Ending sums up the points of a wallet that expire at or after from and before before.
func (w *Wallet) Ending(from, before time.Time) Ending {
	e := Ending{CustomerID: w.CustomerID}
	for _, lot := range w.lots {
		if lot.endsBetween(from, before) {
			e.add(lot)
		}
	}
	return e
}

func (e *Ending) add(lot *Transfer) {
	e.Points += lot.Available
	if e.Lots == nil {
		e.Lots = map[string]Amount{}
	}
	e.Lots[lot.ID] = lot.Available
	if e.EndsAt.IsZero() || lot.ExpiresAt.Before(e.EndsAt) {
		e.EndsAt = lot.ExpiresAt
	}
}

// endsBetween reports whether a lot expires in a span of time, unless it never unlocks before.
func (t *Transfer) endsBetween(from, before time.Time) bool {
	return t.Available > 0 && !t.ExpiresAt.IsZero() && !t.ExpiresAt.Before(from) && t.ExpiresAt.Before(before) &&
		(t.State != Pending || t.LockedUntil.Before(t.ExpiresAt))
}

// eachEnding visits the lots of an account that expire in a span of time, without those that never unlock before.
func (a *Account) eachEnding(from, before time.Time, visit func(lot *Transfer)) {
	if a.NextDueAt.IsZero() || a.NextDueAt.After(before) {
		return
	}
	for _, open := range a.stored {
		if lot := a.openLot(open); lot.endsBetween(from, before) {
			visit(lot)
		}
	}
}
