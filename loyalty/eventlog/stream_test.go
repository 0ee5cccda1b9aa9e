package eventlog_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"punchcard/core/access"
	"punchcard/loyalty/eventlog"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/event"
	"punchcard/platform/testwait"
	"punchcard/platform/web"
)

// quick is the pace of streams in tests, whose heartbeats do not matter.
var quick = eventlog.Pace{Heartbeat: time.Hour, Look: 20 * time.Millisecond, Rest: time.Millisecond}

// message is one event of a stream, or a comment.
type message struct{ id, event, data, comment string }

// listener reads a stream.
type listener struct {
	t        *testing.T
	status   int
	header   http.Header
	messages chan message // closed at the end of the response
	close    func()
	err      error  // why the response ended
	last     string // last line that is not empty
}

// openStream requests a stream. query may be empty, and seen is the id of the last event seen.
func openStream(t *testing.T, base, query, seen string) *listener {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	request, err := http.NewRequestWithContext(ctx, "GET", base+"/api/event/stream"+query, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Role", string(access.Administrator))
	request.Header.Set("Accept-Encoding", "gzip")
	if seen != "" {
		request.Header.Set("Last-Event-ID", seen)
	}
	answer, err := (&http.Client{Transport: &http.Transport{}}).Do(request)
	if err != nil {
		t.Fatal(err)
	}
	l := &listener{t: t, status: answer.StatusCode, header: answer.Header, messages: make(chan message)}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer close(l.messages)
		defer func() { _ = answer.Body.Close() }()
		l.last, l.err = parse(ctx, bufio.NewScanner(answer.Body), l.messages)
	}()
	l.close = func() {
		cancel()
		<-ended
	}
	t.Cleanup(l.close)
	return l
}

func parse(ctx context.Context, lines *bufio.Scanner, to chan<- message) (last string, err error) {
	lines.Buffer(nil, 1<<20)
	var m message
	for lines.Scan() {
		if lines.Text() != "" {
			last = lines.Text()
		}
		name, value, _ := strings.Cut(lines.Text(), ": ")
		switch name {
		case "id":
			m.id = value
		case "event":
			m.event = value
		case "data":
			m.data = value
		case "":
			m.comment = strings.TrimSpace(lines.Text())
			if m.id == "" && m.comment == "" {
				continue // after retry
			}
			select {
			case to <- m:
			case <-ctx.Done():
			}
			m = message{}
		}
	}
	return last, lines.Err()
}

func (l *listener) next() message {
	l.t.Helper()
	select {
	case m, open := <-l.messages:
		if !open {
			l.t.Fatalf("the stream ended: %v", l.err)
		}
		return m
	case <-time.After(testwait.Limit()):
		l.t.Fatal("nothing comes")
	}
	return message{}
}

// expect reads events with the ids from one to another.
func (l *listener) expect(from, to int) {
	l.t.Helper()
	for id := from; id <= to; id++ {
		if m := l.next(); m.id != strconv.Itoa(id) {
			l.t.Fatalf("event %q comes, want %d", m.id, id)
		}
	}
}

// ends waits until the stream ends.
func (l *listener) ends() error {
	l.t.Helper()
	for {
		select {
		case _, open := <-l.messages:
			if !open {
				return l.err
			}
		case <-time.After(testwait.Limit()):
			l.t.Fatal("the stream does not end")
		}
	}
}

func appendEvent(t *testing.T, d *db.DB, text string) {
	t.Helper()
	err := d.Write(t.Context(), func(tx *db.Tx) error {
		return event.Append(tx, 1, event.Entry{AggregateID: "a", Fact: fact{"Type.Live", text}})
	})
	if err != nil {
		t.Fatal(err)
	}
}

// streaming runs the test on a server over 120 events.
func streaming(t *testing.T, pace eventlog.Pace, run func(t *testing.T, d *db.DB, base string)) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for i := range 120 {
			appendEvent(t, d, fmt.Sprint("old ", i))
		}
		server := httptest.NewServer(serving(t, d, eventlog.NewFeed(d, nil, pace), 0))
		t.Cleanup(server.Close)
		run(t, d, server.URL)
	})
}

func TestStreamSendsWhatWasAndWhatHappens(t *testing.T) {
	dbtest.Both(t)
	streaming(t, quick, func(t *testing.T, d *db.DB, base string) {
		l := openStream(t, base, "?fromId=1", "")
		if l.status != 200 || l.header.Get("Content-Type") != "text/event-stream" ||
			l.header.Get("Content-Encoding") != "" || !strings.Contains(l.header.Get("Cache-Control"), "no-") {
			t.Errorf("%d %v", l.status, l.header)
		}
		l.expect(1, 120)
		for i := 121; i <= 130; i++ {
			appendEvent(t, d, "new")
			l.expect(i, i)
		}
	})
}

