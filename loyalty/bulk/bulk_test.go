package bulk

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"punchcard/loyalty/customer"
	"punchcard/loyalty/level"
	"punchcard/loyalty/level/shoptest"
	"punchcard/loyalty/points"
	"punchcard/loyalty/segment"
	"punchcard/platform/check"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

var now = time.Date(2031, 7, 3, 10, 0, 0, 0, time.UTC)

// shop is a store with customers whose e-mail addresses begin with their numbers.
type shop struct {
	*shoptest.Shop
	svc *Service
	ids []string
}

func open(t *testing.T, d *db.DB, customers int) *shop {
	t.Helper()
	s := &shop{
		Shop: shoptest.Open(t, d, "BULK", nil, level.Level{Active: true}),
		svc:  New(segment.New()),
	}
	for i := range customers {
		s.Write(func(tx *db.Tx) error {
			c, err := customer.Register(tx, s.Store, customer.Registration{
				Email: fmt.Sprintf("%d@example.com", i), FirstName: []string{"Even", "Odd"}[i%2], Active: true,
			})
			if err == nil {
				s.ids = append(s.ids, c.ID)
			}
			return err
		})
	}
	return s
}

func each(t *testing.T, customers int, run func(s *shop)) {
	t.Helper()
	dbtest.EachAt(t, func() time.Time { return now }, func(t *testing.T, d *db.DB) { run(open(t, d, customers)) })
}

// begin stores an action without carrying it out.
func (s *shop) begin(kind string, details Details, selection Selection) string {
	s.Helper()
	var id string
	s.Write(func(tx *db.Tx) error {
		id = tx.NewID()
		a := Action{StoreKey: s.Store.Key, ID: id, Kind: kind, State: Running, Details: details, Selection: selection,
			Total: 1, CreatedAt: tx.Now()}
		return table.Insert(tx, &a)
	})
	return id
}

func (s *shop) work() {
	s.Helper()
	if _, err := s.svc.Work(s.Context(), s.DB, s.Store); err != nil {
		s.Fatal(err)
	}
}

// find returns an action, after it was compared with its effects.
func (s *shop) find(id string) *Action {
	s.Helper()
	var a *Action
	s.Read(func(tx *db.Tx) (err error) {
		a, err = findAction(tx, s.Store.Key, id)
		return err
	})
	_, err := check.Run(s.Context(), s.DB, s.svc.Feature().Rules, check.Report{
		Begin: func(string, int, int) {}, More: func(string, int64) {},
		Finding: func(f check.Finding) { s.Error(f.String()) },
	})
	if err != nil {
		s.Fatal(err)
	}
	return a
}

// expect compares the numbers of an action: visited, changed, undone, remaining.
func (s *shop) expect(id, state string, want ...int64) {
	s.Helper()
	a := s.find(id)
	if got := []int64{a.Visited, a.Changed, a.Undone, a.Remaining}; a.State != state || !slices.Equal(got, want) {
		s.Errorf("%s: %s %v, want %s %v", a.Kind, a.State, got, state, want)
	}
}

func (s *shop) undo(id string) {
	s.Helper()
	s.Write(func(tx *db.Tx) error {
		a, err := lockAction(tx, s.Store.Key, id)
		if err != nil {
			return err
		}
		a.State, a.After, a.FinishedAt = Undoing, "", time.Time{}
		return save(tx, a)
	})
	s.work()
}

// left returns the reasons of the customers whom the action has left, by their position.
func (s *shop) left(id string) string {
	s.Helper()
	var all []string
	s.Read(func(tx *db.Tx) error {
		return effectTable.Each(tx, func(e effect) {
			all = append(all, fmt.Sprintf("%d %s %s", slices.Index(s.ids, e.customerID), e.result, e.outcome))
		}, `SELECT * `+leftEffects+` ORDER BY customer_id`, s.Store.Key, id)
	})
	return strings.Join(all, ", ")
}

func (s *shop) setLabels(of int, labels ...customer.Label) {
	s.Helper()
	s.Write(func(tx *db.Tx) error {
		c, _, err := customer.Lock(tx, s.Store, s.ids[of])
		if err != nil {
			return err
		}
		return customer.SetLabels(tx, s.Store, c, labels)
	})
}

