package db

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Tables of NewConfiguration have versions: one for each table of a store, and one for all tables of the store. A
// transaction that changes such a table raises both when it ends. So two transactions that read the same version of a
// table read the same rows.

// Installation is the store key of the versions of tables that all stores share. A change by a statement that does not
// say which store it is about counts there, too.
const Installation = 0

// changed is a table of configuration that an operation changes.
type changed struct {
	storeKey int64
	table    string // empty: any
}

// ChangesConfiguration reports whether the operation has changed one of the tables for the store.
func (tx *Tx) ChangesConfiguration(storeKey int64, tables ...string) bool {
	for _, table := range tables {
		if tx.changed[changed{storeKey, table}] || tx.changed[changed{Installation, table}] {
			return true
		}
	}
	return false
}

// Together makes a change in one store count for the installation, whose rows of all stores are read together.
func (t *Table[T]) Together() *Table[T] {
	t.together = true
	return t
}

// Traffic names columns of configuration that change by themselves, such as counts. Their changes raise no version, and
// who reads a version of the table ignores them.
func (t *Table[T]) Traffic(columns ...string) *Table[T] {
	t.places(columns)
	t.traffic = columns
	return t
}

// Exec is tx.Exec of a statement that changes rows of one store only.
func (t *Table[T]) Exec(tx *Tx, storeKey int64, query string, args ...any) (n int64, err error) {
	err = t.change(tx, [][]any{{storeKey}}, 0, func() (err error) {
		n, err = tx.Exec(query, args...)
		return err
	})
	return n, err
}

// change runs a change of rows, each of which has a store at a place, and notes which stores it concerns.
func (s *Schema) change(tx *Tx, rows [][]any, place int, write func() error) error {
	if !s.Configuration {
		return write()
	}
	for _, row := range rows {
		tx.noteChange(s, storeKeyOf(row, place))
	}
	return s.noted(tx, write)
}

// noted runs a statement whose change was noted, or need not be.
func (s *Schema) noted(tx *Tx, write func() error) error {
	tx.noted = s
	defer func() { tx.noted = nil }()
	return write()
}

func storeKeyOf(row []any, place int) int64 {
	if place >= 0 {
		switch key := row[place].(type) {
		case *int64:
			return *key
		case int64:
			return key
		}
	}
	return Installation
}

func (tx *Tx) noteChange(s *Schema, storeKey int64) {
	if s.together {
		storeKey = Installation
	}
	if tx.changed == nil {
		tx.changed = map[changed]bool{}
	}
	tx.changed[changed{storeKey, s.Name}] = true
	tx.changed[changed{storeKey, ""}] = true
}

// starting counts and traces a statement. It notes what the statement changes, unless the table has done so.
func (tx *Tx) starting(query string, args []any) {
	for _, s := range changedBy(query) {
		if s != tx.noted {
			tx.noteChange(s, Installation)
		}
	}
	tx.db.starting(query, args)
}

var (
	changeWords = regexp.MustCompile(`\b(?:INTO|UPDATE|DELETE\s+FROM)\s+(?:ONLY\s+)?(\w+)`)
	changes     sync.Map // of texts that change rows to []*Schema; bounded by the texts in the code
)

// changedBy returns the tables of configuration that a statement changes.
func changedBy(query string) []*Schema {
	if strings.HasPrefix(strings.TrimLeft(query, " \t\n("), "SELECT") {
		return nil
	}
	if known, found := changes.Load(query); found {
		return known.([]*Schema)
	}
	var found []*Schema
	for _, match := range changeWords.FindAllStringSubmatch(query, -1) {
		for _, s := range tables {
			if s.Configuration && s.Name == match[1] && !slices.Contains(found, s) {
				found = append(found, s)
			}
		}
	}
	changes.Store(query, found)
	return found
}

// raiseVersions raises the versions of what the operation has changed, in one order, so that none deadlocks.
func (tx *Tx) raiseVersions() error {
	var raised []*Version
	for _, c := range slices.SortedFunc(maps.Keys(tx.changed), func(a, b changed) int {
		return cmp.Or(cmp.Compare(a.storeKey, b.storeKey), cmp.Compare(a.table, b.table))
	}) {
		raised = append(raised, &Version{c.storeKey, c.table, 1})
	}
	return versionTable.InsertAdding(tx, raised...)
}

// Version is the version of a table of a store. Table is empty for that of all its tables.
type Version struct {
	StoreKey int64
	Table    string
	Number   int64
}

var versionTable = NewTable("configuration_versions", "store_id, part", func(v *Version) Row {
	return Row{"store_id", &v.StoreKey, "part", &v.Table, "version", &v.Number}
})

// SelectVersions returns a query that passes the versions of a store and those of the installation to visit: of all
// tables together only, or of each table as well. What never changed has none.
func SelectVersions(storeKey int64, each bool, visit func(Version)) Query {
	query := `SELECT * FROM configuration_versions WHERE store_id IN (0, ?)`
	if !each {
		query += ` AND part = ''`
	}
	return versionTable.Select(visit, query, storeKey)
}

// Writes reports whether the operation is one of Write. An error of ErrStale runs it again.
func (tx *Tx) Writes() bool { return tx.writes }

// Publish calls f when what the operation has read is known to be committed: at once while it only reads, after the
// commit in a write, and never in a dry run.
func (tx *Tx) Publish(f func()) {
	switch {
	case tx.IsDry():
	case tx.writes:
		tx.AfterCommit(f)
	default:
		f()
	}
}

// Shared returns the value that a database has for a key, and makes it at the first call: what all operations of a
// process share. The type of the key is the package's own.
func Shared[K comparable, V any](tx *Tx, key K, make func() V) V {
	if value, found := tx.db.shared.Load(key); found {
		return value.(V)
	}
	value, _ := tx.db.shared.LoadOrStore(key, make())
	return value.(V)
}