// The data of an event is the same as in the list.
func TestStreamedEventIsThatOfTheList(t *testing.T) {
	dbtest.Both(t)
	streaming(t, quick, func(t *testing.T, d *db.DB, base string) {
		appendEvent(t, d, "<ü & \"quote\">\n")
		m := openStream(t, base, "?fromId=121", "").next()
		_, body := get(newHandler(t, d), access.Administrator, "/api/event?fromId=121")
		var list struct{ Events []json.RawMessage }
		if err := json.Unmarshal([]byte(body), &list); err != nil {
			t.Fatal(err)
		}
		if m.data != string(list.Events[0]) || m.id != "121" || m.event != "Type.Live" {
			t.Errorf("sent %+v, listed %s", m, list.Events[0])
		}
	})
}

func TestStreamBeginsWhereAsked(t *testing.T) {
	dbtest.Both(t)
	streaming(t, quick, func(t *testing.T, d *db.DB, base string) {
		for _, c := range []struct {
			query, seen string
			first       int
		}{
			{"", "", 1}, {"?fromId=-3", "", 1}, {"?fromId=50", "", 50}, {"?fromId=50", "99", 100}, {"", "7", 8},
			{"?fromId=5", "0", 1},
		} {
			l := openStream(t, base, c.query, c.seen)
			l.expect(c.first, c.first+2)
			l.close()
		}
		l := openStream(t, base, "?fromId=122", "") // not yet
		appendEvent(t, d, "too early")
		appendEvent(t, d, "this one")
		l.expect(122, 122)
	})
}

func TestStreamRefusals(t *testing.T) {
	dbtest.Both(t)
	streaming(t, quick, func(t *testing.T, d *db.DB, base string) {
		for query, seen := range map[string]string{"?fromId=x": "", "?fromId=1.5": "", "": "x", "?fromId=2": "1e3"} {
			if l := openStream(t, base, query, seen); l.status != 400 {
				t.Errorf("%q after %q: %d", query, seen, l.status)
			}
		}
		handler := newHandler(t, d)
		for role, want := range map[access.Role]int{"": 401, access.Customer: 403, access.Seller: 403} {
			if status, _ := get(handler, role, "/api/event/stream"); status != want {
				t.Errorf("%q asks: %d", role, status)
			}
		}
		request := httptest.NewRequest("HEAD", "/api/event/stream", nil)
		request.Header.Set("Role", string(access.Administrator))
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, request)
		if answer.Code != 200 || answer.Header().Get("Content-Type") != "text/event-stream" {
			t.Errorf("HEAD: %d %v", answer.Code, answer.Header())
		}
	})
}

// A client that reconnects again and again, while others write, receives every event once.
func TestStreamResumesWithoutGapOrRepeat(t *testing.T) {
	dbtest.Both(t)
	streaming(t, quick, func(t *testing.T, d *db.DB, base string) {
		const writers, each = 4, 50
		var writing sync.WaitGroup
		for range writers {
			writing.Go(func() {
				for range each {
					appendEvent(t, d, "new")
				}
			})
		}
		seen := 0
		for length := 1; seen < 120+writers*each; length = length*2%97 + 1 {
			l := openStream(t, base, "?fromId=1", strconv.Itoa(seen))
			for range min(length, 120+writers*each-seen) {
				l.expect(seen+1, seen+1)
				seen++
			}
			l.close()
		}
		writing.Wait()
	})
}

// An event whose transaction commits after later ones follows them.
func TestStreamSendsLateCommits(t *testing.T) {
	d := dbtest.Open(t, dbtest.Config(t, "postgres"), time.Now)
	server := httptest.NewServer(serving(t, d, eventlog.NewFeed(d, nil, quick), 0))
	t.Cleanup(server.Close)
	l := openStream(t, server.URL, "", "")
	appended, release, ended := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		ended <- d.Write(context.Background(), func(tx *db.Tx) error {
			err := event.Append(tx, 1, event.Entry{AggregateID: "slow", Fact: fact{"Type.Late", "late"}})
			close(appended)
			<-release
			return err
		})
	}()
	<-appended
	appendEvent(t, d, "early")
	if m := l.next(); m.id != "1" || m.event != "Type.Live" {
		t.Errorf("first %+v", m)
	}
	close(release)
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if m := l.next(); m.id != "2" || m.event != "Type.Late" {
		t.Errorf("second %+v", m)
	}
}

