package api_test

import (
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// try sends a dry run with further headers, and returns status, body and the header of the response.
func (s *site) try(t *testing.T, method, path string, headers ...string) (status int, body, dry string) {
	t.Helper()
	request, err := http.NewRequest(method, s.url+path, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer customer")
	for i := 0; i < len(headers); i += 2 {
		request.Header.Add(headers[i], headers[i+1])
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, strings.TrimSpace(string(text)), response.Header.Get("Dry-Run")
}

func rowsOf(t *testing.T, d *db.DB) (n int64) {
	t.Helper()
	if err := d.Read(t.Context(), func(tx *db.Tx) (err error) {
		n, err = db.Value[int64](tx, `SELECT COUNT(*) FROM event_cursors WHERE name LIKE 't%'`)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return n
}

// A call of two transactions sees in the second what the first has written, and leaves nothing. The header decides.
func TestDryRun(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		handle := func(c *api.Call) error {
			for _, name := range []string{"t1", "t2"} {
				if err := c.Step(func(tx *db.Tx) error {
					return tx.Insert("event_cursors", "name, last_id", "", []any{name, 1})
				}); err != nil {
					return err
				}
			}
			var n int64
			err := c.Read(func(tx *db.Tx) (err error) {
				n, err = db.Value[int64](tx, `SELECT COUNT(*) FROM event_cursors WHERE name LIKE 't%'`)
				return err
			})
			if err != nil {
				return err
			}
			c.ResponseHeader().Set("Location", "/there")
			return c.OK(map[string]int64{"rows": n})
		}
		s := open(t, d, api.Endpoint{Method: "POST", Path: "/act", Access: access.Only(access.Customer),
			Factor: api.Everyday, Handle: handle,
			Stepwise: true})
		for _, value := range []string{"true", "?1", "true", "true"} {
			status, body, dry := s.try(t, "POST", "/act", "Dry-Run", value, "Idempotency-Key", "one")
			if status != 200 || body != `{"rows":2}` || dry != "true" {
				t.Errorf("%s: %d %s, header %q", value, status, body, dry)
			}
		}
		for _, headers := range [][]string{{"Dry-Run", "false"}, {"Dry-Run", ""}, {"Dry-Run", "true", "Dry-Run", "true"},
			{"Dry-Run", "true", "Idempotency-Key", "two words"}} {
			if status, body, _ := s.try(t, "POST", "/act", headers...); status != 400 {
				t.Errorf("%q: %d %s", headers, status, body)
			}
		}
		if n := rowsOf(t, d); n != 0 {
			t.Errorf("%d rows are left", n)
		}
		if status, body, dry := s.try(t, "POST", "/act", "Idempotency-Key", "one"); status != 200 || dry != "" {
			t.Errorf("the call itself: %d %s, header %q", status, body, dry)
		}
		if n := rowsOf(t, d); n != 2 {
			t.Errorf("%d rows, want 2", n)
		}
	})
}

// A caller has at most so many dry runs at once; others are not concerned.
func TestDryRunsOfCaller(t *testing.T) {
	dbtest.Both(t)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		began, release := make(chan bool, api.DryRunsOfCaller), make(chan bool)
		s := open(t, d, api.Endpoint{Method: "POST", Path: "/wait", Access: access.Only(access.Customer),
			Factor: api.Everyday,
			Handle: func(c *api.Call) error {
				began <- true
				<-release
				return c.Done()
			}})
		var all sync.WaitGroup
		for range api.DryRunsOfCaller {
			all.Go(func() {
				if status, body, _ := s.try(t, "POST", "/wait", "Dry-Run", "true"); status != 200 {
					t.Error(status, body)
				}
			})
		}
		for range api.DryRunsOfCaller {
			<-began
		}
		if status, body, _ := s.try(t, "POST", "/wait", "Dry-Run", "true"); status != 429 {
			t.Errorf("one more: %d %s", status, body)
		}
		close(release)
		all.Wait()
		if status, body, _ := s.try(t, "POST", "/wait", "Dry-Run", "true"); status != 200 {
			t.Errorf("afterwards: %d %s", status, body)
		}
	})
}

func TestHideMembers(t *testing.T) {
	for body, want := range map[string]string{
		`{"code":"A-1","id":"code"}`:                     `{"code":"dry-run","id":"code"}`,
		`{"list":[{"code":"a\"b:c"},{"code":null}]}`:     `{"list":[{"code":"dry-run"},{"code":null}]}`,
		`{"code":["x","y"],"n":1.50,"s":"code: \u00e9"}`: `{"code":["dry-run","dry-run"],"n":1.50,"s":"code: \u00e9"}`,
		`{"a":["code","code"],"code" : ""}`:              `{"a":["code","code"],"code":""}`,
		`[]`:                                             `[]`,
	} {
		got, err := api.HideMembers([]byte(body), []string{"code"})
		if err != nil || string(got) != want {
			t.Errorf("%s: %s, %v; want %s", body, got, err, want)
		}
	}
}
