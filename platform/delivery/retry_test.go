package delivery

import (
	"testing"
	"time"

	"punchcard/platform/outbound"
)

var noon = time.Date(2031, 4, 17, 12, 0, 0, 0, time.UTC)

func TestPause(t *testing.T) {
	var shortest, longest time.Duration
	for failed := 1; failed < Attempts; failed++ {
		low, again := Pause(failed, 0, 0)
		high, _ := Pause(failed, 0.999, 0)
		middle, _ := Pause(failed, 0.5, 0)
		if !again || low >= middle || middle >= high {
			t.Errorf("after %d: %v, %v, %v, again: %t", failed, low, middle, high, again)
		}
		shortest, longest = shortest+low, longest+high
	}
	if shortest < 60*time.Hour || longest > 90*time.Hour {
		t.Errorf("all attempts take %v to %v, want three days", shortest, longest)
	}
	if first, _ := Pause(1, 0.5, 0); first != 5*time.Second {
		t.Errorf("the first pause is %v", first)
	}
	if _, again := Pause(Attempts, 0.5, time.Hour); again {
		t.Error("another attempt after the last")
	}
	for _, c := range []struct{ asked, want time.Duration }{
		{time.Second, 5 * time.Minute}, {time.Hour, time.Hour}, {100 * time.Hour, outbound.MaxRetryAfter},
	} {
		if pause, _ := Pause(2, 0.5, c.asked); pause != c.want {
			t.Errorf("asked for %v: %v, want %v", c.asked, pause, c.want)
		}
	}
	for range 1000 {
		if r := Random(); r < 0 || r >= 1 {
			t.Fatalf("random %v", r)
		}
	}
}

func TestOutcomes(t *testing.T) {
	taken, failed := outbound.Outcome{Status: 200}, outbound.Outcome{Status: 500, Problem: "it answered 500"}
	hopeless := outbound.Outcome{Problem: "nothing to be sent", Hopeless: true}
	for _, c := range []struct {
		name     string
		after    int // attempts that failed
		o        outbound.Outcome
		last     bool
		atLeast  time.Duration // until the next attempt
		attempts int
	}{
		{"taken", 0, taken, true, 0, 1}, {"taken later", 3, taken, true, 0, 4},
		{"failed", 0, failed, false, 4 * time.Second, 1}, {"failed again", 1, failed, false, 4 * time.Minute, 2},
		{"the last", Attempts - 1, failed, true, 0, Attempts}, {"hopeless", 0, hopeless, true, 0, 1},
	} {
		state := Progress{State: "pending", Attempts: c.after + 1, DueAt: noon}
		state.end(c.o, noon, "accepted", "failed")
		wait := time.Duration(0)
		if !state.DueAt.IsZero() {
			wait = state.DueAt.Sub(noon)
		}
		if last := state.Finished(); last != c.last || state.Attempts != c.attempts || !state.AttemptedAt.Equal(noon) ||
			state.Status != c.o.Status || state.Error != c.o.Problem || last != (wait == 0) || wait < c.atLeast {
			t.Errorf("%s: last %t, due after %v: %+v", c.name, last, wait, state)
		}
		want := "pending"
		if c.last {
			want = map[bool]string{true: "accepted", false: "failed"}[c.o.OK()]
		}
		if state.State != want {
			t.Errorf("%s: %s, want %s", c.name, state.State, want)
		}
	}
}
