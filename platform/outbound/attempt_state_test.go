package outbound_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"punchcard/platform/outbound"
)

func TestTry(t *testing.T) {
	status := http.StatusOK
	address := receiver(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(status)
	})
	for _, c := range []struct {
		status        int
		problem       string
		refused, gone bool
	}{
		{204, "", false, false}, {503, "the gateway answered 503", false, false},
		{422, "the gateway answered 422", true, false}, {410, "the gateway answered 410", true, true},
	} {
		status = c.status
		got := client(t, nil).Try(t.Context(), outbound.Call{URL: address}, "gateway")
		want := outbound.Outcome{
			Status: c.status, RetryAfter: 7 * time.Second, Problem: c.problem, Refused: c.refused, Gone: c.gone,
		}
		if got != want || got.OK() != (c.problem == "") {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
}

// What a receiver says that is no HTTP is quoted shortly, and never with a half of a character.
func TestTryOfGarbage(t *testing.T) {
	for _, said := range []string{strings.Repeat("ż", 600), "a" + strings.Repeat("ż", 600)} {
		address := receiver(t, func(w http.ResponseWriter, _ *http.Request) {
			connection, _, err := http.NewResponseController(w).Hijack()
			if err == nil {
				_, err = io.WriteString(connection, said+"\r\n\r\n")
				err = errors.Join(err, connection.Close())
			}
			if err != nil {
				t.Error(err)
			}
		})
		got := client(t, nil).Try(t.Context(), outbound.Call{URL: address}, "gateway")
		if got.Status != 0 || got.OK() || !utf8.ValidString(got.Problem) ||
			len(got.Problem) > 500 || len(got.Problem) < 490 {
			t.Errorf("%d bytes: %+v", len(got.Problem), got)
		}
	}
}

func TestTries(t *testing.T) {
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
		{"the last", outbound.Attempts - 1, failed, true, 0, outbound.Attempts}, {"hopeless", 0, hopeless, true, 0, 1},
	} {
		state := outbound.AttemptState{Attempts: c.after, DueAt: noon}
		state.Begin(noon)
		last := state.End(c.o, noon)
		wait := time.Duration(0)
		if !state.DueAt.IsZero() {
			wait = state.DueAt.Sub(noon)
		}
		if last != c.last || state.Attempts != c.attempts || !state.AttemptedAt.Equal(noon) ||
			state.Status != c.o.Status || state.Error != c.o.Problem || last != (wait == 0) || wait < c.atLeast {
			t.Errorf("%s: last %t, due after %v: %+v", c.name, last, wait, state)
		}
	}
}
