package db

import (
	"database/sql"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// Table is a table whose rows are held in a T. Its columns are bound to members of T in one place. Statements name
// columns, never their positions.
type Table[T any] struct {
	*Schema
	bind func(*T) Row
}

// Row pairs the columns of a table with pointers to members: name, pointer, name, pointer. Time and JSON store members
// of other types. A value that is no pointer, such as a Derived, is written but never read.
type Row []any

// NewTable binds a table. key lists the columns of its primary key, separated by commas. bind returns all columns, in
// the same order for each row.
func NewTable[T any](name, key string, bind func(*T) Row) *Table[T] {
	schema := newSchema(name, key, bind(new(T)))
	schema.places(schema.Key) // panics if one is missing
	tables = append(tables, schema)
	return &Table[T]{schema, bind}
}

// NewConfiguration is NewTable for a table that administrators configure, rather than one that grows with the business:
// it is small, read often and changed seldom.
func NewConfiguration[T any](name, key string, bind func(*T) Row) *Table[T] {
	t := NewTable(name, key, bind)
	t.Configuration = true
	return t
}

// Apart leaves columns out of SELECT *, such as long texts. A query that reads them names them.
func (t *Table[T]) Apart(columns ...string) *Table[T] {
	for _, place := range t.places(columns) {
		t.read = slices.DeleteFunc(t.read, func(read int) bool { return read == place })
	}
	return t
}

// NewView binds a type that holds less than a row of a table, or more: what a query selects beside the row has a name,
// too. Columns that an insert leaves out get their defaults.
func NewView[T, Of any](of *Table[Of], bind func(*T) Row) *Table[T] {
	return &Table[T]{newSchema(of.Name, strings.Join(of.Key, ", "), bind(new(T))), bind}
}

// Row returns the columns of a row, for a view of a type that has the row.
func (t *Table[T]) Row(row *T) Row { return t.bind(row) }

// KeyOf returns the values of the key of a row.
func (t *Table[T]) KeyOf(row *T) []any { return pick(values(t.bind(row)), t.keys) }

// Insert writes rows in few round trips. An error may be returned by a later statement or by the commit.
func (t *Table[T]) Insert(tx *Tx, rows ...*T) error { return t.insert(tx, "", valuesOf(t.bind, rows)) }

// InsertOr is Insert with an ending for rows that conflict: ON CONFLICT ….
func (t *Table[T]) InsertOr(tx *Tx, conflict string, rows ...*T) error {
	return t.insert(tx, conflict, valuesOf(t.bind, rows))
}

// InsertNew writes a row unless it conflicts with a unique key; then inserted is false.
func (t *Table[T]) InsertNew(tx *Tx, row *T) (inserted bool, err error) {
	n, err := t.exec(tx, values(t.bind(row)), t.store, t.into+Values(len(t.columns))+" ON CONFLICT DO NOTHING")
	return n == 1, err
}

// Put writes rows, which replace the columns of those with the same keys.
func (t *Table[T]) Put(tx *Tx, rows ...*T) error {
	return t.insert(tx, t.replacing, valuesOf(t.bind, rows))
}

// InsertAdding writes rows. Where one with the same key is stored, it adds the numbers of the other columns to it.
func (t *Table[T]) InsertAdding(tx *Tx, rows ...*T) error {
	return t.insert(tx, t.adding, valuesOf(t.bind, rows))
}

// Update writes the named columns of the rows with the same keys, in few round trips as Insert does. The columns are
// separated by commas. Rows that are not stored are ignored.
func (t *Table[T]) Update(tx *Tx, columns string, rows ...*T) error {
	return t.update(tx, columns, false, valuesOf(t.bind, rows))
}

// Add is Update that adds the numbers to those of the stored rows.
func (t *Table[T]) Add(tx *Tx, columns string, rows ...*T) error {
	return t.update(tx, columns, true, valuesOf(t.bind, rows))
}

// UpdateOne is Update of one row. found is false if it is not stored.
func (t *Table[T]) UpdateOne(tx *Tx, columns string, row *T) (found bool, err error) {
	return t.updateOne(tx, columns, values(t.bind(row)))
}

// Delete deletes the rows with the same keys, as Update changes them.
func (t *Table[T]) Delete(tx *Tx, rows ...*T) error { return t.delete(tx, valuesOf(t.bind, rows)) }

// Select returns a query that passes each row to visit. It selects columns by name, and each is read into the member
// that is bound to the name: "SELECT customer_id, points" fills two, "SELECT *" or "SELECT t.*" all. Others are zero.
// See the function Select about visit and args.
func (t *Table[T]) Select(visit func(T), query string, args ...any) Query {
	s, args := t.selection(query, args)
	return Select(t.reading(s), visit, s.text, args...)
}

// All returns every row. See Select.
func (t *Table[T]) All(tx *Tx, query string, args ...any) ([]T, error) {
	s, args := t.selection(query, args)
	return All(tx, t.reading(s), s.text, args...)
}

// One returns the first row, and false if there is none. See Select.
func (t *Table[T]) One(tx *Tx, query string, args ...any) (T, bool, error) {
	s, args := t.selection(query, args)
	return One(tx, t.reading(s), s.text, args...)
}

// Each passes every row to visit as it is read. See Select.
func (t *Table[T]) Each(tx *Tx, visit func(T), query string, args ...any) error {
	return tx.Run(t.Select(visit, query, args...))
}

// SelectEach returns queries that read rows for each of different keys. See EachOf.
func (t *Table[T]) SelectEach(tx *Tx, keys []string, visit func(T), query string, args ...any) []Query {
	s, args := t.selection(query, args)
	return SelectEach(tx, keys, t.reading(s), visit, s.text, args...)
}

func (t *Table[T]) reading(s *selection) func(*T) []any {
	return func(row *T) []any { return pick(values(t.bind(row)), s.picks) }
}

// Pointers returns pointers to rows, as Insert and its like take them.
func Pointers[T any](rows []T) []*T {
	pointers := make([]*T, len(rows))
	for i := range rows {
		pointers[i] = &rows[i]
	}
	return pointers
}

// valuesOf returns the values of rows.
func valuesOf[T any](bind func(*T) Row, rows []*T) [][]any {
	all := make([][]any, len(rows))
	for i, row := range rows {
		all[i] = values(bind(row))
	}
	return all
}

// values leaves the values of pairs.
func values(r Row) []any {
	for i := range len(r) / 2 {
		r[i] = r[2*i+1]
	}
	return r[: len(r)/2 : len(r)/2]
}

func pick(values []any, places []int) []any {
	picked := make([]any, len(places))
	for i, place := range places {
		picked[i] = values[place]
	}
	return picked
}

// Schema describes a table: what does not depend on the type of its rows.
type Schema struct {
	Name          string
	Key           []string // columns of the primary key
	Configuration bool     // see NewConfiguration

	columns   []Column
	together  bool     // see Together
	traffic   []string // see Traffic
	store     int      // place of store_id in columns, or -1
	keys      []int    // places of the key in columns
	read      []int    // places of the columns that are read
	into      string   // INSERT INTO … (…)
	replacing string   // ON CONFLICT …
	adding    string   // ON CONFLICT …
	known     sync.Map // of texts to their *selection or *update
	texts     atomic.Int64
}

// tables are those of NewTable, which variables of packages hold.
var tables []*Schema

// Tables returns the tables of all packages of the program.
func Tables() []*Schema { return slices.Clone(tables) }

func newSchema(name, key string, row Row) *Schema {
	s := &Schema{Name: name, Key: splitNames(key)}
	var names, others, sums []string
	for i := 0; i+1 < len(row); i += 2 {
		column, isName := row[i].(string)
		if !isName || slices.Contains(names, column) {
			panic(fmt.Sprintf("table %s: %v is no name of a further column", name, row[i]))
		}
		if isRead(row[i+1]) {
			s.read = append(s.read, len(names))
		}
		if !slices.Contains(s.Key, column) {
			others = append(others, column+" = excluded."+column)
			sums = append(sums, column+" = "+name+"."+column+" + excluded."+column)
		}
		names = append(names, column)
		s.columns = append(s.columns, Column{Name: column, Type: TypeOf(row[i+1])})
	}
	s.store = slices.Index(names, "store_id")
	for place, column := range s.columns {
		if slices.Contains(s.Key, column.Name) {
			s.keys = append(s.keys, place)
		}
	}
	s.into = "INSERT INTO " + name + " (" + strings.Join(names, ", ") + ") "
	s.replacing, s.adding = "ON CONFLICT ("+key+") DO NOTHING", "ON CONFLICT ("+key+") DO NOTHING"
	if len(others) > 0 {
		s.replacing = "ON CONFLICT (" + key + ") DO UPDATE SET " + strings.Join(others, ", ")
		s.adding = "ON CONFLICT (" + key + ") DO UPDATE SET " + strings.Join(sums, ", ")
	}
	return s
}

func isRead(value any) bool {
	if _, scans := value.(sql.Scanner); scans {
		return true
	}
	return reflect.TypeOf(value).Kind() == reflect.Pointer
}

// splitNames splits names that are separated by commas.
func splitNames(names string) []string {
	all := strings.Split(names, ",")
	for i := range all {
		all[i] = strings.TrimSpace(all[i])
	}
	return all
}

// OfStore reports whether each row belongs to a store, which leads its key, rather than to the installation.
func (s *Schema) OfStore() bool { return s.Key[0] == "store_id" }

// IsShared reports whether a change of a row concerns all stores.
func (s *Schema) IsShared() bool { return s.together || !s.OfStore() }

// Columns lists the columns that are read, separated by commas.
func (s *Schema) Columns() string { return s.list("") }

// AllColumns returns the names of all columns.
func (s *Schema) AllColumns() []string {
	names := make([]string, len(s.columns))
	for i, column := range s.columns {
		names[i] = column.Name
	}
	return names
}

// Others lists the columns besides the key, separated by commas.
func (s *Schema) Others() string {
	return strings.Join(slices.DeleteFunc(s.AllColumns(), func(name string) bool { return slices.Contains(s.Key, name) }),
		", ")
}

// list lists the columns that are read, each after a prefix.
func (s *Schema) list(prefix string) string {
	var b strings.Builder
	for i, place := range s.read {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(prefix + s.columns[place].Name)
	}
	return b.String()
}

// places returns the places of columns. Names are constants in the code, so an unknown one is a defect.
func (s *Schema) places(names []string) []int {
	places := make([]int, len(names))
	for i, name := range names {
		places[i] = slices.IndexFunc(s.columns, func(c Column) bool { return c.Name == name })
		if places[i] < 0 {
			panic(fmt.Sprintf("table %s has no column %q", s.Name, name))
		}
	}
	return places
}

func (s *Schema) insert(tx *Tx, ending string, rows [][]any) error {
	if len(rows) == 0 {
		return nil
	}
	return s.change(tx, rows, s.store, func() error {
		return tx.writeAll(tx.db.engine.Insert(s.into, ending, s.columns, rows))
	})
}

// exec runs a statement that changes one row, which has its store at a place.
func (s *Schema) exec(tx *Tx, row []any, place int, query string) (n int64, err error) {
	err = s.change(tx, [][]any{row}, place, func() (err error) {
		n, err = tx.Exec(query, row...)
		return err
	})
	return n, err
}

// update is an update of some columns.
type update struct {
	picks      []int // places of the key and of the columns
	keys, sets []Column
	traffic    bool // only columns of Traffic, or numbers that are added
}

func (s *Schema) updateOf(columns string, adds bool) *update {
	type asked struct {
		columns string
		adds    bool
	}
	if known, ok := s.known.Load(asked{columns, adds}); ok {
		return known.(*update)
	}
	c := &update{picks: slices.Concat(s.keys, s.places(splitNames(columns))), traffic: true}
	for i, place := range c.picks {
		column := s.columns[place]
		if i < len(s.keys) {
			c.keys = append(c.keys, column)
		} else {
			column.Adds = adds
			c.traffic = c.traffic && (adds || slices.Contains(s.traffic, column.Name))
			c.sets = append(c.sets, column)
		}
	}
	s.known.Store(asked{columns, adds}, c)
	return c
}

func (s *Schema) update(tx *Tx, columns string, adds bool, rows [][]any) error {
	if len(rows) == 0 {
		return nil
	}
	c := s.updateOf(columns, adds)
	for i := range rows {
		rows[i] = pick(rows[i], c.picks)
	}
	return s.changeBy(tx, c, rows, func() error {
		return tx.writeAll(tx.db.engine.Update(s.Name, c.keys, c.sets, rows))
	})
}

// changeBy runs an update of rows, which begin with their keys.
func (s *Schema) changeBy(tx *Tx, u *update, rows [][]any, write func() error) error {
	if u.traffic {
		return s.noted(tx, write)
	}
	return s.change(tx, rows, slices.Index(s.keys, s.store), write)
}

func (s *Schema) updateOne(tx *Tx, columns string, row []any) (found bool, err error) {
	c := s.updateOf(columns, false)
	set, where := Assignments(s.Name, "$", c.keys, c.sets)
	row = pick(row, c.picks)
	err = s.changeBy(tx, c, [][]any{row}, func() error {
		n, err := tx.Exec("UPDATE "+s.Name+set+where, row...)
		found = n == 1
		return err
	})
	return found, err
}

func (s *Schema) delete(tx *Tx, rows [][]any) error {
	if len(rows) == 0 {
		return nil
	}
	keys := make([]Column, len(s.keys))
	for i, place := range s.keys {
		keys[i] = s.columns[place]
	}
	for i := range rows {
		rows[i] = pick(rows[i], s.keys)
	}
	return s.change(tx, rows, slices.Index(s.keys, s.store), func() error {
		return tx.writeAll(tx.db.engine.Delete(s.Name, keys, rows))
	})
}
