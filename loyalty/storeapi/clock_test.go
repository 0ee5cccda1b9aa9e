package storeapi_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/identity/auth"
	"punchcard/loyalty/identity/auth/authtest"
	"punchcard/loyalty/storeapi"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/outbound"
)

// journal records the work on one database, with store and time. The work returns failure.
type journal struct {
	mutex   sync.Mutex
	done    []string
	failure error
}

// journals are the journals of a test by the names of the databases.
type journals map[string]*journal

func newJournals() journals {
	all := journals{}
	for _, engine := range dbtest.Engines {
		all[engine] = &journal{}
	}
	return all
}

// endpoints returns the endpoints with work that is recorded.
func (j journals) endpoints(*auth.Auth) []api.Endpoint {
	note := func(name string) store.Job {
		return store.Job{Name: name, Work: func(ctx context.Context, d *db.DB, s *store.Store) (int64, error) {
			own := j[d.Engine()]
			own.mutex.Lock()
			defer own.mutex.Unlock()
			err := store.Write(ctx, d, s, func(tx *db.Tx) error {
				own.done = append(own.done, name+" of "+s.Code+" at "+tx.Now().Format(time.DateTime))
				return nil
			})
			if err == nil {
				err = own.failure
			}
			return 7, err
		}}
	}
	return storeapi.Endpoints(outbound.NewClient(outbound.Config{}), storeapi.Parts{
		ReservedCodes: func() []string { return nil },
		Due:           func() []store.Job { return []store.Job{note("first"), note("second")} },
	})
}

// open adds a store by its code, a sandbox or not.
func open(t *testing.T, s *authtest.Site, token, code, sandbox string) {
	t.Helper()
	made := s.Send(token, "POST", "/api/store", "store[code]", code, "store[name]", code, "store[currency]", "EUR",
		"store[active]", "1", "store[sandbox]", sandbox)
	if made.Status != 200 {
		t.Fatalf("%s: %d %s", code, made.Status, made.Body)
	}
}

// TestMovedClock moves the clock of a sandbox: this node sees it at once, another within a second, other stores never.
func TestMovedClock(t *testing.T) {
	all := newJournals()
	authtest.Each(t, all.endpoints, func(t *testing.T, s *authtest.Site) {
		own := all[s.DB.Engine()]
		other := s.Start(t)
		token := s.Administrator("full")
		open(t, s, token, "TRY", "1")
		open(t, s, token, "TOO", "1")
		began := s.Clock.Now()
		at := func(n *authtest.Node, code string) time.Time {
			t.Helper()
			got := n.Send(token, "GET", "/api/"+code+"/admin/clock")
			moment, err := time.Parse("2006-01-02T15:04:05-0700", got.Member("now"))
			if err != nil {
				t.Fatalf("%s: %d %s", code, got.Status, got.Body)
			}
			return moment.UTC()
		}
		expect := func(n *authtest.Node, code string, ahead time.Duration) {
			t.Helper()
			if got, want := at(n, code), s.Clock.Now().Add(ahead).Truncate(time.Second); !got.Equal(want) {
				t.Errorf("the clock of %s is %s, want %s", code, got, want)
			}
		}
		s.Clock.Advance(time.Second)
		expect(other, "TRY", 0)
		const month = 31 * 24 * time.Hour
		to := began.Add(month).Format("2006-01-02 15:04:05")
		moved := s.Send(token, "POST", "/api/TRY/admin/clock", "clock[to]", to)
		if moved.Status != 200 || !strings.Contains(moved.Body,
			`"done":[{"job":"first","handled":7},{"job":"second","handled":7}],"complete":true`) {
			t.Fatalf("%d %s", moved.Status, moved.Body)
		}
		ahead := month - time.Second
		want := []string{"first of TRY at " + to, "second of TRY at " + to}
		if !slices.Equal(own.done, want) {
			t.Errorf("done %q, want %q", own.done, want)
		}
		expect(s.Node, "TRY", ahead)
		expect(s.Node, "TOO", 0)
		expect(other, "TRY", 0)
		s.Clock.Advance(time.Second)
		expect(other, "TRY", ahead)
		// The other node moves the stored clock, whatever it has cached.
		s.Send(token, "POST", "/api/TRY/admin/clock", "clock[forward]", "PT30S")
		if got := other.Send(token, "POST", "/api/TRY/admin/clock", "clock[forward]", "P1D"); got.Status != 200 {
			t.Errorf("%d %s", got.Status, got.Body)
		}
		expect(other, "TRY", ahead+30*time.Second+24*time.Hour)
		own.failure = errors.New("no more")
		got := s.Send(token, "POST", "/api/TRY/admin/clock", "clock[forward]", "PT1H")
		if got.Status != 200 || !strings.Contains(got.Body, `"complete":false`) {
			t.Errorf("work that fails: %d %s", got.Status, got.Body)
		}
		expect(s.Node, "TRY", ahead+30*time.Second+25*time.Hour)
		if got := s.Send(token, "GET", "/api/DEFAULT/admin/clock"); got.Status != 400 {
			t.Errorf("an ordinary store: %d %s", got.Status, got.Body)
		}
	})
}

