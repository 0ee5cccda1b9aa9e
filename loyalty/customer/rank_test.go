package customer

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"punchcard/core/api"
	"punchcard/loyalty/level"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/decimal"
)

// rank runs the job.
func (s *shop) rank() {
	s.Helper()
	if _, err := Rank(s.Context(), s.DB, s.Store); err != nil {
		s.Fatal(err)
	}
}

// misplaced returns what checkRanks finds.
func (s *shop) misplaced() (found []string) {
	s.Helper()
	s.Write(func(tx *db.Tx) error {
		return checkRanks(tx, func(_ int64, id, is, want string) { found = append(found, id+": "+is+", want "+want) })
	})
	return found
}

// give changes the points and purchases of a customer in one operation.
func (s *shop) give(id string, amount decimal.Hundredths, spent int64, at time.Time) {
	s.Helper()
	s.Write(func(tx *db.Tx) error {
		wallets, err := points.Lock(tx, points.Owner{Store: s.Store, CustomerID: id})
		if err != nil {
			return err
		}
		w := wallets.Of(points.Owner{Store: s.Store, CustomerID: id})
		if amount > 0 {
			w.Add(points.Grant{Value: amount, Issuer: points.BySystem, CreatedAt: tx.Now()})
		}
		c, err := LockRow(tx, s.Store.Key, id)
		if err != nil {
			return err
		}
		c.Purchases = c.Purchases.Plus(Purchases{Count: 1, Amount: decimal.Whole(spent).Money(), LastAt: at})
		if err := SavePurchases(tx, c); err != nil {
			return err
		}
		return wallets.Save()
	})
}

// sorted returns the first names of a list.
func (s *shop) sorted(f Filter, page api.Page) string {
	s.Helper()
	var names []string
	s.Write(func(tx *db.Tx) error {
		levels, err := level.All(tx, s.Store.Key)
		if err != nil {
			return err
		}
		found, _, err := f.List(tx, s.Store.Key, levels, page)
		for i := range found {
			names = append(names, found[i].FirstName)
		}
		return err
	})
	return strings.Join(names, " ")
}

// The list is sorted by points, spend, last purchase and level in both directions, with filters and pages. Customers
// keep their places until the job has run, and deleted ones leave at once.
func TestSortedLists(t *testing.T) {
	dbtest.Both(t)
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d, "RANKS")
		var ids []string
		for i, name := range []string{"Ada", "Bo", "Cy", "Di"} {
			in := Registration{FirstName: name, Email: name + "@example.com", Active: true}
			if i%2 == 1 {
				in.LevelID = s.gold
			}
			ids = append(ids, s.register(in).ID)
		}
		s.give(ids[0], 30, 5, now.Add(-time.Hour))
		s.give(ids[1], 10, 9, now.Add(-3*time.Hour))
		s.give(ids[2], 20, 1, now.Add(-2*time.Hour))
		if got := s.sorted(Filter{}, api.Page{Limit: 9, Sort: "points"}); got != "" {
			t.Errorf("before the job: %s", got)
		}
		s.rank()
		some := Filter{}
		some.AddText("email", "@example.com")
		for _, c := range []struct{ sort, up, down string }{
			{"points", "Di Bo Cy Ada", "Ada Cy Bo Di"},
			{"spent", "Di Cy Ada Bo", "Bo Ada Cy Di"},
			{"lastPurchaseAt", "Di Bo Cy Ada", "Ada Cy Bo Di"},
			{"level", "Ada Cy Bo Di", "Di Bo Cy Ada"},
		} {
			for _, f := range []Filter{{}, some} {
				if got := s.sorted(f, api.Page{Limit: 9, Sort: c.sort}); got != c.up {
					t.Errorf("%s: %s, want %s", c.sort, got, c.up)
				}
				if got := s.sorted(f, api.Page{Limit: 9, Sort: c.sort, Descending: true}); got != c.down {
					t.Errorf("%s descending: %s, want %s", c.sort, got, c.down)
				}
				if got, want := s.sorted(f, api.Page{Limit: 2, Offset: 1, Sort: c.sort}),
					strings.Join(strings.Fields(c.up)[1:3], " "); got != want {
					t.Errorf("%s, the second and third: %s, want %s", c.sort, got, want)
				}
			}
		}
		if err := s.lockedDo(ids[2], func(tx *db.Tx, c *Customer, _ points.Account) error {
			return Delete(tx, s.Store, c)
		}); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if got := s.sorted(Filter{}, api.Page{Limit: 9, Sort: "points"}); got != "Di Bo Ada" {
				t.Errorf("without a deleted one: %s", got)
			}
			if found := s.misplaced(); len(found) > 0 {
				t.Error(found)
			}
			s.rank()
		}
	})
}

// A list of so many customers that it is read along the index of the rank equals one that is sorted.
func TestSortedByEitherPlan(t *testing.T) {
	dbtest.Both(t)
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d, "PLANS")
		var ids []string
		for i := range 20 {
			ids = append(ids, s.register(Registration{FirstName: fmt.Sprint(i), Active: i%3 > 0}).ID)
			s.give(ids[i], decimal.Hundredths(i*7%5), int64(i*3%4), now.Add(-time.Duration(i*11%7)*time.Hour))
		}
		s.rank()
		f := Filter{status: Active}
		for sort, column := range ranked {
			for _, page := range []api.Page{{Limit: 30, Sort: sort}, {Limit: 5, Offset: 4, Sort: sort, Descending: true}} {
				s.Write(func(tx *db.Tx) error {
					few, err := f.pageByRank(tx, s.Store.Key, 1, column, page)
					if err != nil {
						return err
					}
					many, err := f.pageByRank(tx, s.Store.Key, fewSelected+1, column, page)
					same := slices.EqualFunc(few, many, func(a, b Customer) bool { return a.ID == b.ID })
					if !same || len(few) == 0 {
						t.Errorf("%s: %d and %d customers differ", sort, len(few), len(many))
					}
					return err
				})
			}
		}
	})
}

// While customers change in a rush and the job runs beside them, nobody is misplaced whom the job would not visit.
func TestRanksInARush(t *testing.T) {
	dbtest.Both(t)
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d, "RUSH")
		var ids []string
		for range 6 {
			ids = append(ids, s.register(Registration{Active: true}).ID)
		}
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				for range 15 {
					s.give(ids[rand.IntN(len(ids))], decimal.Hundredths(rand.IntN(5)), rand.Int64N(4), now)
				}
			})
		}
		all.Go(func() {
			for range 10 {
				s.rank()
			}
		})
		all.Wait()
		if found := s.misplaced(); len(found) > 0 {
			t.Errorf("after the rush: %v", found)
		}
		s.rank()
		s.Write(func(tx *db.Tx) error {
			moved, err := points.ReadMoved(tx, s.Store.Key, 1)
			if len(moved) > 0 {
				t.Errorf("left after the job: %v", moved)
			}
			return err
		})
		if found := s.misplaced(); len(found) > 0 {
			t.Errorf("after the job: %v", found)
		}
	})
}
