package app_test

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"punchcard/app"
	"punchcard/app/apptest"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/event"
	"punchcard/platform/testwait"
)

// startNATS runs a message queue until the end of the test. Port -1 chooses a free one.
func startNATS(t *testing.T, folder string, port int) apptest.NATS {
	t.Helper()
	n, err := apptest.StartNATS(folder, port)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.Stop)
	return n
}

// While the message queue is down, customers can buy and the health check reports it. No event is missing afterwards.
func TestMessageQueueIsCutOff(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		folder := t.TempDir()
		queue := startNATS(t, folder, -1)
		url := queue.ClientURL()
		config := database(t, engine)
		n := nodes{logInAdmin(t, startServer(t, engine, func(c *app.Config) { c.Database, c.NATS = config, url }))}
		customers, _ := stock(t, config, 1, 1)
		id := n.campaign(1, 30, nil)
		health := func() string {
			r := n[0].send("GET", "/api/healthcheck", "", "")
			return fmt.Sprint(r.status, string(r.body))
		}
		buy := func() {
			t.Helper()
			for range 10 {
				if r := n[0].buy(customers[0], id); r.status != 200 {
					t.Fatalf("%d %s", r.status, r.body)
				}
			}
		}
		buy()
		testwait.Until(t, "health", func() bool { return health() == "204" })
		queue.Stop()
		buy()
		testwait.Until(t, "problem", func() bool {
			answer := health()
			return strings.HasPrefix(answer, "503") && strings.Contains(answer, `"message queue","status":"Problem"`) &&
				strings.Contains(answer, `"database","status":"OK"`)
		})
		buy()
		var port int
		if _, err := fmt.Sscanf(url[strings.LastIndex(url, ":"):], ":%d", &port); err != nil {
			t.Fatal(err)
		}
		startNATS(t, folder, port)
		testwait.Until(t, "health", func() bool { return health() == "204" })
		testwait.Until(t, "events", func() bool { return messages(t, url) == n[0].eventCount() })
		n.countEvents("") // none is missing
	})
}

// A server that ran with the embedded queue, and that starts with another one, gives it all events, each once.
func TestMessageQueueComesLater(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		config := plainConfig(database(t, engine))
		base, stop := runUntil(t, config, testLog{t})
		customers, _ := stock(t, config.Database, 1, 1)
		n := nodes{logInAdmin(t, base)}
		id := n.campaign(1, 30, nil)
		buy := func() {
			t.Helper()
			for range 5 {
				if r := n[0].buy(customers[0], id); r.status != 200 {
					t.Fatalf("%d %s", r.status, r.body)
				}
			}
		}
		buy()
		stop()
		config.NATS = startNATS(t, t.TempDir(), -1).ClientURL()
		n[0] = logInAdmin(t, run(t, config))
		buy()
		testwait.Until(t, "events", func() bool { return messages(t, config.NATS) == n[0].eventCount() })
		n.countEvents("") // none is missing
	})
}

// messages returns the number of messages in the queue, 0 before there is one.
func messages(t *testing.T, url string) int {
	t.Helper()
	connection, err := nats.Connect(url)
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	queue, err := jetstream.New(connection)
	if err != nil {
		t.Fatal(err)
	}
	stream, err := queue.Stream(t.Context(), event.StreamName)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return 0
	}
	if err != nil {
		t.Fatal(err)
	}
	return int(stream.CachedInfo().State.Msgs)
}

// The clock of the machine is days ahead for a while, and then hours behind. Tokens expire at their time, events keep
// the order of the purchases, and jobs follow the clock as it is.
func TestClockJumps(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		var offset atomic.Int64
		clock := func() time.Time { return startOfTests.Add(time.Duration(offset.Load())) }
		config := database(t, engine)
		commits := testwait.NewSignal()
		base := startServer(t, engine, func(c *app.Config) { c.Database, c.Clock, c.OnCommit = config, clock, commits.Send })
		n := nodes{logInAdmin(t, base)}
		customers, _ := stock(t, config, 1, 1)
		id := n.campaign(1, 30, nil)
		d := dbtest.Open(t, db.Config{URL: config.Database, File: config.Data + "/punchcard.db"}, clock)
		var sold []string
		for _, jump := range []time.Duration{0, 3 * 24 * time.Hour, -5 * time.Hour, 0} {
			offset.Store(int64(jump))
			if jump > 0 {
				if r := n[0].send("GET", "/api/event", "", ""); r.status != 401 {
					t.Errorf("a token that ended days ago: %d", r.status)
				}
				n[0] = logInAdmin(t, base)
			}
			for range 3 {
				sold = append(sold, codesOf(t, []reply{n[0].buy(customers[0], id)})...)
			}
			since := clock()
			commits.Until(t, "jobs run", func() bool {
				offset.Add(int64(time.Minute)) // a runner that finds the clock set back runs jobs a minute later
				return lastRuns(t, d, since)
			})
			testwait.Until(t, "health", func() bool { return n[0].send("GET", "/api/healthcheck", "", "").status == 204 })
		}
		if len(sold) != 12 {
			t.Errorf("%d sold of 12", len(sold))
		}
		n.checkSold(sold)
		if left := n.balance(customers[0]); left != 100-12 {
			t.Errorf("%d points are left", left)
		}
	})
}

// lastRuns reports whether each job of every minute ran since the moment, and not in the future.
func lastRuns(t *testing.T, d *db.DB, since time.Time) bool {
	t.Helper()
	states := jobStates(t, d)
	for _, s := range states {
		if s.Error != "" {
			t.Errorf("job %s: %s", s.Name, s.Error)
		}
		if s.Name != "points due" && s.Name != "coupons" {
			continue
		}
		if s.LastRunAt.Before(since) || s.LastRunAt.After(d.Now()) {
			return false
		}
	}
	return len(states) > 0
}
