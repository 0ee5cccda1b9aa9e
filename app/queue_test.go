package app_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"punchcard/app"
	"punchcard/app/servertest"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/event"
	"punchcard/platform/testwait"
)

// The message queue of an older version is the server's own, so it keeps nobody from starting, and is deleted.
func TestOldQueueIsDeleted(t *testing.T) {
	for name, address := range map[string]string{"without --nats": "", "with --nats": "nats://127.0.0.1:1"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config := servertest.PlainConfig(servertest.Database(t, "sqlite"))
			config.NATS = address
			stream := filepath.Join(config.Data, "queue", "jetstream", "$G", "streams", "PUNCHCARD_EVENTS")
			if err := os.MkdirAll(stream, 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(stream, "meta.inf"), []byte("{}"), 0o666); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(config.Data, 0o777); err != nil {
				t.Fatal(err)
			}
			servertest.Run(t, config)
			if _, err := os.Stat(filepath.Join(config.Data, "queue")); !os.IsNotExist(err) {
				t.Errorf("the folder is there: %v", err)
			}
			if info, err := os.Stat(config.Data); err != nil || info.Mode().Perm() != fs.FileMode(0o700) {
				t.Errorf("the data folder is %v, %v", info.Mode(), err)
			}
		})
	}
}

// stopNumbering keeps events from getting numbers until resume is called. On SQLite it does nothing, because events
// have their numbers when they are stored.
func stopNumbering(t *testing.T, database app.Database) (resume func()) {
	t.Helper()
	if database.Database == "" {
		return func() {}
	}
	d := dbtest.Open(t, db.Config{URL: database.Database}, time.Now)
	stopped, end := make(chan struct{}), make(chan struct{})
	var holding sync.WaitGroup
	holding.Go(func() {
		err := d.Write(context.Background(), func(tx *db.Tx) error {
			_, err := tx.Exec(`SELECT last_id FROM event_cursors WHERE name = 'numbering' FOR UPDATE`)
			close(stopped)
			<-end
			return err
		})
		if err != nil {
			t.Error(err)
		}
	})
	resume = sync.OnceFunc(func() {
		close(end)
		holding.Wait()
	})
	t.Cleanup(resume)
	<-stopped
	return resume
}

// Without a message queue, its entry in the health check fails while events wait for their numbers for longer than the
// limit, and the list of what needs attention has them.
func TestHealthWithoutQueue(t *testing.T) {
	dbtest.Both(t)
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		clock := dbtest.NewClock(servertest.StartOfTests)
		config := servertest.PlainConfig(servertest.Database(t, engine))
		config.Clock, config.RelayLagLimit = clock.Now, 5*time.Minute
		admin := servertest.LogInAdmin(t, servertest.Run(t, config))
		expect := func(late bool) {
			t.Helper()
			r, attention := admin.Send("GET", "/api/healthcheck", "", ""), admin.Get("/api/DEFAULT/admin/attention")
			want := reply{Status: 204}
			if late {
				want.Status = 503
				want.Body = []byte(`[{"name":"database","status":"OK"},{"name":"search index","status":"OK"},` +
					`{"name":"message queue","status":"Problem","message":"it does not work; the log says why"}]`)
			}
			if r.Status != want.Status || string(r.Body) != string(want.Body) {
				t.Errorf("health: %d %s, want %d %s", r.Status, r.Body, want.Status, want.Body)
			}
			if listed := strings.Contains(fmt.Sprint(attention), "kind:relay total:1"); listed != late {
				t.Errorf("attention: %v", attention)
			}
		}
		expect(false)
		admin.Form("/api/DEFAULT/level/create", "level[translations][en][name]=Base&level[active]=1&"+
			"level[conditionValue]=0&level[reward][name]=B&level[reward][value]=0&level[reward][code]=B").Must(t)
		resume := stopNumbering(t, config.Database)
		admin.Form("/api/DEFAULT/admin/customer/register", "customer[firstName]=A&customer[lastName]=B&"+
			"customer[agreement1]=1&customer[email]=a@example.com").Must(t)
		for _, passed := range []time.Duration{5 * time.Minute, 5*time.Minute + time.Second} {
			clock.Set(servertest.StartOfTests.Add(passed))
			expect(engine == "postgres" && passed > 5*time.Minute)
		}
		resume()
		testwait.Until(t, "health", func() bool { return admin.Send("GET", "/api/healthcheck", "", "").Status == 204 })
		expect(false)
	})
}

// waited is an event of TestHealthAfterAStart.
type waited struct{}

func (waited) EventType() string { return "Platform.Domain.Test.Waited" }

// Events that waited for their numbers while no server ran, as in a restored backup, are not late after a start.
func TestHealthAfterAStart(t *testing.T) {
	dbtest.Both(t)
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		clock := dbtest.NewClock(servertest.StartOfTests)
		config := servertest.PlainConfig(servertest.Database(t, engine))
		d := dbtest.Open(t, db.Config{URL: config.Database.Database, File: config.Data + "/punchcard.db"}, clock.Now)
		if err := d.Write(t.Context(), func(tx *db.Tx) error {
			return event.Append(tx, 1, event.Entry{AggregateID: tx.NewID(), Fact: waited{}})
		}); err != nil {
			t.Fatal(err)
		}
		clock.Set(servertest.StartOfTests.Add(24 * time.Hour))
		config.Clock, config.RelayLagLimit = clock.Now, 5*time.Minute
		admin := servertest.LogInAdmin(t, servertest.Run(t, config))
		if r := admin.Send("GET", "/api/healthcheck", "", ""); r.Status != 204 {
			t.Errorf("health: %d %s", r.Status, r.Body)
		}
	})
}
