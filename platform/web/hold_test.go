package web_test

import (
	"crypto/sha256"
	"errors"
	"net/http"
	"strings"
	"testing"

	"punchcard/platform/fault"
	"punchcard/platform/form"
	"punchcard/platform/web"
)

func TestHeldResponses(t *testing.T) {
	long := strings.Repeat("x", 5000)
	handle := func(r *web.Request) error {
		r.Hold()
		r.ResponseHeader().Set("Location", "/first")
		if err := r.Bytes(http.StatusCreated, "text/plain", []byte(long)); err != nil {
			return err
		}
		if status, body := r.Held(); status != 201 || string(body) != long {
			return errors.New("what is held is not what was written")
		}
		switch r.URL.Query().Get("then") {
		case "release":
			r.Release()
		case "other":
			r.Hold()
			if err := r.JSON(http.StatusAccepted, []string{"other"}); err != nil {
				return err
			}
			r.Release()
		case "error":
			return fault.ErrNotFound
		case "nothing":
			r.Hold()
			r.Release()
		}
		return nil
	}
	s := open(t, nil, web.Route{Method: "POST", Path: "/", Handle: handle})
	for _, then := range []string{"release", ""} {
		a := s.send(t, "POST", "/?then="+then, nil)
		a.check(t, 201, long)
		a.checkHeader(t, "Location", "/first")
	}
	zipped := s.send(t, "POST", "/?then=release", nil, "Accept-Encoding", "gzip")
	if zipped.Header.Get("Content-Encoding") != "gzip" || zipped.unpack(t) != long {
		t.Error("a held response is not compressed")
	}
	for then, want := range map[string]answer{
		"other": {&http.Response{StatusCode: 202}, `["other"]`}, "nothing": {&http.Response{StatusCode: 200}, ""},
		"error": {&http.Response{StatusCode: 404}, `{"error":{"code":404,"message":"Not Found"}}`},
	} {
		a := s.send(t, "POST", "/?then="+then, nil)
		a.check(t, want.StatusCode, want.body)
		a.checkHeader(t, "Location", "")
	}
}

func TestConflictsWithAPause(t *testing.T) {
	s := open(t, nil, web.Route{Method: "POST", Path: "/", Handle: func(r *web.Request) error {
		if r.URL.RawQuery == "" {
			return fault.New(fault.Conflict, "test", "")
		}
		return fault.New(fault.Conflict, "test", "Later").After(1)
	}})
	s.send(t, "POST", "/", nil).checkHeader(t, "Retry-After", "")
	again := s.send(t, "POST", "/?later", nil)
	again.check(t, 409, `{"error":{"code":409,"message":"Later"}}`)
	again.checkHeader(t, "Retry-After", "1")
}

// The sum covers all bytes of the body in any encoding, whether the handler or BodySum reads them.
func TestBodySum(t *testing.T) {
	handle := func(r *web.Request) error {
		if r.URL.RawQuery == "read" {
			if _, err := r.Body(); err != nil {
				return err
			}
		}
		sum, err := r.BodySum()
		if err != nil {
			return err
		}
		again, err := r.BodySum()
		if err != nil || again != sum {
			return errors.New("a second sum is another")
		}
		return r.Bytes(200, "application/octet-stream", []byte(sum))
	}
	s := open(t, nil, web.Route{Method: "POST", Path: "/", Handle: handle},
		web.Route{Method: "PUT", Path: "/", Handle: handle})
	for _, body := range []string{"", "a=b", "_method=PUT&a=b", strings.Repeat("a", form.MaxBodyBytes)} {
		for _, contentType := range []string{urlencoded, "text/csv", ""} {
			want := sha256.Sum256([]byte(body))
			for _, headers := range [][]string{{}, {"Content-Encoding", "br"}} {
				headers = append(headers, "Content-Type", contentType, "Idempotency-Key", "k")
				s.send(t, "POST", "/", strings.NewReader(body), headers...).check(t, 200, string(want[:]))
			}
		}
	}
	want := sha256.Sum256([]byte("a=b"))
	s.send(t, "POST", "/?read", strings.NewReader("a=b"), "Content-Type", urlencoded, "Idempotency-Key", "k").
		check(t, 200, string(want[:]))
	unannounced := struct{ *strings.Reader }{strings.NewReader(strings.Repeat("a", form.MaxBodyBytes+1))}
	if a := s.send(t, "POST", "/", unannounced, "Idempotency-Key", "k"); a.StatusCode != 413 {
		t.Errorf("a body too large: %d", a.StatusCode)
	}
}
