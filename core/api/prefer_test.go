package api_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// A response that is stored to a key has the contract's times. Each response has those that its request prefers.
func TestTimesThatAClientPrefers(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := open(t, d, acting()...)
		for _, c := range []struct{ key, prefer, want string }{
			{"a", "time=rfc3339", "2031-04-17T16:20:00+02:00"},
			{"a", "", "2031-04-17T16:20:00+0200"},
			{"b", "", "2031-04-17T16:20:00+0200"},
			{"b", "respond-async, time=rfc3339", "2031-04-17T16:20:00+02:00"},
			{"", "time=rfc3339", "2031-04-17T16:20:00+02:00"},
		} {
			request, err := http.NewRequest("POST", s.url+"/act", strings.NewReader("text=2031-04-17T16:20:00%2B0200"))
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			if c.key != "" {
				request.Header.Set("Idempotency-Key", c.key)
			}
			if c.prefer != "" {
				request.Header.Set("Prefer", c.prefer)
			}
			response, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(response.Body)
			response.Body.Close()
			if err != nil || !strings.Contains(string(body), `"`+c.want+`"`) {
				t.Errorf("key %s, Prefer: %s: %s, want %s (%v)", c.key, c.prefer, body, c.want, err)
			}
			if applied := response.Header.Get("Preference-Applied"); (applied == "time=rfc3339") != (c.prefer != "") {
				t.Errorf("key %s, Prefer: %s: Preference-Applied: %s", c.key, c.prefer, applied)
			}
		}
	})
}
