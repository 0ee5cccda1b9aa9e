package plans_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"sync"
	"testing"

	"punchcard/app"
	"punchcard/app/servertest"
	"punchcard/core/access"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/testwait"
)

// copies is how many times the demonstration program is copied before plans are compared. 400 copies are
// 120,000 customers, 10,000 campaigns and more than a million purchases; the plans of fewer are the same.
var copies = flag.Int("copies", 20, "how many times the plans test copies the demonstration data")

// growing lists the tables that grow with the number of customers. Campaigns are not among them: a store has thousands
// at most, and its lists read all of them.
var growing = []string{
	"customers", "accounts", "purchase_counts", "transfers", "purchases", "transactions", "events",
	"segment_members", "customer_ranks", "search_documents", "notifications", "inboxes", "announced",
}

// Every statement that any GET endpoint or the loading of the demonstration program runs finds its rows by an index,
// and no more of them than a page needs.
func TestPlansOfEveryRead(t *testing.T) {
	for _, engine := range dbtest.Engines {
		t.Run(engine, func(t *testing.T) {
			recorded := &recorder{seen: map[string]*statement{}}
			commits := testwait.NewSignal()
			config := servertest.PlainConfig(servertest.NewDatabase(t, engine))
			config.Demo, config.Trace, config.OnCommit = true, recorded.trace, commits.Send
			base := servertest.Run(t, config)
			d := dbtest.Open(t, db.Config{URL: config.Database.Database, File: config.Data + "/punchcard.db"},
				servertest.FixedClock)
			servertest.RunJobs(t, d, commits)
			multiply(t, d, *copies)
			dbtest.Analyze(t, d)
			readEverything(t, base)
			for _, s := range recorded.statements() {
				for _, fault := range explain(t, d, s) {
					if !slices.ContainsFunc(allowed, func(a allowance) bool { return a.fits(s.query, fault) }) {
						t.Errorf("%s\n  %s", fault, strings.Join(strings.Fields(s.query), " "))
					}
				}
			}
		})
	}
}

// allowance is a statement that may read many rows, with the reason.
type allowance struct{ part, table, reason string }

func (a allowance) fits(query, fault string) bool {
	return strings.Contains(strings.Join(strings.Fields(query), " "), a.part) && strings.Contains(fault, a.table)
}

const sumsOnce = "the job computes the sums of a store twice, and again when its time zone changes"

const owed = "points owed: a request reads the accounts of a store with analytics.OwedLive customers at most, " +
	"the job those of larger ones once a day"

var allowed = []allowance{
	{"SELECT c.level_id, c.gone, a.points + a.locked + a.blocked", "accounts", owed},
	{"SELECT c.level_id, c.gone, a.points + a.locked + a.blocked", "customers", owed},
	{
		"SELECT v.number, COUNT(*) FROM (SELECT ", "customers_created",
		"registrations by day: it counts the entries of the asked days in the index, and nothing else",
	},
	{"SELECT campaign_id, status, used, purchased_at, used_at, cost, level_id,", "purchases", sumsOnce},
	{"SELECT customer_id, level_id, pos_id, purchased_at, gross_value, gross_without_delivery", "transactions", sumsOnce},
	{"SELECT 1 FROM customers WHERE store_id = $1 AND status = 'new' LIMIT", "customers_waiting",
		"status of messages: it counts entries of the index up to customer.WaitingLimit"},
	{"SELECT lots FROM accounts WHERE store_id = $1 AND locked > 0", "accounts", sumsOnce},
	{"SELECT status, created_at FROM customers", "customers", sumsOnce},
	{"SELECT active_day, COUNT(*) FROM accounts", "accounts", sumsOnce},
	{"SELECT type, state, value, lapsed, created_at, expires_at FROM transfers", "transfers", sumsOnce},
}

// statement is an executed statement, with the arguments of some of its runs.
type statement struct {
	query   string
	args    []any // of the last run
	runs    int
	samples [][]any // of the runs 1, 4, 16 and so on
}

// recorder collects statements by their texts.
type recorder struct {
	mutex   sync.Mutex
	seen    map[string]*statement
	inserts bool // are collected, too
}

func (r *recorder) trace(query string, args []any) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	verb, _, _ := strings.Cut(strings.TrimSpace(query), " ")
	if !slices.Contains([]string{"SELECT", "WITH", "UPDATE", "DELETE"}, verb) && !(r.inserts && verb == "INSERT") {
		return
	}
	s := r.seen[query]
	if s == nil {
		s = &statement{query: query}
		r.seen[query] = s
	}
	s.args = slices.Clone(args)
	s.runs++
	if s.runs&(s.runs-1) == 0 && bits.Len(uint(s.runs))%2 == 1 { // a power of 4
		s.samples = append(s.samples, s.args)
	}
}

func (r *recorder) statements() []statement {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	var all []statement
	for _, s := range r.seen {
		all = append(all, *s)
	}
	slices.SortFunc(all, func(a, b statement) int { return strings.Compare(a.query, b.query) })
	return all
}

