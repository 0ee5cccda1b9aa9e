package segment

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/transaction"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/fault"
)

// labelled returns the form lines of a segment of customers with a label.
func labelled(key string) []string { return criterion("customer_has_labels", "[labels][0][key]="+key) }

func label(keys ...string) (labels []customer.Label) {
	for _, key := range keys {
		labels = append(labels, customer.Label{Key: key, Value: "v"})
	}
	return labels
}

// three are ida and ole with the label a, and kai with b.
func (s *shop) three() {
	s.Helper()
	for name, key := range map[string]string{"ida": "a", "ole": "a", "kai": "b"} {
		s.customer(customer.Registration{FirstName: name, Email: name + "@example.com", Labels: label(key)})
	}
}

// job runs the job of segments and returns the number of changed memberships.
func (s *shop) job() int64 {
	s.Helper()
	changed, err := store.Everywhere(s.DB, s.svc.RebuildDue)(s.Context())
	if err != nil {
		s.Fatal(err)
	}
	return changed
}

func (s *shop) update(id string, draft Draft) {
	s.Helper()
	s.Write(func(tx *db.Tx) error { return s.svc.Update(tx, s.Store, id, draft) })
}

// rows counts all rows of a segment in segment_members.
func (s *shop) rows(id string) (n int64) {
	s.Helper()
	s.Write(func(tx *db.Tx) (err error) {
		n, err = db.Value[int64](tx, `SELECT COUNT(*) FROM segment_members WHERE store_id = $1 AND segment_id = $2`,
			s.Store.Key, id)
		return err
	})
	return n
}

func TestEachChangeOfACustomerCounts(t *testing.T) {
	dbtest.Both(t)
	eachShop(t, func(t *testing.T, s *shop) {
		s.three()
		a, poor := s.create("a", labelled("a")...), s.create("poor", criterion("transaction_count", "[min]=0", "[max]=0")...)
		s.expect(a, "ida", "ole")
		s.expect(poor, "ida", "kai", "ole")
		s.label("ole", label("b")...)
		s.expect(a, "ida")
		s.label("kai", label("b", "A")...)
		s.expect(a, "ida", "kai")
		s.sell("kai", "1", "2031-07-01 10:00", transaction.Transaction{Items: []transaction.Item{item("TEA", 10)}})
		s.expect(poor, "ida", "ole")
		s.sell("kai", "2", "2031-07-01 10:00", transaction.Transaction{
			Type: transaction.Return, RevisedDocument: "1", Items: []transaction.Item{item("TEA", 10)},
		})
		s.expect(poor, "ida", "kai", "ole")
		s.deactivate("ida")
		s.expect(a, "kai")
		s.delete("kai")
		s.expect(a)
		s.change("ida", func(tx *db.Tx, c *customer.Customer) error { return customer.Activate(tx, s.Store, c.ID) })
		s.expect(a, "ida")
		if changed := s.job(); changed != 0 {
			t.Errorf("the job changed %d", changed)
		}
	})
}

// A document that is assigned later counts from then on.
func TestAssignedDocumentCounts(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		s.three()
		rich := s.create("rich", criterion("transaction_amount", "[fromAmount]=10", "[toAmount]=99")...)
		tea := s.create("tea", criterion("bought_skus", "[skuIds][]=TEA")...)
		s.sell("nobody", "1", "2031-07-01 10:00", transaction.Transaction{Items: []transaction.Item{item("TEA", 10)}})
		s.expect(rich)
		s.Write(func(tx *db.Tx) error {
			who, err := customer.Find(tx, s.Store.Key, s.ids["ida"])
			if err == nil {
				_, err = transaction.Assign(tx, s.Store, "1", who, transaction.Hooks{})
			}
			return err
		})
		s.expect(rich, "ida")
		s.expect(tea, "ida")
	})
}

