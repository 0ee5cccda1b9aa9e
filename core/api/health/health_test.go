package health_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/api/health"
	"punchcard/platform/db"
	"punchcard/platform/web"
)

func probeOf(name string, probe func(context.Context) error) health.Probe {
	return health.Probe{Name: name, Probe: probe}
}

// newHandler serves the endpoints to somebody whose credentials are wrong, as they are for everybody.
func newHandler(t *testing.T, log *slog.Logger, probes ...health.Probe) http.Handler {
	t.Helper()
	server := &api.Server{Authenticate: func(*web.Request) (*access.Caller, error) {
		return nil, errors.New("wrong credentials")
	}}
	handler, err := web.NewHandler(web.Config{
		Routes: server.Routes(api.Complete(health.Endpoints("4.2.0", health.Node{
			Draining: func() bool { return false }, Copy: func() *health.Copy { return nil },
		}, probes...))),
		Log: log, NewID: db.NewID, Clock: time.Now,
	})
	if err != nil {
		t.Fatal(err)
	}
	return handler
}

func get(handler http.Handler, path string) (status int, body string) {
	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer, httptest.NewRequest("GET", path, nil))
	return answer.Code, answer.Body.String()
}

func check(t *testing.T, handler http.Handler, path string, status int, body string) {
	t.Helper()
	if gotStatus, gotBody := get(handler, path); gotStatus != status || gotBody != body {
		t.Errorf("%s answers %d %s, want %d %s", path, gotStatus, gotBody, status, body)
	}
}

func fine(context.Context) error { return nil }

func TestVersion(t *testing.T) {
	handler := newHandler(t, slog.New(slog.DiscardHandler))
	for _, path := range []string{"/api", "/api/"} {
		check(t, handler, path, 200, `{"name":"Punchcard","version":"4.2.0"}`)
	}
}

func TestAllWell(t *testing.T) {
	handler := newHandler(t, slog.New(slog.DiscardHandler),
		probeOf("database", fine), probeOf("message queue", fine))
	check(t, handler, "/api/healthcheck", 204, "")
}

func TestProblems(t *testing.T) {
	var log strings.Builder
	broken := errors.New("connect to postgres://user:secret@db: refused")
	failing := func(context.Context) error { return broken }
	panicking := func(context.Context) error { panic("secret") }
	handler := newHandler(t, slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn})),
		probeOf("database", failing), probeOf("search index", fine), probeOf("message queue", panicking))
	want := `[{"name":"database","status":"Problem","message":"it does not work; the log says why"},` +
		`{"name":"search index","status":"OK"},` +
		`{"name":"message queue","status":"Problem","message":"it does not work; the log says why"}]`
	check(t, handler, "/api/healthcheck", 503, want)
	check(t, handler, "/api/healthcheck", 503, want)
	if count := strings.Count(log.String(), "refused"); count != 1 {
		t.Errorf("the reason is logged %d times:\n%s", count, &log)
	}
	broken = nil
	if _, body := get(handler, "/api/healthcheck"); !strings.HasPrefix(body, `[{"name":"database","status":"OK"}`) {
		t.Errorf("after the repair: %s", body)
	}
}

// A component that does not respond costs two seconds and one goroutine, for any number of callers.
func TestHangingProbe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var running atomic.Int64
		end := make(chan struct{})
		hanging := func(context.Context) error {
			running.Add(1)
			<-end // deaf to its context
			return nil
		}
		obedient := func(ctx context.Context) error {
			<-ctx.Done()
			return fmt.Errorf("asking: %w", ctx.Err())
		}
		handler := newHandler(t, slog.New(slog.DiscardHandler),
			probeOf("database", hanging), probeOf("search index", obedient), probeOf("message queue", fine))
		want := `[{"name":"database","status":"Problem","message":"no answer within 2s"},` +
			`{"name":"search index","status":"Problem","message":"no answer within 2s"},` +
			`{"name":"message queue","status":"OK"}]`
		began := time.Now()
		var asking sync.WaitGroup
		for range 50 {
			asking.Go(func() { check(t, handler, "/api/healthcheck", 503, want) })
		}
		asking.Wait()
		if took := time.Since(began); took != health.ProbeTimeout {
			t.Errorf("the answer took %v", took)
		}
		check(t, handler, "/api/healthcheck", 503, want)
		if n := running.Load(); n != 1 {
			t.Errorf("the probe that hangs runs %d times", n)
		}
		close(end)
		synctest.Wait()
		if status, body := get(handler, "/api/healthcheck"); status != 503 || running.Load() != 2 ||
			!strings.HasPrefix(body, `[{"name":"database","status":"OK"}`) {
			t.Errorf("after the end of the stall: %d %s", status, body)
		}
	})
}

// The client that started a probe leaves; others that wait for it get its result.
func TestClientLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		end := make(chan struct{})
		handler := newHandler(t, slog.New(slog.DiscardHandler), probeOf("database", func(ctx context.Context) error {
			select {
			case <-end:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}))
		ctx, leave := context.WithCancel(t.Context())
		var asking sync.WaitGroup
		asking.Go(func() {
			handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/api/healthcheck", nil).WithContext(ctx))
		})
		synctest.Wait()
		asking.Go(func() { check(t, handler, "/api/healthcheck", 204, "") })
		leave()
		synctest.Wait()
		close(end)
		asking.Wait()
	})
}

// A node is ready while the components that every request needs answer, and until it drains. The process is live.
func TestReadiness(t *testing.T) {
	var failing, draining atomic.Bool
	var copied atomic.Pointer[health.Copy]
	probe := func(context.Context) error {
		if failing.Load() {
			return errors.New("away")
		}
		return nil
	}
	server := &api.Server{Authenticate: func(*web.Request) (*access.Caller, error) { return nil, nil }}
	handler, err := web.NewHandler(web.Config{
		Routes: server.Routes(api.Complete(health.Endpoints("4.2.0", health.Node{Draining: draining.Load, Copy: copied.Load},
			health.Probe{Name: "database", Probe: probe, Needed: true},
			health.Probe{Name: "message queue", Probe: func(context.Context) error { return errors.New("away") }}))),
		Log: slog.New(slog.DiscardHandler), NewID: db.NewID, Clock: time.Now,
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		failing, draining bool
		status            int
		body              string
	}{
		{false, false, 200, `{"ready":true}`},
		{true, false, 503, `{"ready":false,"reason":"database"}`},
		{false, true, 503, `{"ready":false,"reason":"draining"}`},
		{false, false, 200, `{"ready":true}`},
	} {
		failing.Store(c.failing)
		draining.Store(c.draining)
		if status, body := get(handler, "/readyz"); status != c.status || strings.TrimSpace(body) != c.body {
			t.Errorf("%+v: %d %s", c, status, body)
		}
		if status, body := get(handler, "/livez"); status != 200 || strings.TrimSpace(body) != `{"live":true}` {
			t.Errorf("%+v: %d %s", c, status, body)
		}
	}
	copied.Store(&health.Copy{LagSeconds: 0.5, LagBytes: 4096})
	const want = `{"ready":true,"copy":{"lagSeconds":0.5,"lagBytes":4096}}`
	if status, body := get(handler, "/readyz"); status != 200 || strings.TrimSpace(body) != want {
		t.Errorf("with a copy: %d %s", status, body)
	}
}