func (s *shop) labels(of int) string {
	s.Helper()
	var labels []customer.Label
	s.Read(func(tx *db.Tx) error {
		c, err := customer.Find(tx, s.Store.Key, s.ids[of])
		if err == nil {
			labels = c.Labels
		}
		return err
	})
	return fmt.Sprint(labels)
}

func (s *shop) balance(of int) points.Amount {
	s.Helper()
	var account points.Account
	s.Read(func(tx *db.Tx) (err error) {
		account, err = points.Balance(tx, s.Store, s.ids[of])
		return err
	})
	return account.Points
}

var vip = customer.Label{Key: "vip", Value: "yes"}

// A label goes to those whom the filter selects. Undoing takes it from them, but not from those who had it before, and
// reports those who lost it meanwhile.
func TestLabels(t *testing.T) {
	each(t, 7, func(s *shop) {
		s.setLabels(2, vip)
		add := s.begin("addLabel", Details{Label: &vip}, Selection{All: true, Filter: "firstName=even"})
		s.work()
		s.expect(add, Finished, 4, 3, 0, 0)
		if got := s.left(add); got != "2 unchanged " {
			t.Errorf("left: %s", got)
		}
		if a := s.find(add); a.Selection.Filter != "" {
			t.Errorf("the filter %s was kept", a.Selection.Filter)
		}
		s.setLabels(4)
		s.undo(add)
		s.expect(add, Undone, 4, 3, 2, 1)
		if s.labels(0) != "[]" || s.labels(2) != fmt.Sprint([]customer.Label{vip}) || s.labels(1) != "[]" {
			t.Errorf("labels: %s, %s, %s", s.labels(0), s.labels(1), s.labels(2))
		}
		if got := s.left(add); got != "2 unchanged , 4 done changed" {
			t.Errorf("left by undoing: %s", got)
		}
		remove := s.begin("removeLabel", Details{Label: &vip}, Selection{Customers: db.Distinct(s.ids)})
		s.work()
		s.expect(remove, Finished, 7, 1, 0, 0)
		s.undo(remove)
		if s.labels(2) != fmt.Sprint([]customer.Label{vip}) {
			t.Errorf("the label did not return: %s", s.labels(2))
		}
	})
}

// Points go to everybody once, also if nodes work at the same time and an action was interrupted. Undoing cancels what
// was not spent, and what was taken comes back.
func TestPointsOnce(t *testing.T) {
	dbtest.Both(t)
	each(t, 2*chunk+5, func(s *shop) {
		give := s.begin("givePoints", Details{Points: 1000, Comment: "Thanks"}, Selection{All: true})
		if _, more, err := s.svc.step(s.Context(), s.DB, s.Store, give); err != nil || !more {
			t.Fatal(more, err)
		}
		var all sync.WaitGroup
		for range 3 {
			all.Go(s.work)
		}
		all.Wait()
		s.expect(give, Finished, 2*chunk+5, 2*chunk+5, 0, 0)
		for i := range s.ids {
			if s.balance(i) != 1000 {
				t.Errorf("customer %d has %s points", i, s.balance(i))
			}
		}
		s.forget(0)
		if got := s.find(give).Details.Comment; got != "" {
			t.Errorf("the comment %q is left when a customer is anonymized", got)
		}
		take := s.begin("takePoints", Details{Points: 400, Comment: "Sorry"}, Selection{Customers: db.Distinct(s.ids[:2])})
		more := s.begin("takePoints", Details{Points: 700}, Selection{Customers: db.Distinct(s.ids[1:3])})
		s.work()
		s.expect(take, Finished, 2, 2, 0, 0)
		s.expect(more, Finished, 2, 1, 0, 0)
		if got := s.left(more); got != "1 notEnough " {
			t.Errorf("left: %s", got)
		}
		if s.forget(2); s.find(take).Details.Comment != "Sorry" {
			t.Error("the comment of an action that had nothing to do with a customer is gone")
		}
		s.undo(take)
		s.expect(take, Undone, 2, 2, 2, 0)
		s.undo(give)
		s.expect(give, Undone, 2*chunk+5, 2*chunk+5, 2*chunk+4, 1)
		if got := s.left(give); got != "2 done partly" || s.balance(0) != 0 || s.balance(2) != 0 {
			t.Errorf("left by undoing: %s; %s and %s points", got, s.balance(0), s.balance(2))
		}
	})
}

