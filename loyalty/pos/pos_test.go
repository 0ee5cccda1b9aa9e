package pos_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"punchcard/loyalty/level/shoptest"
	"punchcard/loyalty/pos"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/decimal"
	"punchcard/platform/fault"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

var now = time.Date(2031, 4, 17, 12, 0, 0, 0, time.UTC)

// shops is a database with two stores.
type shops struct {
	*shoptest.Shop       // the first store
	here, there    int64 // database keys
}

func each(t *testing.T, run func(s shops)) {
	t.Helper()
	dbtest.EachAt(t, func() time.Time { return now }, func(t *testing.T, d *db.DB) {
		here, there := shoptest.Open(t, d, "HERE", nil), shoptest.Open(t, d, "THERE", nil)
		run(shops{here, here.Store.Key, there.Store.Key})
	})
}

func till(identifier string) pos.Details {
	return pos.Details{
		Name: "Till " + identifier, Identifier: identifier, Description: "by the door",
		Location: pos.Location{
			Street: "Havnegata", Address1: "4", Postal: "0150", City: "Oslo", Province: "Oslo", Country: "NO",
			GeoPoint: &pos.GeoPoint{Lat: "59.91", Long: "10.75"},
		},
	}
}

func (s shops) create(storeKey int64, identifier string) (made *pos.POS, err error) {
	err = s.DB.Write(s.Context(), func(tx *db.Tx) (err error) {
		made, err = pos.Create(tx, storeKey, till(identifier))
		return err
	})
	return made, err
}

func (s shops) mustCreate(storeKey int64, identifier string) *pos.POS {
	s.Helper()
	made, err := s.create(storeKey, identifier)
	if err != nil {
		s.Fatal(err)
	}
	return made
}

// TestIdentifiersBelongToAStore shows that two stores may use one identifier, and neither sees the other's.
func TestIdentifiersBelongToAStore(t *testing.T) {
	each(t, func(s shops) {
		here, there := s.mustCreate(s.here, "T-1"), s.mustCreate(s.there, "T-1")
		if _, err := s.create(s.here, "T-1"); !errors.Is(err, pos.ErrTaken) {
			s.Errorf("the same identifier twice: %v", err)
		}
		s.mustCreate(s.here, "t-1") // case-sensitive
		s.Write(func(tx *db.Tx) error {
			got, found, err := pos.FindByIdentifier(tx, s.there, "T-1")
			if diff := cmp.Diff(*there, got); err != nil || !found || diff != "" {
				s.Errorf("found %t, %v: %s", found, err, diff)
			}
			if _, found, err := pos.Find(tx, s.there, here.ID); found || err != nil {
				s.Errorf("a till of another store is found, %v", err)
			}
			names, err := pos.Names(tx, s.here, here.ID, there.ID, "unknown")
			if diff := cmp.Diff(map[string]string{here.ID: "Till T-1"}, names); diff != "" {
				s.Error(diff)
			}
			return err
		})
	})
}

func TestChangeReplacesWhatIsSaid(t *testing.T) {
	each(t, func(s shops) {
		made, other := s.mustCreate(s.here, "T-1"), s.mustCreate(s.here, "T-2")
		want := *made
		want.Details = pos.Details{Name: "Kiosk", Identifier: "K", Location: pos.Location{City: "Bergen"}}
		s.Write(func(tx *db.Tx) error {
			return pos.Count(tx, s.here, map[string]pos.Sums{made.ID: {Amount: 1050, Count: 2}})
		})
		want.Amount, want.Count = 1050, 2
		change := func(storeKey int64, id string, details pos.Details) error {
			return s.DB.Write(s.Context(), func(tx *db.Tx) error { return pos.Change(tx, storeKey, id, details) })
		}
		for range 2 { // a point of sale can keep its identifier
			if err := change(s.here, made.ID, want.Details); err != nil {
				s.Fatal(err)
			}
		}
		if err := change(s.here, made.ID, till("T-2")); !errors.Is(err, pos.ErrTaken) {
			s.Errorf("another one's identifier: %v", err)
		}
		if err := change(s.there, made.ID, till("T-9")); !errors.Is(err, fault.ErrNotFound) {
			s.Errorf("a till of another store: %v", err)
		}
		s.Write(func(tx *db.Tx) error {
			got, err := pos.FindAll(tx, s.here, made.ID, other.ID)
			if diff := cmp.Diff(map[string]*pos.POS{made.ID: &want, other.ID: other}, got); diff != "" {
				s.Error(diff)
			}
			return err
		})
	})
}

// TestCountersAddUp counts concurrent sales at one point of sale: none is lost, and those of another store
// are not counted.
func TestCountersAddUp(t *testing.T) {
	dbtest.Both(t)
	each(t, func(s shops) {
		made := s.mustCreate(s.here, "T-1")
		count := func(storeKey int64, id string, amount decimal.Hundredths, n int64) {
			err := s.DB.Write(s.Context(), func(tx *db.Tx) error {
				return pos.Count(tx, storeKey, map[string]pos.Sums{id: {Amount: amount.Money(), Count: n}})
			})
			if err != nil {
				s.Error(err)
			}
		}
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() { count(s.here, made.ID, 1000, 1) })
		}
		all.Wait()
		count(s.here, made.ID, -250, -1)
		count(s.there, made.ID, 99, 1)
		count(s.here, "unknown", 99, 1)
		s.Write(func(tx *db.Tx) error {
			got, _, err := pos.Find(tx, s.here, made.ID)
			if got.Amount != 197_5000 || got.Count != 19 {
				s.Errorf("counted %s in %d sales", got.Amount, got.Count)
			}
			return err
		})
	})
}

// TestOneIdentifierAtOnce creates and changes points of sale at the same time with the same identifier: one
// succeeds, and the others get ErrTaken.
func TestOneIdentifierAtOnce(t *testing.T) {
	dbtest.Both(t)
	each(t, func(s shops) {
		old := s.mustCreate(s.here, "OLD")
		var got, refused atomic.Int64
		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				err := s.DB.Write(s.Context(), func(tx *db.Tx) error {
					if i == 0 {
						return pos.Change(tx, s.here, old.ID, till("NEW"))
					}
					_, err := pos.Create(tx, s.here, till("NEW"))
					return err
				})
				switch {
				case err == nil:
					got.Add(1)
				case errors.Is(err, pos.ErrTaken):
					refused.Add(1)
				default:
					s.Error(err)
				}
			})
		}
		all.Wait()
		if got.Load() != 1 || refused.Load() != 7 {
			s.Errorf("%d got it, %d were refused", got.Load(), refused.Load())
		}
	})
}
