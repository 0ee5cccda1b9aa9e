// Package segment holds groups of customers that rules choose by who they are and what they bought.
package segment

import (
	"time"

	"punchcard/loyalty/store"
	"punchcard/platform/decimal"
)

// Segment is a group of customers of a store with the rules that choose them.
type Segment struct {
	StoreKey    int64
	ID          string
	Name        string // unique in the store
	Description string
	Active      bool // switched on; a segment that is not keeps its members, but readers see it empty
	Open        bool // readers see its members: it is active, and they were worked out since it is
	Deleted     bool // until its last membership is gone
	CreatedAt   time.Time
	Version     int64 // grows when the members must be worked out anew
	Generation  int64 // of the members that readers see
	Basis       Basis // what those were worked out by
	NextBasis   Basis // the same of the members of the next generation
	Parts       []Part
}

// Part is one group of criteria.
type Part struct {
	ID       string      `json:"segmentPartId"`
	Criteria []Criterion `json:"criteria"`
}

// Basis is all that decides about members beside facts about customers.
type Basis struct {
	Version     int64  `json:"version"`
	Alternative bool   `json:"alternative"` // parts are joined by OR, criteria by AND
	Zone        string `json:"zone"`
	Day         string `json:"day"` // today in the zone, YYYY-MM-DD
}

// basis is what the segment's members are to be worked out by now.
func (s *Segment) basis(shop *store.Store, now time.Time) Basis {
	return Basis{
		Version: s.Version, Alternative: shop.Settings.SegmentPartsAreAlternatives, Zone: shop.Settings.Timezone,
		Day: now.In(shop.Zone).Format(time.DateOnly),
	}
}

// Totals sum up the members of a segment.
type Totals struct {
	Members      int64
	Transactions int64
	Amount       decimal.Hundredths
}

// AverageTransaction is the amount of a transaction of the members, 0 when there is none.
func (f Totals) AverageTransaction() decimal.Hundredths { return average(f.Amount, f.Transactions) }

// AverageTransactions is how many transactions a member has.
func (f Totals) AverageTransactions() decimal.Hundredths {
	return average(decimal.Whole(f.Transactions), f.Members)
}

// AverageValue is how much a member bought for.
func (f Totals) AverageValue() decimal.Hundredths { return average(f.Amount, f.Members) }

func average(sum decimal.Hundredths, of int64) decimal.Hundredths {
	if of == 0 {
		return 0
	}
	return sum.MulDiv(1, of)
}
