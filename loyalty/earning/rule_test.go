package earning

import (
	"testing"
	"time"
)

func TestUsableBy(t *testing.T) {
	noon := time.Date(2031, 5, 1, 12, 0, 0, 0, time.UTC)
	hour := func(from, to int) (r Rule) {
		r.Active, r.Type = true, QRCode
		r.StartAt, r.EndAt = noon.Add(time.Duration(from)*time.Hour), noon.Add(time.Duration(to)*time.Hour)
		r.Definition.Levels = []string{"gold"}
		return r
	}
	always := func(edit func(*Rule)) Rule {
		r := Rule{Type: QRCode, Active: true, AllTime: true, Definition: Definition{Levels: []string{"silver", "gold"}}}
		edit(&r)
		return r
	}
	gold := Earner{LevelID: "gold", Segments: []string{"s1", "s2"}, Active: true}
	for _, c := range []struct {
		name string
		rule Rule
		who  Earner
		pos  string
		want bool
	}{
		{"level", always(func(*Rule) {}), gold, "", true},
		{"another level", always(func(r *Rule) { r.Definition.Levels = []string{"silver"} }), gold, "", false},
		{"no level", always(func(*Rule) {}), Earner{Active: true}, "", false},
		{"switched off", always(func(r *Rule) { r.Active = false }), gold, "", false},
		{"segment", always(func(r *Rule) {
			r.Definition.Levels, r.Definition.Segments = nil, []string{"s2", "s3"}
		}), gold, "", true},
		{"another segment", always(func(r *Rule) {
			r.Definition.Levels, r.Definition.Segments = nil, []string{"s3"}
		}), gold, "", false},
		{"customer not active", always(func(*Rule) {}), Earner{LevelID: "gold"}, "", false},
		{"before", hour(1, 2), gold, "", false},
		{"first moment", hour(0, 1), gold, "", true},
		{"last moment", hour(-1, 0), gold, "", true},
		{"after", hour(-2, -1), gold, "", false},
		{"in its point of sale", always(func(r *Rule) { r.Definition.POS = []string{"p1", "p2"} }), gold, "p2", true},
		{"in another", always(func(r *Rule) { r.Definition.POS = []string{"p1"} }), gold, "p2", false},
		{"in none", always(func(r *Rule) { r.Definition.POS = []string{"p1"} }), gold, "", false},
		{"in any", always(func(*Rule) {}), gold, "p9", true},
		{"new account", always(func(r *Rule) {
			r.Type, r.EventName, r.Definition.Levels = Event, accountCreated, nil
		}), Earner{}, "", true},
		{"new account, switched off", always(func(r *Rule) {
			r.Type, r.EventName, r.Active = Event, accountCreated, false
		}), Earner{}, "", false},
		{"new account in another point of sale", always(func(r *Rule) {
			r.Type, r.EventName, r.Definition.POS = Event, accountCreated, []string{"p1"}
		}), Earner{}, "", false},
		{"another event", always(func(r *Rule) { r.Type, r.EventName = Event, loggedIn }), Earner{}, "", false},
		{"a custom event of that name", always(func(r *Rule) {
			r.Type, r.EventName = CustomEvent, accountCreated
		}), Earner{}, "", false},
	} {
		if got := c.rule.UsableBy(c.who, noon, c.pos); got != c.want {
			t.Errorf("%s: usable is %t", c.name, got)
		}
	}
}

func TestBest(t *testing.T) {
	pays := func(id string, points Amount) Rule { return Rule{ID: id, Definition: Definition{Points: points}} }
	if Best(nil) != nil {
		t.Error("a rule was found among none")
	}
	for _, c := range []struct {
		rules []Rule
		want  string
	}{
		{[]Rule{pays("a", 1)}, "a"},
		{[]Rule{pays("a", 1), pays("b", 3), pays("c", 2)}, "b"},
		{[]Rule{pays("a", 3), pays("b", 3)}, "a"},
	} {
		if got := Best(c.rules); got.ID != c.want {
			t.Errorf("%v: %s", c.rules, got.ID)
		}
	}
}
