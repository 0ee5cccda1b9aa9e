package plans_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"punchcard/app/servertest"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// On PostgreSQL a statement reads about as many rows with missing or wrong statistics as with fresh ones, in custom and
// in generic plans. The statements are those of the transcripts, of every GET endpoint and of loading the demonstration
// program. SQLite is not tested: its statistics are constants.
func TestPlansDoNotDependOnStatistics(t *testing.T) {
	t.Parallel()
	recorded := &recorder{seen: map[string]*statement{}}
	config := servertest.PlainConfig(servertest.NewDatabase(t, "postgres"))
	config.Demo, config.Trace = true, recorded.trace
	base, stop := servertest.RunUntil(t, config, servertest.Log(t))
	readEverything(t, base)
	playTranscripts(t, base)
	stop() // its jobs would wait for the tables
	all := recorded.statements()
	if len(all) < 400 {
		t.Errorf("only %d statements were seen", len(all))
	}
	d := dbtest.Open(t, db.Config{URL: config.Database.Database}, servertest.FixedClock)
	multiply(t, d, min(*copies, 6))
	tables := tablesOfStores(t, d)
	for table := range tables {
		servertest.Execute(t, d, "CREATE TABLE full_"+table+" AS TABLE "+table)
		servertest.Execute(t, d, "ALTER TABLE "+table+" SET (autovacuum_enabled = off)")
	}
	// With fresh statistics first, which tells the sample of each statement that is measured with the others.
	usual, found := make([]effort, len(all)), map[string][]effort{}
	for _, s := range statistics {
		s.arrange(t, d, tables)
		for _, mode := range []string{"custom", "generic"} {
			efforts := make([]effort, len(all))
			for i := range all {
				efforts[i] = measure(t, d, &all[i], "force_"+mode+"_plan")
			}
			found[s.name+" statistics, "+mode+" plan"] = efforts
			if s.name == "fresh" && mode == "custom" {
				usual = efforts
				for i := range all {
					all[i].samples = all[i].samples[usual[i].sample:][:min(1, len(all[i].samples))]
				}
			}
		}
	}
	for name, efforts := range found {
		for i, e := range efforts {
			if query := all[i].query; e.exceeds(usual[i]) && !mayChoose(query) {
				t.Errorf("%s: %.0f rows in %.0f pages instead of %.0f in %.0f\n  %s\n%s", name, e.rows, e.pages,
					usual[i].rows, usual[i].pages, strings.Join(strings.Fields(query), " "), e.plan)
			}
		}
	}
}

// choices are parts of statements with several conditions, or a condition and an order, of which an index serves one.
// Which one is best depends on the data. In the worst case the whole store is read once.
var choices = [][]string{
	{"FROM customers WHERE status <> 'deleted' AND store_id = $1 AND ", " ORDER BY "},
	{"SELECT COUNT(*) FROM customers WHERE status <> 'deleted' AND store_id = $1 AND ", " LIKE ",
		" JOIN segment_members "},
	{"SELECT COUNT(*) FROM customers WHERE status <> 'deleted' AND store_id = $1 AND created_at >= $2 AND level_id = $3 "},
	{"FROM transactions WHERE store_id = $1 AND purchased_at >= $2 AND purchased_at < $3 ORDER BY transaction_id "},
	{"FROM transactions WHERE store_id = $1 AND document_type = $2 ", " ORDER BY "},
	{"FROM transactions WHERE store_id = $1 AND gross_value >= $2 AND gross_value <= $3 ", " ORDER BY "},
	{"FROM purchases WHERE store_id = $1 AND used_at > 0 AND delivery_status <> ''"},
	// Copies have the same time.
	{"FROM purchases WHERE store_id = $1 AND coupon_id >= $2 AND coupon_id < $3 AND customer_id = $4 "},
	{"FROM events WHERE id >= $1 AND id < $2 AND store_id = $3 AND ", " ORDER BY id DESC "},
}

func mayChoose(query string) bool {
	query = strings.Join(strings.Fields(query), " ")
	return slices.ContainsFunc(choices, func(parts []string) bool {
		return !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(query, part) })
	})
}

// knowledge is a table or index with the statistics that ANALYZE took of it.
type knowledge struct {
	name   string
	rows   int // of a table; 0 when there was no ANALYZE at all
	sample func(table, column string) string
}

// statistics are states of the tables that ANALYZE may have seen before the present one. Each sample returns the
// values of a column at that time.
var statistics = []knowledge{
	{"fresh", 1e9, func(_, column string) string { return column }},
	{"missing", 0, nil},
	{"tiny", 5, func(_, column string) string { return column }},
	{"stale", 5000, func(_, column string) string { // all stores came later
		if column == "store_id" {
			return "store_id + 1000"
		}
		return column
	}},
	{"blank", 5000, func(_, column string) string { // nobody had a card, a phone, a point of sale or a related transaction
		if slices.Contains([]string{"loyalty_card_key", "phone_key", "pos_id", "transaction_id", "revised_id",
			"revised_transaction_id", "used_for_transaction_id", "delivery_status"}, column) {
			return "''"
		}
		return column
	}},
	{"skewed", 5000, func(table, column string) string { // one customer had everything
		if column == "customer_id" && !slices.Contains([]string{"customers", "accounts", "inboxes"}, table) {
			return "(SELECT customer_id FROM full_accounts ORDER BY transfers DESC, customer_id LIMIT 1)"
		}
		return column
	}},
}

// arrange fills the tables with what ANALYZE shall see, and then with the data.
func (s *knowledge) arrange(t *testing.T, d *db.DB, tables map[string][]string) {
	t.Helper()
	all := strings.Join(slices.Sorted(maps.Keys(tables)), ", ")
	servertest.Execute(t, d, "TRUNCATE "+all)
	for table, columns := range tables {
		if s.rows == 0 {
			continue
		}
		samples := make([]string, len(columns))
		for i, column := range columns {
			samples[i] = s.sample(table, column)
		}
		servertest.Execute(t, d, fmt.Sprintf("INSERT INTO %s (%s) SELECT %s FROM full_%s LIMIT %d ON CONFLICT DO NOTHING",
			table,
			strings.Join(columns, ", "), strings.Join(samples, ", "), table, s.rows))
		servertest.Execute(t, d, "ANALYZE "+table)
	}
	servertest.Execute(t, d, "TRUNCATE "+all)
	for table := range tables {
		servertest.Execute(t, d, "INSERT INTO "+table+" SELECT * FROM full_"+table)
	}
}

// tablesOfStores returns the columns of every table with a store_id, except stores, versions of the configuration,
// which changes of others raise, and the search index, which has a computed column.
func tablesOfStores(t *testing.T, d *db.DB) map[string][]string {
	t.Helper()
	type column struct{ table, name string }
	tables := map[string][]string{}
	err := d.Read(t.Context(), func(tx *db.Tx) error {
		return db.Each(tx, func(c *column) []any { return []any{&c.table, &c.name} },
			func(c column) { tables[c.table] = append(tables[c.table], c.name) },
			`SELECT CAST(table_name AS TEXT), CAST(column_name AS TEXT) FROM information_schema.columns
			WHERE table_name NOT IN ('stores', 'search_documents', 'campaign_purchases', 'configuration_versions')
				AND table_name NOT LIKE 'original%'
				AND table_name IN (SELECT table_name FROM information_schema.columns WHERE column_name = 'store_id')
			ORDER BY ordinal_position`)
	})
	if err != nil {
		t.Fatal(err)
	}
	return tables
}
