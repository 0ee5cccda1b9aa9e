package app_test

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"sync"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"punchcard/app"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/password"
)

func TestMain(m *testing.M) {
	password.Cheapen() // a fifth of the time of these tests would go into hashes
	dbtest.Main(m)
}

// startOfTests is the moment at which the clock of the servers stands.
var startOfTests = time.Date(2031, 5, 1, 12, 0, 0, 0, time.UTC)

func standingClock() time.Time { return startOfTests }

// database is an empty database of the engine, as the flags say it.
func database(t testing.TB, engine string) app.Database {
	t.Helper()
	config := dbtest.Config(t, engine)
	if engine == "postgres" {
		return app.Database{Data: t.TempDir(), Database: config.URL, Log: "error"}
	}
	return app.Database{Data: filepath.Dir(config.File), Log: "error"}
}

// startServer runs a whole server with an empty demonstration program and returns its address.
func startServer(t testing.TB, engine string, edit func(*app.Config)) string {
	t.Helper()
	config := plainConfig(database(t, engine))
	if edit != nil {
		edit(&config)
	}
	return run(t, config)
}

// plainConfig is what the server runs with by default, without limits of what one caller may ask and with a clock that
// stands.
func plainConfig(database app.Database) (c app.Config) {
	if _, err := kong.Must(&c).Parse(nil); err != nil {
		panic(err) // the defaults are constants
	}
	database.DatabaseWait = c.DatabaseWait
	c.Database, c.Listen, c.Clock, c.AdminPassword, c.Rates = database, "127.0.0.1:0", standingClock, "open", app.Rates{}
	return c
}

var serves = regexp.MustCompile(`serves (http://\S+)`)

// run serves until the end of the test, which fails when the server does.
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
	ctx, end := context.WithCancel(context.Background())
	reader, writer := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := app.Serve(ctx, config, writer, log)
		_ = writer.CloseWithError(err) // wakes a test that waits for the address
		ended <- err
	}()
	stop = sync.OnceFunc(func() {
		end()
		if err := <-ended; err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	t.Cleanup(stop)
	return address(t, reader), stop
}

// address reads the server's words until it says where it serves, and goes on reading.
func address(t testing.TB, from io.Reader) string {
	t.Helper()
	found, err := findAddress(from)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func findAddress(from io.Reader) (string, error) {
	var said []byte
	buffer := make([]byte, 4096)
	for {
		n, err := from.Read(buffer)
		said = append(said, buffer[:n]...)
		if found := serves.FindSubmatch(said); found != nil {
			go func() { _, _ = io.Copy(io.Discard, from) }()
			return string(found[1]), nil
		}
		if err != nil {
			return "", fmt.Errorf("the server said %q and ended: %w", said, err)
		}
	}
}

// testLog shows what the server logs when the test fails.
type testLog struct{ t testing.TB }

// Write implements io.Writer.
func (l testLog) Write(line []byte) (int, error) {
	l.t.Log(string(line))
	return len(line), nil
}
