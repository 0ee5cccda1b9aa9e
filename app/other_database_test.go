package app_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"punchcard/app"
	"punchcard/app/servertest"
	"punchcard/platform/db/dbtest"
)

// TestOtherDatabase shows that a server does not begin an empty shop on PostgreSQL beside a shop in the SQLite file of
// its data folder, and starts in every other case.
func TestOtherDatabase(t *testing.T) {
	if !slices.Contains(dbtest.Engines, "postgres") {
		t.Skip("without PostgreSQL")
	}
	full := servertest.Database(t, "sqlite")
	config := servertest.PlainConfig(full)
	_, stop := servertest.RunUntil(t, config, servertest.Log(t)) // with an administrator
	stop()
	unused, junk, nothing := t.TempDir(), t.TempDir(), t.TempDir()
	for name, text := range map[string]string{unused: "", junk: "no database"} {
		if err := os.WriteFile(filepath.Join(name, "punchcard.db"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	fresh := servertest.PlainConfig(app.Database{Data: t.TempDir(), Log: "error"})
	fresh.AdminPassword = "" // prints a link to the set-up
	startsWith(t, fresh)

	for name, c := range map[string]struct {
		folder  string
		refused bool
	}{
		"a shop": {full.Data, true}, "a file that is no database": {junk, true}, "an empty file": {unused, false},
		"no file": {nothing, false}, "a file without a set-up": {fresh.Data, false},
	} {
		empty := dbtest.Empty(t, "postgres")
		config := servertest.PlainConfig(app.Database{Data: c.folder, Database: empty.URL, Log: "error"})
		if !c.refused {
			startsWith(t, config)
			continue
		}
		for range 2 { // the first attempt leaves PostgreSQL as it was
			var out bytes.Buffer
			err := app.Serve(t.Context(), config, &out, io.Discard)
			want := "holds a shop in the SQLite database " + filepath.Join(c.folder, "punchcard.db")
			if err == nil || !strings.Contains(err.Error(), want) ||
				!strings.Contains(err.Error(), "start without --database") ||
				!strings.Contains(err.Error(), "run punchcard move --from sqlite:"+c.folder+" --to") {
				t.Errorf("%s: %v", name, err)
			}
			if out.Len() > 0 {
				t.Errorf("%s: printed %q", name, &out)
			}
		}
		if c.folder == full.Data { // a shop on PostgreSQL that is in use already
			used := config
			used.Data = t.TempDir()
			startsWith(t, used)
			var log bytes.Buffer
			config.Log = "warn"
			_, stop := servertest.RunUntil(t, config, &log)
			stop()
			if !strings.Contains(log.String(), "holds the SQLite database of another shop, which is not used") {
				t.Errorf("the log of a server beside another shop: %s", &log)
			}
		}
	}
}

// startsWith starts a server, and stops it when it serves.
func startsWith(t *testing.T, config app.Config) {
	t.Helper()
	_, stop := servertest.RunUntil(t, config, servertest.Log(t))
	stop()
}

// TestCopyWithoutDatabase shows that a server does not begin an empty shop in a folder with a copy of a database.
func TestCopyWithoutDatabase(t *testing.T) {
	of := servertest.Database(t, "sqlite")
	file := filepath.Join(of.Data, "punchcard.db")
	copied := filepath.Join(of.Data, "backup-of-monday.db")
	if err := errors.Join(os.Chmod(of.Data, 0o700), os.Rename(file, copied)); err != nil {
		t.Fatal(err)
	}
	config := servertest.PlainConfig(of)
	err := app.Serve(t.Context(), config, io.Discard, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "run punchcard restore "+copied+" --data "+of.Data) {
		t.Errorf("a folder with a copy: %v", err)
	}
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Errorf("the refused start has made %s: %v", file, err)
	}
}
