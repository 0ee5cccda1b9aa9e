package queue

import (
	"context"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/goleak"

	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/event"
	"punchcard/platform/event/queue/natstest"
	"punchcard/platform/testwait"
)

func TestMain(m *testing.M) { dbtest.MainOnBoth(m) }

type happened struct {
	Number int `json:"number"`
}

func (happened) EventType() string { return "Platform.Domain.Test.Event.Happened" }

// appendMany stores events with the numbers from first on, in one transaction.
func appendMany(t testing.TB, d *db.DB, aggregate string, first, count int) {
	t.Helper()
	entries := make([]event.Entry, count)
	for i := range entries {
		entries[i] = event.Entry{AggregateID: aggregate, Fact: happened{Number: first + i}}
	}
	err := d.Write(t.Context(), func(tx *db.Tx) error { return event.Append(tx, 7, entries...) })
	if err != nil {
		t.Fatal(err)
	}
}

// open connects to a server. The test may close the queue earlier.
func open(t testing.TB, config Config) *Queue {
	t.Helper()
	q, err := Open(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if !q.conn.IsClosed() {
			q.Close()
		}
	})
	return q
}

// openNew connects to a new server.
func openNew(t testing.TB) *Queue {
	t.Helper()
	return open(t, Config{URL: natstest.Run(t, t.TempDir(), -1).ClientURL()})
}

// contents returns the ids of the messages of the stream, in order.
func contents(t testing.TB, q *Queue) []int64 {
	t.Helper()
	ctx := context.Background()
	stream, err := q.stream.Stream(ctx, StreamName)
	if err != nil {
		t.Fatal(err)
	}
	state := stream.CachedInfo().State
	var ids []int64
	for sequence := state.FirstSeq; state.Msgs > 0 && sequence <= state.LastSeq; sequence++ {
		m, err := stream.GetMsg(ctx, sequence)
		if err != nil {
			t.Fatal(err)
		}
		id, err := strconv.ParseInt(m.Header.Get(jetstream.MsgIDHeader), 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	return ids
}

// checkComplete checks that every id from 1 to last occurs once, in order.
func checkComplete(t testing.TB, q *Queue, last int64) {
	t.Helper()
	ids := contents(t, q)
	for i, id := range ids {
		if id != int64(i+1) {
			t.Fatalf("message %d has the id %d", i+1, id)
		}
	}
	if int64(len(ids)) != last {
		t.Fatalf("the stream has %d messages, want %d", len(ids), last)
	}
}

// natsServer is a NATS server behind an address that stays while the server is down.
type natsServer struct {
	folder   string
	listener net.Listener
	target   atomic.Value // address of the running server, empty while there is none
	running  *natstest.Server
	ended    sync.WaitGroup
	mutex    sync.Mutex
	open     []net.Conn
}

// startNATS makes the address; up starts the server behind it.
func startNATS(t *testing.T) *natsServer {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	n := &natsServer{folder: t.TempDir(), listener: listener}
	n.target.Store("")
	n.ended.Go(func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			n.ended.Go(func() { n.pass(client) })
		}
	})
	t.Cleanup(func() {
		if err := listener.Close(); err != nil {
			t.Error(err)
		}
		n.down()
		n.ended.Wait()
	})
	return n
}

func (n *natsServer) url() string { return "nats://" + n.listener.Addr().String() }

func (n *natsServer) pass(client net.Conn) {
	defer client.Close()
	address := n.target.Load().(string)
	if address == "" {
		return
	}
	upstream, err := net.Dial("tcp", address)
	if err != nil {
		return
	}
	defer upstream.Close()
	n.mutex.Lock()
	n.open = append(n.open, client, upstream)
	n.mutex.Unlock()
	n.ended.Go(func() {
		_, _ = io.Copy(upstream, client)
		_ = upstream.Close()
	})
	_, _ = io.Copy(client, upstream)
}

func (n *natsServer) up(t testing.TB) {
	t.Helper()
	s, err := natstest.Start(n.folder, -1)
	if err != nil {
		t.Fatal(err)
	}
	n.running = &s
	n.target.Store(s.Addr().String())
}

func (n *natsServer) down() {
	n.target.Store("")
	n.mutex.Lock()
	for _, c := range n.open {
		_ = c.Close() // the other side may have closed it
	}
	n.open = nil
	n.mutex.Unlock()
	if n.running != nil {
		n.running.Stop()
		n.running = nil
	}
}

func TestSubject(t *testing.T) {
	for name, want := range map[string]string{
		"Platform.Domain.User.Event.CustomerWasRegistered": "Platform.Domain.User.Event.CustomerWasRegistered",
		"plain": "plain",
		"a b":   "a_b",
		"a.*.>": "a._._",
		"..a.":  "_._.a._",
		"":      "_",
		"é\n":   "__",
	} {
		if got := subject(&event.Event{StoreKey: 3, Type: name}); got != "punchcard.events.3."+want {
			t.Errorf("%q becomes %s", name, got)
		}
	}
}

