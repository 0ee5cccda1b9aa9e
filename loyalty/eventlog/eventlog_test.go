package eventlog_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/loyalty/eventlog"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/event"
	"punchcard/platform/web"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

type fact struct {
	typeName string
	Text     string `json:"text"`
}

func (f fact) EventType() string { return f.typeName }

// newHandler serves the endpoints on d. The header Role sets the caller. An administrator has all
// permissions.
func newHandler(t *testing.T, d *db.DB) http.Handler {
	t.Helper()
	return serving(t, d, eventlog.NewFeed(d, nil, eventlog.Pace{}), 0)
}

func serving(t *testing.T, d *db.DB, feed *eventlog.Feed, timeout time.Duration) http.Handler {
	t.Helper()
	server := &api.Server{DB: d, ResultWindow: 10, Authenticate: func(r *web.Request) (*access.Caller, error) {
		if role := r.Header.Get("Role"); role != "" {
			return &access.Caller{Role: access.Role(role), StoreKey: 1, Master: true}, nil
		}
		return nil, nil
	}}
	handler, err := web.NewHandler(web.Config{
		Routes: server.Routes(api.Complete(eventlog.Endpoints(feed))),
		Log:    slog.New(slog.DiscardHandler), NewID: db.NewID, Clock: time.Now,
		RequestTimeout: timeout,
	})
	if err != nil {
		t.Fatal(err)
	}
	return handler
}

func get(handler http.Handler, role access.Role, path string) (status int, body string) {
	request := httptest.NewRequest("GET", path, nil)
	request.Header.Set("Role", string(role))
	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer, request)
	return answer.Code, answer.Body.String()
}

// withEvents runs the test on 120 events of two stores, one a second.
func withEvents(t *testing.T, run func(t *testing.T, handler http.Handler)) {
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			now := time.Date(2030, 1, 2, 3, 4, 5, 678_000_000, time.FixedZone("elsewhere", 3600))
			d := dbtest.Open(t, dbtest.Config(t, engine), func() time.Time { return now })
			for i := range 120 {
				entry := event.Entry{
					AggregateID: fmt.Sprintf("aggregate %03d", 120-i),
					Fact:        fact{fmt.Sprint("Type.", i%3), "<ü & \"quote\">"},
				}
				err := d.Write(t.Context(), func(tx *db.Tx) error { return event.Append(tx, int64(i%2+1), entry) })
				if err != nil {
					t.Fatal(err)
				}
				now = now.Add(time.Second)
			}
			run(t, newHandler(t, d))
		})
	}
}

func TestGetEvent(t *testing.T) {
	withEvents(t, func(t *testing.T, handler http.Handler) {
		want := `{"id":3,"uuid":"aggregate 118","payload":{"text":"<ü & \"quote\">"},"type":"Type.2",` +
			`"recorderOn":"2030-01-02T02:04:07+00:00"}`
		status, body := get(handler, access.Administrator, "/api/event/3")
		var compact any
		if err := json.Unmarshal([]byte(body), &compact); err != nil {
			t.Fatal(err)
		}
		var wanted any
		if err := json.Unmarshal([]byte(want), &wanted); err != nil {
			t.Fatal(err)
		}
		if status != 200 || fmt.Sprint(compact) != fmt.Sprint(wanted) {
			t.Errorf("%d %s, want %s", status, body, want)
		}
		notFound := `{"error":{"code":404,"message":"Not Found"}}`
		for _, id := range []string{"121", "0", "-1", "x", "1.5", "99999999999999999999", "3x"} {
			if status, body := get(handler, access.Administrator, "/api/event/"+id); status != 404 || body != notFound {
				t.Errorf("event %s: %d %s", id, status, body)
			}
		}
	})
}

func TestOnlyAdministrators(t *testing.T) {
	withEvents(t, func(t *testing.T, handler http.Handler) {
		for _, path := range []string{"/api/event", "/api/event/1"} {
			for role, want := range map[access.Role]int{
				"": 401, access.Customer: 403, access.Seller: 403, access.Administrator: 200,
			} {
				if status, body := get(handler, role, path); status != want {
					t.Errorf("%q asks for %s: %d %s", role, path, status, body)
				}
			}
		}
	})
}

