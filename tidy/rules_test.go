package tidy

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// ruleCases are sources that break a rule, and sources that do not.
var ruleCases = []struct {
	name  string
	rule  func([]file) []string
	path  string
	text  string
	wants string // part of every violation; empty for none
}{
	{"platform and feature", importRules, "platform/web/a.go",
		imports("punchcard/core/store"), "knows nothing of loyalty"},
	{"platform and program", importRules, "platform/db/a_test.go",
		imports("punchcard/app"), "knows nothing of loyalty"},
	{"platform downwards", importRules, "platform/event/a.go", imports("punchcard/platform/db"), ""},
	{"platform upwards", importRules, "platform/db/a.go", imports("punchcard/platform/event"), "does not stand above"},
	{"platform sideways", importRules, "platform/db/a.go", imports("punchcard/platform/form"), "does not stand above"},
	{"platform's own part", importRules, "platform/db/dbtest/a.go", imports("punchcard/platform/db"), ""},
	{"platform without a rank", importRules, "platform/new/a.go", "package a", "has no place"},
	{"earlier feature", importRules, "loyalty/purchase/a.go", imports("punchcard/loyalty/campaign"), ""},
	{"later feature", importRules, "loyalty/campaign/a.go", imports("punchcard/loyalty/purchase"), "in featureOrder"},
	{"later feature in a test", importRules, "loyalty/campaign/a_test.go", imports("punchcard/loyalty/purchase"), ""},
	{"feature and program", importRules, "loyalty/campaign/a.go", imports("punchcard/app"), "what wires it"},
	{"feature without a place", importRules, "loyalty/newcomer/a.go", "package a", "has no place"},
	{"program", importRules, "app/a.go",
		imports("punchcard/loyalty/purchase", "net/http", "github.com/nats-io/nats.go"), ""},
	{"migrations", importRules, "migrations/a.go", imports("punchcard/core/store"), "nothing of ours"},
	{"driver below", importRules, "platform/db/dbtest/a.go", imports("github.com/jackc/pgx/v5/stdlib"), ""},
	{"driver above", importRules, "platform/job/a_test.go", imports("modernc.org/sqlite"), "platform/db/sqlite only"},
	{"NATS", importRules, "loyalty/purchase/a.go",
		imports("github.com/nats-io/nats.go"), "platform/event/queue and"},
	{"HTTP", importRules, "loyalty/purchase/a.go", imports("net/http"), "speak HTTP"},
	{"HTTP in a test", importRules, "loyalty/purchase/a_test.go", imports("net/http"), ""},
	{"clock", sideEffectRules, "core/store/a.go", uncalled("time", "time.Now"), "uses time.Now"},
	{"renamed clock", sideEffectRules, "core/store/a.go",
		"package a\nimport x \"time\"\nvar f = x.Since", "time.Since"},
	{"clock in app", sideEffectRules, "app/a.go", uncalled("time", "time.Now"), ""},
	{"other time", sideEffectRules, "core/store/a.go", uncalled("time", "time.Unix"), ""},
	{"randomness", sideEffectRules, "core/store/a.go", imports("crypto/rand"), "uses crypto/rand"},
	{"environment", sideEffectRules, "core/store/a.go", uncalled("os", "os.Getenv"), "uses os.Getenv"},
	{"numbered place", placeRules, "core/store/a.go", "package a\nvar q = `WHERE a = $1`", "written as ?"},
	{"place", placeRules, "core/store/a.go", "package a\nvar q = `WHERE a = ?`", ""},
	{"numbered place of a pattern", placeRules, "core/store/a.go", "package a\nvar q = `$1$2`", ""},
	{"package name", nameRules, "core/store/a.go", "package utils", "says nothing"},
	{"init", nameRules, "core/store/a.go", "package a\nfunc init() {}", "init hides"},
	{"method init", nameRules, "core/store/a.go", "package a\ntype T int\nfunc (T) init() {}", ""},
	{"long file", sizeRules, "core/store/a.go", "package a" + strings.Repeat("\n", 401), "401 lines"},
	{"long test", sizeRules, "core/store/a_test.go", "package a" + strings.Repeat("\n", 401), ""},
	{"long line", sizeRules, "core/store/a.go", "package a // " + strings.Repeat("ż", 108), "121 columns"},
	{"wide line", sizeRules, "core/store/a.go", "package a // " + strings.Repeat("ż", 107), ""},
	{"long function", sizeRules, "core/store/a.go", function(71), "F has 71 lines"},
	{"full function", sizeRules, "core/store/a.go", function(70), ""},
	{"generated", sizeRules, "core/store/a.gen.go", function(71), ""},
	{"mark", sizeRules, "core/store/a.go", "package a // TO" + "DO: later", "finish it"},
	{"server's clock", clockRules, "loyalty/purchase/a.go",
		"package a\nvar f = d.db.Write(ctx, func(tx *db.Tx) error { return nil })", "use that of the store"},
	{"server's clock by name", clockRules, "loyalty/purchase/a.go", "package a\nvar f = d.Read(ctx, g)", "server's clock"},
	{"server's clock of a batch", clockRules, "loyalty/purchase/a.go", "package a\nvar f = batch.New(d, g)", "clock"},
	{"store's clock", clockRules, "loyalty/purchase/a.go",
		"package a\nvar f = store.Write(ctx, d, s, func(tx *db.Tx) error { return nil })", ""},
	{"deliveries", clockRules, "loyalty/webhook/a.go", "package a\nvar f = d.Read(ctx, g)", ""},
	{"midnight", dayRules, "core/store/a.go", uncalled("time", "time.Date"), "days of platform/calendar"},
	{"next day", dayRules, "core/store/a.go", "package a\nvar f = t.AddDate(0, 0, 1)", "that of platform/calendar"},
	{"day of the calendar", dayRules, "core/store/a.go",
		imports("punchcard/platform/calendar") + "\nvar f = calendar.AddDate(t, 0, 0, 1, zone)", ""},
	{"midnight in a test", dayRules, "loyalty/level/shoptest/a.go", uncalled("time", "time.Date"), ""},
	{"hashing", hashingRules, "core/store/a.go",
		"package a\nvar f = func(tx *db.Tx) { password.Hash(ctx, p) }", "hashes"},
	{"hashing deep inside", hashingRules, "core/store/a.go",
		"package a\nfunc f(tx *db.Tx) { g(func() { password.Verify(p) }) }", "hashes"},
	{"hashing outside", hashingRules, "core/store/a.go",
		"package a\nfunc f() { password.Hash(ctx, p); w(func(tx *db.Tx) {}) }", ""},
	{"cheap hashes", cheapHashRules, "core/store/a.go", "package a\nfunc f() { password.Cheapen() }", "cheap"},
	{"cheap hashes in tests", cheapHashRules, "core/store/a_test.go",
		"package a\nfunc f() { password.Cheapen() }", ""},
	{"a clause for a noun", sentenceRules, "app/a.go",
		"package a\n// limit is what a caller may send.\nconst limit = 1", "vague"},
	{"code as a speaker", sentenceRules, "app/a.go",
		"package a\n// Filter says which rows are read.\ntype Filter int", "vague"},
	{"a noun", sentenceRules, "app/a.go",
		"package a\n// limit is the number of calls, which may be 0.\nconst limit = 1", ""},
	{"package comment", commentRules, "core/store/a.go", "package a", "the package has no comment"},
	{"function comment", commentRules, "core/store/a.go", documented("func F() {}"), "F has no comment"},
	{"type comment", commentRules, "core/store/a.go", documented("// Types.\ntype (\nA int\n)"), "A has no comment"},
	{"one type", commentRules, "core/store/a.go", documented("// A is one.\ntype A int"), ""},
	{"group comment", commentRules, "core/store/a.go", documented("// The kinds.\nconst (\nA = 1\nB = 2\n)"), ""},
	{"line comment", commentRules, "core/store/a.go", documented("var (\nA = 1 // one\n)"), ""},
	{"value comment", commentRules, "core/store/a.go", documented("var A = 1"), "A has no comment"},
	{"method comment", commentRules, "core/store/a.go",
		documented("// T is one.\ntype T[V any] int\nfunc (*T[V]) F() {}"), "F has no comment"},
	{"hidden method", commentRules, "core/store/a.go", documented("type t[V any] int\nfunc (*t[V]) F() {}"), ""},
}

