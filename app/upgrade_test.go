package app_test

import (
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"punchcard/app"
	"punchcard/app/servertest"
	"punchcard/migrations"
	"punchcard/platform/check"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// supportedSchemas is the number of former schemas of which databases are upgraded.
const supportedSchemas = 10

// TestUpgradeFromLastSchemas brings databases of the last ten schemas, with a store, to this one, and
// checks them.
func TestUpgradeFromLastSchemas(t *testing.T) {
	dbtest.Both(t)
	numbers := schemaNumbers(t)
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			for i, number := range numbers[len(numbers)-1-supportedSchemas : len(numbers)-1] {
				d := dbtest.Open(t, dbtest.Empty(t, engine), servertest.FixedClock)
				if err := d.Migrate(t.Context(), withStore(t, number)); err != nil {
					t.Fatal(err)
				}
				if err := d.Migrate(t.Context(), migrations.Files); err != nil {
					t.Errorf("from schema %d: %v", number, err)
				}
				if i > 0 && engine == "postgres" { // where the rules take longer
					continue
				}
				sum, err := check.Run(t.Context(), d, app.Kinds{}.Rules(), check.Report{
					Finding: func(f check.Finding) { t.Errorf("from schema %d: %v", number, f) },
					Begin:   func(string, int, int) {}, More: func(string, int64) {},
				})
				if err != nil || sum.Rules == 0 {
					t.Errorf("from schema %d: %d rules checked: %v", number, sum.Rules, err)
				}
			}
		})
	}
}

const aStore = `
INSERT INTO stores (store_id, id, code, name, currency, active, settings, created_at)
	VALUES (1, '0192f0c1-a2b3-7c4d-8e5f-000000000001', 'DEFAULT', 'A store', 'EUR', TRUE, '{}', 1);
`

// withStore returns the schema with a number, whose last file adds a store. An operation of this program would look for
// tables that a former schema lacks.
func withStore(t *testing.T, number int) fs.FS {
	t.Helper()
	names, err := fs.Glob(migrations.Files, fmt.Sprintf("%04d_*.sql", number))
	if err != nil || len(names) != 1 {
		t.Fatalf("%q, %v", names, err)
	}
	text, err := fs.ReadFile(migrations.Files, names[0])
	if err != nil {
		t.Fatal(err)
	}
	return schema(t, number, fstest.MapFS{names[0]: &fstest.MapFile{Data: append(text, aStore...)}})
}

// schemaNumbers returns the numbers of all migrations.
func schemaNumbers(t *testing.T) (numbers []int) {
	t.Helper()
	names, err := fs.Glob(migrations.Files, "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		number, err := strconv.Atoi(name[:4])
		if err != nil {
			t.Fatal(err)
		}
		numbers = append(numbers, number)
	}
	slices.Sort(numbers)
	return numbers
}

// TestUpgradeStopsNowhere ends an upgrade from the first release after each statement. Each time the database is as it
// was: the former program opens it, and the upgrade succeeds afterwards.
func TestUpgradeStopsNowhere(t *testing.T) {
	dbtest.Both(t)
	former := schema(t, baseSchema, nil)
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			d := dbtest.Open(t, dbtest.Empty(t, engine), servertest.FixedClock)
			if err := d.Migrate(t.Context(), withStore(t, baseSchema)); err != nil {
				t.Fatal(err)
			}
			stops := 0
			for name, text := range laterFiles(t) {
				for place := range len(text) {
					if !strings.HasSuffix(text[:place], ";\n") {
						continue
					}
					broken := text[:place] + "INSERT INTO table_that_is_missing VALUES (1);\n" + text[place:]
					stops++
					err := d.Migrate(t.Context(), schema(t, 9998, fstest.MapFS{name: &fstest.MapFile{Data: []byte(broken)}}))
					if err == nil || !strings.HasPrefix(err.Error(), name+": ") ||
						!strings.HasSuffix(err.Error(), "; the schema is as it was") {
						t.Fatalf("%s stopped at %d: %v", name, place, err)
					}
					if current, newest, err := d.CheckSchema(t.Context(), former); current != newest || err != nil {
						t.Fatalf("%s stopped at %d: schema %d, %v", name, place, current, err)
					}
				}
			}
			if stops < 20 {
				t.Errorf("%d stops", stops)
			}
			if err := d.Migrate(t.Context(), migrations.Files); err != nil {
				t.Error(err)
			}
		})
	}
}

// laterFiles are the texts of the migrations since the first release, by name.
func laterFiles(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, number := range schemaNumbers(t) {
		if number <= baseSchema {
			continue
		}
		names, err := fs.Glob(migrations.Files, fmt.Sprintf("%04d_*.sql", number))
		if err != nil || len(names) != 1 {
			t.Fatalf("%q, %v", names, err)
		}
		text, err := fs.ReadFile(migrations.Files, names[0])
		if err != nil {
			t.Fatal(err)
		}
		texts[names[0]] = string(text)
	}
	return texts
}

// TestUpgradeMakesABackup upgrades a SQLite database of the first release, after a trial on a copy.
func TestUpgradeMakesABackup(t *testing.T) {
	database := app.Database{Data: t.TempDir(), Log: "error"}
	d := openDatabase(t, database)
	if err := d.Migrate(t.Context(), schema(t, baseSchema, nil)); err != nil {
		t.Fatal(err)
	}
	version := func(file string) (current int64) {
		t.Helper()
		copied := dbtest.Open(t, db.Config{File: file, ReadOnly: true}, servertest.FixedClock)
		current, _, err := copied.CheckSchema(t.Context(), migrations.Files)
		if err != nil {
			t.Error(err)
		}
		return current
	}
	file := filepath.Join(database.Data, "punchcard.db")
	var out strings.Builder
	err := app.PlanMigration(t.Context(), database, &out, io.Discard)
	if err != nil || !strings.Contains(out.String(), "the upgrade of a copy took ") || version(file) != baseSchema {
		t.Errorf("plan: %v, %s", err, &out)
	}
	if err := app.Migrate(t.Context(), database, false, io.Discard, io.Discard); err != nil {
		t.Fatal(err)
	}
	if before := version(file + ".before-upgrade"); before != baseSchema || version(file) == before {
		t.Errorf("the backup has schema %d", before)
	}
	left, err := filepath.Glob(file + ".p*")
	if len(left) > 0 || err != nil {
		t.Errorf("left %q, %v", left, err)
	}
}
