package web_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math"
	"mime/multipart"
	"net"
	"net/http"
	"strings"
	"testing"

	"punchcard/platform/form"
	"punchcard/platform/web"
)

const urlencoded = "application/x-www-form-urlencoded"

// echo responds with field a of body, query and either.
func echo(r *web.Request) error {
	body, err := r.Body()
	if err != nil {
		return err
	}
	query, err := r.Query()
	if err != nil {
		return err
	}
	either, err := r.Input("a")
	if err != nil {
		return err
	}
	text := fmt.Sprintf("%s body=%s query=%s either=%s", r.Method, body.Child("a").Text(), query.Child("a").Text(),
		either.Text())
	return r.Bytes(http.StatusOK, "text/plain", []byte(text))
}

// multipartOf returns a body with text fields and its content type.
func multipartOf(t *testing.T, fields ...string) (io.Reader, string) {
	t.Helper()
	var body bytes.Buffer
	writer := multipart.NewWriter(&body)
	for i := 0; i < len(fields); i += 2 {
		if err := writer.WriteField(fields[i], fields[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	return &body, writer.FormDataContentType()
}

func TestInput(t *testing.T) {
	var routes []web.Route
	for _, method := range []string{"GET", "POST", "PUT", "DELETE"} {
		routes = append(routes, web.Route{Method: method, Path: "/", Handle: echo})
	}
	s := open(t, nil, routes...)
	for _, method := range []string{"POST", "PUT", "DELETE"} {
		s.send(t, method, "/?a=q", strings.NewReader("a=b"), "Content-Type", urlencoded).
			check(t, 200, method+" body=b query=q either=b")
		s.send(t, method, "/?a=q", strings.NewReader(`{"a":"b"}`), "Content-Type", "application/json").
			check(t, 200, method+" body=b query=q either=b")
		s.send(t, method, "/?a=q", nil).check(t, 200, method+" body= query=q either=q")
	}
	s.send(t, "GET", "/?a=q", strings.NewReader("a=b"), "Content-Type", urlencoded).
		check(t, 200, "GET body= query=q either=q")
	body, contentType := multipartOf(t, "a", "b")
	s.send(t, "PUT", "/", body, "Content-Type", contentType).check(t, 200, "PUT body=b query= either=b")
}

func TestMalformedInput(t *testing.T) {
	s := open(t, nil, web.Route{Method: "POST", Path: "/", Handle: echo})
	unsupported := `{"error":{"code":415,"message":"Unsupported Media Type"}}`
	s.send(t, "POST", "/?a=%zz", nil).check(t, 400, badRequest)
	s.send(t, "POST", "/", strings.NewReader(`{"a":`), "Content-Type", "application/json").check(t, 400, badRequest)
	s.send(t, "POST", "/", strings.NewReader("x"), "Content-Type", "text/csv").check(t, 415, unsupported)
	s.send(t, "POST", "/", strings.NewReader("a=b"), "Content-Type", urlencoded, "Content-Encoding", "gzip").
		check(t, 415, unsupported)
}

func TestMethodOverride(t *testing.T) {
	s := open(t, nil,
		web.Route{Method: "PUT", Path: "/put", Handle: echo},
		web.Route{Method: "POST", Path: "/all", Handle: echo},
		web.Route{Method: "PUT", Path: "/all", Handle: echo},
		web.Route{Method: "DELETE", Path: "/all", Handle: echo},
		web.Route{Method: "POST", Path: "/post", Handle: echo})
	const header = "X-HTTP-Method-Override"
	for _, c := range []struct{ path, header, body, want string }{
		{"/put", "PUT", "a=b", "PUT body=b query= either=b"},
		{"/put", "put", "a=b", "PUT body=b query= either=b"},
		{"/put", "", "a=b&_method=PUT", "PUT body=b query= either=b"},
		{"/put?_method=put", "", "a=b", "PUT body=b query= either=b"},
		{"/all", "", "a=b", "POST body=b query= either=b"},
		{"/all", "", "a=b&_method=DELETE", "DELETE body=b query= either=b"},
		{"/all", "DELETE", "a=b&_method=PUT", "DELETE body=b query= either=b"},
		{"/all", "GET", "a=b", "POST body=b query= either=b"},
		{"/post", "PUT", "a=b&_method=PUT", "POST body=b query= either=b"},
	} {
		s.send(t, "POST", c.path, strings.NewReader(c.body), "Content-Type", urlencoded, header, c.header).
			check(t, 200, c.want)
	}
	body, contentType := multipartOf(t, "_method", "PUT", "a", "b")
	s.send(t, "POST", "/put", body, "Content-Type", contentType).check(t, 200, "PUT body=b query= either=b")
	s.send(t, "POST", "/put", strings.NewReader("a=b"), "Content-Type", urlencoded).check(t, 405, notAllowed)
	s.send(t, "POST", "/put", strings.NewReader("{"), "Content-Type", "application/json").check(t, 405, notAllowed)
	s.send(t, "POST", "/all", strings.NewReader("{"), "Content-Type", "application/json").check(t, 400, badRequest)
	s.send(t, "PUT", "/all", nil, header, "DELETE").check(t, 200, "PUT body= query= either=")
}

// endless is a body without an announced length.
type endless struct{ io.Reader }

func TestBodyLimit(t *testing.T) {
	s := open(t, nil, web.Route{Method: "POST", Path: "/", Handle: echo},
		web.Route{Method: "POST", Path: "/unread", Handle: name("fine")})
	of := func(size int) *strings.Reader { return strings.NewReader("a=" + strings.Repeat("b", size-2)) }
	for _, body := range []io.Reader{of(11 << 20), endless{of(11 << 20)}, of(form.MaxBodyBytes + 1)} {
		a := s.send(t, "POST", "/", body, "Content-Type", urlencoded)
		a.check(t, 413, tooLarge)
		if !a.Close {
			t.Error("the connection stays open with an unread body")
		}
	}
	s.send(t, "POST", "/unread", of(11<<20)).check(t, 413, tooLarge)
	for _, body := range []io.Reader{of(form.MaxBodyBytes), endless{of(form.MaxBodyBytes)}} {
		if a := s.send(t, "POST", "/", body, "Content-Type", urlencoded); a.StatusCode != 200 {
			t.Errorf("a body at the limit: %d", a.StatusCode)
		}
	}
}

// TestRefusedUploadIsAnswered sends like clients that read only after they have sent everything; the last one
// expects 100 Continue, and so is refused before its body.
func TestRefusedUploadIsAnswered(t *testing.T) {
	s := open(t, nil, web.Route{Method: "POST", Path: "/", Handle: echo})
	for _, c := range []struct {
		path, headers, body string
		status              int
	}{
		{"/", "Content-Length: 12000000", strings.Repeat("x", 12_000_000), 413},
		{"/", "Transfer-Encoding: chunked\r\nContent-Type: " + urlencoded,
			strings.Repeat("100000\r\n"+strings.Repeat("x", 1<<20)+"\r\n", 12) + "0\r\n\r\n", 413},
		{"/none", "Content-Length: 4000000", strings.Repeat("x", 4_000_000), 404},
		{"/", "Expect: 100-continue\r\nContent-Length: 12000000", "", 413},
	} {
		connection, err := net.Dial("tcp", s.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		head := "POST " + c.path + " HTTP/1.1\r\nHost: a\r\n" + c.headers + "\r\n\r\n"
		if _, err := io.WriteString(connection, head+c.body); err != nil {
			t.Errorf("%q: %v", head, err)
		}
		response, err := http.ReadResponse(bufio.NewReader(connection), nil)
		if err != nil {
			t.Fatalf("%q: %v", head, err)
		}
		_ = response.Body.Close()
		_ = connection.Close()
		if response.StatusCode != c.status {
			t.Errorf("%q: %d, want %d", head, response.StatusCode, c.status)
		}
	}
}

func TestBodyMemory(t *testing.T) {
	s := open(t, func(c *web.Config) { c.MaxBodyMemory = 100 }, web.Route{Method: "POST", Path: "/", Handle: echo})
	for range 3 { // what a request held is free again after it
		s.send(t, "POST", "/", strings.NewReader("a="+strings.Repeat("b", 60)), "Content-Type", urlencoded).
			check(t, 200, "POST body="+strings.Repeat("b", 60)+" query= either="+strings.Repeat("b", 60))
		a := s.send(t, "POST", "/", strings.NewReader("a="+strings.Repeat("b", 120)), "Content-Type", urlencoded)
		a.check(t, 503, unavailable)
		a.checkHeader(t, "Retry-After", "1")
	}
}

func TestAnswers(t *testing.T) {
	s := open(t, nil,
		web.Route{Method: "GET", Path: "/json", Handle: func(r *web.Request) error {
			return r.JSON(http.StatusCreated, map[string]any{"a": "<b> & ż", "n": []int{}})
		}},
		web.Route{Method: "GET", Path: "/unencodable", Handle: func(r *web.Request) error {
			r.ResponseHeader().Set("Etag", `"1"`)
			return r.JSON(http.StatusOK, []any{"begun", math.NaN()})
		}},
		web.Route{Method: "GET", Path: "/empty", Handle: func(r *web.Request) error { return r.Empty(http.StatusOK) }},
		web.Route{Method: "GET", Path: "/none", Handle: func(r *web.Request) error { return r.NoContent() }},
		web.Route{Method: "GET", Path: "/silent", Handle: func(*web.Request) error { return nil }},
		web.Route{Method: "GET", Path: "/bytes", Handle: func(r *web.Request) error {
			return r.Bytes(http.StatusOK, "image/png", []byte("png"))
		}})
	a := s.get(t, "/json")
	a.check(t, 201, `{"a":"<b> & ż","n":[]}`)
	a.checkHeader(t, "Content-Type", "application/json")
	a.checkHeader(t, "Content-Length", fmt.Sprint(len(a.body)))
	a = s.get(t, "/unencodable")
	a.check(t, 500, internal)
	a.checkHeader(t, "Etag", "")
	s.get(t, "/empty").check(t, 200, "")
	s.get(t, "/empty").checkHeader(t, "Content-Length", "0")
	s.get(t, "/none").check(t, 204, "")
	s.get(t, "/silent").check(t, 200, "")
	a = s.get(t, "/bytes")
	a.check(t, 200, "png")
	a.checkHeader(t, "Content-Type", "image/png")
	a.checkHeader(t, "Cache-Control", "no-store")
}
