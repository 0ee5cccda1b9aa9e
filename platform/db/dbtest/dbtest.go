package dbtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"punchcard/migrations"
	"punchcard/platform/db"
	"punchcard/platform/db/dbopen"
	"punchcard/platform/testmode"
)

// enginesVariable is the environment variable that names the databases to test on, separated by commas; all by default.
const enginesVariable = "PUNCHCARD_TEST_DATABASES"

// Engines are the databases to test on. A test that loops over them runs on all in every mode; EnginesOf is for the
// others.
var Engines = chosen(os.Getenv(enginesVariable), "sqlite", "postgres")

// chosen returns the engines that a list names, and all for an empty one.
func chosen(list string, all ...string) []string {
	if list == "" {
		return all
	}
	return slices.DeleteFunc(all, func(engine string) bool { return !slices.Contains(strings.Split(list, ","), engine) })
}

// rememberVariables makes the cache of go test depend on what was read before the tests began, which it does not
// notice.
func rememberVariables() {
	_, _ = os.Getenv(enginesVariable), os.Getenv(testmode.Variable)
}

// need skips a test of an engine that is not to be tested on.
func need(t testing.TB, engine string) {
	t.Helper()
	rememberVariables()
	if !slices.Contains(Engines, engine) {
		t.Skipf("%s leaves out %s", enginesVariable, engine)
	}
}

// onBoth are the names of the tests that called Both.
var onBoth sync.Map

// allOnBoth is set by MainOnBoth.
var allOnBoth atomic.Bool

// Both makes a test, with all its subtests, run on both databases in make test too, which runs most tests on SQLite
// only. It is for tests of SQL that differs, locks, batches and plans. The tests in tidy notice where it is missing.
func Both(t testing.TB) {
	t.Helper()
	onBoth.Store(rootName(t), true)
}

func rootName(t testing.TB) string {
	name, _, _ := strings.Cut(t.Name(), "/")
	return name
}

// EnginesOf returns the databases that the test runs on: SQLite alone in make test unless the test called Both.
func EnginesOf(t testing.TB) []string {
	t.Helper()
	rememberVariables()
	_, both := onBoth.Load(rootName(t))
	if both || allOnBoth.Load() || !testmode.OneDatabase() || len(Engines) < 2 {
		return Engines
	}
	return Engines[:1]
}

// Each runs the test on a migrated, empty database of every engine of EnginesOf.
func Each(t *testing.T, run func(t *testing.T, d *db.DB)) {
	t.Helper()
	EachAt(t, time.Now, run)
}

// EachAt is Each with a clock.
func EachAt(t *testing.T, clock func() time.Time, run func(t *testing.T, d *db.DB)) {
	t.Helper()
	EachEngine(t, func(t *testing.T, engine string) { run(t, Open(t, Config(t, engine), clock)) })
}

// EachEngine runs the test on every engine of EnginesOf, in parallel.
func EachEngine(t *testing.T, run func(t *testing.T, engine string)) {
	t.Helper()
	for _, engine := range EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			run(t, engine)
		})
	}
}

// Config creates an empty, migrated database. Several nodes may open it.
func Config(t testing.TB, engine string) db.Config {
	t.Helper()
	need(t, engine)
	if engine == "sqlite" {
		return db.Config{File: copyTemplate(t)}
	}
	return db.Config{URL: postgresDatabase(t)}
}

// Empty returns a database without tables, for tests of migrations.
func Empty(t testing.TB, engine string) db.Config {
	t.Helper()
	need(t, engine)
	if engine == "sqlite" {
		return db.Config{File: filepath.Join(t.TempDir(), "punchcard.db")}
	}
	cluster, err := Postgres()
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("empty_%d_%d", os.Getpid(), databases.Add(1))
	if err := cluster.CreateDatabase(name); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cluster.DropDatabase(name); err != nil {
			t.Error(err)
		}
	})
	return db.Config{URL: cluster.URL(name)}
}

// Open opens the database with the clock, and closes it at the end of the test.
func Open(t testing.TB, config db.Config, clock func() time.Time) *db.DB {
	t.Helper()
	config.Clock = clock
	d, err := dbopen.Open(context.Background(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// sqliteTemplate is the content of a migrated, empty file.
var sqliteTemplate = sync.OnceValues(func() ([]byte, error) {
	folder, err := os.MkdirTemp("", "punchcard-template-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(folder) }() // a leftover does no harm
	file := filepath.Join(folder, "template.db")
	if err := migrate(db.Config{File: file}); err != nil {
		return nil, err
	}
	return os.ReadFile(file)
})

func migrate(config db.Config) error {
	d, err := dbopen.Open(context.Background(), config)
	if err != nil {
		return err
	}
	if err := d.Migrate(context.Background(), migrations.Files); err != nil {
		_ = d.Close() // the first error says more
		return err
	}
	return d.Close()
}

func copyTemplate(t testing.TB) string {
	t.Helper()
	template, err := sqliteTemplate()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "punchcard.db")
	if err := os.WriteFile(file, template, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

var databases atomic.Int64

// postgresTemplate is the cluster of Postgres, with a migrated, empty database to copy.
var postgresTemplate = sync.OnceValues(func() (*Cluster, error) {
	cluster, err := Postgres()
	if err != nil || cluster.template != "" {
		return cluster, err
	}
	return cluster, cluster.makeTemplate()
})

// makeTemplate creates a migrated, empty database to copy.
func (c *Cluster) makeTemplate() error {
	name := fmt.Sprintf("template_%d", os.Getpid())
	if err := c.CreateDatabase(name); err != nil {
		return err
	}
	c.template = c.prefix + name
	return migrate(db.Config{URL: c.URL(name)})
}

// Share starts a cluster for several test processes, and returns the environment variables that make them use it.
func Share() (c *Cluster, environment []string, err error) {
	c, err = StartCluster(Options{})
	if err != nil {
		return nil, nil, err
	}
	if err := c.makeTemplate(); err != nil {
		return nil, nil, errors.Join(err, c.Stop())
	}
	return c, []string{serverVariable + "=" + c.admin, templateVariable + "=" + c.template}, nil
}

func postgresDatabase(t testing.TB) string {
	t.Helper()
	cluster, err := postgresTemplate()
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("test_%d_%d", os.Getpid(), databases.Add(1))
	if err := cluster.create(name, cluster.template); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cluster.DropDatabase(name); err != nil {
			t.Error(err)
		}
	})
	return cluster.URL(name)
}
