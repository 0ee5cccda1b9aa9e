package web

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"time"
)

const (
	// drainTick is the longest interval between two looks at the connections of a stopping server.
	drainTick = 50 * time.Millisecond
	// handlersTime is the time that handlers have to return after their requests were cut off.
	handlersTime = time.Second
)

// stop stops the server, whose listener is closed. It lets each connection that is not idle end one more request, cuts
// off clients that do not read or send for the patience, and gives requests the drain time to end. It returns an error
// if a request was cut off before the first byte of its response although its client was not slow.
//
// http.Server.Shutdown is not used, because it drops a request whose headers are complete after its call.
func (s *connections) stop(c ServerConfig) error {
	drain := cmp.Or(c.DrainTimeout, DefaultDrainTimeout)
	if s.drain(drain, cmp.Or(c.FirstRequestTimeout, DefaultFirstRequestTimeout),
		cmp.Or(c.DrainPatience, DefaultDrainPatience)) {
		return nil
	}
	cut, atWork := 0, 0
	for _, c := range s.all() {
		if http.ConnState(c.state.Load()) == http.StateActive {
			cut++
		}
		if c.atWork() {
			atWork++
		}
	}
	s.log.Warn("requests were cut off because the server stops", "connections", cut, "without_response", atWork)
	if atWork > 0 {
		return fmt.Errorf("web: %d requests had no response %s after the server began to stop: %w", atWork, drain,
			context.DeadlineExceeded)
	}
	return nil
}

// drain waits until all connections are closed, and reports whether they are within the limit. It closes connections
// that have not sent a request in the first time, and those whose clients keep the server waiting for the patience.
func (s *connections) drain(limit, first, patience time.Duration) bool {
	type sighting struct {
		moved uint64
		at    time.Time
	}
	began, waiting, cut := time.Now(), map[*connection]sighting{}, 0
	defer func() {
		if cut > 0 {
			s.log.Info("clients that did not read or send were cut off because the server stops", "connections", cut)
		}
	}()
	for pause := time.Millisecond; ; pause = min(2*pause, drainTick) {
		now, open := time.Now(), s.all()
		if len(open) == 0 || now.Sub(began) >= limit {
			return len(open) == 0
		}
		for _, c := range open {
			last, known := waiting[c]
			switch {
			case http.ConnState(c.state.Load()) == http.StateNew:
				if now.Sub(began) >= first {
					_ = c.Close()
				}
			case !c.waits():
				delete(waiting, c)
			case !known || last.moved != c.moved():
				waiting[c] = sighting{c.moved(), now}
			case now.Sub(last.at) >= patience:
				delete(waiting, c)
				_ = c.Close()
				cut++
			}
		}
		time.Sleep(min(pause, limit-now.Sub(began)))
	}
}

// awaitHandlers waits until the handlers of connections that were cut off have returned, so that the database and other
// things they use can be closed.
func (s *connections) awaitHandlers() {
	late := time.After(handlersTime)
	tick := time.NewTicker(drainTick)
	defer tick.Stop()
	for len(s.all()) > 0 {
		select {
		case <-late:
			return
		case <-tick.C:
		}
	}
}
