package web_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"punchcard/platform/testwait"
	"punchcard/platform/web"
)

// shortly is a request timeout within which a busy machine can write.
const shortly = 300 * time.Millisecond

var block = bytes.Repeat([]byte("row\n"), 16<<10)

// streaming starts a server with one stream, and tells how its handler ended.
func streaming(t *testing.T, handle func(r *web.Request, to http.ResponseWriter) error) (*site, chan error) {
	t.Helper()
	ended := make(chan error, 1)
	s := open(t, func(c *web.Config) { c.RequestTimeout = shortly },
		web.Route{Method: "GET", Path: "/", Handle: func(r *web.Request) error {
			r.ResponseHeader().Set("Content-Type", "text/csv")
			err := handle(r, r.Stream())
			ended <- err
			return err
		}})
	return s, ended
}

func (s *site) begin(t *testing.T) *http.Response {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), testwait.Limit())
	t.Cleanup(cancel)
	request, err := http.NewRequestWithContext(ctx, "GET", s.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := s.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = response.Body.Close() })
	return response
}

// A client that reads slowly gets all of a stream that takes longer than the request timeout.
func TestStreamOutlivesTheTimeout(t *testing.T) {
	var sent int64
	s, ended := streaming(t, func(r *web.Request, to http.ResponseWriter) error {
		for end := time.Now().Add(3 * shortly); time.Now().Before(end); sent += int64(len(block)) {
			if _, err := to.Write(block); err != nil {
				return err
			}
		}
		return r.Context().Err()
	})
	response := s.begin(t)
	pace := time.NewTicker(time.Millisecond)
	defer pace.Stop()
	var got int64
	for {
		<-pace.C
		n, err := io.CopyN(io.Discard, response.Body, 1<<20)
		got += n
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := <-ended; err != nil || got != sent || got == 0 {
		t.Errorf("%d bytes of %d, %v", got, sent, err)
	}
}

// A client that stops reading is cut off.
func TestStreamDropsWhoStopsReading(t *testing.T) {
	s, ended := streaming(t, func(_ *web.Request, to http.ResponseWriter) error {
		for {
			if _, err := to.Write(block); err != nil {
				return err
			}
		}
	})
	response := s.begin(t)
	select {
	case err := <-ended:
		if !isTimeout(err) {
			t.Errorf("the write ended with %v", err)
		}
	case <-time.After(testwait.Limit()):
		t.Fatal("the server waits for a client who does not read")
	}
	if _, err := io.Copy(io.Discard, response.Body); err == nil {
		t.Error("half a response looks whole")
	}
	if line := s.lines(t); line[len(line)-1]["status"] != 499.0 {
		t.Errorf("logged %v", line)
	}
}

// A handler that writes nothing more has its context ended as every other.
func TestStreamThatStalls(t *testing.T) {
	s, ended := streaming(t, func(r *web.Request, to http.ResponseWriter) error {
		_, _ = io.WriteString(to, strings.Repeat("row\n", 1000))
		<-r.Context().Done()
		return r.Context().Err()
	})
	if _, err := io.Copy(io.Discard, s.begin(t).Body); err == nil {
		t.Error("half a response looks whole")
	}
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the context ended with %v", err)
	}
}