// readEverything calls every GET endpoint as each role that may, with ids that exist.
func readEverything(t *testing.T, base string) {
	t.Helper()
	customer := servertest.LogIn(t, base, "/api/customer/login_check", "user@example.com", "loyalty")
	callers := map[access.Role]*client{
		access.Administrator: servertest.LogInAdmin(t, base), access.Customer: customer,
		access.Seller: servertest.LogIn(t, base, "/api/seller/login_check", "seller@example.com", "open"),
	}
	ids := servertest.IDsOf(t, callers[access.Administrator], customer)
	fill := strings.NewReplacer(append(slices.Collect(servertest.Pairs(ids)), "{storeCode}", "DEFAULT", "{loginStore}",
		"DEFAULT")...)
	for _, sort := range []string{"points", "spent", "lastPurchaseAt", "level"} {
		for _, query := range []string{"", "&direction=desc"} {
			path := "/api/DEFAULT/customer?withPoints=1&sort=" + sort + query
			if reply := callers[access.Administrator].Send("GET", path, "", ""); reply.Status != 200 {
				t.Errorf("GET %s: %d %s", path, reply.Status, reply.Body)
			}
		}
	}
	for _, e := range app.EndpointTable() {
		if e.Method != "GET" || strings.Contains(e.Path, "token/revoke") {
			continue
		}
		for role, caller := range callers {
			if e.Access.Check(servertest.AsCaller(role)) == nil {
				if reply := caller.Send("GET", fill.Replace(e.Path), "", ""); reply.Status >= 500 && reply.Status != 503 {
					t.Errorf("GET %s as %s: %d %s", e.Path, role, reply.Status, reply.Body)
				}
			}
		}
	}
}

// explain returns what is wrong with the plan of a statement.
func explain(t *testing.T, d *db.DB, s statement) []string {
	t.Helper()
	if d.Engine() == "sqlite" {
		return explainSQLite(t, d, s)
	}
	var text string
	err := d.Read(t.Context(), func(tx *db.Tx) (err error) {
		text, err = db.Value[string](tx, "EXPLAIN (FORMAT JSON) "+s.query, s.args...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var plans []struct{ Plan plan }
	if err := json.Unmarshal([]byte(text), &plans); err != nil {
		t.Fatal(err)
	}
	var faults []string
	plans[0].Plan.check(false, &faults)
	return faults
}

// plan is a node of PostgreSQL's plans.
type plan struct {
	Kind     string  `json:"Node Type"`
	Table    string  `json:"Relation Name"`
	Index    string  `json:"Index Name"`
	Rows     float64 `json:"Plan Rows"`
	Strategy string
	Plans    []plan
}

// pageRows is how many rows of a growing table a request may read.
const pageRows = 1500

// check finds nodes that read many rows. Nodes below a limit stop early, unless one between them collects rows first.
func (p *plan) check(stopsEarly bool, faults *[]string) {
	if slices.Contains(growing, p.Table) && !stopsEarly && p.Rows > pageRows {
		*faults = append(*faults, fmt.Sprintf("%s %s on %s reads %.0f rows", p.Kind, p.Index, p.Table, p.Rows))
	}
	switch {
	case p.Kind == "Limit":
		stopsEarly = true
	case p.Kind == "Sort", p.Kind == "Hash", p.Kind == "Materialize", p.Kind == "Recursive Union",
		p.Kind == "Aggregate" && p.Strategy != "Sorted":
		stopsEarly = false
	}
	for i := range p.Plans {
		p.Plans[i].check(stopsEarly, faults)
	}
}

func explainSQLite(t *testing.T, d *db.DB, s statement) []string {
	t.Helper()
	var details []string
	err := d.Read(t.Context(), func(tx *db.Tx) (err error) {
		details, err = dbtest.Plan(tx, s.query, s.args)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	sorts := slices.ContainsFunc(details, func(line string) bool { return strings.Contains(line, "TEMP B-TREE") })
	upper := strings.ToUpper(s.query)
	collects := sorts || !strings.HasPrefix(strings.TrimSpace(upper), "SELECT") || !strings.Contains(upper, "LIMIT") ||
		strings.Contains(upper, "COUNT(*)") || strings.Contains(upper, "SUM(")
	var faults []string
	for _, line := range details {
		words := strings.Fields(line)
		if len(words) < 2 || words[0] != "SCAN" && words[0] != "SEARCH" {
			continue
		}
		table := tableOf(words[1], s.query)
		if !slices.Contains(growing, table) || !collects {
			continue
		}
		if words[0] == "SCAN" || strings.HasSuffix(line, "(store_id=?)") {
			faults = append(faults, table+": "+line)
		}
	}
	return faults
}

// tableOf returns the table of a name in a plan, which may be an alias of the statement.
func tableOf(name, query string) string {
	words := strings.Fields(query)
	for i := 1; i < len(words); i++ {
		if strings.Trim(words[i], "(),") == name && slices.Contains(growing, words[i-1]) {
			return words[i-1]
		}
	}
	return name
}