func TestInactiveSegmentIsFrozenAndEmpty(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		s.three()
		id := s.create("a", labelled("a")...)
		s.activate(id, false)
		s.expect(id)
		s.label("kai", label("a")...)
		s.label("ole")
		if changed := s.job() + s.rebuild(id); changed != 0 {
			t.Errorf("a rebuild changed %d of a frozen segment", changed)
		}
		frozen := func(want ...string) {
			t.Helper()
			var names []string
			s.Write(func(tx *db.Tx) error {
				ids, err := membersAfter(tx, s.Store.Key, id, "", 10, "")
				for _, id := range ids {
					names = append(names, s.names[id])
				}
				sums, totalsErr := totalsOf(tx, s.Store.Key, id)
				if int(sums[id].Members) != len(want) {
					t.Errorf("the totals are %+v", sums[id])
				}
				return errors.Join(err, totalsErr)
			})
			if slices.Sort(names); !slices.Equal(names, want) {
				t.Errorf("frozen are %v, want %v", names, want)
			}
		}
		frozen("ida", "ole")
		s.deactivate("ida")
		frozen("ida", "ole")
		s.delete("ole")
		frozen("ida")
		s.activate(id, true)
		s.expect(id) // no members before the rebuild
		s.rebuild(id)
		s.expect(id, "kai")
	})
}

// New rules replace all members at once; customers who change meanwhile are decided by the new rules.
func TestUpdateShowsNewMembersAtOnce(t *testing.T) {
	dbtest.Both(t)
	eachShop(t, func(t *testing.T, s *shop) {
		s.three()
		id := s.create("a", labelled("a")...)
		s.update(id, s.draft("b", labelled("b")...))
		s.expect(id, "ida", "ole")
		s.label("ida", label("b")...)
		s.customer(customer.Registration{FirstName: "liv", Email: "liv@example.com", Labels: label("b")})
		s.expect(id, "ida", "ole")
		s.deactivate("ole")
		s.expect(id, "ida") // blocked customers are in no segment
		s.rebuild(id)
		s.expect(id, "ida", "kai", "liv")
		if n := s.rows(id); n != 3 {
			t.Errorf("%d rows are left", n)
		}
	})
}

// A rebuild whose segment changes meanwhile writes nothing, and the next one is correct.
func TestOvertakenRebuildGivesUp(t *testing.T) {
	dbtest.Both(t)
	eachShop(t, func(t *testing.T, s *shop) {
		s.three()
		id := s.create("a", labelled("a")...)
		for name, overtake := range map[string]func(){
			"update":     func() { s.update(id, s.draft("a", labelled("a")...)) },
			"deactivate": func() { s.activate(id, false); s.activate(id, true) },
			"rebuild":    func() { s.rebuild(id) },
		} {
			s.update(id, s.draft("a", labelled("b")...))
			early := &rebuild{Service: s.svc, db: s.DB}
			s.Write(func(tx *db.Tx) error { return early.begin(tx, s.Store.Key, id) })
			overtake()
			if _, _, err := early.step(t.Context(), ""); err != nil {
				t.Fatal(err)
			}
			generation := s.find(id).Generation
			s.Write(early.finish)
			if len(early.segments) > 0 {
				t.Errorf("%s: the rebuild goes on", name)
			}
			if now := s.find(id).Generation; now != generation {
				t.Errorf("%s: generation %d follows %d", name, now, generation)
			}
			s.update(id, s.draft("a", labelled("a")...))
			s.job()
			s.expect(id, "ida", "ole")
		}
	})
}

// An interrupted rebuild leaves no visible effect.
func TestCutOffRebuildIsTakenUp(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		s.three()
		id := s.create("a", labelled("a")...)
		for _, key := range []string{"b", "a", "b"} {
			s.update(id, s.draft("a", labelled(key)...))
			cut := &rebuild{Service: s.svc, db: s.DB}
			s.Write(func(tx *db.Tx) error { return cut.begin(tx, s.Store.Key, id) })
			if _, _, err := cut.step(t.Context(), ""); err != nil {
				t.Fatal(err)
			}
			s.expect(id, "ida", "ole")
		}
		s.update(id, s.draft("a", labelled("a")...))
		s.job()
		s.expect(id, "ida", "ole")
		if n := s.rows(id); n != 2 {
			t.Errorf("%d rows are left", n)
		}
	})
}

