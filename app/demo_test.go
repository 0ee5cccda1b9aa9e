package app_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"punchcard/app"
	"punchcard/app/apptest"
	"punchcard/platform/db/dbtest"
)

// demoOf holds the demonstration program of each engine: it is loaded once for all tests.
var demoOf = map[string]func() (string, error){
	"sqlite":   sync.OnceValues(func() (string, error) { return loadDemo("sqlite") }),
	"postgres": sync.OnceValues(func() (string, error) { return loadDemo("postgres") }),
}

var copiesMade atomic.Int64

// loadDemo runs a server that loads the demonstration program. It returns the bytes of the file, or the name of the
// database.
func loadDemo(engine string) (loaded string, err error) {
	folder, err := os.MkdirTemp("", "punchcard-demo-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(folder) }() // a leftover harms nobody
	config := plainConfig(app.Database{Data: folder, Log: "error"})
	config.Demo = true
	if engine == "postgres" {
		cluster, err := dbtest.Postgres()
		if err != nil {
			return "", err
		}
		loaded = fmt.Sprintf("demo_%d", os.Getpid())
		if err := cluster.CreateDatabase(loaded); err != nil {
			return "", err
		}
		config.Database.Database = cluster.URL(loaded)
	}
	_, stop, err := apptest.Serve(func(ctx context.Context, output io.Writer) error {
		return app.Serve(ctx, config, output, io.Discard)
	})
	if err == nil {
		err = stop()
	}
	if err == nil && engine == "sqlite" {
		var file []byte
		file, err = os.ReadFile(filepath.Join(folder, "punchcard.db"))
		loaded = string(file)
	}
	return loaded, err
}

// startDemo runs a whole server with a demonstration program of its own and returns its address and database.
func startDemo(t testing.TB, engine string) (base string, database app.Database) {
	t.Helper()
	database = demoDatabase(t, engine)
	return run(t, plainConfig(database)), database
}

// demoDatabase returns a copy of the demonstration program.
func demoDatabase(t testing.TB, engine string) app.Database {
	t.Helper()
	loaded, err := demoOf[engine]()
	if err != nil {
		t.Fatal(err)
	}
	database := app.Database{Data: t.TempDir(), Log: "error"}
	if engine == "sqlite" {
		err = os.WriteFile(filepath.Join(database.Data, "punchcard.db"), []byte(loaded), 0o600)
	} else {
		database.Database, err = copyDatabase(t, loaded)
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
