package app_test

import (
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/mod/semver"

	"punchcard/app"
	"punchcard/app/servertest"
	"punchcard/migrations"
	"punchcard/platform/check"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// baseSchema is the number of the last file of the schema of the first release. Files with higher numbers are
// migrations.
const baseSchema = 148

// schema returns the files with numbers up to last, and additional ones.
func schema(t *testing.T, last int, additional fstest.MapFS) fs.FS {
	t.Helper()
	files := fstest.MapFS{}
	names, err := fs.Glob(migrations.Files, "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		number, _, _ := strings.Cut(name, "_")
		n, err := strconv.Atoi(number)
		if err != nil {
			t.Fatal(err)
		}
		text, err := fs.ReadFile(migrations.Files, name)
		if err != nil {
			t.Fatal(err)
		}
		if n <= last {
			files[name] = &fstest.MapFile{Data: text}
		}
	}
	for name, file := range additional {
		files[name] = file
	}
	return files
}

func openDatabase(t *testing.T, database app.Database) *db.DB {
	t.Helper()
	return dbtest.Open(t, db.Config{
		URL: database.Database, File: filepath.Join(database.Data, "punchcard.db"),
	}, servertest.FixedClock)
}

// undo takes a database back to the schema of the first release: it drops what later files have added, and leaves the
// rows.
func undo(t *testing.T, engine string, d *db.DB) {
	t.Helper()
	config := dbtest.Empty(t, engine)
	base := dbtest.Open(t, config, servertest.FixedClock)
	if err := base.Migrate(t.Context(), schema(t, baseSchema, nil)); err != nil {
		t.Fatal(err)
	}
	tables, indexes, columns := `SELECT name FROM sqlite_master WHERE type = 'table'`,
		`SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL`,
		`SELECT m.name || ' DROP COLUMN ' || c.name FROM sqlite_master m, pragma_table_info(m.name) c
		WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%'`
	if engine == "postgres" {
		tables = `SELECT CAST(tablename AS TEXT) FROM pg_tables WHERE schemaname = 'public'`
		indexes = `SELECT CAST(indexname AS TEXT) FROM pg_indexes WHERE schemaname = 'public'`
		columns = `SELECT CAST(table_name || ' DROP COLUMN ' || column_name AS TEXT) FROM information_schema.columns
			WHERE table_schema = 'public'`
	}
	servertest.Execute(t, d, `UPDATE levels SET customers = COALESCE((SELECT SUM(c.customers) FROM level_counts c
		WHERE c.store_id = levels.store_id AND c.level_id = levels.level_id), 0)`)
	views := replaceViews(t, engine, d, base)
	for _, kind := range []struct{ drop, list string }{
		{"DROP TABLE ", tables}, {"DROP INDEX ", indexes}, {"ALTER TABLE ", columns},
	} {
		released := listNames(t, base, kind.list)
		for _, name := range listNames(t, d, kind.list) {
			if !slices.Contains(released, name) && name != "sqlite_stat1" {
				servertest.Execute(t, d, kind.drop+name)
			}
		}
	}
	for _, create := range views {
		servertest.Execute(t, d, create)
	}
	servertest.Execute(t, d, `DELETE FROM goose_db_version WHERE version_id > `+strconv.Itoa(baseSchema))
}

// replaceViews drops all views, whose columns later files can have changed, and returns the statements that create
// those of the first release.
func replaceViews(t *testing.T, engine string, d, base *db.DB) (create []string) {
	t.Helper()
	names := `SELECT name FROM sqlite_master WHERE type = 'view'`
	statements := `SELECT sql FROM sqlite_master WHERE type = 'view'`
	if engine == "postgres" {
		names = `SELECT CAST(viewname AS TEXT) FROM pg_views WHERE schemaname = 'public'`
		statements = `SELECT 'CREATE VIEW ' || viewname || ' AS ' || definition FROM pg_views
			WHERE schemaname = 'public'`
	}
	for _, name := range listNames(t, d, names) {
		servertest.Execute(t, d, "DROP VIEW "+name)
	}
	return listNames(t, base, statements)
}

func listNames(t *testing.T, d *db.DB, query string) (names []string) {
	t.Helper()
	err := d.Read(t.Context(), func(tx *db.Tx) (err error) {
		names, err = db.AllValues[string](tx, query)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// countRows returns the number of rows by table.
func countRows(t *testing.T, d *db.DB) map[string]int64 {
	t.Helper()
	list := `SELECT name FROM sqlite_master WHERE type = 'table'`
	if d.Engine() == "postgres" {
		list = `SELECT CAST(tablename AS TEXT) FROM pg_tables WHERE schemaname = 'public'`
	}
	rows := map[string]int64{}
	err := d.Read(t.Context(), func(tx *db.Tx) error {
		names, err := db.AllValues[string](tx, list)
		for _, name := range names {
			if err == nil {
				rows[name], err = db.Value[int64](tx, `SELECT COUNT(*) FROM `+name)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestUpgrade brings a database with the schema of the first release, which has the demonstration data, to a later
// version with all migrations and one of this test. The data stays. The program of the release before works with it, as
// TestUpgradeNodeByNode shows, and an older one refuses it.
func TestUpgrade(t *testing.T) {
	newer := schema(t, 9998, fstest.MapFS{"9999_test.sql": &fstest.MapFile{Data: []byte(`-- +goose Up
ALTER TABLE customers ADD COLUMN nickname TEXT NOT NULL DEFAULT 'none';
CREATE INDEX customers_nickname ON customers (store_id, nickname, customer_id);
CREATE TABLE pets (
    store_id BIGINT NOT NULL,
    pet_id   TEXT   NOT NULL,
    PRIMARY KEY (store_id, pet_id)
) WITHOUT ROWID;
INSERT INTO pets (store_id, pet_id) SELECT store_id, customer_id FROM customers;
UPDATE schema_programs SET made_by = '9.1.0', oldest = '9.0.0';
`)}})
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		database := servertest.DemoDatabase(t, engine)
		d := openDatabase(t, database)
		if err := d.Migrate(t.Context(), newer); err != nil { // so that there is something to undo
			t.Fatal(err)
		}
		undo(t, engine, d)
		want := countRows(t, d)
		if err := d.Migrate(t.Context(), newer); err != nil {
			t.Fatal(err)
		}
		want["pets"] = want["customers"]
		got := countRows(t, d)
		for table := range got {
			if _, known := want[table]; !known || table == "sqlite_stat1" || table == "goose_db_version" {
				delete(got, table) // made by a later file, or written again
				delete(want, table)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" || got["pets"] == 0 {
			t.Errorf("rows by table: %s", diff)
		}
		sum, err := check.Run(t.Context(), d, app.Kinds{}.Rules(), check.Report{
			Finding: func(f check.Finding) { t.Error(f) }, Begin: func(string, int, int) {}, More: func(string, int64) {},
		})
		if err != nil || sum.Rules == 0 {
			t.Errorf("%d rules checked: %v", sum.Rules, err)
		}
		for program, why := range map[string]string{
			"9.0.0": "", "9.1.0": "", "10.0.0": "",
			"8.9.9": "of version 9.1.0, which version 9.0.0 of the program and later can use; this is 8.9.9: install one",
			"":      "this is another program",
		} {
			older := dbtest.Open(t, db.Config{
				URL: database.Database, File: filepath.Join(database.Data, "punchcard.db"), Program: program,
			}, servertest.FixedClock)
			err := older.Migrate(t.Context(), schema(t, baseSchema, nil))
			if (err == nil) != (why == "") || err != nil && !strings.Contains(err.Error(), why) {
				t.Errorf("program %q: %v", program, err)
			}
		}
	})
}

// The schema belongs to a release that is not newer than the program, and to which its predecessor must still fit.
func TestSchemaNamesItsPrograms(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		d := dbtest.Open(t, dbtest.Config(t, engine), servertest.FixedClock)
		err := d.Read(t.Context(), func(tx *db.Tx) error {
			madeBy, err := db.Value[string](tx, `SELECT made_by FROM schema_programs`)
			if err != nil {
				return err
			}
			oldest, err := db.Value[string](tx, `SELECT oldest FROM schema_programs`)
			if semver.Compare("v"+madeBy, "v"+app.Version) > 0 || semver.Compare("v"+oldest, "v"+madeBy) > 0 ||
				!semver.IsValid("v"+oldest) {
				t.Errorf("the schema of version %s may be used from %s on; the program is %s", madeBy, oldest, app.Version)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

// TestDatabaseFromBeforeTheFirstReleaseIsRefused starts the program with a database that has a schema from before the
// first release. It is refused, and stays as it is.
func TestDatabaseFromBeforeTheFirstReleaseIsRefused(t *testing.T) {
	old := fstest.MapFS{"0024_finished_messages.sql": &fstest.MapFile{Data: []byte(
		"-- +goose Up\nCREATE TABLE stores (id BIGINT PRIMARY KEY);\nINSERT INTO stores VALUES (7);\n")}}
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		empty := dbtest.Empty(t, engine)
		database := app.Database{Data: filepath.Dir(empty.File), Database: empty.URL, Log: "error"}
		if engine == "postgres" {
			database.Data = t.TempDir()
		}
		d := openDatabase(t, database)
		if err := d.Migrate(t.Context(), old); err != nil {
			t.Fatal(err)
		}
		want := countRows(t, d)
		config := servertest.PlainConfig(database)
		_, checked := app.Check(t.Context(), database, app.Kinds{}, io.Discard, io.Discard)
		for name, err := range map[string]error{
			"serve":   app.Serve(t.Context(), config, io.Discard, io.Discard),
			"migrate": app.Migrate(t.Context(), database, false, io.Discard, io.Discard),
			"check":   checked,
		} {
			const why = "the database has schema 24, from before the first release, and cannot be upgraded: " +
				"start with an empty database, or use the program that made this one"
			if err == nil || !strings.Contains(err.Error(), why) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if diff := cmp.Diff(want, countRows(t, d)); diff != "" {
			t.Errorf("rows by table: %s", diff)
		}
	})
}