func TestJobRebuildsWhatIsDue(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		s.customer(customer.Registration{FirstName: "ida", BirthDate: "1990-07-03", Phone: "1"})
		s.customer(customer.Registration{FirstName: "kai", BirthDate: "1990-07-04", Phone: "2", Labels: label("a")})
		other := newShop(t, s.DB, s.clock, "OTHER")
		other.customer(customer.Registration{FirstName: "eva", BirthDate: "1990-07-03", Phone: "1"})
		birthday := criterion("anniversary", "[anniversaryType]=birthday", "[days]=1")
		id, elsewhere := s.create("birthday", birthday...), other.create("birthday", birthday...)
		two := s.create("two parts", append(labelled("a"),
			"[parts][1][criteria][0][type]=anniversary", "[parts][1][criteria][0][anniversaryType]=birthday",
			"[parts][1][criteria][0][days]=1")...)
		for _, step := range []struct {
			name      string
			do        func()
			changed   int64
			here, two string
			there     string
		}{
			{"nothing", func() {}, 0, "ida", "", "eva"},
			{"the same day in the store", func() { s.clock.Set(moment(t, "2031-07-03T21:59:59Z")) }, 0, "ida", "", "eva"},
			{"its next day", func() { s.clock.Set(moment(t, "2031-07-03T22:00:00Z")) }, 4, "kai", "kai", ""},
			{"again", func() {}, 0, "kai", "kai", ""},
			{"parts are alternatives", func() {
				s.Configure(func(settings *store.Settings) { settings.SegmentPartsAreAlternatives = true })
			}, 0, "kai", "kai", ""},
			{"a zone where it is yesterday", func() {
				s.Configure(func(settings *store.Settings) { settings.Timezone = "UTC" })
			}, 3, "ida", "ida kai", ""},
			{"switched off", func() { s.activate(two, false) }, 0, "ida", "", ""},
			{"switched on", func() { s.activate(two, true) }, 0, "ida", "ida kai", ""},
		} {
			step.do()
			if changed := s.job(); changed != step.changed {
				t.Errorf("%s: %d memberships changed", step.name, changed)
			}
			s.expect(id, strings.Fields(step.here)...)
			s.expect(two, strings.Fields(step.two)...)
			other.expect(elsewhere, strings.Fields(step.there)...)
		}
	})
}

func TestDeletedSegmentLeavesNothing(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		s.three()
		id := s.create("list", criterion("customer_list",
			"[customers][]=ida@example.com", "[customers][]=kai@example.com")...)
		s.expect(id, "ida", "kai")
		s.Write(func(tx *db.Tx) error { return s.svc.Delete(tx, s.Store, id) })
		s.expect(id)
		s.label("ida", label("b")...)
		s.Write(func(tx *db.Tx) error {
			if _, err := s.svc.find(tx, s.Store.Key, id); !errors.Is(err, fault.ErrNotFound) {
				t.Errorf("found, %v", err)
			}
			names, err := Names(tx, s.Store.Key, id)
			if len(names) > 0 {
				t.Errorf("named %v", names)
			}
			return err
		})
		s.create("list", labelled("a")...) // its name is free
		s.job()
		for _, table := range []string{"segments", "segment_members", "segment_figures", "segment_lists"} {
			s.Write(func(tx *db.Tx) error {
				n, err := db.Value[int64](tx, `SELECT COUNT(*) FROM `+table+` WHERE segment_id = $1`, id)
				if n != 0 {
					t.Errorf("%d rows are left in %s", n, table)
				}
				return err
			})
		}
	})
}

// crowd registers customers, alternately with the labels even and odd.
func (s *shop) crowd(n int) (even, odd []string) {
	s.Helper()
	s.Write(func(tx *db.Tx) error {
		for i := range n {
			name := fmt.Sprintf("c%04d", i)
			labels, group := label("even"), &even
			if i%2 == 1 {
				labels, group = label("odd"), &odd
			}
			c, err := customer.Register(tx, s.Store, customer.Registration{
				FirstName: name, Email: name + "@example.com", Labels: labels, Active: true,
			})
			if err != nil {
				return err
			}
			s.ids[name], s.names[c.ID] = c.ID, name
			*group = append(*group, name)
		}
		return nil
	})
	return even, odd
}

