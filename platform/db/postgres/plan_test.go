package postgres_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// A statement that looks up few keys is planned a few times on a connection, not each time it runs. The cost of this
// one depends on the number of keys.
func TestAmongIsNotPlannedAgain(t *testing.T) {
	const runs, triedPlans = 20, 5 // PostgreSQL compares its plans after five
	d := dbtest.Open(t, dbtest.Config(t, "postgres"), time.Now)
	type counts struct{ any, special int64 }
	var plans counts
	err := d.Write(context.Background(), func(tx *db.Tx) error {
		for range runs {
			var numbers int
			err := tx.Run(db.Select(func(n *int64) []any { return []any{n} }, func(int64) { numbers++ },
				`SELECT n FROM ? AS v (store, id) CROSS JOIN generate_series(1, 1000) n WHERE v.id <> ''`, tx.Among(1, "key")))
			if err != nil || numbers != 1000 {
				t.Errorf("%d rows, %v", numbers, err)
				return err
			}
		}
		var err error
		plans, _, err = db.One(tx, func(c *counts) []any { return []any{&c.any, &c.special} },
			`SELECT generic_plans, custom_plans FROM pg_prepared_statements WHERE statement LIKE '%generate_series%'
				AND statement NOT LIKE '%pg_prepared%'`)
		return err
	})
	if err != nil || plans.special > triedPlans || plans.any != runs-plans.special {
		t.Errorf("%+v, %v", plans, err)
	}
}

// Analyze takes the statistics of tables that have changed, and of no others.
func TestAnalyzeOfChangedTables(t *testing.T) {
	d := dbtest.Open(t, dbtest.Config(t, "postgres"), time.Now)
	write := func(statements ...string) {
		t.Helper()
		if err := d.Write(t.Context(), func(tx *db.Tx) error {
			for _, s := range statements {
				if _, err := tx.Exec(s); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	write(`CREATE TABLE busy (n BIGINT)`, `CREATE TABLE idle (n BIGINT)`)
	fill := `INSERT INTO %s SELECT generate_series(1, 200)`
	write(fmt.Sprintf(fill, "busy"), fmt.Sprintf(fill, "idle"), `SELECT pg_stat_force_next_flush()`)
	analyzed := func() (names []string) {
		t.Helper()
		if err := d.Analyze(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := d.Read(t.Context(), func(tx *db.Tx) (err error) {
			names, err = db.AllValues[string](tx, `SELECT relname || ' ' || analyze_count
				FROM pg_stat_user_tables WHERE analyze_count > 0 ORDER BY relname`)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		return names
	}
	if got, want := analyzed(), []string{"busy 1", "idle 1"}; !slices.Equal(got, want) {
		t.Errorf("analyzed %v, want %v", got, want)
	}
	write(`INSERT INTO busy SELECT generate_series(1, 100)`, `INSERT INTO idle SELECT generate_series(1, 40)`,
		`SELECT pg_stat_force_next_flush()`)
	if got, want := analyzed(), []string{"busy 2", "idle 1"}; !slices.Equal(got, want) {
		t.Errorf("then %v, want %v", got, want)
	}
}
