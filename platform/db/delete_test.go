package db_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// shelf is a table with a key of two columns and an index by time, for the tests of bounded deletes.
const shelf = `CREATE TABLE shelf (store_id BIGINT NOT NULL, item TEXT NOT NULL, due_at BIGINT NOT NULL,
	PRIMARY KEY (store_id, item))`

// eachShelf runs a test on a shelf of n items, which are due at 1, 2, 3 and so on, in two stores.
func eachShelf(t *testing.T, n int, run func(t *testing.T, d *db.DB, traced *[]db.Statement)) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		var traced []db.Statement
		config := dbtest.Config(t, engine)
		config.Trace = func(query string, args []any) {
			traced = append(traced, db.Statement{Text: query, Args: slices.Clone(args)})
		}
		d := dbtest.Open(t, config, nil)
		err := d.Write(background, func(tx *db.Tx) error {
			for _, statement := range []string{shelf, `CREATE INDEX shelf_due ON shelf (due_at)`} {
				if _, err := tx.Exec(statement); err != nil {
					return err
				}
			}
			rows := make([][]any, n)
			for i := range rows {
				rows[i] = []any{int64(i % 2), fmt.Sprintf("%04d", n-i), int64(i + 1)}
			}
			return tx.Insert("shelf", "store_id, item, due_at", "", rows...)
		})
		if err != nil {
			t.Fatal(err)
		}
		traced = nil
		run(t, d, &traced)
	})
}

func deleteDue(by int64, limit int) func(tx *db.Tx) (int64, error) {
	return func(tx *db.Tx) (int64, error) {
		return tx.DeleteSome("shelf", "store_id, item", db.NewSQL("due_at <= ? ORDER BY due_at", by), limit)
	}
}

// Each step deletes the rows that are due longest, at most as many as it may.
func TestDeleteSome(t *testing.T) {
	eachShelf(t, 20, func(t *testing.T, d *db.DB, _ *[]db.Statement) {
		for _, c := range []struct {
			by, deleted, first int64
			limit              int
		}{{12, 5, 6, 5}, {12, 5, 11, 5}, {12, 2, 13, 5}, {12, 0, 13, 5}, {13, 1, 14, 1}} {
			var deleted, first int64
			err := d.Write(background, func(tx *db.Tx) (err error) {
				if deleted, err = deleteDue(c.by, c.limit)(tx); err == nil {
					first, err = db.Value[int64](tx, `SELECT MIN(due_at) FROM shelf`)
				}
				return err
			})
			if err != nil || deleted != c.deleted || first != c.first {
				t.Errorf("%+v: %d deleted, %d is left first, %v", c, deleted, first, err)
			}
		}
		total, err := d.WriteSteps(background, deleteDue(19, 2))
		left, countErr := rowsOf(d)
		if err != nil || countErr != nil || total != 6 || left != 1 {
			t.Errorf("%d deleted, %d left, %v, %v", total, left, err, countErr)
		}
	})
}

// A step reads only the rows that it deletes, with and without statistics.
func TestDeleteSomePlan(t *testing.T) {
	const n = 5000
	eachShelf(t, n, func(t *testing.T, d *db.DB, traced *[]db.Statement) {
		for _, analyzed := range []bool{false, true} {
			if analyzed {
				dbtest.Analyze(t, d)
			}
			*traced = nil
			if err := d.Write(background, func(tx *db.Tx) error {
				_, err := deleteDue(n, 100)(tx)
				return err
			}); err != nil {
				t.Fatal(err)
			}
			s := (*traced)[0]
			err := d.Read(background, func(tx *db.Tx) error {
				plan, err := dbtest.Plan(tx, s.Text, s.Args)
				if text := strings.Join(plan, "\n"); strings.Contains(text, "Seq Scan") ||
					strings.Contains(text, "SCAN shelf\n") || !strings.Contains(text, "shelf_due") {
					t.Errorf("analyzed %t: %s", analyzed, text)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	})
}

// Steps stop at the first error, and what was deleted before stays deleted.
func TestWriteStepsStopAtAnError(t *testing.T) {
	eachShelf(t, 9, func(t *testing.T, d *db.DB, _ *[]db.Statement) {
		steps, failure := 0, errors.New("no")
		total, err := d.WriteSteps(background, func(tx *db.Tx) (int64, error) {
			if steps++; steps == 3 {
				return 0, failure
			}
			return deleteDue(9, 2)(tx)
		})
		left, countErr := rowsOf(d)
		if err != failure || countErr != nil || total != 4 || left != 5 {
			t.Errorf("%d deleted, %d left, %v, %v", total, left, err, countErr)
		}
	})
}

func rowsOf(d *db.DB) (n int64, err error) {
	err = d.Read(background, func(tx *db.Tx) (err error) {
		n, err = db.Value[int64](tx, `SELECT COUNT(*) FROM shelf`)
		return err
	})
	return n, err
}