// While rules and customers change, readers see the members by the old rules or by the new ones, never a mix, and in
// the end the same as after a full rebuild.
func TestNoReaderSeesHalfARebuild(t *testing.T) {
	dbtest.Both(t)
	eachShop(t, func(t *testing.T, s *shop) {
		even, odd := s.crowd(chunk + 200)
		id := s.create("crowd", labelled("even")...)
		busy := s.create("busy", labelled("busy")...)
		var writers, readers sync.WaitGroup
		done := make(chan struct{})
		for n := range 3 {
			writers.Go(func() { // changes nothing that the rules of the crowd read
				random := rand.New(rand.NewPCG(1, uint64(n)))
				for range 40 {
					i := random.IntN(chunk + 200)
					name, keys := fmt.Sprintf("c%04d", i), []string{[]string{"even", "odd"}[i%2]}
					if random.IntN(2) == 0 {
						keys = append(keys, "busy")
					}
					s.label(name, label(keys...)...)
				}
			})
		}
		for range 2 {
			readers.Go(func() {
				for {
					select {
					case <-done:
						return
					default:
					}
					if got := s.members(id); !slices.Equal(got, even) && !slices.Equal(got, odd) {
						t.Errorf("%d members are seen, of %d and %d", len(got), len(even), len(odd))
						return
					}
				}
			})
		}
		for i := range 6 {
			s.update(id, s.draft("crowd", labelled([]string{"odd", "even"}[i%2])...))
			s.rebuild(id)
		}
		writers.Wait()
		close(done)
		readers.Wait()
		s.expect(id, even...)
		again := s.create("again", labelled("busy")...)
		s.expect(busy, s.members(again)...)
	})
}

// Members decided one by one, after each change, are the same as after a rebuild.
func TestRebuildIsTheFoldOfRechecks(t *testing.T) {
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			clock := dbtest.NewClock(moment(t, "2031-07-03T10:00:00Z"))
			d, stores := dbtest.Open(t, dbtest.Config(t, engine), clock.Now), 0
			rapid.Check(t, func(r *rapid.T) {
				stores++
				s := newShop(t, d, clock, fmt.Sprintf("SHOP%d", stores))
				s.three()
				one := drawSegment(r)
				steady := s.create("steady", one...)
				moving := s.create("moving", labelled("a")...)
				for number := range rapid.IntRange(1, 8).Draw(r, "changes") {
					s.step(r, number, moving, one)
				}
				s.job()
				after := s.create("after", one...)
				s.expect(after, s.members(steady)...)
				s.expect(steady, s.members(after)...)
				if s.find(moving).Open && slices.Equal(one, labelled("a")) {
					s.expect(moving, s.members(after)...)
				}
				s.Write(func(tx *db.Tx) error { // so that this store does not slow the next one
					_, err := tx.Exec(`UPDATE stores SET active = FALSE WHERE store_id = $1`, s.Store.Key)
					return err
				})
			})
		})
	}
}

// drawSegment draws rules about labels and purchases.
func drawSegment(r *rapid.T) []string {
	return rapid.SampledFrom([][]string{
		labelled("a"), labelled("b"), criterion("transaction_count", "[min]=1", "[max]=2"),
		criterion("transaction_amount", "[fromAmount]=0", "[toAmount]=15"), criterion("bought_skus", "[skuIds][]=TEA"),
		criterion("purchase_period", "[fromDate]=2031-07-01", "[toDate]=2031-07-01"),
		criterion("customer_list", "[customers][]=ida@example.com"),
	}).Draw(r, "rules")
}

// step applies a random change to a customer or to the segment.
func (s *shop) step(r *rapid.T, number int, moving string, rules []string) {
	name := rapid.SampledFrom([]string{"ida", "ole", "kai"}).Draw(r, "name")
	switch rapid.IntRange(0, 6).Draw(r, "what") {
	case 0:
		s.label(name, label(rapid.SampledFrom([]string{"a", "b", "c"}).Draw(r, "label"))...)
	case 1, 2:
		s.sell(name, fmt.Sprint(number), fmt.Sprintf("2031-07-0%d 12:00", number%2+1),
			transaction.Transaction{Items: []transaction.Item{item([]string{"TEA", "CUP"}[number%2], 10)}})
	case 3:
		s.change(name, func(tx *db.Tx, c *customer.Customer) error {
			if c.IsActive() {
				return customer.Deactivate(tx, s.Store, c.ID)
			}
			return customer.Activate(tx, s.Store, c.ID)
		})
	case 4:
		s.update(moving, s.draft("moving", rules...))
	case 5:
		s.activate(moving, rapid.Bool().Draw(r, "active"))
	case 6:
		s.rebuild(moving)
	}
}
