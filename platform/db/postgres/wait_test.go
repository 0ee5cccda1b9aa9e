package postgres_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/db/dbopen"
	"punchcard/platform/db/dbtest"
)

// lines sends each line of a log.
type lines chan string

func (l lines) Write(line []byte) (int, error) {
	l <- string(line)
	return len(line), nil
}

// Open waits for a server that is not there yet, and logs that it does. It fails at its limit, or at once if
// waiting is useless.
func TestOpenWaitsForPostgreSQL(t *testing.T) {
	cluster, err := dbtest.StartCluster(dbtest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cluster.Stop(); err != nil {
			t.Error(err)
		}
	})
	if err := cluster.CreateDatabase("late"); err != nil {
		t.Fatal(err)
	}
	if err := cluster.Kill(); err != nil {
		t.Fatal(err)
	}
	logged := make(lines, 100)
	config := db.Config{URL: cluster.URL("late"), Log: slog.New(slog.NewTextHandler(logged, nil))}

	for wait, want := range map[time.Duration]string{
		0: "connect to PostgreSQL: failed to connect", time.Millisecond: "connect to PostgreSQL: not ready within 1ms: ",
	} {
		config.Wait = wait
		if _, err := dbopen.Open(t.Context(), config); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("after %v: %v", wait, err)
		}
	}

	for len(logged) > 0 {
		<-logged
	}
	config.Wait = time.Hour
	ctx, leave := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := dbopen.Open(ctx, config)
		ended <- err
	}()
	if line := <-logged; !strings.Contains(line, "waiting for PostgreSQL") || !strings.Contains(line, "limit=1h0m0s") {
		t.Errorf("logged: %s", line)
	}
	leave()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("a caller who leaves gets %v", err)
	}

	opened := make(chan *db.DB, 1)
	go func() {
		d, err := dbopen.Open(t.Context(), config)
		if err != nil {
			t.Error(err)
		}
		opened <- d
	}()
	<-logged
	if err := cluster.Restart(); err != nil {
		t.Fatal(err)
	}
	if d := <-opened; d != nil {
		if err := errors.Join(d.Ping(t.Context()), d.Close()); err != nil {
			t.Error(err)
		}
	}

	config.URL = cluster.URL("none") // no wait would make this database
	if _, err := dbopen.Open(t.Context(), config); err == nil || !strings.Contains(err.Error(), "does not exist") {
		t.Errorf("a database that is not there: %v", err)
	}
}
