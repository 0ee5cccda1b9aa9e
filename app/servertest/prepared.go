package servertest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"punchcard/app"
	"punchcard/app/apptest"
	"punchcard/platform/db"
	"punchcard/platform/db/dbopen"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/event"
	"punchcard/platform/job"
	"punchcard/platform/testwait"
)

// prepared is a database that a server has made once for all tests of this process, by engine: the bytes of the file or
// the name of the database. The first runs of all jobs are over.
type prepared map[string]func() (string, error)

var (
	stores = prepare("store", func(*app.Config) {})
	demos  = prepare("demo", func(c *app.Config) { c.Demo = true })
)

func prepare(name string, edit func(*app.Config)) prepared {
	p := prepared{}
	for _, engine := range dbtest.Engines {
		p[engine] = sync.OnceValues(func() (string, error) { return serveOnce(name, engine, edit) })
	}
	return p
}

// serveOnce runs a server on an empty database until all jobs have run.
func serveOnce(name, engine string, edit func(*app.Config)) (made string, err error) {
	folder, err := os.MkdirTemp("", "punchcard-"+name+"-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(folder) }() // a leftover harms nobody
	config := PlainConfig(app.Database{Data: folder, Log: "error"})
	edit(&config)
	file := filepath.Join(folder, "punchcard.db")
	if engine == "postgres" {
		cluster, err := dbtest.Postgres()
		if err != nil {
			return "", err
		}
		made = fmt.Sprintf("%s_%d", name, os.Getpid())
		if err := cluster.CreateDatabase(made); err != nil {
			return "", err
		}
		config.Database.Database = cluster.URL(made)
	}
	commits := testwait.NewSignal()
	config.OnCommit = commits.Send
	_, stop, err := apptest.Serve(func(ctx context.Context, output io.Writer) error {
		return app.Serve(ctx, config, output, io.Discard)
	})
	if err != nil {
		return "", err
	}
	err = rest(db.Config{URL: config.Database.Database, File: file, Clock: FixedClock}, commits)
	if err := errors.Join(err, stop()); err != nil || engine == "postgres" {
		return made, err
	}
	content, err := os.ReadFile(file)
	return string(content), err
}

// rest returns when the first runs of all jobs are over and all events have a number.
func rest(config db.Config, commits testwait.Signal) error {
	ctx, stop := context.WithTimeout(context.Background(), testwait.Limit())
	defer stop()
	d, err := dbopen.Open(ctx, config)
	if err != nil {
		return err
	}
	for done := false; !done && err == nil; {
		if done, err = haveRun(ctx, d); done || err != nil {
			break
		}
		select {
		case <-commits:
		case <-ctx.Done():
			err = errors.New("the first runs of the jobs do not end")
		}
	}
	if err == nil {
		_, err = event.Number(ctx, d)
	}
	return errors.Join(err, d.Close())
}

// haveRun reports whether all jobs have run.
func haveRun(ctx context.Context, d *db.DB) (done bool, err error) {
	err = d.Read(ctx, func(tx *db.Tx) error {
		jobs, err := job.Status(tx)
		done = len(jobs) > 0 && !slices.ContainsFunc(jobs, func(s job.State) bool { return s.LastEndAt.IsZero() })
		return err
	})
	return done, err
}

var copiesMade atomic.Int64

// copy returns the flags for a copy of the database.
func (p prepared) copy(t testing.TB, engine string) app.Database {
	t.Helper()
	if p[engine] == nil {
		t.Skipf("%s is left out", engine)
	}
	made, err := p[engine]()
	if err != nil {
		t.Fatal(err)
	}
	database := app.Database{Data: t.TempDir(), Log: "error"}
	if engine == "sqlite" {
		err = os.WriteFile(filepath.Join(database.Data, "punchcard.db"), []byte(made), 0o600)
	} else {
		database.Database, err = copyDatabase(t, made)
	}
	if err != nil {
		t.Fatal(err)
	}
	return database
}

func copyDatabase(t testing.TB, from string) (url string, err error) {
	cluster, err := dbtest.Postgres()
	if err != nil {
		return "", err
	}
	name := fmt.Sprintf("%s_%d", from, copiesMade.Add(1))
	t.Cleanup(func() {
		if err := cluster.DropDatabase(name); err != nil {
			t.Error(err)
		}
	})
	return cluster.URL(name), cluster.CopyDatabase(name, from)
}

// Database returns the flags for a database of PlainConfig: it has its store and administrator, and the first runs of
// all jobs are over.
func Database(t testing.TB, engine string) app.Database {
	t.Helper()
	return stores.copy(t, engine)
}

// NewDatabase returns the flags for a database without a store, for tests of the first start.
func NewDatabase(t testing.TB, engine string) app.Database {
	t.Helper()
	config := dbtest.Config(t, engine)
	if engine == "postgres" {
		return app.Database{Data: t.TempDir(), Database: config.URL, Log: "error"}
	}
	return app.Database{Data: filepath.Dir(config.File), Log: "error"}
}

// DemoDatabase returns a copy of the demonstration program.
func DemoDatabase(t testing.TB, engine string) app.Database {
	t.Helper()
	return demos.copy(t, engine)
}

// StartDemo runs a whole server with a demonstration program of its own and returns its address and database.
func StartDemo(t testing.TB, engine string) (base string, database app.Database) {
	t.Helper()
	database = DemoDatabase(t, engine)
	return Run(t, PlainConfig(database)), database
}
