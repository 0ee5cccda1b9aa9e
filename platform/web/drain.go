package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"
)

const (
	// drainTick is the interval between two looks at the connections of a stopping server.
	drainTick = 50 * time.Millisecond
	// firstRequestTime is the time that a connection without a request stays open, so that a request that is under way
	// is still read.
	firstRequestTime = 500 * time.Millisecond
	// handlersTime is the time that handlers have to return after their requests were cut off.
	handlersTime = time.Second
)

// stop stops the server. It closes idle connections, cuts off clients that do not read or send for the patience, and
// gives other requests the drain time to end. It returns an error if a request was cut off before the first byte of its
// response although its client was not slow.
func (s *connections) stop(ctx context.Context, server *http.Server, drain, patience time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, drain)
	defer cancel()
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		s.cutIdle(ctx, patience)
	}()
	err := server.Shutdown(ctx)
	cancel()
	<-watched
	if !errors.Is(err, context.DeadlineExceeded) {
		return err
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
		return fmt.Errorf("web: %d requests had no response %s after the server began to stop: %w", atWork, drain, err)
	}
	return nil
}

// cutIdle closes connections without a request, and those whose clients keep the server waiting, until ctx ends.
func (s *connections) cutIdle(ctx context.Context, patience time.Duration) {
	type sighting struct {
		moved uint64
		at    time.Time
	}
	began, waiting, cut := time.Now(), map[*connection]sighting{}, 0
	tick := time.NewTicker(drainTick)
	defer tick.Stop()
	for ctx.Err() == nil {
		now := time.Now()
		for _, c := range s.all() {
			last, known := waiting[c]
			switch {
			case http.ConnState(c.state.Load()) == http.StateNew:
				if now.Sub(began) >= firstRequestTime {
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
		select {
		case <-ctx.Done():
		case <-tick.C:
		}
	}
	if cut > 0 {
		s.log.Info("clients that did not read or send were cut off because the server stops", "connections", cut)
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
