package tidy

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// globalTables lists the tables that do not lead their key with store_id. All others do, so that a store's rows lie
// together and one store's statement never meets another's rows.
var globalTables = map[string]string{
	"stores":                "lists the stores; store_id is its whole key",
	"counters":              "give numbers that no two stores share",
	"languages":             "are the same for all stores",
	"administrators":        "work in all stores",
	"api_keys":              "belong to administrators",
	"roles":                 "belong to administrators",
	"setup_links":           "open an installation that has no administrator",
	"sso_providers":         "sign in administrators of all stores",
	"sso_identities":        "are administrators of all stores",
	"sso_attempts":          "are sign-ins of administrators of all stores",
	"sso_logouts":           "sign administrators of all stores out",
	"sso_password_login":    "is a setting of all stores",
	"signing_keys":          "sign the tokens of all stores",
	"web_push_keys":         "identify the installation to push services",
	"sessions":              "are found by their id, before the store is known",
	"refresh_tokens":        "are found by their hash, before the store is known",
	"factor_challenges":     "are found by their hash, before the store is known",
	"verification_tokens":   "are found by their hash, before the store is known",
	"verification_requests": "count names that no store knows, too",
	"events":                "are read in the one order of all stores",
	"event_queue":           "waits for its place in that order",
	"event_cursors":         "count along that order",
	"jobs":                  "run once for all stores",
	"schema_programs":       "tells which programs may use the schema of all stores",
	"audit_entries":         "are read in the one order of all stores",
	"audit_archives":        "are times in that order",
	"recent_positions":      "move to purchase_positions together, those of all stores",
}

// foreignReaders lists the folders that may name a table they do not own.
var foreignReaders = map[string]string{
	"lab/drill": "writes the migrations of test builds",
	"lab/bench": "loads millions of rows past the operations, to measure with full tables",
}

// tableRules checks the keys of all tables, and that each table is named in the code of its owner only: the folder
// that inserts into it.
func tableRules(files []file, migrations map[string]string) []string {
	if len(migrations) == 0 {
		return nil
	}
	var violations []string
	tables := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(migrations)) {
		for _, made := range createdTables(migrations[name]) {
			tables[made.name] = true
			if reason := made.keyFault(); reason != "" {
				violations = append(violations, fmt.Sprintf("%s: table %s %s", name, made.name, reason))
			}
		}
	}
	if len(tables) == 0 {
		return []string{"migrations: no CREATE TABLE was understood"}
	}
	for _, name := range slices.Sorted(maps.Keys(globalTables)) {
		if !tables[name] {
			violations = append(violations, "tidy: globalTables lists "+name+", which no migration creates")
		}
	}
	return append(violations, ownerRules(files, tables)...)
}

// table is one CREATE TABLE.
type table struct {
	name    string
	virtual bool   // a search index: it has no key
	keyLead string // first column of the primary key, empty without one
}

func (t table) keyFault() string {
	switch {
	case t.virtual || t.keyLead == "store_id":
		return ""
	case globalTables[t.name] != "":
		return ""
	case t.keyLead == "":
		return "has no primary key"
	}
	return "leads its primary key with " + t.keyLead + " instead of store_id"
}

var (
	marked     = regexp.MustCompile(`--(?:sqlite|postgres): `) // lines that one database reads
	sqlComment = regexp.MustCompile(`--[^\n]*`)
	downward   = regexp.MustCompile(`(?m)^\s*--\s*\+goose\s+Down\b`)
	create     = regexp.MustCompile(
		`(?i)\bCREATE\s+(?:UNLOGGED\s+)?(VIRTUAL\s+)?TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?(\w+)([^(;]*)`)
	tableKey  = regexp.MustCompile(`(?is)^(?:CONSTRAINT\s+\w+\s+)?PRIMARY\s+KEY\s*\(\s*(\w+)`)
	columnKey = regexp.MustCompile(`(?is)^(\w+)\s.*\bPRIMARY\s+KEY\b`)
)

