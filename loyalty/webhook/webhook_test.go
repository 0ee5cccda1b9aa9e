package webhook_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/webhook"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/event"
	"punchcard/platform/job"
	"punchcard/platform/outbound"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// happened is a fact of the tests.
type happened struct {
	kind string
	Name string `json:"name"`
}

func (h happened) EventType() string { return "Platform.Domain.User.Event." + h.kind }

// noon is when the clocks of sites start.
var noon = time.Date(2031, 4, 17, 12, 0, 0, 0, time.UTC)

// site is a database with two stores and a clock that the test moves.
type site struct {
	t      *testing.T
	config db.Config
	db     *db.DB
	stores *store.Directory
	client *outbound.Client
	clock  *dbtest.Clock
}

func each(t *testing.T, run func(t *testing.T, s *site)) {
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			run(t, open(t, engine))
		})
	}
}

func open(t *testing.T, engine string) *site {
	t.Helper()
	s := &site{t: t, config: dbtest.Config(t, engine), clock: dbtest.NewClock(noon)}
	s.db = dbtest.Open(t, s.config, s.clock.Now)
	s.stores = store.NewDirectory(s.db)
	s.client = s.newClient(nil)
	for _, code := range []string{"ONE", "TWO"} {
		s.write(func(tx *db.Tx) error {
			settings := store.DefaultSettings()
			settings.Timezone = "Europe/Warsaw"
			_, err := store.Create(tx, store.New{Code: code, Name: code, Currency: "EUR", Settings: settings})
			return err
		})
	}
	return s
}

func (s *site) newClient(change func(*outbound.Config)) *outbound.Client {
	config := outbound.Config{Reach: outbound.Loopback, Agent: "test", Clock: s.clock.Now}
	if change != nil {
		change(&config)
	}
	c := outbound.NewClient(config)
	s.t.Cleanup(c.Close)
	return c
}

// sender returns the sender of a new node. All state is in the database.
func (s *site) sender() *webhook.Sender {
	return webhook.NewSender(s.db, s.stores, s.client, job.NewLease(s.db, "web hooks", "node"))
}

func (s *site) write(run func(tx *db.Tx) error) {
	s.t.Helper()
	if err := s.db.Write(s.t.Context(), run); err != nil {
		s.t.Fatal(err)
	}
}

// happens appends events of a store, one for each "aggregate name".
func (s *site) happens(storeKey int64, facts ...string) {
	s.t.Helper()
	s.write(func(tx *db.Tx) error {
		var entries []event.Entry
		for _, fact := range facts {
			aggregate, name, _ := strings.Cut(fact, " ")
			entries = append(entries, event.Entry{AggregateID: aggregate, Fact: happened{kind: "Happened", Name: name}})
		}
		return event.Append(tx, storeKey, entries...)
	})
}

// subscribes creates a subscription of store 1 to all events. change may edit the draft.
func (s *site) subscribes(url string, change func(d *webhook.Draft)) *webhook.Subscription {
	s.t.Helper()
	draft := webhook.Draft{URL: url, EventNames: []string{"*"}, Signed: true, KeepActive: true}
	if change != nil {
		change(&draft)
	}
	position, err := event.Last(s.t.Context(), s.db)
	if err != nil {
		s.t.Fatal(err)
	}
	var made *webhook.Subscription
	s.write(func(tx *db.Tx) (err error) {
		made, err = webhook.Create(tx, 1, position, draft)
		return err
	})
	return made
}

func (s *site) settle(sender *webhook.Sender) {
	s.t.Helper()
	if err := sender.Settle(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
}

// states counts the deliveries of a subscription by state: "delivered 2, pending 1".
func (s *site) states(of *webhook.Subscription) string {
	s.t.Helper()
	var found []string
	for _, state := range webhook.States {
		var n int64
		s.read(func(tx *db.Tx) (err error) {
			n, err = db.Value[int64](tx,
				`SELECT COUNT(*) FROM webhook_deliveries WHERE subscription_id = $1 AND state = $2`, of.ID, state)
			return err
		})
		if n > 0 {
			found = append(found, fmt.Sprint(state, " ", n))
		}
	}
	return strings.Join(found, ", ")
}

func (s *site) read(run func(tx *db.Tx) error) {
	s.t.Helper()
	if err := s.db.Read(s.t.Context(), run); err != nil {
		s.t.Fatal(err)
	}
}

// text returns one value of a subscription or of its deliveries.
func (s *site) text(query string, of *webhook.Subscription) (text string) {
	s.t.Helper()
	s.read(func(tx *db.Tx) (err error) {
		text, _, err = db.One(tx, func(v *string) []any { return []any{db.Text(v)} }, query, of.ID)
		return err
	})
	return text
}

// call is a request that a receiver got.
type call struct {
	header http.Header
	body   []byte
}

// name is the name in the payload of the event.
func (c call) name() string {
	var message struct {
		Data struct{ Payload struct{ Name string } }
	}
	if json.Unmarshal(c.body, &message) != nil {
		return ""
	}
	return message.Data.Payload.Name
}

// receiver records all calls. answer responds to one; the default is 204.
type receiver struct {
	url string

	mutex  sync.Mutex
	calls  []call
	answer func(w http.ResponseWriter, c call)
}

// recover makes a receiver accept everything.
func (r *receiver) recover() {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.answer = nil
}

func listen(t *testing.T, answer func(w http.ResponseWriter, c call)) *receiver {
	t.Helper()
	r := &receiver{answer: answer}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, asked *http.Request) {
		body, err := io.ReadAll(asked.Body)
		if err != nil {
			return // the call was interrupted
		}
		c := call{asked.Header, body}
		r.mutex.Lock()
		r.calls = append(r.calls, c)
		answer := r.answer
		r.mutex.Unlock()
		if answer != nil {
			answer(w, c)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	}))
	t.Cleanup(server.Close)
	r.url = server.URL
	return r
}

// status always responds with the same status.
func status(code int) func(http.ResponseWriter, call) {
	return func(w http.ResponseWriter, _ call) { w.WriteHeader(code) }
}

func (r *receiver) got() []call {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return slices.Clone(r.calls)
}

// names returns the names in the calls, in the order of arrival.
func (r *receiver) names() string {
	var names []string
	for _, c := range r.got() {
		names = append(names, c.name())
	}
	return strings.Join(names, " ")
}

// expect compares the calls so far. Aggregates may come in any order.
func (r *receiver) expect(t *testing.T, want string) {
	t.Helper()
	if got := r.names(); got != want {
		t.Errorf("arrived: %q, want %q", got, want)
	}
}

func numbers(prefix string, n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = prefix + strconv.Itoa(i)
	}
	return all
}

// runs starts a sender. The returned function stops it and waits.
func runs(sender *webhook.Sender) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		sender.Run(ctx)
		close(ended)
	}()
	return func() {
		cancel()
		<-ended
	}
}
