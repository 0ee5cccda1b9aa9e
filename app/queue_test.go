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
	"punchcard/loyalty/identity/auth"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/testwait"
)

// The message queue of an older version is the server's own, so it keeps nobody from starting, and is deleted.
func TestOldQueueIsDeleted(t *testing.T) {
	for name, address := range map[string]string{"without --nats": "", "with --nats": "nats://127.0.0.1:1"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config := plainConfig(database(t, "sqlite"))
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
			run(t, config)
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
		clock := dbtest.NewClock(startOfTests)
		config := plainConfig(database(t, engine))
		config.Clock, config.RelayLagLimit = clock.Now, 5*time.Minute
		admin := logInAdmin(t, run(t, config))
		expect := func(late bool) {
			t.Helper()
			r, attention := admin.send("GET", "/api/healthcheck", "", ""), admin.get("/api/DEFAULT/admin/attention")
			want := reply{status: 204}
			if late {
				want.status = 503
				want.body = []byte(`[{"name":"database","status":"OK"},{"name":"search index","status":"OK"},` +
					`{"name":"message queue","status":"Problem","message":"it does not work; the log says why"}]`)
			}
			if r.status != want.status || string(r.body) != string(want.body) {
				t.Errorf("health: %d %s, want %d %s", r.status, r.body, want.status, want.body)
			}
			if listed := strings.Contains(fmt.Sprint(attention), "kind:relay total:1"); listed != late {
				t.Errorf("attention: %v", attention)
			}
		}
		expect(false)
		must(t, admin.form("/api/DEFAULT/level/create", "level[translations][en][name]=Base&level[active]=1&"+
			"level[conditionValue]=0&level[reward][name]=B&level[reward][value]=0&level[reward][code]=B"))
		resume := stopNumbering(t, config.Database)
		must(t, admin.form("/api/DEFAULT/admin/customer/register", "customer[firstName]=A&customer[lastName]=B&"+
			"customer[agreement1]=1&customer[email]=a@example.com"))
		for _, passed := range []time.Duration{5 * time.Minute, 5*time.Minute + time.Second} {
			clock.Set(startOfTests.Add(passed))
			expect(engine == "postgres" && passed > 5*time.Minute)
		}
		resume()
		testwait.Until(t, "health", func() bool { return admin.send("GET", "/api/healthcheck", "", "").status == 204 })
		expect(false)
	})
}

// Nodes without a message queue notice within ten seconds what another node changed of roles and sessions, and within
// one second what it changed of keys.
func TestRightsChangeWithoutQueue(t *testing.T) {
	config, clock := database(t, "postgres"), dbtest.NewClock(startOfTests)
	node := func() *client {
		c := plainConfig(config)
		c.Data, c.Clock = t.TempDir(), clock.Now
		return logInAdmin(t, run(t, c))
	}
	here, there := node(), node()
	is := func(c *client, path string, want int) {
		t.Helper()
		if r := c.send("GET", path, "", ""); r.status != want {
			t.Errorf("%s: %d %s, want %d", path, r.status, r.body, want)
		}
	}
	role := addRole(t, here, "Shops", map[string][]string{"POS": {"VIEW"}})
	_, worker := addWorker(t, here, "DEFAULT", role)
	made := here.json("POST", "/api/admin/key", object{"key": object{"name": "Sync",
		"permissions": []object{{"resource": "POS", "access": "VIEW"}}}})
	worker.base = there.base
	program := &client{t: t, base: there.base, token: made["secret"].(string)}
	is(worker, "/api/DEFAULT/pos", 200)
	is(program, "/api/DEFAULT/pos", 200)

	if r := here.send("DELETE", "/api/admin/key/"+made["keyId"].(string), "", ""); r.status != 204 {
		t.Fatalf("%d %s", r.status, r.body)
	}
	clock.Advance(time.Second)
	is(program, "/api/DEFAULT/pos", 401)

	must(t, here.form("/api/admin/acl/role/"+role+"?_method=PUT",
		"role[name]=Shops&role[permissions][0][resource]=LEVEL&role[permissions][0][access]=VIEW"))
	clock.Advance(auth.DefaultRecheck)
	is(worker, "/api/DEFAULT/pos", 403)
	is(worker, "/api/DEFAULT/level", 200)

	leaving := *worker
	leaving.base = here.base
	must(t, leaving.form("/api/token/revoke", "everywhere=1"))
	clock.Advance(auth.DefaultRecheck)
	is(worker, "/api/DEFAULT/level", 401)
}
