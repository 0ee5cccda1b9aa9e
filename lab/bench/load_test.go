package main

import (
	"bufio"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestLoadCountsEveryAnswer(t *testing.T) {
	var asked, refused atomic.Int64
	var mutex sync.Mutex
	seen := map[string]bool{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mutex.Lock()
		seen[r.Method+" "+r.URL.Path+" "+r.Header.Get("Authorization")] = true
		mutex.Unlock()
		if asked.Add(1)%5 == 0 {
			refused.Add(1)
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		_, _ = io.WriteString(w, strings.Repeat("x", 1000))
	}))
	t.Cleanup(server.Close)
	plan := &loadPlan{
		Address: server.Listener.Addr().String(), Method: "POST", Paths: []string{"/a", "/b"},
		Tokens: []string{"one", "two"}, Connections: 8, WarmUp: 20 * time.Millisecond, Measure: 100 * time.Millisecond,
	}
	result, err := plan.run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Failures) > 0 {
		t.Errorf("connections broke: %v", result.Failures)
	}
	if result.Statuses[503] != refused.Load() || result.answered() != asked.Load()-refused.Load() {
		t.Errorf("counted %v of %d requests, %d refused", result.Statuses, asked.Load(), refused.Load())
	}
	if result.Received < 1000*asked.Load() {
		t.Errorf("received %d bytes of %d answers", result.Received, asked.Load())
	}
	if result.Measured == 0 || result.Measured > asked.Load() || result.P50 == 0 || result.P99 < result.P50 {
		t.Errorf("measured %d of %d, p50 %s, p99 %s", result.Measured, asked.Load(), result.P50, result.P99)
	}
	for _, want := range []string{
		"POST /a Bearer one", "POST /a Bearer two", "POST /b Bearer one", "POST /b Bearer two",
	} {
		if !seen[want] {
			t.Errorf("no %q was sent", want)
		}
	}
}

func TestLoadTellsOfBrokenConnections(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		panic(http.ErrAbortHandler)
	}))
	t.Cleanup(server.Close)
	plan := &loadPlan{
		Address: server.Listener.Addr().String(), Method: "GET", Paths: []string{"/"}, Tokens: []string{"t"},
		Connections: 3, Measure: time.Minute,
	}
	result, err := plan.run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if result.answered() != 0 || len(result.Failures) == 0 {
		t.Errorf("got %+v", result)
	}
}

func TestReadAnswer(t *testing.T) {
	responses := []struct {
		text   string
		status int
	}{
		{"HTTP/1.1 200 OK\r\ncontent-LENGTH: 5\r\nX: y\r\n\r\nhello", 200},
		{"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", 404},
	}
	two := bufio.NewReader(strings.NewReader(responses[0].text + responses[1].text))
	for _, want := range responses {
		status, size, err := readResponse(two)
		if err != nil || status != want.status || size != len(want.text) {
			t.Errorf("got %d, %d bytes, %v, want %d, %d bytes", status, size, err, want.status, len(want.text))
		}
	}
	for _, text := range []string{
		"", "HTTP/1.1 200 OK\r\n", "SSH-2.0\r\n\r\n", "HTTP/1.1 abc\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n",
		"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort",
		"HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n",
	} {
		if _, _, err := readResponse(bufio.NewReader(strings.NewReader(text))); err == nil {
			t.Errorf("%q was taken for an answer", text)
		}
	}
}

func TestHistogramIsExactToOnePercent(t *testing.T) {
	var first, second histogram
	for i := range 1000 { // 1 to 1,000 ms
		h := &first
		if i%2 == 0 {
			h = &second
		}
		h.add(time.Duration(i+1) * time.Millisecond)
	}
	first.merge(&second)
	if n := first.total(); n != 1000 {
		t.Errorf("%d were counted", n)
	}
	for share, exact := range map[float64]time.Duration{
		0.5: 500 * time.Millisecond, 0.99: 990 * time.Millisecond, 1: time.Second,
	} {
		got := first.quantile(share)
		if got < exact || float64(got) > float64(exact)*growth {
			t.Errorf("quantile %v is %s, want %s to one percent more", share, got, exact)
		}
	}
}

func TestHistogramTakesAnyDuration(t *testing.T) {
	var h histogram
	if h.quantile(0.5) != 0 {
		t.Error("an empty histogram has a median")
	}
	for _, d := range []time.Duration{-1, 0, 1, 24 * time.Hour} {
		h.add(d)
	}
	if n := h.total(); n != 4 {
		t.Errorf("%d were counted", n)
	}
	if longest := h.quantile(1); longest < 150*time.Second {
		t.Errorf("the longest is %s", longest)
	}
}