func TestListEvents(t *testing.T) {
	dbtest.Both(t)
	withEvents(t, func(t *testing.T, handler http.Handler) {
		for _, test := range []struct {
			query    string
			ids      string // the first three
			count    int
			total    int64
			comments string
		}{
			{"", "1 2 3", 10, 120, "defaults"},
			{"?page=7", "1 2 3", 10, 120, "page is no parameter"},
			{"?fromId=50", "50 51 52", 10, 71, "inclusive"},
			{"?fromId=", "1 2 3", 10, 120, "empty means absent"},
			{"?fromId=-5", "1 2 3", 10, 120, "before the first"},
			{"?fromId=119", "119 120", 2, 2, "the last ones"},
			{"?fromId=121", "", 0, 0, "beyond the end"},
			{"?fromId=99999999999999999999", "", 0, 0, "beyond any number"},
			{"?perPage=3", "1 2 3", 3, 120, "given"},
			{"?perPage=101", "1 2 3", 100, 120, "hard maximum"},
			{"?perPage=99999999999999999999", "1 2 3", 100, 120, "hard maximum"},
			{"?perPage=0", "1 2 3", 10, 120, "zero means the default"},
			{"?perPage=many", "1 2 3", 10, 120, "no number means the default"},
			{"?perPage=-1", "1 2 3", 100, 120, "negative means the maximum"},
			{"?direction=asc", "1 2 3", 10, 120, "ignores case"},
			{"?direction=DESC", "120 119 118", 10, 120, "newest first"},
			{"?direction=down", "120 119 118", 10, 120, "anything but asc descends"},
			{"?direction=DESC&fromId=119", "120 119", 2, 2, "never below fromId"},
			{"?sort=id&direction=DESC", "120 119 118", 10, 120, "by id"},
			{"?sort=name", "1 2 3", 10, 120, "unknown column"},
			{"?sort=uuid", "10 9 8", 10, 120, "by aggregate"},
			{"?sort=uuid&direction=DESC", "1 2 3", 10, 120, "by aggregate, descending"},
			{"?sort=type", "1 4 7", 10, 120, "ties in order of ids"},
			{"?sort=type&direction=DESC&perPage=5", "3 2 5", 5, 120, "ties in order of ids"},
			{"?sort=recorderOn&fromId=20", "20 21 22", 10, 101, "by time"},
			{"?sort=recorderOn&fromId=20&direction=DESC", "29 28 27", 10, 101, "by time, descending"},
		} {
			status, body := get(handler, access.Administrator, "/api/event"+test.query)
			var list struct {
				Events []struct{ ID int64 }
				Total  int64
			}
			if err := json.Unmarshal([]byte(body), &list); err != nil || status != 200 {
				t.Errorf("%s: %d %s, %v", test.query, status, body, err)
				continue
			}
			var ids []string
			for _, e := range list.Events[:min(3, len(list.Events))] {
				ids = append(ids, fmt.Sprint(e.ID))
			}
			if strings.Join(ids, " ") != test.ids || len(list.Events) != test.count || list.Total != test.total {
				t.Errorf("%s (%s): %d of %d, first %v, want %d of %d, first %s",
					test.query, test.comments, len(list.Events), list.Total, ids, test.count, test.total, test.ids)
			}
		}
		if _, body := get(handler, access.Administrator, "/api/event?fromId=121"); body != `{"events":[],"total":0}` {
			t.Errorf("no events are %s", body)
		}
		for _, id := range []string{"x", "1.5", "1e3", "0x10", " "} {
			status, body := get(handler, access.Administrator, "/api/event?fromId="+strings.ReplaceAll(id, " ", "%20"))
			if status != 400 || body != `{"error":{"code":400,"message":"Bad Request"}}` {
				t.Errorf("fromId %q: %d %s", id, status, body)
			}
		}
	})
}

func TestMembersOfAnEvent(t *testing.T) {
	withEvents(t, func(t *testing.T, handler http.Handler) {
		_, body := get(handler, access.Administrator, "/api/event?perPage=1")
		var list struct{ Events []map[string]any }
		if err := json.Unmarshal([]byte(body), &list); err != nil {
			t.Fatal(err)
		}
		var members []string
		for name := range list.Events[0] {
			members = append(members, name)
		}
		slices.Sort(members)
		if got := strings.Join(members, " "); got != "id payload recorderOn type uuid" {
			t.Errorf("an event has the members %s", got)
		}
	})
}