// Events of another node are found by polling.
func TestStreamSendsEventsOfOtherNodes(t *testing.T) {
	config := dbtest.Config(t, "postgres")
	d, other := dbtest.Open(t, config, time.Now), dbtest.Open(t, config, time.Now)
	server := httptest.NewServer(serving(t, d, eventlog.NewFeed(d, nil, quick), 0))
	t.Cleanup(server.Close)
	l := openStream(t, server.URL, "", "")
	for i := range 5 {
		appendEvent(t, other, "from elsewhere")
		l.expect(i+1, i+1)
	}
}

func TestStreamHeartbeat(t *testing.T) {
	dbtest.Both(t)
	pace := quick
	pace.Heartbeat = 10 * time.Millisecond
	streaming(t, pace, func(t *testing.T, d *db.DB, base string) {
		l := openStream(t, base, "?fromId=121", "")
		for range 3 {
			if m := l.next(); m != (message{comment: ":"}) {
				t.Errorf("got %+v", m)
			}
		}
		appendEvent(t, d, "new")
		for m := l.next(); m.id != "121"; m = l.next() {
			if m != (message{comment: ":"}) {
				t.Fatalf("got %+v", m)
			}
		}
	})
}

func TestStreamLimit(t *testing.T) {
	dbtest.Both(t)
	streaming(t, quick, func(t *testing.T, d *db.DB, base string) {
		var last *listener
		for range eventlog.StreamLimit {
			last = openStream(t, base, "?fromId=121", "")
		}
		refused := openStream(t, base, "", "")
		if refused.status != 503 || refused.header.Get("Retry-After") != "10" {
			t.Errorf("one more: %d %v", refused.status, refused.header)
		}
		last.close()
		for openStream(t, base, "", "").status != 200 { // until the server has seen that the client left
			if t.Context().Err() != nil {
				t.Fatal("the place stays taken")
			}
		}
	})
}

// A client that reads nothing loses the stream, and the server frees it.
func TestStreamDropsWhoDoesNotRead(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for range 40 {
			appendEvent(t, d, strings.Repeat("long ", 100_000))
		}
		handler := serving(t, d, eventlog.NewFeed(d, nil, quick), 300*time.Millisecond)
		ended := make(chan struct{}, 1)
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			defer func() { ended <- struct{}{} }()
			handler.ServeHTTP(w, r)
		}))
		t.Cleanup(server.Close)
		connection, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = connection.Close() })
		_, err = fmt.Fprintf(connection, "GET /api/event/stream HTTP/1.1\r\nHost: x\r\nRole: ROLE_ADMIN\r\n\r\n")
		if err != nil {
			t.Fatal(err)
		}
		select {
		case <-ended:
		case <-time.After(testwait.Limit()):
			t.Fatal("the server waits for ever")
		}
	})
}

// A server that stops ends its streams at once, after a whole event, and a client continues at the
// next server. A stream may last longer than the timeout of other requests.
func TestStreamsEndWithTheServer(t *testing.T) {
	dbtest.Both(t)
	pace := quick
	pace.Heartbeat = 50 * time.Millisecond
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		seen := 0
		for range 2 {
			ctx, stop := context.WithCancel(t.Context())
			on, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			served := make(chan error, 1)
			handler := serving(t, d, eventlog.NewFeed(d, ctx.Done(), pace), 0)
			go func() {
				served <- web.Serve(ctx, on, handler, web.ServerConfig{
					Log: slog.New(slog.DiscardHandler), ReadTimeout: 200 * time.Millisecond, DrainTimeout: time.Hour,
				})
			}()
			l := openStream(t, "http://"+on.Addr().String(), "", strconv.Itoa(seen))
			for range 10 { // heartbeats
				l.next()
			}
			appendEvent(t, d, "new")
			for m := l.next(); m.id == ""; m = l.next() {
				continue
			}
			seen++
			stop()
			if err := l.ends(); err != nil {
				t.Errorf("the stream broke off: %v", err)
			}
			if l.last != "retry: 2000" {
				t.Errorf("the stream ended with %q, which does not say when to come back", l.last)
			}
			select {
			case err := <-served:
				if err != nil {
					t.Error(err)
				}
			case <-time.After(testwait.Limit()):
				t.Fatal("the stream holds up the server")
			}
		}
	})
}
