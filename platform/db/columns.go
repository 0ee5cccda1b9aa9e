package db

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// checkColumns returns an error if the database lacks columns of the migrations up to its version: another program made
// it, with files of the same numbers. Its upgrade would fail in the middle.
func (d *DB) checkColumns(ctx context.Context, migrations fs.FS, current int64) error {
	expected, err := d.expectedColumns(migrations, current)
	if err != nil {
		return err
	}
	query := `SELECT m.name || '.' || c.name FROM sqlite_master m, pragma_table_xinfo(m.name) c WHERE m.type = 'table'`
	if d.Engine() == "postgres" {
		query = `SELECT CAST(table_name || '.' || column_name AS TEXT) FROM information_schema.columns
			WHERE table_schema = current_schema()`
	}
	var present []string
	err = d.Read(ctx, func(tx *Tx) (err error) {
		present, err = AllValues[string](tx, query)
		return err
	})
	if err != nil {
		return err
	}
	for _, name := range present {
		delete(expected, name)
	}
	if len(expected) == 0 {
		return nil
	}
	missing := slices.Sorted(maps.Keys(expected))
	return fmt.Errorf("the database has schema %d, but lacks %s: another program than a release of Punchcard from "+
		"0.9.0 on made it; it cannot be upgraded, and nothing was changed: use the program that made it, or start with an "+
		"empty database and import customers and points into it", current,
		strings.Join(missing[:min(len(missing), missingShown)], ", "))
}

// missingShown is how many missing columns an error names.
const missingShown = 3

// What statements of migrations do to columns.
var (
	createTable  = regexp.MustCompile(`^CREATE TABLE (\w+) ?\((.*)\)[^)]*$`)
	addColumn    = regexp.MustCompile(`^ALTER TABLE (\w+) ADD COLUMN (\w+)`)
	dropColumn   = regexp.MustCompile(`^ALTER TABLE (\w+) DROP COLUMN (\w+)`)
	renameColumn = regexp.MustCompile(`^ALTER TABLE (\w+) RENAME COLUMN (\w+) TO (\w+)`)
	renameTable  = regexp.MustCompile(`^ALTER TABLE (\w+) RENAME TO (\w+)`)
	dropTable    = regexp.MustCompile(`^DROP TABLE (?:IF EXISTS )?(\w+)`)
)

// expectedColumns returns the columns, as table.column, that the migrations up to a version make.
func (d *DB) expectedColumns(migrations fs.FS, last int64) (map[string]bool, error) {
	names, err := fs.Glob(migrations, "*.sql") // in the order of the numbers
	if err != nil {
		return nil, err
	}
	columns := map[string]bool{}
	for _, name := range names {
		number, err := MigrationNumber(name)
		if err != nil {
			return nil, err
		}
		if number > last {
			break
		}
		text, err := fs.ReadFile(migrations, name)
		if err != nil {
			return nil, err
		}
		for _, statement := range schemaStatements(d.engine.AdaptSchema(string(text))) {
			changeColumns(columns, statement)
		}
	}
	return columns, nil
}

// changeColumns does to the columns what a statement does.
func changeColumns(columns map[string]bool, statement string) {
	move := func(table, to string) {
		for name := range maps.Clone(columns) {
			if column, of := strings.CutPrefix(name, table+"."); of {
				if delete(columns, name); to != "" {
					columns[to+"."+column] = true
				}
			}
		}
	}
	if m := createTable.FindStringSubmatch(statement); m != nil {
		for _, column := range columnsOf(m[2]) {
			columns[m[1]+"."+column] = true
		}
	} else if m := addColumn.FindStringSubmatch(statement); m != nil {
		columns[m[1]+"."+m[2]] = true
	} else if m := dropColumn.FindStringSubmatch(statement); m != nil {
		delete(columns, m[1]+"."+m[2])
	} else if m := renameColumn.FindStringSubmatch(statement); m != nil {
		delete(columns, m[1]+"."+m[2])
		columns[m[1]+"."+m[3]] = true
	} else if m := renameTable.FindStringSubmatch(statement); m != nil {
		move(m[1], m[2])
	} else if m := dropTable.FindStringSubmatch(statement); m != nil {
		move(m[1], "")
	}
}

// columnsOf returns the names of the columns in the parentheses of CREATE TABLE. Constraints begin with a key word.
func columnsOf(definitions string) (names []string) {
	depth, begin := 0, true // of parentheses; whether a definition begins
	for word := range strings.FieldsSeq(strings.NewReplacer("(", " ( ", ")", " ) ", ",", " , ").Replace(definitions)) {
		switch {
		case word == "(":
			depth++
		case word == ")":
			depth--
		case word == "," && depth == 0:
			begin = true
			continue
		case begin && !slices.Contains(constraints, word):
			names = append(names, word)
		}
		begin = false
	}
	return names
}

var constraints = []string{"PRIMARY", "UNIQUE", "CHECK", "FOREIGN", "CONSTRAINT"}
