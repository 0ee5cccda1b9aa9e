package transcripts_test

import (
	"net/http"
	"regexp"
	"testing"

	"punchcard/core/api"
	"punchcard/platform/db"
	"punchcard/platform/idempotency"
)

// changesNothing matches the paths of calls that look like writes but change nothing.
var changesNothing = regexp.MustCompile(
	`/(preview|validate|simulate|checkout(/loyalty)?|test|search/customer|till/device)$`)

// auditEvery wraps a function that sends requests: after each it compares the number of audit entries. Successful
// writes add an entry; reads, refused calls and replays add none. Deferred entries, of views and failed log-ins, do
// not count.
func auditEvery(d *db.DB, send func(testing.TB, *http.Request) reply) func(testing.TB, *http.Request) reply {
	return func(t testing.TB, request *http.Request) reply {
		t.Helper()
		before := auditEntries(t, d)
		answer := send(t, request)
		added := auditEntries(t, d) - before
		path := request.URL.Path
		switch {
		case answer.Status >= 400 || answer.Header.Get(idempotency.Replayed) != "":
			if added != 0 && !endsReusedSession.MatchString(path) {
				t.Errorf("%s %s: %d audit entries with status %d", request.Method, path, added, answer.Status)
			}
		case request.Header.Get(api.DryRunHeader) != "":
			if added != 0 {
				t.Errorf("%s %s: %d audit entries of a dry run", request.Method, path, added)
			}
		case request.Method == http.MethodGet && path != "/api/token/revoke", changesNothing.MatchString(path):
			if added != 0 {
				t.Errorf("%s %s: %d audit entries of a read", request.Method, path, added)
			}
		case added == 0 && path == "/api/audit/log/archive": // there was nothing to archive
		case added != 1:
			t.Errorf("%s %s: %d audit entries, want 1", request.Method, path, added)
		}
		return answer
	}
}

// endsReusedSession matches the path on which a refused call ends a session, because its refresh token was stolen.
var endsReusedSession = regexp.MustCompile(`/token/refresh$`)

// auditEntries counts the entries that are written with changes.
func auditEntries(t testing.TB, d *db.DB) (n int) {
	t.Helper()
	err := d.Read(t.Context(), func(tx *db.Tx) (err error) {
		n, err = db.Value[int](tx, `SELECT COUNT(*) FROM audit_entries
			WHERE event_type NOT IN ('ViewCustomer', 'AuthenticationFailure')`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}