func TestMessageTooLongForTheQueue(t *testing.T) {
	e := event.Event{ID: 5, Type: "a.b", Payload: []byte(strings.Repeat("x", 10_000))}
	if m := message(&e, 10_000+headerBytes); len(m.Data) != 10_000 || m.Header.Get(headerOmitted) != "" {
		t.Error("a payload that just fits is left out")
	}
	m := message(&e, 9_999+headerBytes)
	if len(m.Data) != 0 || m.Header.Get(headerOmitted) != "omitted" || m.Header.Get(jetstream.MsgIDHeader) != "5" {
		t.Errorf("the message is %+v", m)
	}
	stored := &jetstream.RawStreamMsg{Subject: m.Subject, Header: m.Header}
	if !same(stored, &e) {
		t.Error("a message without its payload is not recognized")
	}
	e.AggregateID = "other"
	if same(stored, &e) {
		t.Error("a message of another event is taken for the same")
	}
}

func TestQueueRefusesRepeatedIDs(t *testing.T) {
	q := openNew(t)
	e := event.Event{ID: 1, StoreKey: 1, Type: "a.b", Payload: []byte("{}")}
	for i, duplicate := range []bool{false, true} {
		ack, err := q.stream.PublishMsg(t.Context(), message(&e, 1<<20))
		if err != nil || ack.Duplicate != duplicate || ack.Sequence != 1 {
			t.Errorf("publication %d: %+v, %v", i+1, ack, err)
		}
	}
}

// If one message is refused, all later ones must be, too. Otherwise the gap would be permanent.
func TestPublishLeavesNoHole(t *testing.T) {
	q := openNew(t)
	events := make([]event.Event, 10)
	for i := range events {
		events[i] = event.Event{ID: int64(i + 1), StoreKey: 1, Type: "a.b", Payload: []byte("{}")}
	}
	if err := q.publish(t.Context(), events[:4], 0); err != nil {
		t.Fatal(err)
	}
	if err := q.publish(t.Context(), events[5:], 5); err == nil {
		t.Error("events were taken although the one before is missing")
	}
	checkComplete(t, q, 4)
	// Messages that another node published already are ignored, and new ones follow them.
	if err := q.publish(t.Context(), events[2:8], 2); err != nil {
		t.Error(err)
	}
	checkComplete(t, q, 8)
	foreign := event.Event{ID: 99, StoreKey: 1, Type: "other", Payload: []byte("{}")}
	if err := q.publish(t.Context(), []event.Event{foreign}, 8); err != nil {
		t.Fatal(err)
	}
	if err := q.publish(t.Context(), events[8:], 8); err == nil {
		t.Error("an event was taken although the one before was not")
	}
	if ids := contents(t, q); len(ids) != 9 {
		t.Errorf("the stream has the ids %v", ids)
	}
}

func TestClosedQueue(t *testing.T) {
	url := natstest.Run(t, t.TempDir(), -1).ClientURL()
	open(t, Config{URL: url}).Close() // the server has its stream
	ignore := goleak.IgnoreCurrent()
	q := open(t, Config{URL: url})
	if err := q.Ping(t.Context()); err != nil {
		t.Error(err)
	}
	q.Close()
	if err := q.Ping(t.Context()); err == nil {
		t.Error("a closed queue answers")
	}
	goleak.VerifyNone(t, ignore)
}

func TestQueueLimitsCanBeChanged(t *testing.T) {
	url := natstest.Run(t, t.TempDir(), -1).ClientURL()
	open(t, Config{URL: url})
	q := open(t, Config{URL: url, MaxAge: time.Hour, MaxBytes: 1 << 20})
	stream, err := q.stream.Stream(t.Context(), StreamName)
	if err != nil {
		t.Fatal(err)
	}
	if config := stream.CachedInfo().Config; config.MaxAge != time.Hour || config.MaxBytes != 1<<20 {
		t.Errorf("the stream is limited to %v and %d bytes", config.MaxAge, config.MaxBytes)
	}
}

func TestQueueThatCannotBeOpened(t *testing.T) {
	_, err := Open(t.Context(), Config{URL: "nats://user:secret@%zz:4222"})
	if err == nil {
		t.Fatal("an address that is none was opened")
	}
	if strings.Contains(err.Error(), "secret") {
		t.Errorf("the error tells the password: %v", err)
	}
}

func TestQueueMayBeAway(t *testing.T) {
	n := startNATS(t)
	q := open(t, Config{URL: n.url()})
	if err := q.Ping(t.Context()); err == nil {
		t.Error("a queue that is away answers")
	}
	n.up(t)
	if connected := q.conn.StatusChanged(nats.CONNECTED); !q.conn.IsConnected() {
		testwait.Receive(t, "connection", connected)
	}
	if _, err := q.ensureStream(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := q.Ping(t.Context()); err != nil {
		t.Error(err)
	}
}
