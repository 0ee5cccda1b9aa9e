package earning

import (
	"testing"

	"punchcard/loyalty/customer"
	"punchcard/loyalty/segment"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// labelled adds an active segment of the customers with the label.
func (s *shop) labelled(key string) string {
	s.t.Helper()
	var made *segment.Segment
	s.write(func(tx *db.Tx) (err error) {
		criterion := segment.Criterion{
			Type: "customer_has_labels", Fields: &segment.HasLabels{Labels: []segment.Label{{Key: key}}},
		}
		made, err = segment.New().Create(tx, s.store, segment.Draft{
			Name: key, Active: true, Parts: []segment.Part{{Criteria: []segment.Criterion{criterion}}},
		})
		return err
	})
	if _, err := segment.New().Rebuild(background, s.db, s.store.Key, made.ID); err != nil {
		s.t.Fatal(err)
	}
	return made.ID
}

// A rule of a segment pays its members as long as the segment is switched on.
func TestRuleOfASegment(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		in := s.customer(func(r *customer.Registration) { r.Labels = []customer.Label{{Key: "vip", Value: "1"}} })
		out, id := s.customer(), s.labelled("vip")
		s.rule(CustomEvent, 5, named("visit"), func(r *Rule) {
			r.Definition.Levels, r.Definition.Segments = nil, []string{id}
		})
		if got := s.report(in, "visit"); got != "5" {
			t.Errorf("a member: %s", got)
		}
		if got := s.report(out, "visit"); got != "event does not exist" {
			t.Errorf("somebody else: %s", got)
		}
		s.write(func(tx *db.Tx) error { return segment.New().SetActive(tx, s.store, id, false) })
		if got := s.report(in, "visit"); got != "event does not exist" {
			t.Errorf("a member of a segment that is switched off: %s", got)
		}
	})
}
