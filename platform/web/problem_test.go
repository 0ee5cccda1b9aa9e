package web_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"punchcard/platform/fault"
	"punchcard/platform/form"
	"punchcard/platform/web"
)

const problemType = "application/problem+json"

// Every kind of error has the same form for clients that accept it, with the status and headers of the other form.
func TestProblemDetails(t *testing.T) {
	problem := func(status int, code, title, detail string) string {
		return fmt.Sprintf(`{"type":"/docs/errors#%s","title":"%s","status":%d,"detail":"%s","code":"%s","requestId":"r-1"}`,
			code, title, status, detail, code)
	}
	for _, c := range []struct {
		err    error
		status int
		body   string
	}{
		{fault.ErrInvalid, 400, problem(400, "bad_request", "Bad request", "Bad Request")},
		{fault.New(fault.Refused, "none_left", "None left"), 400, problem(400, "none_left", "None left", "None left")},
		{fault.New(fault.Inactive, "off", "Off."), 400, problem(400, "off", "Off", "Off.")},
		{fault.New(fault.Unauthenticated, "expired", "Expired"), 401, problem(401, "expired", "Expired", "Expired")},
		{fault.New(fault.UnknownKey, "unknown_key", "No"), 403, problem(403, "unknown_key", "Unknown key", "No")},
		{fault.ErrForbidden, 403, problem(403, "forbidden", "Forbidden", "Forbidden")},
		{fault.ErrNotFound, 404, problem(404, "not_found", "Not found", "Not Found")},
		{fault.New(fault.Conflict, "changed", ""), 409, problem(409, "changed", "Changed", "Conflict")},
		{form.ErrTooLarge, 413, problem(413, "body_too_large", "Body too large", "Request Entity Too Large")},
		{form.ErrUnsupportedMedia, 415,
			problem(415, "unsupported_media_type", "Unsupported media type", "Unsupported Media Type")},
		{fault.New(fault.Unprocessable, "reused", ""), 422, problem(422, "reused", "Reused", "Unprocessable Entity")},
		{fault.New(fault.Limited, "slower", ""), 429, problem(429, "slower", "Slower", "Too Many Requests")},
		{fault.ErrBusy, 503, problem(503, "server_busy", "Server busy", "Service Unavailable")},
		{fault.New(fault.Internal, "broken", "shelf 3 fell"), 500,
			problem(500, "internal_error", "Internal error", "Internal Server Error")},
		{errors.New("row 7 is broken"), 500, problem(500, "internal_error", "Internal error", "Internal Server Error")},
	} {
		s := open(t, nil, web.Route{Method: "GET", Path: "/", Handle: func(*web.Request) error { return c.err }})
		a := s.get(t, "/", "Accept", problemType, "X-Request-Id", "r-1")
		a.check(t, c.status, c.body)
		a.checkHeader(t, "Content-Type", problemType)
		a.checkHeader(t, "Vary", "Origin, Accept, Accept-Encoding")
		switch c.status {
		case 401:
			a.checkHeader(t, "Www-Authenticate", "Bearer")
		case 429, 503:
			a.checkHeader(t, "Retry-After", "1")
		}
	}
}

// Errors that no handler returns: of the router, of limits and of panics.
func TestProblemDetailsOfTheServer(t *testing.T) {
	s := open(t, nil, web.Route{Method: "POST", Path: "/", Handle: func(*web.Request) error { panic("no") }})
	for _, c := range []struct {
		method, path string
		status       int
		code         string
	}{
		{"GET", "/none", 404, "not_found"},
		{"GET", "/", 405, "method_not_allowed"},
		{"GET", "/?" + strings.Repeat("q", web.MaxQueryBytes+1), 414, "uri_too_long"},
		{"POST", "/", 500, "internal_error"},
	} {
		a := s.send(t, c.method, c.path, nil, "Accept", problemType)
		if a.StatusCode != c.status || !strings.Contains(a.body, `"code":"`+c.code+`"`) {
			t.Errorf("%s %.9s: %d %s", c.method, c.path, a.StatusCode, a.body)
		}
	}
}

func TestAcceptedFormOfErrors(t *testing.T) {
	s := open(t, nil)
	for accept, want := range map[string]string{
		"":                 "application/json",
		"*/*":              "application/json",
		"application/json": "application/json",
		"application/*":    "application/json",
		"text/html":        "application/json",
		problemType:        problemType,
		"Application/Problem+JSON; charset=utf-8":           problemType,
		problemType + ", */*":                               problemType,
		problemType + ", application/json":                  problemType,
		"application/json, " + problemType:                  problemType,
		problemType + ";q=0.5":                              problemType,
		problemType + ";q=0":                                "application/json",
		problemType + ";q=x":                                "application/json",
		problemType + ";q=0.5, application/json":            "application/json",
		problemType + ";q=0.5, application/json;q=0.5":      problemType,
		problemType + ";q=0.5, application/json;q=0.4, */*": problemType,
		problemType + ";q=0.5, application/*;q=0.6":         "application/json",
		problemType + ";q=0.5, */*;q=0.6":                   "application/json",
		problemType + ";q=0.5, */*;q=0.1":                   problemType,
	} {
		a := s.get(t, "/none", "Accept", accept)
		if got := a.Header.Get("Content-Type"); got != want {
			t.Errorf("Accept: %s: %s, want %s", accept, got, want)
		}
		if named := slices.Contains(a.Header.Values("Vary"), "Accept"); named != (want == problemType) {
			t.Errorf("Accept: %s: Vary %q", accept, a.Header.Values("Vary"))
		}
	}
}

func TestProblemDetailsOfAForm(t *testing.T) {
	s := open(t, nil, web.Route{Method: "POST", Path: "/", Handle: func(r *web.Request) error {
		body, err := r.Body()
		if err != nil {
			return err
		}
		g := form.Read(body, "order")
		g.Integer("count", form.NotBlank)
		g.Group("address").Text("zip/code", form.NotBlank)
		for _, line := range g.Groups("lines") {
			line.Text("a b~", form.NotBlank, form.MaxLength(2))
		}
		g.AddFormError(form.NotValid)
		return g.Err()
	}})
	a := s.send(t, "POST", "/", strings.NewReader("order[count]=x&order[lines][][a+b~]=abc"), "Accept", problemType,
		"Content-Type", "application/x-www-form-urlencoded", "X-Request-Id", "r-1")
	a.check(t, 400, `{"type":"/docs/errors#invalid_fields","title":"Invalid fields","status":400,`+
		`"detail":"Fields of the form are not valid.","code":"invalid_fields","errors":[`+
		`{"detail":"This value is not valid.","pointer":"#/order","code":"not_valid"},`+
		`{"detail":"This value is not valid.","pointer":"#/order/count","code":"not_a_number"},`+
		`{"detail":"This value should not be blank.","pointer":"#/order/address/zip~1code","code":"blank"},`+
		`{"detail":"This value is too long. It should have 2 characters or less.",`+
		`"pointer":"#/order/lines/0/a%20b~0","code":"too_long"}],"requestId":"r-1"}`)
}
