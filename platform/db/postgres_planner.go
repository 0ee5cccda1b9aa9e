package db

import (
	"context"
	"strings"
)

// PostgreSQL chooses a plan by the values that ANALYZE saw in a column. Of a store that came later it assumes that it
// has no rows. Then every index that begins with store_id looks equally good, and reading the whole store looks cheaper
// than looking up a few keys in it. The first customer of a table is taken for all of them in the same way.
//
// So the planner does not see which store or customer a statement is about (hideKeys), and it is told how many rows
// they have (assumeLarge), which is what the planner of SQLite is told, too.

// largeProgram sets how many different values the columns have that name a store, a customer or something of a
// customer: as a number, or as a negative share of the rows. A store has half of a table. A customer has 40 rows, but
// one where the primary key allows no more. ANALYZE puts this into effect. Columns that have it already are left alone.
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

// assumeLarge tells the planner how large stores are. It may be called again, and by many nodes at once.
func (e *postgresEngine) assumeLarge(ctx context.Context) error {
	_, err := e.pool.Exec(ctx, largeProgram)
	return err
}

// analyze refreshes what the planner knows. The server's own refresh comes within a minute, but only if it is on.
func (e *postgresEngine) analyze(ctx context.Context) error {
	if err := e.assumeLarge(ctx); err != nil {
		return err
	}
	_, err := e.pool.Exec(ctx, "ANALYZE")
	return err
}

// hideKeys replaces the parameters that store_id and customer_id are compared with by subqueries. The planner cannot
// look up the value of a subquery in its statistics. It uses the same indexes.
func hideKeys(query string) string {
	return hide(hide(query, "store_id = $", "BIGINT"), "customer_id = $", "TEXT")
}

// hide does so behind each occurrence of the comparison, which ends in the dollar sign of a parameter of the type.
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
