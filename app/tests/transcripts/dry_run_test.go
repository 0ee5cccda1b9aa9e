package transcripts_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"punchcard/app"
	"punchcard/app/servertest"
	"punchcard/core/api"
	"punchcard/core/api/openapi"
	"punchcard/platform/db"
	"punchcard/platform/idempotency"
	"punchcard/platform/testwait"
)

// rehearsal makes each write of a conversation as a dry run before it makes it. The dry run commits nothing, and has
// the status and the body of the write, besides ids and secrets. The first success of each endpoint on SQLite also
// leaves all rows of all tables as they are.
type rehearsal struct {
	rehearsed *rehearsed
	d         *db.DB
	commits   *atomic.Int64 // of the server
	query     string        // of the rows of all tables; empty if they are not compared
	send      func(testing.TB, *http.Request) reply
}

// rehearsed holds the state of all conversations together.
type rehearsed struct {
	endpoints []api.Endpoint
	compared  sync.Map // endpoints with a dry run that succeeded and was compared by tables
}

var rehearses = flag.Bool("rehearse", true, "make each write of the transcripts as a dry run first")

// every returns a function that rehearses what send sends. The counter counts the commits of the server.
func (all *rehearsed) every(t *testing.T, d *db.DB, commits *atomic.Int64,
	send func(testing.TB, *http.Request) reply) func(testing.TB, *http.Request) reply {
	if !*rehearses {
		return send
	}
	r := &rehearsal{rehearsed: all, d: d, commits: commits, send: send}
	if d.Engine() == "sqlite" {
		r.query = rowsQuery(t, d)
	}
	return r.every
}

func (r *rehearsal) every(t testing.TB, request *http.Request) reply {
	t.Helper()
	endpoint := openapi.Match(r.rehearsed.endpoints, request.Method, request.URL.Path)
	if request.Method == http.MethodGet || endpoint == nil || endpoint.Method == http.MethodGet ||
		request.Header.Get(api.DryRunHeader) != "" {
		return r.send(t, request)
	}
	body, err := io.ReadAll(request.Body)
	if err != nil {
		t.Fatal(err)
	}
	dry := r.rehearse(t, endpoint, request, body)
	request.Body = io.NopCloser(bytes.NewReader(body))
	done := r.send(t, request)
	if request.Header.Get(idempotency.Header) == "" {
		compareDry(t, endpoint, request, dry, done)
	}
	return done
}

// rehearse makes the dry run, again as long as the server commits something meanwhile: work in the background ends, but
// a dry run that commits does so each time.
func (r *rehearsal) rehearse(t testing.TB, e *api.Endpoint, request *http.Request, body []byte) (answer reply) {
	t.Helper()
	name := e.Method + " " + e.Path
	dry := request.Clone(t.Context())
	dry.Header.Set(api.DryRunHeader, "true")
	_, compared := r.rehearsed.compared.Load(name)
	compares := r.query != "" && !compared
	testwait.Until(t, "a dry run of "+name+" that commits nothing", func() bool {
		var before map[string]string
		if compares {
			before = r.rows(t)
		}
		made := r.commits.Load()
		dry.Body = io.NopCloser(bytes.NewReader(body))
		answer = servertest.Send(t, dry)
		if r.commits.Load() != made {
			return false
		}
		if compares && answer.Status < http.StatusBadRequest {
			if tables := changed(before, r.rows(t)); len(tables) > 0 && r.commits.Load() == made {
				t.Errorf("a dry run of %s changes %v", name, tables)
			}
			r.rehearsed.compared.Store(name, true)
		}
		return true
	})
	return answer
}

// rows returns a text for each table, which differs after any change of its rows.
func (r *rehearsal) rows(t testing.TB) map[string]string {
	t.Helper()
	type content struct{ table, rows string }
	all := make(map[string]string, 80)
	servertest.Read(t, r.d, func(tx *db.Tx) error {
		return db.Each(tx, func(c *content) []any { return []any{&c.table, &c.rows} },
			func(c content) { all[c.table] = c.rows }, r.query)
	})
	return all
}

// rowsQuery returns the query of the rows of all tables.
func rowsQuery(t *testing.T, d *db.DB) string {
	var parts []string
	for table, columns := range servertest.Tables(t, d) {
		parts = append(parts, fmt.Sprintf(`SELECT '%s', COALESCE((SELECT group_concat(quote(%s)) FROM %s), '')`,
			table, strings.Join(columns, ") || quote("), table))
	}
	return strings.Join(parts, " UNION ALL ")
}