// TestRules shows each rule source that breaks it, and source that does not.
func TestRules(t *testing.T) {
	for _, c := range ruleCases {
		t.Run(c.name, func(t *testing.T) {
			violations := c.rule(sources(t, map[string]string{c.path: c.text}))
			expect(t, violations, c.wants)
		})
	}
}

func TestTableKeys(t *testing.T) {
	for _, c := range []struct{ name, migration, wants string }{
		{"led by the store", "CREATE TABLE a (b TEXT CHECK (b IN ('x', 'y')), PRIMARY KEY (store_id, b));", ""},
		{"named key", "create table if not exists a (x TEXT, CONSTRAINT k PRIMARY KEY (store_id, x));", ""},
		{"led by another", "CREATE TABLE a (store_id BIGINT, b TEXT, PRIMARY KEY (b, store_id));", "with b instead"},
		{"column key", "CREATE TABLE a (b TEXT NOT NULL PRIMARY KEY, store_id BIGINT);", "with b instead"},
		{"no key", "CREATE TABLE a (store_id BIGINT -- PRIMARY KEY (store_id)\n);", "has no primary key"},
		{"search index", "CREATE VIRTUAL TABLE a USING fts5 (b);", ""},
		{"on the way down", "CREATE TABLE a (store_id BIGINT PRIMARY KEY);\n-- +goose Down\nCREATE TABLE b (c TEXT);", ""},
		{"nothing understood", "SELECT 1;", "no CREATE TABLE"},
	} {
		t.Run(c.name, func(t *testing.T) {
			violations := tableRules(nil, map[string]string{"migrations/1.sql": c.migration})
			expect(t, slices.DeleteFunc(violations, isStale), c.wants)
		})
	}
	if violations := tableRules(nil, nil); violations != nil {
		t.Errorf("without migrations: %q", violations)
	}
	missing := tableRules(nil, map[string]string{"migrations/1.sql": "CREATE TABLE stores (id TEXT PRIMARY KEY);"})
	if len(missing) != len(globalTables)-1 {
		t.Errorf("%d global tables are missing, told: %q", len(globalTables)-1, missing)
	}
}

