package app_test

import (
	"encoding/json"
	"strings"
	"testing"

	"punchcard/app"
	"punchcard/platform/db/dbtest"
)

type demoProgress struct {
	State       string
	Done, Total int
}

func readDemoProgress(c *client) (p demoProgress) {
	c.t.Helper()
	r := c.send("GET", "/api/admin/demo", "", "")
	if err := json.Unmarshal(r.body, &p); err != nil || r.status != 200 {
		c.t.Fatalf("progress of the demonstration: %d %s", r.status, r.body)
	}
	return p
}

// While the history of the demonstration is being loaded, all users can log in, and the seller has a point of sale. A
// server that is stopped meanwhile continues at the next start, even without --demo.
func TestDemoHistoryIsLoadedWhileServing(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		database := app.Database{Data: t.TempDir(), Log: "error"}
		if engine == "postgres" {
			database.Database = dbtest.Config(t, engine).URL
		}
		config := plainConfig(database)
		config.Demo, config.DemoHistory = true, true
		base, stop := runUntil(t, config, testLog{t})
		admin := logInAdmin(t, base)
		first := readDemoProgress(admin)
		if first.State != "loading" || first.Total <= 365 || first.Done >= first.Total {
			t.Errorf("the first answer comes when the history is at %+v", first)
		}
		logIn(t, base, "/api/customer/login_check", "user@example.com", "loyalty")
		logIn(t, base, "/api/seller/login_check", "seller@example.com", "open")
		found := admin.send("GET", "/api/DEFAULT/seller?email=seller@example.com", "", "")
		if found.status != 200 || !strings.Contains(string(found.body), `"posId":"`) {
			t.Errorf("the seller's point of sale: %d %s", found.status, found.body)
		}
		stop()

		config.Demo = false
		base, stop = runUntil(t, config, testLog{t})
		admin = logInAdmin(t, base)
		again := readDemoProgress(admin)
		for again.State == "loading" && again.Done < first.Done+20 {
			again = readDemoProgress(admin)
		}
		if again.State == "none" || again.Total != first.Total || again.Done < first.Done+20 {
			t.Errorf("after a restart the history is at %+v, before at %+v", again, first)
		}
		stop()
	})
}
