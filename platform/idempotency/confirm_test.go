package idempotency_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"punchcard/migrations"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/idempotency"
	"punchcard/platform/testwait"
)

// A primary without its standby shows a response whose session ended before a standby had it. Confirm waits for the
// standby.
func TestConfirmWaitsForTheStandby(t *testing.T) {
	cluster, err := dbtest.StartCluster(dbtest.Options{Durable: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cluster.Stop(); err != nil {
			t.Error(err)
		}
	})
	if err := cluster.CreateDatabase("alone"); err != nil {
		t.Fatal(err)
	}
	config := db.Config{URL: cluster.URL("alone")}
	d, reader := dbtest.Open(t, config, time.Now), dbtest.Open(t, config, time.Now)
	if err := d.Migrate(t.Context(), migrations.Files); err != nil {
		t.Fatal(err)
	}
	setStandby(t, cluster, "nobody")
	unconfirmed := make(chan *idempotency.Request, 1)
	go func() {
		for i := 0; ; i++ { // the server acknowledges some before it follows the new setting
			r := request(fmt.Sprint("k", i), "a")
			if _, err := decide(d, "made", r); err != nil {
				unconfirmed <- r
				return
			}
		}
	}()
	awaitCommit(t, reader)
	const end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
	if err := cluster.Execute(end); err != nil {
		t.Fatal(err)
	}
	r := testwait.Receive(t, "end of the session", unconfirmed)
	if err := d.Read(t.Context(), func(tx *db.Tx) error {
		b, err := idempotency.Find(tx, r)
		if err == nil && b.Check(r) == nil {
			t.Error("the response is not stored")
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	confirmed := make(chan error, 1)
	go func() {
		confirmed <- d.Write(context.Background(), func(tx *db.Tx) error { return idempotency.Confirm(tx, r) })
	}()
	awaitCommit(t, reader)
	setStandby(t, cluster, "")
	if err := testwait.Receive(t, "confirmation", confirmed); err != nil {
		t.Error(err)
	}
}

// awaitCommit waits until a commit waits for a standby.
func awaitCommit(t *testing.T, d *db.DB) {
	t.Helper()
	testwait.Until(t, "a commit that waits for a standby", func() (waits bool) {
		if err := d.Read(t.Context(), func(tx *db.Tx) (err error) {
			waits, err = db.Value[bool](tx, "SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep')")
			return err
		}); err != nil {
			t.Fatal(err)
		}
		return waits
	})
}

// setStandby names the synchronous standby, which does not exist.
func setStandby(t *testing.T, cluster *dbtest.Cluster, name string) {
	t.Helper()
	for _, statement := range []string{
		"ALTER SYSTEM SET synchronous_standby_names = '" + name + "'", "SELECT pg_reload_conf()",
	} {
		if err := cluster.Execute(statement); err != nil {
			t.Fatal(err)
		}
	}
}