func TestTableOwners(t *testing.T) {
	const insert = "\"INSERT INTO codes (store_id) VALUES ($1)\""
	for _, c := range []struct {
		name  string
		texts map[string]string
		wants string
	}{
		{"its owner", map[string]string{"loyalty/campaign/sql.go": insert,
			"loyalty/campaign/list.go": `"SELECT 1 FROM codes"`}, ""},
		{"another folder", map[string]string{"loyalty/campaign/sql.go": insert,
			"loyalty/points/a.go": `"SELECT 1 FROM codes c"`},
			"loyalty/points/a.go:2: codes: names table codes, which belongs to loyalty/campaign"},
		{"a join", map[string]string{"loyalty/campaign/sql.go": insert,
			"loyalty/points/a.go": `"SELECT 1 FROM x JOIN codes USING (y)"`},
			"belongs to loyalty/campaign"},
		{"a list", map[string]string{"loyalty/campaign/sql.go": insert,
			"loyalty/points/a.go": `"FROM own AS o, codes AS c"`},
			"belongs to loyalty/campaign"},
		{"an update", map[string]string{"loyalty/campaign/sql.go": insert, "platform/job/a.go": `"UPDATE codes SET a = 1"`},
			"belongs to loyalty/campaign"},
		{"two owners", map[string]string{"loyalty/campaign/sql.go": insert,
			"loyalty/points/a.go": `f.Insert("codes", "a")`},
			"several folders insert"},
		{"the call", map[string]string{"loyalty/campaign/sql.go": `f.Insert("codes", "a")`,
			"loyalty/points/a.go": `"DELETE FROM codes"`},
			"belongs to loyalty/campaign"},
		{"nobody inserts", map[string]string{"loyalty/campaign/sql.go": `"FROM codes"`,
			"loyalty/points/a.go": `"FROM codes"`},
			"belongs to loyalty/campaign"},
		{"a test", map[string]string{"loyalty/campaign/sql.go": insert,
			"loyalty/points/a_test.go": `"SELECT 1 FROM codes"`}, ""},
		{"bench", map[string]string{"loyalty/campaign/sql.go": insert, "lab/bench/a.go": insert}, ""},
		{"prose", map[string]string{"loyalty/campaign/sql.go": insert,
			"loyalty/points/a.go": `"codes from codes, update codes"`}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			for name, text := range c.texts {
				c.texts[name] = "package a\nvar x = " + text
			}
			violations := ownerRules(sources(t, c.texts), map[string]bool{"codes": true, "own": true})
			expect(t, violations, c.wants)
		})
	}
}

func TestPinRules(t *testing.T) {
	expect(t, pinRules("require (\n\tmodernc.org/libc v1.77.1 // indirect\n)"), "")
	expect(t, pinRules("require modernc.org/libc v1.77.2"), "want modernc.org/libc v1.77.1")
	expect(t, pinRules("module punchcard"), "want modernc.org/libc v1.77.1")
}

func TestLabRules(t *testing.T) {
	const goMod = "require (\n\ta.org/b v1.2.0 // why\n\ta.org/c v1.0.0\n)"
	expect(t, labRules(goMod, "require (\n\ta.org/b v1.2.0 // indirect\n\ta.org/d v3.0.0\n)"), "")
	expect(t, labRules(goMod, "require a.org/b v1.3.0"), "a.org/b v1.3.0, but go.mod has v1.2.0")
}

// expect wants at least one violation, and a text in each; or none for an empty text.
func expect(t *testing.T, violations []string, wants string) {
	t.Helper()
	asWanted := (len(violations) > 0) == (wants != "")
	for _, violation := range violations {
		asWanted = asWanted && strings.Contains(violation, wants)
	}
	if !asWanted {
		t.Errorf("got %q, want %q", violations, wants)
	}
}

func isStale(violation string) bool { return strings.Contains(violation, "no migration creates") }

func sources(t *testing.T, texts map[string]string) []file {
	t.Helper()
	var files []file
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		parsed, err := parse(name, texts[name])
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, parsed)
	}
	return files
}

func imports(paths ...string) string {
	text := "package a"
	for _, imported := range paths {
		text += fmt.Sprintf("\nimport _ %q", imported)
	}
	return text
}

// uncalled is source that hands a function on instead of calling it.
func uncalled(library, name string) string {
	return fmt.Sprintf("package a\nimport %q\nvar f = %s", library, name)
}

func function(lines int) string { return "package a\nfunc F() {" + strings.Repeat("\n", lines-1) + "}" }

func documented(text string) string { return "// Package a is one.\npackage a\n" + text }