// TestRefusedMoves shows that refused moves leave the clock unchanged.
func TestRefusedMoves(t *testing.T) {
	all := newJournals()
	authtest.Each(t, all.endpoints, func(t *testing.T, s *authtest.Site) {
		own := all[s.DB.Engine()]
		token := s.Administrator("full")
		open(t, s, token, "TRY", "1")
		open(t, s, token, "SHOP", "0")
		before := s.Send(token, "GET", "/api/TRY/admin/clock")
		for _, c := range []struct {
			token, store string
			status       int
			fields       []string
		}{
			{token, "TRY", 400, nil},
			{token, "TRY", 400, []string{"clock[forward]", ""}},
			{token, "TRY", 400, []string{"clock[forward]", "P"}},
			{token, "TRY", 400, []string{"clock[forward]", "PT"}},
			{token, "TRY", 400, []string{"clock[forward]", "P1DT"}},
			{token, "TRY", 400, []string{"clock[forward]", "-P1D"}},
			{token, "TRY", 400, []string{"clock[forward]", "P-1D"}},
			{token, "TRY", 400, []string{"clock[forward]", "P1.5D"}},
			{token, "TRY", 400, []string{"clock[forward]", "1D"}},
			{token, "TRY", 400, []string{"clock[forward]", "p1d"}},
			{token, "TRY", 400, []string{"clock[forward]", "P0D"}},
			{token, "TRY", 400, []string{"clock[forward]", "P999999Y"}},
			{token, "TRY", 400, []string{"clock[forward]", "P1000000D"}},
			{token, "TRY", 400, []string{"clock[forward]", "PT999999H999999M"}},
			{token, "TRY", 400, []string{"clock[forward]", "P3661D"}},
			{token, "TRY", 400, []string{"clock[to]", "tomorrow"}},
			{token, "TRY", 400, []string{"clock[to]", "2020-01-01 00:00"}},
			{token, "TRY", 400, []string{"clock[to]", "9999-12-31 00:00"}},
			{token, "TRY", 400, []string{"clock[to]", "2032-01-01 00:00", "clock[forward]", "P1D"}},
			{token, "SHOP", 400, []string{"clock[forward]", "P1D"}},
			{token, "NONE", 404, []string{"clock[forward]", "P1D"}},
			{"", "TRY", 401, []string{"clock[forward]", "P1D"}},
			{s.Administrator("reporter"), "TRY", 403, []string{"clock[forward]", "P1D"}},
		} {
			if got := s.Send(c.token, "POST", "/api/"+c.store+"/admin/clock", c.fields...); got.Status != c.status {
				t.Errorf("%s %q: %d %s, want %d", c.store, c.fields, got.Status, got.Body, c.status)
			}
		}
		if after := s.Send(token, "GET", "/api/TRY/admin/clock"); after != before || len(own.done) > 0 {
			t.Errorf("the clock was %s and is %s; done: %q", before.Body, after.Body, own.done)
		}
		// The limit of a hundred years is reached in ten steps.
		for range 10 {
			if got := s.Send(token, "POST", "/api/TRY/admin/clock", "clock[forward]", "P3660D"); got.Status != 200 {
				t.Fatalf("%d %s", got.Status, got.Body)
			}
		}
		if got := s.Send(token, "POST", "/api/TRY/admin/clock", "clock[forward]", "PT1S"); got.Status != 400 {
			t.Errorf("past the limit: %d %s", got.Status, got.Body)
		}
	})
}
