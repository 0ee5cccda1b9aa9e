package rollup

import (
	"maps"
	"slices"
	"time"

	"punchcard/core/store"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
)

// Book collects sums in memory.
type Book struct {
	Days    map[calendar.Day]*Sums
	Sales   sales
	Rewards rewards
	zone    *time.Location
}

// NewBook returns an empty book with the days of a time zone.
func NewBook(zone *time.Location) *Book {
	return &Book{map[calendar.Day]*Sums{}, sales{}, rewards{}, zone}
}

// Add is an Adder.
func (b *Book) Add(at time.Time, kind Kind, n int64) {
	if n == 0 {
		return
	}
	day := calendar.DayOf(at, b.zone)
	if b.Days[day] == nil {
		b.Days[day] = &Sums{}
	}
	b.Days[day][kind] += n
}

// Subtract subtracts the stored sums of a store, so that the book holds what is missing from them.
func (b *Book) Subtract(tx *db.Tx, storeKey int64) error {
	err := dayTable.Each(tx, func(r dayRow) {
		if b.Days[r.day] == nil {
			b.Days[r.day] = &Sums{}
		}
		for kind := range r.sums {
			b.Days[r.day][kind] -= r.sums[kind]
		}
	}, `SELECT store_id, day, `+sumsOf+` FROM daily_sums WHERE store_id = ? GROUP BY store_id, day`, storeKey)
	maps.DeleteFunc(b.Days, func(_ calendar.Day, sums *Sums) bool { return *sums == Sums{} })
	if err != nil {
		return err
	}
	if err := b.subtractSales(tx, storeKey); err != nil {
		return err
	}
	return b.subtractRewards(tx, storeKey)
}

// SortedDays returns the days of the book in order.
func (b *Book) SortedDays() []calendar.Day { return slices.Sorted(maps.Keys(b.Days)) }

// Correct adds the book to the sums of a store when the operation ends.
func (b *Book) Correct(tx *db.Tx, storeKey int64) {
	p := pendingOf(tx)
	for day, sums := range b.Days {
		key := sumKey{storeKey, day}
		if p.sums[key] == nil {
			p.sums[key] = &Sums{}
		}
		p.sums[key].Add(sums)
	}
	for key, sums := range b.Sales {
		p.salesOf(storeKey).add(key, *sums)
	}
	if len(b.Rewards) > 0 {
		p.rewards[storeKey] = b.Rewards
	}
}

// State records how the sums of a store were computed. A store without one was never recomputed.
type State struct {
	StoreKey    int64
	Zone        string       // of the days
	Settled     bool         // no writer used another zone since
	Corrections int64        // how often the sums were corrected
	ActiveAfter string       // the last customer whose active day was found; see Unknown
	MergedUntil calendar.Day // the day until which the sums were merged last; see Merge
}

// Holds reports whether the sums are those of the store's time zone, so that they must equal the rows.
func (s *State) Holds(of *store.Store) bool { return s.Settled && s.Zone == of.Settings.Timezone }

var stateTable = db.NewTable("rollups", "store_id", func(s *State) db.Row {
	return db.Row{
		"store_id", &s.StoreKey, "zone", &s.Zone, "settled", &s.Settled, "corrections", &s.Corrections,
		"active_after", &s.ActiveAfter, "merged_until", (*int64)(&s.MergedUntil),
	}
})

// FindState returns the state of a store.
func FindState(tx *db.Tx, storeKey int64) (State, error) { return findState(tx, storeKey, "") }

// States returns the states of all stores that have one, by store.
func States(tx *db.Tx) (map[int64]State, error) {
	states := map[int64]State{}
	return states, stateTable.Each(tx, func(s State) { states[s.StoreKey] = s },
		`SELECT * FROM rollups`)
}

// LockState is FindState with a row lock. It adds the row if the store has none.
func LockState(tx *db.Tx, storeKey int64) (State, error) {
	none := State{StoreKey: storeKey}
	if _, err := stateTable.InsertNew(tx, &none); err != nil {
		return none, err
	}
	return findState(tx, storeKey, " FOR UPDATE")
}

func findState(tx *db.Tx, storeKey int64, ending string) (State, error) {
	s, _, err := stateTable.One(tx, `SELECT * FROM rollups WHERE store_id = ?`+ending, storeKey)
	return s, err
}

// Save writes a locked state.
func (s *State) Save(tx *db.Tx) error {
	return stateTable.Update(tx, "zone, settled, corrections, active_after, merged_until", s)
}

// ActiveUntil returns the number of customers by the last day on which they were active.
func ActiveUntil(tx *db.Tx, storeKey int64) (map[calendar.Day]int64, error) {
	days := map[calendar.Day]int64{}
	return days, activeTable.Each(tx, func(r activeDay) {
		days[r.day] += r.customers
		if r.previous != 0 {
			days[r.previous] -= r.customers
		}
	}, `SELECT day, previous_day, customers FROM active_days WHERE store_id = ?`, storeKey)
}