// forget clears what actions have kept of a customer.
func (s *shop) forget(of int) {
	s.Write(func(tx *db.Tx) error {
		next, err := Forget(tx, s.Store, s.ids[of], "")
		if next != "" {
			s.Errorf("a few actions go on at %s", next)
		}
		return err
	})
}

// A stopped action does nothing more, and can be undone.
func TestStop(t *testing.T) {
	each(t, chunk+1, func(s *shop) {
		give := s.begin("givePoints", Details{Points: 100}, Selection{Customers: db.Distinct(s.ids)})
		if _, _, err := s.svc.step(s.Context(), s.DB, s.Store, give); err != nil {
			t.Fatal(err)
		}
		s.Write(func(tx *db.Tx) error {
			a, err := lockAction(tx, s.Store.Key, give)
			if err != nil {
				return err
			}
			a.end(tx, Stopped)
			return save(tx, a)
		})
		s.work()
		s.expect(give, Stopped, chunk, chunk, 0, 0)
		s.undo(give)
		s.expect(give, Undone, chunk, chunk, chunk, 0)
	})
}

// Customers join the list of a segment, and leave it when that is undone. A segment without a list stops the action.
func TestSegment(t *testing.T) {
	each(t, 3, func(s *shop) {
		var listed, other *segment.Segment
		s.Write(func(tx *db.Tx) (err error) {
			listed, err = s.svc.segments.Create(tx, s.Store, segment.Draft{Name: "Listed", Active: true, Parts: []segment.Part{{
				Criteria: []segment.Criterion{{Type: "customer_list", Fields: &segment.CustomerList{Customers: s.ids[:1]}}},
			}}})
			if err == nil {
				other, err = s.svc.segments.Create(tx, s.Store, segment.Draft{Name: "Other", Active: true, Parts: []segment.Part{{
					Criteria: []segment.Criterion{{Type: "customer_consent", Fields: &segment.Consent{Agreement: "agreement1"}}},
				}}})
			}
			return err
		})
		if _, err := s.svc.segments.Rebuild(s.Context(), s.DB, s.Store.Key, ""); err != nil {
			t.Fatal(err)
		}
		members := func() (n int) {
			s.Read(func(tx *db.Tx) error {
				ids, err := segment.Members(tx, s.Store.Key, listed.ID, "", 10)
				n = len(ids)
				return err
			})
			return n
		}
		add := s.begin("addToSegment", Details{SegmentID: listed.ID}, Selection{All: true})
		s.work()
		s.expect(add, Finished, 3, 2, 0, 0)
		if members() != 3 {
			t.Errorf("%d members", members())
		}
		s.undo(add)
		s.expect(add, Undone, 3, 2, 2, 0)
		if members() != 1 {
			t.Errorf("%d members after undoing", members())
		}
		fails := s.begin("addToSegment", Details{SegmentID: other.ID}, Selection{All: true})
		s.work()
		s.expect(fails, Stopped, 0, 0, 0, 0)
	})
}

// Actions that ended long ago are deleted with their effects.
func TestExpire(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		clock := dbtest.NewClock(now)
		s := open(t, dbtest.Open(t, dbtest.Config(t, engine), clock.Now), 2)
		id := s.begin("addLabel", Details{Label: &vip}, Selection{All: true})
		s.work()
		for _, days := range []int{89, 2} {
			s.find(id)
			clock.Advance(time.Duration(days) * 24 * time.Hour)
			if _, err := Expire(s.Context(), s.DB, s.Store); err != nil {
				t.Fatal(err)
			}
		}
		s.Read(func(tx *db.Tx) error {
			n, err := db.Value[int64](tx, `SELECT COUNT(*) FROM bulk_effects WHERE store_id = $1`, s.Store.Key)
			if _, missing := findAction(tx, s.Store.Key, id); missing == nil || n > 0 {
				t.Errorf("the action or %d of its effects are left", n)
			}
			return err
		})
	})
}
