package app_test

import (
	"context"
	"io"
	"path/filepath"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"punchcard/app"
	"punchcard/app/apptest"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/password"
	"punchcard/web/webtest"
)

func TestMain(m *testing.M) {
	password.Cheapen() // hashes would take a fifth of the time of these tests
	dbtest.Main(m, webtest.Stop)
}

// startOfTests is the time of fixedClock.
var startOfTests = time.Date(2031, 5, 1, 12, 0, 0, 0, time.UTC)

func fixedClock() time.Time { return startOfTests }

// database returns the flags for an empty database of the engine.
func database(t testing.TB, engine string) app.Database {
	t.Helper()
	config := dbtest.Config(t, engine)
	if engine == "postgres" {
		return app.Database{Data: t.TempDir(), Database: config.URL, Log: "error"}
	}
	return app.Database{Data: filepath.Dir(config.File), Log: "error"}
}

// startServer runs a server on an empty database and returns its address.
func startServer(t testing.TB, engine string, edit func(*app.Config)) string {
	t.Helper()
	config := plainConfig(database(t, engine))
	if edit != nil {
		edit(&config)
	}
	return run(t, config)
}

// plainConfig returns the default settings, without rate limits and with a fixed clock.
func plainConfig(database app.Database) (c app.Config) {
	if _, err := kong.Must(&c).Parse(nil); err != nil {
		panic(err) // the defaults are constants
	}
	database.DatabaseWait = c.DatabaseWait
	c.Database, c.Listen, c.Clock, c.AdminPassword, c.Rates = database, "127.0.0.1:0", fixedClock, "open", app.Rates{}
	return c
}

// run serves until the end of the test. The test fails if the server does.
func run(t testing.TB, config app.Config) string {
	t.Helper()
	return runLogging(t, config, testLog{t})
}

func runLogging(t testing.TB, config app.Config, log io.Writer) string {
	t.Helper()
	base, _ := runUntil(t, config, log)
	return base
}

// runUntil serves until stop is called, at the end of the test at the latest.
func runUntil(t testing.TB, config app.Config, log io.Writer) (base string, stop func()) {
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

// testLog writes the log of the server to the log of the test.
type testLog struct{ t testing.TB }

func (l testLog) Write(line []byte) (int, error) {
	l.t.Log(string(line))
	return len(line), nil
}
