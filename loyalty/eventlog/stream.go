package eventlog

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"punchcard/core/api"
	"punchcard/platform/db"
	"punchcard/platform/event"
	"punchcard/platform/fault"
)

// The limits of event streams.
const (
	StreamLimit = 100       // concurrent streams of a node; further requests get status 503
	StreamLife  = time.Hour // then the stream ends; the client reconnects and is authorized again

	streamChunk = 100      // events read at once
	streamBytes = 64 << 10 // bytes buffered before a flush; one event may be longer
	hurry       = 20       // divides Rest for a stream that has more events to read
)

// retry makes clients reconnect two seconds after the stream has ended.
const retry = "retry: 2000\n\n"

// errManyStreams has a long Retry-After, because streams last.
var errManyStreams = fault.New(fault.Unavailable, "too_many_event_streams",
	"Too many event streams").After(10 * time.Second)

// Pace is the set of intervals of a stream. The zero value means DefaultPace.
type Pace struct {
	Heartbeat time.Duration // a comment is sent after this time without events
	Look      time.Duration // interval of reads for events of other nodes
	Rest      time.Duration // minimum pause between two reads
}

// DefaultPace is the pace of a server.
var DefaultPace = Pace{Heartbeat: 15 * time.Second, Look: time.Second, Rest: 100 * time.Millisecond}

// Feed serves event streams.
type Feed struct {
	db   *db.DB
	pace Pace
	done <-chan struct{}

	mutex   sync.Mutex
	open    int           // streams
	changed chan struct{} // closed at the next commit; nil while no stream waits
}

// NewFeed returns a feed whose streams end when done is closed, so that they do not delay a
// shutdown.
func NewFeed(d *db.DB, done <-chan struct{}, pace Pace) *Feed {
	if pace == (Pace{}) {
		pace = DefaultPace
	}
	f := &Feed{db: d, pace: pace, done: done}
	d.OnCommit(f.wake)
	return f
}

func (f *Feed) wake() {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if f.changed != nil {
		close(f.changed)
		f.changed = nil
	}
}

// nextCommit returns a channel that is closed at the first commit after this call.
func (f *Feed) nextCommit() <-chan struct{} {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if f.changed == nil {
		f.changed = make(chan struct{})
	}
	return f.changed
}

func (f *Feed) enter() bool {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if f.open == StreamLimit {
		return false
	}
	f.open++
	return true
}

func (f *Feed) leave() {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.open--
}

// stream sends all events from fromId on, or after the Last-Event-ID of a client that reconnects,
// and then new events as they are committed.
func (f *Feed) stream(c *api.Call) error {
	after, err := lastSeen(c)
	if err != nil {
		return err
	}
	only, err := onlyStore(c)
	if err != nil {
		return err
	}
	header := c.ResponseHeader()
	header.Set("Content-Type", "text/event-stream")
	header.Set("X-Accel-Buffering", "no") // disables buffering in proxies
	if c.Method == http.MethodHead {
		return c.Done()
	}
	if !f.enter() {
		return errManyStreams
	}
	defer f.leave()
	s := &stream{Feed: f, call: c, to: c.Stream(), after: after, only: only}
	return s.run(c.Context())
}

// lastSeen returns the id after which a stream starts.
func lastSeen(c *api.Call) (int64, error) {
	if text := strings.TrimSpace(c.Header.Get("Last-Event-ID")); text != "" {
		id, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return 0, fault.ErrInvalid
		}
		return id, nil
	}
	query, err := c.Query()
	if err != nil {
		return 0, err
	}
	from, err := fromID(query)
	return max(from, 1) - 1, err
}

// onlyStore returns the key of the store of the path or else of the query, 0 without one.
func onlyStore(c *api.Call) (int64, error) {
	if c.Store != nil {
		return c.Store.Key, nil
	}
	query, err := c.Query()
	if err != nil {
		return 0, err
	}
	code := query.Child("store").Text()
	if code == "" {
		return 0, nil
	}
	s, found, err := c.Stores().ByCode(c.Context(), code)
	if err != nil {
		return 0, err
	}
	if !found {
		return 0, fault.ErrNotFound
	}
	return s.Key, nil
}

