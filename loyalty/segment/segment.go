// Package segment holds groups of customers, selected by rules about their data and purchases. Members are rebuilt in
// generations, so that readers never see a half-finished rebuild.
package segment

import (
	"time"

	"punchcard/core/store"
	"punchcard/platform/calendar"
	"punchcard/platform/decimal"
)

// Segment is a group of customers of a store, with the rules that select them.
type Segment struct {
	StoreKey    int64
	ID          string
	Name        string // unique in the store
	Description string
	Active      bool // an inactive segment keeps its members, but readers see it empty
	Open        bool // readers see its members: active, and rebuilt since its activation
	Deleted     bool // the row stays until its last membership is deleted
	CreatedAt   time.Time
	Version     int64 // grows with every change that requires a rebuild
	Generation  int64 // present generation, which readers see
	Basis       Basis // what the present generation is based on
	NextBasis   Basis // what the next generation is based on
	Parts       []Part
}

// Part is one group of criteria.
type Part struct {
	ID       string      `json:"segmentPartId"`
	Criteria []Criterion `json:"criteria"`
}

// Basis has the values that decide about members besides the facts about customers.
type Basis struct {
	Version     int64  `json:"version"`
	Alternative bool   `json:"alternative"` // parts are joined by OR, criteria by AND
	Zone        string `json:"zone"`
	Day         string `json:"day"` // today in the zone, YYYY-MM-DD
}

// basis returns what the segment's members must be based on now.
func (s *Segment) basis(shop *store.Store, now time.Time) Basis {
	return Basis{
		Version: s.Version, Alternative: shop.Settings.SegmentPartsAreAlternatives, Zone: shop.Settings.Timezone,
		Day: calendar.DayOf(now, shop.Zone).String(),
	}
}

// Totals are sums over the members of a segment.
type Totals struct {
	Members      int64
	Transactions int64
	Amount       decimal.Money
}

// AverageTransaction is the average amount of a transaction, or 0 without any, with the digits of the currency.
func (f Totals) AverageTransaction(digits int) decimal.Money {
	return average(f.Amount, f.Transactions, digits)
}

// AverageTransactions is the average number of transactions of a member.
func (f Totals) AverageTransactions() decimal.Hundredths {
	if f.Members == 0 {
		return 0
	}
	return decimal.Whole(f.Transactions).MulDiv(1, f.Members)
}

// AverageValue is the average amount bought by a member, with the digits of the currency.
func (f Totals) AverageValue(digits int) decimal.Money { return average(f.Amount, f.Members, digits) }

func average(sum decimal.Money, of int64, digits int) decimal.Money {
	if of == 0 {
		return 0
	}
	return sum.MulDiv(1, of, digits)
}
