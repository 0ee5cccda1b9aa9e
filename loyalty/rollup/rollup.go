// Package rollup holds the sums of a store by day, which analytics shows: docs/behaviour/analytics.md. Features add to
// them in the transaction of the rows that they count, so that the sums equal the rows at any moment.
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

// Kind identifies the quantity that a sum counts. Points are in hundredths, money in ten-thousandths.
type Kind int

// The kinds. Each counts on the day of its row in the time zone of the store, whenever it changes.
const (
	PointsIssued  Kind = iota // by the day of the grant
	PointsSpent               // by the day of the spend
	PointsExpired             // by the day of the expiry
	PointsPending             // by the day on which they unlock
	PointsDue                 // issued, by the day on which what is left of them expires
	Spends                    // number of spending transfers
	CouponsBought             // by the day of the purchase
	CouponsUsed               // by the day of the use
	Customers                 // by the day of the registration
	Receipts                  // by the date of the purchase, as is the rest
	Sales                     // less returns
	SalesWithoutDelivery
	MatchedReceipts
	MatchedSales
	MatchedWithoutDelivery
	kinds
)

// columns are the columns of the kinds.
var columns = [kinds]string{
	"points_issued", "points_spent", "points_expired", "points_pending", "points_due", "spends", "coupons_bought",
	"coupons_used", "customers", "receipts", "sales", "sales_without_delivery", "matched_receipts", "matched_sales",
	"matched_without_delivery",
}

// String returns the name of the kind.
func (k Kind) String() string { return columns[k] }

// Sums holds the sums of all kinds.
type Sums [kinds]int64

// Add adds other sums.
func (s *Sums) Add(other *Sums) {
	for kind := range s {
		s[kind] += other[kind]
	}
}

// Adder counts n of a kind at a time.
type Adder func(at time.Time, kind Kind, n int64)

// Minus returns an adder that subtracts.
func (a Adder) Minus() Adder {
	return func(at time.Time, kind Kind, n int64) { a(at, kind, -n) }
}

type sumKey struct {
	store int64
	day   calendar.Day
}

// pending collects the changes that an operation adds to the sums when it ends.
type pending struct {
	sums    map[sumKey]*Sums
	active  map[activeKey]int64
	sales   map[int64]sales   // by store
	rewards map[int64]rewards // alike
}

type pendingKey struct{}

func pendingOf(tx *db.Tx) *pending {
	return db.Keep(tx, pendingKey{}, func() *pending {
		p := &pending{sums: map[sumKey]*Sums{}, active: map[activeKey]int64{}, sales: map[int64]sales{},
			rewards: map[int64]rewards{}}
		tx.BeforeCommit("rollup", func() error { return p.write(tx) })
		return p
	})
}

// Adding returns an adder to the sums of a store. They are written once, at the end of the operation.
func Adding(tx *db.Tx, s *store.Store) Adder {
	return func(at time.Time, kind Kind, n int64) {
		if n == 0 {
			return
		}
		p, key := pendingOf(tx), sumKey{s.Key, calendar.DayOf(at, s.Zone)}
		if p.sums[key] == nil {
			p.sums[key] = &Sums{}
		}
		p.sums[key][kind] += n
	}
}

// write adds the sums in the order of their keys, so that concurrent operations do not deadlock.
func (p *pending) write(tx *db.Tx) error {
	if err := p.writeActive(tx); err != nil {
		return err
	}
	var rows []*dayRow
	for _, key := range slices.SortedFunc(maps.Keys(p.sums), func(a, b sumKey) int {
		return cmp.Or(cmp.Compare(a.store, b.store), cmp.Compare(a.day, b.day))
	}) {
		if sums := p.sums[key]; *sums != (Sums{}) {
			rows = append(rows, &dayRow{key.store, key.day, tx.Shard(), *sums})
		}
	}
	if err := dayTable.InsertAdding(tx, rows...); err != nil {
		return err
	}
	if err := p.writeSales(tx); err != nil {
		return err
	}
	return p.writeRewards(tx)
}
