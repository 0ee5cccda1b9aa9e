package postgres_test

import (
	"context"
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
				`SELECT n FROM ? CROSS JOIN generate_series(1, 1000) n WHERE v.column1 <> ''`, tx.Among(1, "key")))
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