func changed(before, after map[string]string) (tables []string) {
	for table := range before {
		if before[table] != after[table] {
			tables = append(tables, table)
		}
	}
	slices.Sort(tables)
	return tables
}

// compareDry compares a dry run with the write that came next.
func compareDry(t testing.TB, e *api.Endpoint, request *http.Request, rehearsed, done reply) {
	t.Helper()
	call := request.Method + " " + request.URL.Path
	if rehearsed.Header.Get(api.DryRunHeader) != "true" && done.Status < http.StatusBadRequest {
		t.Errorf("%s: a dry run has not the header %s", call, api.DryRunHeader)
	}
	body := string(rehearsed.Body)
	if !e.HasDryRun() && strings.Contains(body, "has no dry run") || strings.Contains(body, db.ErrDryRunTime.Message) {
		return // the machine may be busy
	}
	if rehearsed.Status != done.Status || !sameBody(rehearsed.Body, done.Body) {
		t.Errorf("%s: a dry run answers %d %s\nthe call answers %d %s", call, rehearsed.Status, rehearsed.Body,
			done.Status, done.Body)
	}
}

// sameBody compares bodies besides ids, which differ from call to call, and what a dry run hides.
func sameBody(dry, done []byte) bool {
	var a, b any
	if json.Unmarshal(dry, &a) != nil || json.Unmarshal(done, &b) != nil {
		return bytes.Equal(dry, done)
	}
	return sameValue(a, b)
}

func sameValue(dry, done any) bool {
	switch of := done.(type) {
	case map[string]any:
		d, is := dry.(map[string]any)
		return is && maps.EqualFunc(d, of, sameValue)
	case []any:
		d, is := dry.([]any)
		return is && slices.EqualFunc(d, of, sameValue)
	case string:
		d, is := dry.(string)
		return is && (d == of || d == api.Secret || uuids.ReplaceAllString(d, "") == uuids.ReplaceAllString(of, ""))
	}
	return dry == done
}

var uuids = regexp.MustCompile(`[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// secretNames matches members that hold codes, tokens, links or passwords.
var secretNames = regexp.MustCompile(`(?i)^(path|code|link)$|secret$|token|password|apiKey|recoveryCodes|cardNumber`)

// shownAnyway are members that look like secrets in the responses to some calls, and are none.
var shownAnyway = regexp.MustCompile(`^(hasSecret|hasPassword|hasToken|customersIdentifiers|oldSecretUntil)$`)

// notSecret are calls whose members of these names hold no secrets: codes of languages, statuses and settings, what the
// caller has sent, or what is stored already.
var notSecret = regexp.MustCompile(`translations|settings$|/checkout(/loyalty|/reserve)?$|/(cancel|extend)$|` +
	`/mailing|/journey|/callback/|/validate$|` +
	`/preview$|/pos/search/customer$|/setup`)

// Each call that has a dry run lists all members of its response that hold secrets.
func TestDryRunsHideSecrets(t *testing.T) {
	for _, e := range app.EndpointTable() {
		if !e.HasDryRun() {
			continue
		}
		members := map[string]bool{}
		membersOf(reflect.TypeOf(e.Response), members, map[reflect.Type]bool{})
		for name := range members {
			if secretNames.MatchString(name) && !shownAnyway.MatchString(name) && !notSecret.MatchString(e.Path) &&
				!slices.Contains(e.Secrets, name) {
				t.Errorf("%s %s: a dry run shows the member %s", e.Method, e.Path, name)
			}
		}
		for _, name := range e.Secrets {
			if !members[name] {
				t.Errorf("%s %s: the response has no member %s", e.Method, e.Path, name)
			}
		}
	}
}

// membersOf adds the names of all members of a type in JSON.
func membersOf(of reflect.Type, members map[string]bool, seen map[reflect.Type]bool) {
	if of == nil || seen[of] {
		return
	}
	seen[of] = true
	switch of.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		membersOf(of.Elem(), members, seen)
	case reflect.Struct:
		for i := range of.NumField() {
			field := of.Field(i)
			if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); name != "" && name != "-" {
				members[name] = true
			}
			membersOf(field.Type, members, seen)
		}
	}
}
