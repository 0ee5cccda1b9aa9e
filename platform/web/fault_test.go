package web_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"punchcard/platform/fault"
	"punchcard/platform/web"
)

func TestFaultShapes(t *testing.T) {
	detail := fault.New(fault.Fields, "test", "")
	detail.Detail = map[string]any{"form": map[string]any{"children": map[string]any{}}, "errors": []string{}}
	odd := fault.New(fault.Fields, "test", "")
	odd.Detail = make(chan int)
	coded := func(code int, message string) string {
		return fmt.Sprintf(`{"error":{"code":%d,"message":"%s"}}`, code, message)
	}
	for _, c := range []struct {
		err    error
		status int
		body   string
	}{
		{fault.New(fault.Internal, "test", "shelf 3 fell"), 500, internal},
		{fault.ErrInvalid, 400, badRequest},
		{fault.New(fault.Invalid, "test", "Window <too> large"), 400, coded(400, "Window <too> large")},
		{fault.New(fault.Refused, "test", "None left"), 400, `{"error":"None left"}`},
		{detail, 400, `{"errors":[],"form":{"children":{}}}`},
		{fault.New(fault.Fields, "test", ""), 400, badRequest},
		{odd, 500, internal},
		{fault.New(fault.Inactive, "test", "Switched off."), 400, `{"message":"Switched off."}`},
		{fault.New(fault.Unauthenticated, "test", "Token expired"), 401, `{"code":401,"message":"Token expired"}`},
		{fault.New(fault.UnknownKey, "test", "Unknown key"), 403, `{"message":"Unknown key"}`},
		{fault.ErrForbidden, 403, coded(403, "Forbidden")},
		{fmt.Errorf("lower: %w", fault.ErrNotFound), 404, notFound},
		{fault.New(fault.MethodNotAllowed, "test", ""), 405, notAllowed},
		{fault.New(fault.Conflict, "test", ""), 409, coded(409, "Conflict")},
		{fault.New(fault.TooLarge, "test", ""), 413, tooLarge},
		{fault.New(fault.UnsupportedMedia, "test", ""), 415, coded(415, "Unsupported Media Type")},
		{fault.New(fault.Unprocessable, "test", ""), 422, coded(422, "Unprocessable Entity")},
		{fault.New(fault.Limited, "test", ""), 429, coded(429, "Too Many Requests")},
		{fault.New(fault.Unavailable, "test", ""), 503, unavailable},
		{fault.New(fault.Kind(99), "test", "x"), 500, internal},
		{fault.New(fault.NotFound, "test", "").WithCause(errors.New("row 7")), 404, notFound},
		{errors.New("row 7 is broken"), 500, internal},
		{context.DeadlineExceeded, 503, unavailable},
		{context.Canceled, 503, unavailable},
	} {
		s := open(t, nil, web.Route{Method: "GET", Path: "/", Handle: func(*web.Request) error { return c.err }})
		a := s.get(t, "/", "Accept-Encoding", "gzip")
		a.check(t, c.status, c.body)
		a.checkHeader(t, "Content-Type", "application/json")
		a.checkHeader(t, "Content-Length", fmt.Sprint(len(c.body)))
		switch c.status {
		case 401:
			a.checkHeader(t, "Www-Authenticate", "Bearer")
		case 405:
			a.checkHeader(t, "Allow", "GET, HEAD")
		case 429, 503:
			a.checkHeader(t, "Retry-After", "1")
		}
	}
}

func TestRetryAfterIsRoundedUp(t *testing.T) {
	for after, want := range map[time.Duration]string{
		-time.Second: "1", 1: "1", time.Second: "1", time.Second + 1: "2", 90 * time.Second: "90",
	} {
		for _, kind := range []fault.Kind{fault.Limited, fault.Unavailable} {
			s := open(t, nil, web.Route{Method: "GET", Path: "/",
				Handle: func(*web.Request) error { return fault.New(kind, "test", "").After(after) }})
			s.get(t, "/").checkHeader(t, "Retry-After", want)
		}
	}
}

func TestDefectsAreLogged(t *testing.T) {
	s := open(t, nil,
		web.Route{Method: "GET", Path: "/defect", Handle: func(*web.Request) error { return errors.New("row 7 is broken") }},
		web.Route{Method: "GET", Path: "/cause", Handle: func(*web.Request) error {
			return fault.New(fault.Conflict, "test", "").WithCause(errors.New("row 8 is newer"))
		}},
		web.Route{Method: "GET", Path: "/quiet", Handle: func(*web.Request) error { return fault.ErrNotFound }})
	for _, path := range []string{"/defect", "/cause", "/quiet"} {
		s.get(t, path)
	}
	lines := s.lines(t)
	if len(lines) != 5 || lines[0]["level"] != "ERROR" || lines[0]["error"] != "row 7 is broken" ||
		lines[0]["id"] != "made-1" || !strings.Contains(fmt.Sprint(lines[2]["error"]), "row 8 is newer") {
		t.Errorf("log: %v", lines)
	}
}

func TestRequestTimeout(t *testing.T) {
	s := open(t, func(c *web.Config) { c.RequestTimeout = time.Millisecond },
		web.Route{Method: "GET", Path: "/", Handle: func(r *web.Request) error {
			<-r.Context().Done()
			return fmt.Errorf("waited: %w", r.Context().Err())
		}})
	a := s.get(t, "/")
	a.check(t, http.StatusServiceUnavailable, unavailable)
	a.checkHeader(t, "Retry-After", "1")
}

func TestFaultNamesTheSettingOfItsLimit(t *testing.T) {
	s := open(t, nil, web.Route{Method: "GET", Path: "/", Handle: func(*web.Request) error {
		return fault.New(fault.Invalid, "test", "Too far").WithSetting("--far")
	}})
	a := s.get(t, "/", "Origin", "https://shop.example")
	a.check(t, http.StatusBadRequest, `{"error":{"code":400,"message":"Too far"}}`)
	a.checkHeader(t, "Limit-Setting", "--far")
	if exposed := a.Header.Get("Access-Control-Expose-Headers"); !strings.Contains(exposed, "Limit-Setting") {
		t.Errorf("scripts may read %q", exposed)
	}
}

func TestClientThatLeaves(t *testing.T) {
	entered := make(chan bool)
	s := open(t, nil, web.Route{Method: "GET", Path: "/", Handle: func(r *web.Request) error {
		close(entered)
		<-r.Context().Done()
		return r.Context().Err()
	}})
	ctx, leave := context.WithCancel(t.Context())
	request, err := http.NewRequestWithContext(ctx, "GET", s.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		<-entered
		leave()
	}()
	if response, err := s.Client().Do(request); err == nil {
		_ = response.Body.Close()
		t.Error("a response arrived")
	}
	lines := s.lines(t)
	if len(lines) != 1 || lines[0]["status"] != 499.0 {
		t.Errorf("log: %v", lines)
	}
}
