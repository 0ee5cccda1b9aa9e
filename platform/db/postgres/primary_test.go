package postgres_test

import (
	"context"
	"net"
	"strings"
	"testing"

	"punchcard/platform/db"
	"punchcard/platform/db/dbopen"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/fault"
	"punchcard/platform/testwait"
)

// startServer starts a server with a database, and returns its host with the port.
func startServer(t *testing.T) (cluster *dbtest.Cluster, host string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := listener.Addr().(*net.TCPAddr).Port
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	if cluster, err = dbtest.StartCluster(dbtest.Options{TCPPort: port}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cluster.Stop(); err != nil {
			t.Error(err)
		}
	})
	if err := cluster.CreateDatabase("watched"); err != nil {
		t.Fatal(err)
	}
	return cluster, listener.Addr().String()
}

// setWrites lets a server take writes, or not.
func setWrites(t *testing.T, cluster *dbtest.Cluster, taken bool) {
	t.Helper()
	setting := map[bool]string{true: "off", false: "on"}[taken]
	for _, statement := range []string{
		"ALTER SYSTEM SET default_transaction_read_only = " + setting, "SELECT pg_reload_conf()",
	} {
		if err := cluster.Execute(statement); err != nil {
			t.Fatal(err)
		}
	}
}

// A write that waits for a server ends when another server takes the writes, and the next one goes there.
func TestWriteLeavesAServerThatWasReplaced(t *testing.T) {
	first, firstHost := startServer(t)
	second, secondHost := startServer(t)
	setWrites(t, second, false)
	d, err := dbopen.Open(t.Context(), db.Config{
		URL: "postgres://postgres@" + firstHost + "," + secondHost +
			"/watched?sslmode=disable&target_session_attrs=read-write&statement_timeout=0",
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}()
	began, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		ended <- d.Write(context.Background(), func(tx *db.Tx) error {
			if _, err := tx.Exec("CREATE TABLE here (id BIGINT)"); err != nil { // the transaction has begun
				return err
			}
			close(began)
			_, err := tx.Exec("SELECT pg_sleep(3600)")
			return err
		})
	}()
	testwait.Receive(t, "begin of the write", began)
	setWrites(t, second, true)
	setWrites(t, first, false)
	if err := testwait.Receive(t, "end of the write", ended); fault.KindOf(err) != fault.Unavailable {
		t.Errorf("the write ends with %v", err)
	}
	var port string
	testwait.Until(t, "another write", func() bool {
		return d.Write(t.Context(), func(tx *db.Tx) (err error) {
			port, err = db.Value[string](tx, "SELECT current_setting('port')")
			return err
		}) == nil
	})
	if !strings.HasSuffix(secondHost, ":"+port) {
		t.Errorf("the next write goes to port %s, want %s", port, secondHost)
	}
}
