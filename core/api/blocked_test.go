package api_test

import (
	"testing"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/fault"
)

// A blocked customer reads, is refused every write but those that are open to them, and gets the stored responses of
// what they wrote before. A refusal is not stored.
func TestBlockedCustomersReadAndGetStoredAnswers(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		self := access.Only(access.Customer)
		notAllowed := func(*api.Call) error { return fault.New(fault.Refused, "test", "Not allowed") }
		s := open(t, d,
			api.Endpoint{Method: "PUT", Path: "/act", Access: self, Factor: api.Everyday, Handle: act},
			api.Endpoint{Method: "POST", Path: "/steps", Access: self, Factor: api.Everyday, Handle: act, Stepwise: true},
			api.Endpoint{Method: "POST", Path: "/secret", Access: self, Factor: api.Everyday, Handle: act, Unkeyed: true},
			api.Endpoint{Method: "POST", Path: "/ask", Access: self.Blocked(), Factor: api.Everyday, Handle: act, Unkeyed: true},
			api.Endpoint{Method: "GET", Path: "/read", Access: self, Handle: act},
			api.Endpoint{Method: "POST", Path: "/buy", Access: self.Blocked(), Factor: api.Everyday, Handle: notAllowed},
			api.Endpoint{Method: "POST", Path: "/public", Access: access.Public(), Factor: api.Everyday, Handle: act})
		const forbidden = `{"error":{"code":403,"message":"Forbidden"}}`
		for _, c := range []struct{ method, path string }{{"PUT", "/act"}, {"POST", "/steps"}} {
			first := s.write(t, c.method, c.path, "customer", c.path, "a=1")
			if first.status != 201 {
				t.Fatal(first)
			}
			before, stored := effects(t, d, "SHOP"), storedResponses(t, d)
			for key, want := range map[string]sent{
				c.path: first.again(), "": {status: 403, body: forbidden}, "new": {status: 403, body: forbidden},
			} {
				want.contentType = "application/json"
				if got := s.write(t, c.method, c.path, "blocked", key, "a=1"); got != want {
					t.Errorf("%s %s under %q: %s, want %s", c.method, c.path, key, got, want)
				}
			}
			if got := s.write(t, c.method, c.path, "blocked", c.path, "a=2"); got.status != 422 {
				t.Errorf("%s %s, another request under the key: %s", c.method, c.path, got)
			}
			if n, m := effects(t, d, "SHOP"), storedResponses(t, d); n != before || m != stored {
				t.Errorf("%s %s took effect %d times, and stored %d answers", c.method, c.path, n-before, m-stored)
			}
		}
		for _, c := range []struct {
			method, path string
			status       int
		}{
			{"POST", "/ask", 201}, {"POST", "/secret", 403}, {"GET", "/read", 201}, {"HEAD", "/read", 201},
			{"POST", "/buy", 400}, {"POST", "/public", 201},
		} {
			if got := s.write(t, c.method, c.path, "blocked", "", ""); got.status != c.status {
				t.Errorf("%s %s: %s", c.method, c.path, got)
			}
		}
		if got := s.write(t, "PUT", "/act", "customer", "new", "a=1"); got.status != 201 || got.replayed {
			t.Errorf("after an activation: %s", got)
		}
	})
}
