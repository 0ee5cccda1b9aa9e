package plans_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"punchcard/app/servertest"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/testwait"
)

// A distributed PostgreSQL keeps the rows of a store on one server. Each statement of the transcripts, of every GET
// endpoint, of the jobs and of loading the demonstration program names its store for each table that it reads or
// writes, so that it runs on that server alone.
func TestEachStatementNamesItsStore(t *testing.T) {
	t.Parallel()
	recorded := &recorder{seen: map[string]*statement{}, inserts: true}
	commits := testwait.NewSignal()
	config := servertest.PlainConfig(servertest.NewDatabase(t, "postgres"))
	config.Demo, config.Trace, config.OnCommit = true, recorded.trace, commits.Send
	base := servertest.Run(t, config)
	d := dbtest.Open(t, db.Config{URL: config.Database.Database}, servertest.FixedClock)
	servertest.RunJobs(t, d, commits)
	readEverything(t, base)
	playTranscripts(t, base)
	tables, all := tablesOfStores(t, d), recorded.statements()
	if len(all) < 500 {
		t.Errorf("only %d statements were seen", len(all))
	}
	for _, s := range all {
		fault := crossesStores(s, tables)
		if fault != "" && !slices.ContainsFunc(acrossStores, func(a allowance) bool { return a.fits(s.query, fault) }) {
			t.Errorf("%s\n  %s", fault, strings.Join(strings.Fields(s.query), " "))
		}
	}
}

// A sequence is one place that every writer of a distributed database goes to.
func TestSequences(t *testing.T) {
	d := dbtest.Open(t, dbtest.Config(t, "postgres"), servertest.FixedClock)
	var sequences []string
	if err := d.Read(t.Context(), func(tx *db.Tx) error {
		return db.Each(tx, func(name *string) []any { return []any{name} },
			func(name string) { sequences = append(sequences, name) },
			"SELECT CAST(relname AS TEXT) FROM pg_class WHERE relkind = 'S' ORDER BY relname")
	}); err != nil {
		t.Fatal(err)
	}
	// A batch of writes takes one number, whatever its size, for the place of its events among those of all stores. The
	// other sequence numbers migrations.
	if want := []string{"event_queue_ids", "goose_db_version_id_seq"}; !slices.Equal(sequences, want) {
		t.Errorf("the sequences are %v, want %v", sequences, want)
	}
}

// sharedTables are tables with a store_id that is not the way to their rows, with the reason. A distributed database
// keeps each of them on one server.
var sharedTables = map[string]string{
	"administrator_roles": "an administrator is read with the roles in all stores",
	"audit_entries":       "are read in the one order of all stores",
	"event_queue":         "waits for its place in the order of events",
	"events":              "are read in the one order of all stores",
	"factor_challenges":   "are found by their hash, before the store is known",
	"sessions":            "are found by their id, before the store is known",
	"sso_attempts":        "are found by their hash, before the store is known",
	"verification_tokens": "are found by their hash, before the store is known",
}

// acrossStores are the statements that concern several stores, with the reason. None of them is a part of a purchase, a
// receipt or a list.
var acrossStores = []allowance{
	{"WHERE ctid = ANY (ARRAY(SELECT ctid FROM ", "", "deletes some of what has expired; see docs/scaling.md about ctid"},
	{"SELECT EXISTS (SELECT 1 FROM journeys WHERE recipe = $1", "journeys", "a job asks whether there is anything to do"},
	{"SELECT customer_id, inactive_since FROM customers WHERE inactive_since >= $1", "customers",
		"a node reads whose tokens have ended since its last look"},
	{"SELECT store_id FROM sellers WHERE email = $1", "sellers", "a log-in without a store finds the store"},
	{"FROM campaigns WHERE TRUE AND reward NOT IN", "campaigns", "the start refuses unknown kinds"},
	{"FROM earning_rules WHERE type NOT IN", "earning_rules", "the same"},
	{"SELECT store_id, segment_id, parts FROM segments", "segments", "the same"},
	{"WITH RECURSIVE pending (store_id) AS (SELECT MIN(store_id) FROM ", "",
		"a queue looks which stores have work that is due"},
	{"FROM webhook_subscriptions", "webhook_subscriptions", "the sender of web hooks looks for work in all stores"},
	{"UPDATE messages SET state = 'dead'", "messages", "a job ends messages that are too old, in all stores"},
	{"DELETE FROM notification_pushes WHERE (store_id, push_id) IN", "notification_pushes",
		"a job moves calls that nodes of 0.9 queued, of all stores"},
}

var (
	tableReference = regexp.MustCompile(`(?i)\b(?:FROM|JOIN|UPDATE|INTO|USING)\s+(?:ONLY\s+)?([a-z_]+)\b`)
	storeCondition = regexp.MustCompile(`(?i)\bstore_id = |USING \(store_id\b|\(store_id, [a-z_, ]+\) (?:=|IN) |` +
		`INSERT INTO [a-z_]+ \((?:[a-z_]+, )*store_id\b`)
	storeParameter = regexp.MustCompile(`\bstore_id = \$([0-9]+)`)
)

// crossesStores returns a fault of a statement that names tables more often than a store, or several stores.
func crossesStores(s statement, tables map[string][]string) string {
	query := strings.Join(strings.Fields(s.query), " ")
	var named []string
	for _, found := range tableReference.FindAllStringSubmatch(query, -1) {
		if _, ofStores := tables[found[1]]; ofStores && sharedTables[found[1]] == "" {
			named = append(named, found[1])
		}
	}
	if conditions := len(storeCondition.FindAllString(query, -1)); conditions < len(named) {
		return "not each of these tables has a store: " + strings.Join(named, ", ")
	}
	stores := map[string]bool{}
	for _, found := range storeParameter.FindAllStringSubmatch(query, -1) {
		if number, err := strconv.Atoi(found[1]); err == nil && number <= len(s.args) {
			stores[fmt.Sprint(s.args[number-1])] = true
		}
	}
	if len(stores) > 1 {
		return "the statement is about several stores"
	}
	return ""
}