// stream is one open stream.
type stream struct {
	*Feed
	call  *api.Call
	to    http.ResponseWriter
	after int64 // id of the last event sent
	only  int64 // key of the store whose events are sent; 0 for all
	text  bytes.Buffer
}

func (s *stream) run(ctx context.Context) error {
	s.text.WriteString(retry)
	if err := s.flush(); err != nil {
		return err
	}
	heartbeat, end := time.NewTicker(s.pace.Heartbeat), time.After(StreamLife)
	defer heartbeat.Stop()
	for {
		commit := s.nextCommit() // before reading, so that no commit is missed
		if err := s.call.Recheck(); err != nil {
			if fault.KindOf(err) == fault.Internal {
				return err
			}
			return nil // a client that reconnects gets the refusal
		}
		more, err := s.send(ctx, heartbeat)
		if err != nil {
			return err
		}
		if ended, err := s.wait(ctx, more, commit, heartbeat, end); ended || err != nil {
			return err
		}
	}
}

// send sends the next chunk of events, and reports whether there are more.
func (s *stream) send(ctx context.Context, heartbeat *time.Ticker) (more bool, err error) {
	if _, err := event.Number(ctx, s.db); err != nil {
		return false, err
	}
	events, more, err := s.following(ctx)
	if err != nil || len(events) == 0 {
		return false, err
	}
	encoder := json.NewEncoder(&s.text) // ends every value with a newline
	encoder.SetEscapeHTML(false)
	for i := range events {
		_, _ = fmt.Fprintf(&s.text, "id: %d\nevent: %s\ndata: ", events[i].ID, events[i].Type)
		shown, err := viewFor(s.call.Caller, &events[i])
		if err != nil {
			return false, err
		}
		if err := encoder.Encode(shown); err != nil {
			return false, err
		}
		_ = s.text.WriteByte('\n')
		if s.text.Len() >= streamBytes {
			if err := s.flush(); err != nil {
				return false, err
			}
		}
	}
	s.after = events[len(events)-1].ID
	heartbeat.Reset(s.pace.Heartbeat)
	return more, s.flush()
}

func (s *stream) following(ctx context.Context) (events []event.Event, more bool, err error) {
	if s.only != 0 {
		return event.OfStore(ctx, s.db, s.only, s.after, streamChunk)
	}
	return event.After(ctx, s.db, s.after, streamChunk)
}

// flush sends the buffer. It fails when the client reads nothing for the duration of the write
// timeout.
func (s *stream) flush() error {
	_, err := s.to.Write(s.text.Bytes())
	s.text.Reset()
	if err != nil {
		return err
	}
	return http.NewResponseController(s.to).Flush()
}

// wait returns when there may be something to send, or when the stream has ended.
func (s *stream) wait(ctx context.Context, more bool, commit <-chan struct{}, heartbeat *time.Ticker,
	end <-chan time.Time) (ended bool, err error) {
	pause := s.pace.Rest
	if more {
		pause /= hurry
	}
	look := time.NewTimer(s.pace.Look)
	defer look.Stop()
	rest := time.NewTimer(pause)
	defer rest.Stop()
	for rested, looked := false, more; !rested || !looked; {
		select {
		case <-ctx.Done():
			return true, ctx.Err()
		case <-s.done:
			_, _ = s.text.WriteString(retry)
			return true, s.flush()
		case <-end:
			return true, nil
		case <-commit:
			looked, commit = true, nil
		case <-look.C:
			looked = true
		case <-rest.C:
			rested = true
		case <-heartbeat.C:
			_, _ = s.text.WriteString(": \n\n")
			if err := s.flush(); err != nil {
				return true, err
			}
		}
	}
	return false, nil
}
