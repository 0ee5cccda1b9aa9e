package app_test

import (
	"bytes"
	"io"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"punchcard/app"
	"punchcard/app/servertest"
	"punchcard/migrations"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// TestSchemaOfVersion010 shows that a database of version 0.1.0, whose files 0102 and 0103 were changed before the
// first release, is refused with a clear message by the server, the upgrade and its plan, and stays as it is.
func TestSchemaOfVersion010(t *testing.T) {
	const lacked = `    ended_at     BIGINT,          -- NULL unless it was ended before it expired
    started_at   BIGINT NOT NULL,
    used_at      BIGINT NOT NULL, -- at the log-in or the last refresh
    agent        TEXT   NOT NULL  -- User-Agent of that request
`
	const index = `CREATE INDEX sessions_used ON sessions (user_id, used_at);   -- the list of a user's sessions
`
	text, err := fs.ReadFile(migrations.Files, "0102_identity.sql")
	if err != nil || !strings.Contains(string(text), lacked) || !strings.Contains(string(text), index) {
		t.Fatalf("0102_identity.sql is another: %v", err)
	}
	former := strings.Replace(string(text), lacked, "    ended_at     BIGINT\n", 1)
	former = strings.Replace(former, index, "", 1)
	const want = "the database has schema 120, but lacks sessions.agent, sessions.started_at, sessions.used_at: " +
		"another program than a release of Punchcard from 0.9.0 on made it; it cannot be upgraded, and nothing was " +
		"changed: use the program that made it, or start with an empty database and import customers and points into it"
	dbtest.Both(t)
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		empty := dbtest.Empty(t, engine)
		database := app.Database{Data: t.TempDir(), Database: empty.URL, Log: "error"}
		d := openDatabase(t, database)
		if err := d.Migrate(t.Context(), schema(t, 120, fstest.MapFS{
			"0102_identity.sql": &fstest.MapFile{Data: []byte(former)},
		})); err != nil {
			t.Fatal(err)
		}
		before := schemaOf(t, engine, d)
		var out bytes.Buffer
		for name, run := range map[string]func() error{
			"migrate": func() error { return app.Migrate(t.Context(), database, false, &out, io.Discard) },
			"plan":    func() error { return app.PlanMigration(t.Context(), database, &out, io.Discard) },
			"serve":   func() error { return app.Serve(t.Context(), servertest.PlainConfig(database), &out, io.Discard) },
		} {
			if err := run(); err == nil || err.Error() != want && err.Error() != "schema version: "+want {
				t.Errorf("%s: %v", name, err)
			}
		}
		if out.Len() > 0 {
			t.Errorf("printed %q", &out)
		}
		if after := schemaOf(t, engine, d); after != before {
			t.Errorf("was %s\nis %s", before, after)
		}
	})
}

// schemaOf returns the tables, indexes and applied migrations of a database.
func schemaOf(t *testing.T, engine string, d *db.DB) string {
	t.Helper()
	list := `SELECT type || ' ' || name || ' ' || COALESCE(sql, '') FROM sqlite_master ORDER BY 1`
	if engine == "postgres" {
		list = `SELECT CAST(table_name || ' ' || column_name || ' ' || data_type AS TEXT) FROM information_schema.columns
			WHERE table_schema = 'public' ORDER BY 1`
	}
	applied := `SELECT CAST(version_id AS TEXT) FROM goose_db_version ORDER BY 1`
	return strings.Join(append(listNames(t, d, list), listNames(t, d, applied)...), "\n")
}
