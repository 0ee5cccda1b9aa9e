package segment

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// explained returns the explanations of all segments for a customer.
func (s *shop) explained(name string) (segments []Segment, views []customerSegment) {
	s.Helper()
	err := store.Read(s.Context(), s.DB, s.Store, func(tx *db.Tx) (err error) {
		if segments, err = s.svc.all(tx, s.Store.Key); err != nil {
			return err
		}
		segments = existing(segments)
		views = make([]customerSegment, len(segments))
		return s.svc.explain(tx, s.Store, s.ids[name], segments, views)
	})
	if err != nil {
		s.Fatal(err)
	}
	return segments, views
}

// expectExplained compares all explanations with the members of the segments.
func (s *shop) expectExplained(names ...string) {
	s.Helper()
	for _, name := range names {
		segments, views := s.explained(name)
		for i := range segments {
			if !segments[i].Active {
				if api.AllPassed(views[i].Explanation) {
					s.Errorf("%s belongs to a segment that is off", name)
				}
				continue
			}
			is := slices.Contains(s.members(segments[i].ID), name)
			if api.AllPassed(views[i].Explanation) != is {
				text, _ := json.Marshal(views[i])
				s.Errorf("%s is a member: %t, explained as %s", name, is, text)
			}
		}
	}
}

// Each criterion explains what it decides.
func TestEveryCriterionIsExplained(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		north, south := s.tills()
		s.people()
		for i, c := range decisions(north, south) {
			s.create(fmt.Sprint("segment ", i), c.lines...)
		}
		s.purchases(north, south)
		var names []string
		for name := range s.ids {
			names = append(names, name)
		}
		s.expectExplained(names...)
		_, views := s.explained("ida")
		text, err := json.Marshal(views)
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range kinds() {
			if kind.hint() == "" {
				t.Errorf("%s has no hint", kind.name())
			}
		}
		if without := strings.Count(string(text), `"passed":false}`); without > 0 {
			t.Errorf("%d criteria have no hint: %s", without, text)
		}
	})
}

// TestMembersAreWhomExplanationsPass shows that a customer is a member exactly if the explanation passes, in random
// histories, one by one and after a rebuild.
func TestMembersAreWhomExplanationsPass(t *testing.T) {
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			clock := dbtest.NewClock(moment(t, "2031-07-03T10:00:00Z"))
			d, stores := dbtest.Open(t, dbtest.Config(t, engine), clock.Now), 0
			rapid.Check(t, func(r *rapid.T) {
				stores++
				s := newShop(t, d, clock, fmt.Sprintf("SHOP%d", stores))
				s.three()
				rules := drawSegment(r)
				s.create("steady", rules...)
				moving := s.create("moving", labelled("a")...)
				for number := range rapid.IntRange(1, 8).Draw(r, "changes") {
					s.step(r, number, moving, rules)
				}
				s.job()
				s.expectExplained("ida", "ole", "kai")
				s.Write(func(tx *db.Tx) error { // so that this store does not slow the next one
					_, err := tx.Exec(`UPDATE stores SET active = FALSE WHERE store_id = $1`, s.Store.Key)
					return err
				})
			})
		})
	}
}
