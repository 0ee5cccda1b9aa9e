// Package servertest runs whole servers in the process of a test, and calls their API. Each exchange is compared with
// the description of the API.
package servertest

import (
	"context"
	"io"
	"reflect"
	"runtime/debug"
	"sync"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"punchcard/app"
	"punchcard/app/apptest"
	"punchcard/platform/db/dbtest"
)

// Main runs the tests of a package and ends the process. TestMain calls it, and passes what else is to be stopped.
func Main(m *testing.M, stops ...func() error) {
	debug.SetGCPercent(400) // a description of the API is a large heap
	dbtest.Main(m, stops...)
}

// StartOfTests is the time of fixedClock.
var StartOfTests = time.Date(2031, 5, 1, 12, 0, 0, 0, time.UTC)

// FixedClock always returns the same time.
func FixedClock() time.Time { return StartOfTests }

// StartServer runs a server on the database of Database and returns its address.
func StartServer(t testing.TB, engine string, edit func(*app.Config)) string {
	t.Helper()
	config := PlainConfig(Database(t, engine))
	if edit != nil {
		edit(&config)
	}
	return Run(t, config)
}

// PlainConfig returns the default settings, without rate limits and with a fixed clock.
func PlainConfig(database app.Database) (c app.Config) {
	if _, err := kong.Must(&c).Parse(nil); err != nil {
		panic(err) // the defaults are constants
	}
	database.DatabaseWait = c.DatabaseWait
	c.Database, c.Listen, c.Clock, c.AdminPassword, c.Rates = database, "127.0.0.1:0", FixedClock, "open", app.Rates{}
	return c
}

// Run serves until the end of the test. The test fails if the server does.
func Run(t testing.TB, config app.Config) string {
	t.Helper()
	return RunLogging(t, config, Log(t))
}

// RunLogging is Run with a log.
func RunLogging(t testing.TB, config app.Config, log io.Writer) string {
	t.Helper()
	base, _ := RunUntil(t, config, log)
	return base
}

// RunUntil serves until stop is called, at the end of the test at the latest.
func RunUntil(t testing.TB, config app.Config, log io.Writer) (base string, stop func()) {
	t.Helper()
	base, end, err := apptest.Serve(func(ctx context.Context, output io.Writer) error {
		return app.Serve(ctx, config, output, log)
	})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.ValueOf(config.Kinds).IsZero() {
		hasKinds(t, base)
	}
	stop = sync.OnceFunc(func() {
		if err := end(); err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	t.Cleanup(stop)
	return base, stop
}

// Log returns a log of a server that writes to the log of the test.
func Log(t testing.TB) io.Writer { return testLog{t} }

type testLog struct{ t testing.TB }

func (l testLog) Write(line []byte) (int, error) {
	l.t.Log(string(line))
	return len(line), nil
}
