package postgres

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"
)

// PostgreSQL chooses plans by the values that ANALYZE saw in a column. It assumes that a store without rows
// at that time is still empty. Then all indexes that begin with store_id look equally good, and reading the
// whole store looks cheaper than looking up a few keys. Likewise it takes the first customer of a table for
// all of them.
//
// So the planner does not see the store or customer of a statement (hideKeys), and it gets constants for
// their number of rows (assumeLarge), as SQLite's planner does.

// largeProgram sets the number of distinct values of the columns that name a store, a customer or something of
// a customer, as a number or as a negative share of the rows. A store has half of a table. A customer has 40
// rows, or one if the primary key allows no more. The numbers take effect at the next ANALYZE. Columns that
// have one already are not changed.
const largeProgram = `DO $$
DECLARE a record;
BEGIN
	FOR a IN
		SELECT c.oid::regclass AS of, attname AS name, CASE
			WHEN attname = 'store_id' THEN 2
			WHEN EXISTS (SELECT FROM pg_index WHERE indrelid = c.oid AND indisunique AND indnkeyatts = 2 AND indkey[1] = attnum)
			THEN -1 ELSE -0.025 END AS different
		FROM pg_class c JOIN pg_attribute ON attrelid = c.oid
		WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND attoptions IS NULL
			AND attname IN ('store_id', 'customer_id', 'transaction_id', 'aggregate_id', 'loyalty_card_key')
			AND EXISTS (SELECT FROM pg_attribute s WHERE s.attrelid = c.oid AND s.attname = 'store_id')
		ORDER BY relname, attnum
	LOOP
		EXECUTE format('ALTER TABLE %s ALTER COLUMN %I SET (n_distinct = %s)', a.of, a.name, a.different);
	END LOOP;
END $$`

// assumeLarge makes the planner assume large stores. Several nodes may call it, any number of times.
func (e *engine) assumeLarge(ctx context.Context) error {
	_, err := e.pool.Exec(ctx, largeProgram)
	return err
}

// changedTables are the tables of which a tenth of the rows, and more than 50, have changed since their last ANALYZE.
// Autovacuum has the same limits, and looks after the tables of the system, which take longest.
const changedTables = `SELECT quote_ident(relname) FROM pg_stat_user_tables
	WHERE schemaname = current_schema() AND n_mod_since_analyze > 50 + n_live_tup / 10 ORDER BY relname`

// Analyze updates the planner's statistics of the tables that have changed. Autovacuum does so within a minute, unless
// it is off.
func (e *engine) Analyze(ctx context.Context) error {
	if err := e.assumeLarge(ctx); err != nil {
		return err
	}
	rows, err := e.pool.Query(ctx, changedTables)
	if err != nil {
		return err
	}
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || len(tables) == 0 {
		return err
	}
	_, err = e.pool.Exec(ctx, "ANALYZE "+strings.Join(tables, ", "))
	return err
}

// hideKeys replaces parameters that store_id and customer_id are compared with by subqueries. The planner
// cannot look up the value of a subquery in its statistics, and uses the same indexes.
func hideKeys(query string) string {
	return hide(hide(query, "store_id = $", "BIGINT"), "customer_id = $", "TEXT")
}

// hide replaces the parameter after each occurrence of the comparison, which ends with its dollar sign.
func hide(query, comparison, sqlType string) string {
	before, rest, found := strings.Cut(query, comparison)
	if !found {
		return query
	}
	var b strings.Builder
	for b.WriteString(before); found; b.WriteString(before) {
		number := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
		b.WriteString(strings.TrimSuffix(comparison, "$") + "(SELECT CAST($" + number + " AS " + sqlType + "))")
		before, rest, found = strings.Cut(rest[len(number):], comparison)
	}
	return b.String()
}
