package app_test

import (
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"punchcard/app"
	"punchcard/app/servertest"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// notCompared are tables of SQLite whose rows differ after a move there and back. The first has the times of the
// migrations; the others are made anew, and rows of the last one move to purchase_positions.
var notCompared = []string{"goose_db_version", "search_documents", "purchase_positions", "recent_positions"}

// TestMoveLosesNothing moves a database with rows in every table from SQLite to PostgreSQL and back, and compares all
// values of all tables. A table that is not moved, or a column, fails it.
func TestMoveLosesNothing(t *testing.T) {
	dbtest.Both(t)
	if !slices.Contains(dbtest.Engines, "postgres") {
		t.Skip("without PostgreSQL")
	}
	from := servertest.DemoDatabase(t, "sqlite")
	middle, back := dbtest.Empty(t, "postgres").URL, app.Database{Data: t.TempDir(), Log: "error"}
	source := openDatabase(t, from)
	fillEmptyTables(t, source)
	want, positions := rowsByTable(t, source), positionsOf(t, source)
	for _, way := range [][2]string{{"sqlite:" + from.Data, middle}, {middle, "sqlite:" + back.Data}} {
		moving := app.Moving{From: way[0], To: way[1], Log: "error"}
		var out strings.Builder
		if err := app.Move(t.Context(), moving, app.Kinds{}, &out, io.Discard); err != nil {
			t.Fatalf("%v\n%s", err, &out)
		}
		for table, rows := range want {
			if line := fmt.Sprintf("%-30s %12d rows, sum ", table, len(rows)); !slices.Contains(notCompared, table) &&
				table != "schema_programs" && !strings.Contains(out.String(), line) {
				t.Errorf("the report lacks %q", line)
			}
		}
	}
	moved := openDatabase(t, back)
	got := rowsByTable(t, moved)
	for table, rows := range want {
		if len(rows) == 0 {
			t.Errorf("the table %s has no row to move", table)
		}
		if diff := cmp.Diff(rows, got[table]); diff != "" {
			t.Errorf("%s: %s", table, diff)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d tables, want %d", len(got), len(want))
	}
	if diff := cmp.Diff(positions, positionsOf(t, moved)); diff != "" {
		t.Errorf("positions: %s", diff)
	}
	servertest.Read(t, moved, func(tx *db.Tx) error {
		n, err := db.Value[int64](tx, `SELECT COUNT(*) FROM search_documents WHERE kind = 'customer'`)
		if n < 100 || err != nil {
			t.Errorf("%d customers in the search index, %v", n, err)
		}
		return nil
	})
	err := app.Serve(t.Context(), servertest.PlainConfig(from), io.Discard, io.Discard)
	if err == nil || !strings.Contains(err.Error(), " was moved to PostgreSQL at 2") {
		t.Errorf("a server with the source: %v", err)
	}
	again := app.Moving{From: "sqlite:" + from.Data, To: middle, Log: "error"}
	err = app.Move(t.Context(), again, app.Kinds{}, io.Discard, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "--to: the database is not empty: the table ") {
		t.Errorf("a target that is in use: %v", err)
	}
}

// width is the maximal number of columns of a table.
const width = 80

// rowsByTable returns all rows as texts, sorted.
func rowsByTable(t *testing.T, d *db.DB) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for table, columns := range servertest.Tables(t, d) {
		if slices.Contains(notCompared, table) || strings.HasPrefix(table, "sqlite_") || table == "event_queue" {
			continue
		}
		slices.Sort(columns)
		servertest.Read(t, d, func(tx *db.Tx) error {
			rows, err := db.All(tx, func(row *[width]any) (into []any) {
				for i := range columns {
					into = append(into, &row[i])
				}
				return into
			}, "SELECT "+strings.Join(columns, ", ")+" FROM "+table)
			all[table] = []string{}
			for _, row := range rows {
				all[table] = append(all[table], fmt.Sprintf("%#v", row[:len(columns)]))
			}
			slices.Sort(all[table])
			return err
		})
	}
	return all
}

func positionsOf(t *testing.T, d *db.DB) (positions []string) {
	t.Helper()
	positions = listNames(t, d, `SELECT coupon_id || ' ' || position FROM campaign_purchases ORDER BY 1`)
	if len(positions) < 100 {
		t.Fatalf("%d purchases", len(positions))
	}
	return positions
}

// fillEmptyTables inserts a row into each table without one, with values of all kinds: ids, NULLs, pictures.
func fillEmptyTables(t *testing.T, d *db.DB) {
	t.Helper()
	known := map[string]string{"store_id": "1"}
	for column, table := range map[string]string{"admin_id": "administrators", "maker_id": "administrators",
		"role_id": "roles"} {
		name := strings.Replace(column, "maker", "admin", 1)
		known[column] = "(SELECT MIN(" + name + ") FROM " + table + ")"
	}
	var tables []db.StoredTable
	servertest.Read(t, d, func(tx *db.Tx) (err error) {
		tables, err = tx.StoredTables()
		return err
	})
	rows := rowsByTable(t, d)
	for i, table := range tables {
		if present, compared := rows[table.Name]; !compared || len(present) > 0 {
			continue
		}
		values := map[string]string{}
		for n, c := range table.Columns {
			switch {
			case known[c.Name] != "":
				values[c.Name] = known[c.Name]
			case c.Null && n%2 == 0:
				values[c.Name] = "NULL"
			case c.Type == "TEXT" && n%3 == 0:
				values[c.Name] = fmt.Sprintf("x'0192f0c1a2b37c4d8e5f%012x'", i*width+n)
			case c.Type == "TEXT":
				values[c.Name] = fmt.Sprintf("'Zoë''s 👋 \\N \" %d'", n)
			case c.Type == "BYTES":
				values[c.Name] = "x'0001ff5c0a'"
			case c.Type == "BOOLEAN":
				values[c.Name] = "1"
			default:
				values[c.Name] = fmt.Sprint(i*width + n)
			}
		}
		names := slices.Sorted(maps.Keys(values))
		var list []string
		for _, name := range names {
			list = append(list, values[name])
		}
		servertest.Execute(t, d, "INSERT INTO "+table.Name+" ("+strings.Join(names, ", ")+") VALUES ("+
			strings.Join(list, ", ")+")")
	}
}

// TestMoveRefuses shows what a move refuses before it changes anything.
func TestMoveRefuses(t *testing.T) {
	used := servertest.Database(t, "sqlite")
	config := servertest.PlainConfig(used)
	_, stop := servertest.RunUntil(t, config, servertest.Log(t))
	older := servertest.Database(t, "sqlite")
	servertest.Execute(t, openDatabase(t, older), `DELETE FROM goose_db_version WHERE version_id > 157`)
	zero := servertest.Database(t, "sqlite")
	servertest.Execute(t, openDatabase(t, zero), `INSERT INTO counters (name, value) VALUES ('a' || char(0) || 'b', 1)`)
	nowhere := "sqlite:" + t.TempDir()
	try := func(from, to, want string) {
		t.Helper()
		err := app.Move(t.Context(), app.Moving{From: from, To: to, Log: "error"}, app.Kinds{}, io.Discard, io.Discard)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("from %s to %s: %v, want %q", from, to, err, want)
		}
	}
	try("sqlite:"+used.Data, nowhere, "--from: another server uses the folder "+used.Data+": stop it")
	stop()
	try("sqlite:"+zero.Data, "sqlite:"+used.Data, "--to: "+filepath.Join(used.Data, "punchcard.db")+" exists already")
	try("sqlite:"+older.Data, nowhere, "made by an older program: run punchcard migrate")
	try("sqlite:"+t.TempDir(), nowhere, "--from: there is no database")
	try("sqlite:"+zero.Data, nowhere, `table counters: column name holds a zero byte, which PostgreSQL cannot store, in `+
		`the row name = "a\x00b"`)
	try("mysql://localhost/x", nowhere, "--from: want sqlite:FOLDER")
	try(nowhere, "punchcard.db", "--to: want sqlite:FOLDER")
	entries, err := filepath.Glob(strings.TrimPrefix(nowhere, "sqlite:") + "/*")
	if len(entries) != 1 || err != nil { // the lock
		t.Errorf("left %q, %v", entries, err)
	}
}