// createdTables reads the tables that a migration creates on its way up.
func createdTables(migration string) []table {
	if down := downward.FindStringIndex(migration); down != nil {
		migration = migration[:down[0]]
	}
	text := sqlComment.ReplaceAllString(marked.ReplaceAllString(migration, ""), "")
	var tables []table
	for _, found := range create.FindAllStringSubmatchIndex(text, -1) {
		made := table{name: strings.ToLower(text[found[4]:found[5]]), virtual: found[2] >= 0}
		for _, item := range items(text[found[1]:]) {
			if key := tableKey.FindStringSubmatch(item); key != nil {
				made.keyLead = strings.ToLower(key[1])
			} else if key := columnKey.FindStringSubmatch(item); key != nil {
				made.keyLead = strings.ToLower(key[1])
			}
		}
		tables = append(tables, made)
	}
	return tables
}

// items splits a list in parentheses, which text begins with, at its own commas.
func items(text string) []string {
	var found []string
	depth, start := 0, 1
	for i, c := range text {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 || depth == 1 && c == ',' {
			found = append(found, strings.TrimSpace(text[min(start, i):i]))
			start = i + 1
		}
		if depth == 0 {
			break
		}
	}
	return found
}

// naming is one place where code names a table.
type naming struct {
	table   string
	place   string // for the report
	folder  string
	inserts bool
}

func ownerRules(files []file, tables map[string]bool) []string {
	namings := tableNamings(files, tables)
	owners := map[string][]string{}
	for _, n := range namings {
		if n.inserts && !slices.Contains(owners[n.table], n.folder) {
			owners[n.table] = append(owners[n.table], n.folder)
		}
	}
	var violations []string
	for _, n := range namings {
		folders := owners[n.table]
		switch {
		case len(folders) == 0:
			owners[n.table] = []string{n.folder} // nobody inserts: the first to name it
		case len(folders) > 1 && n.inserts:
			violations = append(violations, fmt.Sprintf("%s: several folders insert into table %s: %s",
				n.place, n.table, strings.Join(folders, ", ")))
		case !slices.Contains(folders, n.folder):
			violations = append(violations, fmt.Sprintf("%s: names table %s, which belongs to %s: call that package",
				n.place, n.table, strings.Join(folders, ", ")))
		}
	}
	return violations
}

// tableNamings finds the tables in the SQL of all code but tests, and in the calls of tx.Insert, db.NewTable and their
// like, whose first argument is a table.
func tableNamings(files []file, tables map[string]bool) []naming {
	var namings []naming
	for _, f := range files {
		if f.isTest() || permitted(foreignReaders, f.folder()) {
			continue
		}
		add := func(position token.Pos, name string, inserts bool) {
			if tables[name] {
				namings = append(namings, naming{name, f.at(position, "%s", name), unit(f.folder()), inserts})
			}
		}
		ast.Inspect(f.syntax, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.BasicLit:
				for _, found := range sqlTables(literal(node)) {
					add(node.Pos(), found.name, found.inserts)
				}
			case *ast.CallExpr:
				method, isMethod := node.Fun.(*ast.SelectorExpr)
				if isMethod && makesRows.MatchString(method.Sel.Name) && len(node.Args) > 0 {
					add(node.Pos(), literal(node.Args[0]), true)
				}
			}
			return true
		})
	}
	return namings
}

// makesRows matches the functions whose first argument is a table that they insert into.
var makesRows = regexp.MustCompile(`^(Insert|NewTable$|NewConfiguration$)`)

// literal is the text of a string literal, and empty for anything else.
func literal(expression ast.Expr) string {
	basic, isBasic := expression.(*ast.BasicLit)
	if !isBasic || basic.Kind != token.STRING {
		return ""
	}
	text, err := strconv.Unquote(basic.Value)
	if err != nil {
		return ""
	}
	return text
}

// sqlTable is a table in a statement.
type sqlTable struct {
	name    string
	inserts bool
}

// tableWord finds the words before a table, in capitals as our SQL writes them, and the list of tables after them,
// where each may have an alias.
var tableWord = regexp.MustCompile(
	`\b(FROM|INTO|UPDATE|JOIN|USING)\s+(\w+(?:\s+(?:AS\s+)?[a-z]\w*)?(?:\s*,\s*[a-z]\w*(?:\s+(?:AS\s+)?[a-z]\w*)?)*)`)

func sqlTables(text string) []sqlTable {
	var tables []sqlTable
	for _, found := range tableWord.FindAllStringSubmatch(text, -1) {
		for _, item := range strings.Split(found[2], ",") {
			name := strings.Fields(item)[0]
			tables = append(tables, sqlTable{name, found[1] == "INTO"})
		}
	}
	return tables
}
