package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"punchcard/loyalty/purchase"
	"punchcard/migrations"
	"punchcard/platform/db"
	"punchcard/platform/db/dbopen"
)

// derived are the tables that a move leaves out, with the reason. All others are in both databases and are moved.
var derived = map[string]string{
	"goose_db_version":   "is written by the migrations",
	"schema_programs":    "is written by the migrations",
	"search_documents":   "are made from the customers and campaigns",
	"event_queue":        "is empty once all events have numbers",
	"purchase_positions": "are made from the purchases, on SQLite only",
	"recent_positions":   "are made from the purchases, on SQLite only",
}

// movedTables returns the tables to move. It is an error if a table or a column is in one of the databases only.
func movedTables(ctx context.Context, source, target *db.DB) (moved []db.StoredTable, err error) {
	from, err := tablesOf(ctx, source)
	if err != nil {
		return nil, err
	}
	to, err := tablesOf(ctx, target)
	if err != nil {
		return nil, err
	}
	var differences []error
	for _, t := range from {
		if derived[t.Name] != "" {
			continue
		}
		i := slices.IndexFunc(to, func(other db.StoredTable) bool { return other.Name == t.Name })
		if i < 0 {
			differences = append(differences, fmt.Errorf("only the source has the table %s", t.Name))
			continue
		}
		if !slices.EqualFunc(t.Columns, to[i].Columns, func(a, b db.StoredColumn) bool {
			return a.Name == b.Name && a.Type == b.Type
		}) {
			differences = append(differences, fmt.Errorf("the table %s has other columns in the source", t.Name))
		}
		for n := range t.Columns {
			t.Columns[n].Null = t.Columns[n].Null || to[i].Columns[min(n, len(to[i].Columns)-1)].Null
		}
		moved = append(moved, t)
	}
	for _, t := range to {
		if derived[t.Name] == "" && !slices.ContainsFunc(from, func(o db.StoredTable) bool { return o.Name == t.Name }) {
			differences = append(differences, fmt.Errorf("only the target has the table %s", t.Name))
		}
	}
	if len(differences) > 0 {
		return nil, fmt.Errorf("want databases that hold only Punchcard's tables: %w", errors.Join(differences...))
	}
	return moved, nil
}

func tablesOf(ctx context.Context, d *db.DB) (tables []db.StoredTable, err error) {
	err = d.Read(ctx, func(tx *db.Tx) (err error) {
		tables, err = tx.StoredTables()
		return err
	})
	return tables, err
}

// refuseFull returns an error if the target has other rows than the migrations insert, and they are not those of a move
// that did not end.
func refuseFull(ctx context.Context, target *db.DB, tables []db.StoredTable) error {
	unfinished, err := target.Unfinished(ctx)
	if err != nil || unfinished {
		return err
	}
	folder, err := os.MkdirTemp("", "punchcard-empty-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }() // a leftover does no harm
	empty, err := dbopen.Open(ctx, db.Config{File: (&Database{Data: folder}).file()})
	if err != nil {
		return err
	}
	defer func() { _ = empty.Close() }() // it is removed
	if err := empty.Migrate(ctx, migrations.Files); err != nil {
		return err
	}
	for _, t := range tables {
		var rows, usual int64
		query := `SELECT COUNT(*) FROM ` + t.Name
		count := func(n *int64) func(tx *db.Tx) error {
			return func(tx *db.Tx) (err error) {
				*n, err = db.Value[int64](tx, query)
				return err
			}
		}
		if err := errors.Join(target.Read(ctx, count(&rows)), empty.Read(ctx, count(&usual))); err != nil {
			return err
		}
		if rows > usual {
			return fmt.Errorf("the database is not empty: the table %s has %d rows; create another database for the move",
				t.Name, rows)
		}
	}
	return nil
}

// copyRows copies the tables, makes the indexes, and reads all rows of the target again to compare them with what was
// read from the source.
func (m *mover) copyRows(ctx context.Context, source, target *db.DB, tables []db.StoredTable, out io.Writer) error {
	sums := make([]db.Sum, len(tables))
	var rows int64
	err := source.Freeze(ctx, func(from *db.Tx) error {
		return target.Load(ctx, tables, func(to db.Filler, written *db.Tx) (err error) {
			began := time.Now()
			for i, t := range tables {
				tell := m.telling(fmt.Sprintf("table %d of %d, %s", i+1, len(tables), t.Name), rows, began)
				if sums[i], err = db.CopyStored(ctx, from, to, t, tell); err != nil {
					return err
				}
				rows += sums[i].Rows
			}
			copied := time.Since(began)
			m.report.print("making the indexes")
			if err := to.Index(ctx); err != nil {
				return err
			}
			indexed := time.Since(began)
			if err := m.compare(written, tables, sums); err != nil {
				return err
			}
			return m.printSums(out, tables, sums, copied, indexed-copied, time.Since(began)-indexed)
		})
	})
	return err
}

// telling returns a function that prints the progress of a table.
func (m *mover) telling(what string, before int64, began time.Time) func(rows int64) {
	return func(rows int64) {
		m.report.say(fmt.Sprintf("%s: %d rows, %.0f a second in all", what, rows,
			float64(before+rows)/time.Since(began).Seconds()))
	}
}

// compare reads the tables of the target.
func (m *mover) compare(written *db.Tx, tables []db.StoredTable, sums []db.Sum) error {
	began, before := time.Now(), int64(0)
	for i, t := range tables {
		sum, err := written.SumStored(t, m.telling("verifying "+t.Name, before, began))
		if err != nil {
			return err
		}
		if sum != sums[i] {
			return fmt.Errorf("the table %s has %d rows with the sum %016x in the source, and %d with %016x in the target",
				t.Name, sums[i].Rows, sums[i].Hash, sum.Rows, sum.Hash)
		}
		before += sum.Rows
	}
	return nil
}

// printSums prints the report.
func (m *mover) printSums(out io.Writer, tables []db.StoredTable, sums []db.Sum, copying, indexing,
	verifying time.Duration) error {
	var text strings.Builder
	rows := int64(0)
	for i, t := range tables {
		if sums[i].Rows > 0 {
			fmt.Fprintf(&text, "%-30s %12d rows, sum %016x in both\n", t.Name, sums[i].Rows, sums[i].Hash)
		}
		rows += sums[i].Rows
	}
	const unit = 100 * time.Millisecond
	rate := float64(rows) / max(copying, time.Millisecond).Seconds()
	_, err := fmt.Fprintf(out, "%s%d tables, %d rows: copied in %v (%.0f rows a second), indexes made in "+
		"%v, verified in %v\n", &text, len(tables), rows, copying.Round(unit), rate, indexing.Round(unit),
		verifying.Round(unit))
	return err
}

// derive makes what is derived from the rows.
func (m *mover) derive(ctx context.Context, target *db.DB) error {
	m.report.print("making the search index")
	if err := target.Write(ctx, purchase.MakePositions); err != nil {
		return err
	}
	if err := reindexAll(ctx, target, m.report.to); err != nil {
		return err
	}
	return target.Finish(ctx)
}
