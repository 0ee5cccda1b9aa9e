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
	"punchcard/app/servertest"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/event/queue"
	"punchcard/platform/event/queue/natstest"
	"punchcard/platform/testwait"
)

// While the message queue is down, customers can buy and the health check reports it. No event is missing afterwards.
func TestMessageQueueIsCutOff(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		folder := t.TempDir()
		server := natstest.Run(t, folder, -1)
		url := server.ClientURL()
		config := servertest.Database(t, engine)
		n := nodes{servertest.LogInAdmin(t, servertest.StartServer(t, engine, func(c *app.Config) {
			c.Database, c.NATS = config, url
		}))}
		customers, _ := servertest.Stock(t, config, 1, 1)
		id := n.Campaign(1, 30, nil)
		health := func() string {
			r := n[0].Send("GET", "/api/healthcheck", "", "")
			return fmt.Sprint(r.Status, string(r.Body))
		}
		buy := func() {
			t.Helper()
			for range 10 {
				if r := n[0].Buy(customers[0], id); r.Status != 200 {
					t.Fatalf("%d %s", r.Status, r.Body)
				}
			}
		}
		buy()
		testwait.Until(t, "health", func() bool { return health() == "204" })
		server.Stop()
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
		natstest.Run(t, folder, port)
		testwait.Until(t, "health", func() bool { return health() == "204" })
		testwait.Until(t, "events", func() bool { return messages(t, url) == n[0].EventCount() })
		n.CountEvents("") // none is missing
	})
}

// A server that runs without a message queue, and later with one, gives it all events, each once. Without it again, it
// gives it none.
func TestMessageQueueComesLater(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		config := servertest.PlainConfig(servertest.Database(t, engine))
		customers, id := []string(nil), ""
		url := natstest.Run(t, t.TempDir(), -1).ClientURL()
		serve := func(address string) (n nodes, stop func()) {
			t.Helper()
			config.NATS = address
			base, stop := servertest.RunUntil(t, config, servertest.Log(t))
			n = nodes{servertest.LogInAdmin(t, base)}
			if id == "" {
				customers, _ = servertest.Stock(t, config.Database, 1, 1)
				id = n.Campaign(1, 30, nil)
			}
			for range 5 {
				if r := n[0].Buy(customers[0], id); r.Status != 200 {
					t.Fatalf("%d %s", r.Status, r.Body)
				}
			}
			return n, stop
		}
		published := 0
		for range 2 {
			_, stop := serve("")
			if found := messages(t, url); found != published {
				t.Errorf("the queue has %d messages, want %d", found, published)
			}
			stop()
			n, stop := serve(url)
			published = n[0].EventCount()
			testwait.Until(t, "events", func() bool { return messages(t, url) == published })
			n.CountEvents("") // none is missing
			stop()
		}
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
	js, err := jetstream.New(connection)
	if err != nil {
		t.Fatal(err)
	}
	stream, err := js.Stream(t.Context(), queue.StreamName)
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
		clock := func() time.Time { return servertest.StartOfTests.Add(time.Duration(offset.Load())) }
		config := servertest.Database(t, engine)
		commits := testwait.NewSignal()
		base := servertest.StartServer(t, engine, func(c *app.Config) {
			c.Database, c.Clock, c.OnCommit = config, clock,
				commits.Send
		})
		n := nodes{servertest.LogInAdmin(t, base)}
		customers, _ := servertest.Stock(t, config, 1, 1)
		id := n.Campaign(1, 30, nil)
		d := dbtest.Open(t, db.Config{URL: config.Database, File: config.Data + "/punchcard.db"}, clock)
		var sold []string
		for _, jump := range []time.Duration{0, 3 * 24 * time.Hour, -5 * time.Hour, 0} {
			offset.Store(int64(jump))
			if jump > 0 {
				if r := n[0].Send("GET", "/api/event", "", ""); r.Status != 401 {
					t.Errorf("a token that ended days ago: %d", r.Status)
				}
				n[0] = servertest.LogInAdmin(t, base)
			}
			for range 3 {
				sold = append(sold, servertest.CodesOf(t, []reply{n[0].Buy(customers[0], id)})...)
			}
			since := clock()
			commits.Until(t, "jobs run", func() bool {
				offset.Add(int64(time.Minute)) // a runner that finds the clock set back runs jobs a minute later
				return lastRuns(t, d, since)
			})
			testwait.Until(t, "health", func() bool { return n[0].Send("GET", "/api/healthcheck", "", "").Status == 204 })
		}
		if len(sold) != 12 {
			t.Errorf("%d sold of 12", len(sold))
		}
		n.CheckSold(sold)
		if left := n.Balance(customers[0]); left != 100-12 {
			t.Errorf("%d points are left", left)
		}
	})
}

// lastRuns reports whether each job of every minute ran since the moment, and not in the future.
func lastRuns(t *testing.T, d *db.DB, since time.Time) bool {
	t.Helper()
	states := servertest.JobStates(t, d)
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
