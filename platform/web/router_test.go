package web_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"punchcard/platform/web"
)

// table has paths with a scope after /api/, paths without one, and paths outside of /api/.
func table() []web.Route {
	var routes []web.Route
	for _, line := range []string{
		"GET /api/",
		"GET /api/event",
		"GET /api/event/{event}",
		"POST /api/admin/login",
		"GET /api/{scope}/item",
		"POST /api/{scope}/item",
		"GET /api/{scope}/item/active",
		"GET /api/{scope}/item/{item}",
		"PUT /api/{scope}/item/{item}",
		"POST /api/{scope}/item/{item}/{state}",
		"POST /api/{scope}/item/{item}/photo",
		"DELETE /api/{scope}/item/{item}/photo",
		"POST /api/{scope}/person/activate/{token}",
		"POST /api/{scope}/person/{person}/level",
		"GET /docs",
		"GET /files/{path...}",
	} {
		method, path, _ := strings.Cut(line, " ")
		var parameters []string
		for part := range strings.SplitSeq(path, "/") {
			if strings.HasPrefix(part, "{") {
				parameters = append(parameters, strings.TrimSuffix(part[1:len(part)-1], "..."))
			}
		}
		routes = append(routes, web.Route{Method: method, Path: path, Handle: name(line, parameters...)})
	}
	return routes
}

func TestRouting(t *testing.T) {
	s := open(t, nil, table()...)
	for request, want := range map[string]string{
		"GET /api":                          "GET /api/",
		"GET /api/":                         "GET /api/",
		"GET /api/event/7":                  "GET /api/event/{event} event=7",
		"GET /api/event/item":               "GET /api/event/{event} event=item",
		"GET /api/one/item":                 "GET /api/{scope}/item scope=one",
		"GET /api/one/item/active":          "GET /api/{scope}/item/active scope=one",
		"PUT /api/one/item/active":          "PUT /api/{scope}/item/{item} scope=one item=active",
		"GET /api/one/item/b?x=1":           "GET /api/{scope}/item/{item} scope=one item=b",
		"GET /api/one/item/a%2Fb%20c":       "GET /api/{scope}/item/{item} scope=one item=a/b c",
		"GET /api/one/%69tem":               "GET /api/{scope}/item scope=one",
		"POST /api/one/item/1/off":          "POST /api/{scope}/item/{item}/{state} scope=one item=1 state=off",
		"POST /api/one/item/1/photo":        "POST /api/{scope}/item/{item}/photo scope=one item=1",
		"POST /api/one/person/activate/xyz": "POST /api/{scope}/person/activate/{token} scope=one token=xyz",
		// Both routes match; the literal further left wins, which ServeMux would call a conflict.
		"POST /api/one/person/activate/level": "POST /api/{scope}/person/activate/{token} scope=one token=level",
		"POST /api/one/person/7/level":        "POST /api/{scope}/person/{person}/level scope=one person=7",
		"GET /docs":                           "GET /docs",
		"GET /files/":                         "GET /files/{path...} path=",
		"GET /files/a/b.css":                  "GET /files/{path...} path=a/b.css",
		"GET /files/a/":                       "GET /files/{path...} path=a/",
	} {
		method, path, _ := strings.Cut(request, " ")
		s.send(t, method, path, nil).check(t, http.StatusOK, want)
	}
}

func TestUnknownPaths(t *testing.T) {
	s := open(t, nil, table()...)
	for _, path := range []string{
		"/", "/nothing", "/docs/", "/api/one", "/api/one/", "/api/one/item/", "/api//item", "/api//", "//api/event",
		"/api/event/", "/api/event/7/x", "/api/event/item/7", "/api/%65vent/item/7", "/api/admin/item",
		"/api/one/../event", "/api/one/item/..", "/api/one/item/.", "/api/one/item/%2e%2e", "/api/one/item/%00",
		"/api/one/item/%ff", "/api/one/item/%2F%ff", "/files", "/files/../docs",
		"/files/a//b", "/files/%2e%2e/b",
	} {
		a := s.get(t, path)
		a.check(t, http.StatusNotFound, notFound)
		a.checkHeader(t, "Content-Type", "application/json")
	}
}

func TestWrongMethodListsTheRightOnes(t *testing.T) {
	s := open(t, nil, table()...)
	for request, allow := range map[string]string{
		"DELETE /api":                 "GET, HEAD",
		"PATCH /api/one/item":         "GET, HEAD, POST",
		"DELETE /api/one/item/active": "GET, HEAD, PUT",
		"GET /api/one/item/1/photo":   "POST, DELETE",
		"OPTIONS /api/event":          "GET, HEAD",
		"FROB /docs":                  "GET, HEAD",
	} {
		method, path, _ := strings.Cut(request, " ")
		a := s.send(t, method, path, nil)
		a.check(t, http.StatusMethodNotAllowed, notAllowed)
		a.checkHeader(t, "Allow", allow)
	}
}

func TestHead(t *testing.T) {
	s := open(t, nil, table()...)
	a := s.send(t, "HEAD", "/api/one/item", nil)
	a.check(t, http.StatusOK, "")
	a.checkHeader(t, "Content-Length", fmt.Sprint(len("GET /api/{scope}/item scope=one")))
	s.send(t, "HEAD", "/api/none", nil).check(t, http.StatusNotFound, "")
	if line := s.lines(t)[0]; line["bytes"] != 0.0 {
		t.Errorf("a HEAD sent %v bytes", line["bytes"])
	}
}

func TestMalformedRoutesAreErrors(t *testing.T) {
	fine := name("fine")
	for _, routes := range [][]web.Route{
		{{Method: "GET", Path: "/a/{x}", Handle: fine}, {Method: "GET", Path: "/a/{y}", Handle: fine}},
		{{Method: "GET", Path: "/api", Handle: fine}, {Method: "GET", Path: "/api/", Handle: fine}},
		{{Method: "GET", Path: "/f/{x...}", Handle: fine}, {Method: "GET", Path: "/f/{y...}", Handle: fine}},
		{{Method: "HEAD", Path: "/a", Handle: fine}},
		{{Method: "get", Path: "/a", Handle: fine}},
		{{Method: "GET", Path: "a", Handle: fine}},
		{{Method: "GET", Path: "/a"}},
		{{Method: "GET", Path: "/a//b", Handle: fine}},
		{{Method: "GET", Path: "/a/../b", Handle: fine}},
		{{Method: "GET", Path: "/a/{", Handle: fine}},
		{{Method: "GET", Path: "/a/{}", Handle: fine}},
		{{Method: "GET", Path: "/a/x{y}", Handle: fine}},
		{{Method: "GET", Path: "/a/{x...}/b", Handle: fine}},
		{{Method: "GET", Path: "/{a}/{a}", Handle: fine}},
		{{Method: "GET", Path: "/{a}/{b}/{c}/{d}/{e}/{f}/{g}/{h}/{i}", Handle: fine}},
	} {
		_, err := web.NewHandler(configOf(io.Discard, routes...))
		last := routes[len(routes)-1]
		if err == nil || !strings.Contains(err.Error(), last.Method+" "+last.Path) {
			t.Errorf("%s %s: the error is %v", last.Method, last.Path, err)
		}
	}
	fit := web.Route{Method: "GET", Path: "/{a}/a/{b}/b", Handle: fine}
	if _, err := web.NewHandler(configOf(io.Discard, fit)); err != nil {
		t.Errorf("a literal may be spelt like a parameter: %v", err)
	}
}

func TestFirstWords(t *testing.T) {
	if got := web.FirstWords(table()); !slices.Equal(got, []string{"", "admin", "event"}) {
		t.Errorf("first words: %q", got)
	}
}

// TestRoutingAgreesWithServeMux compares with the standard library wherever that one chooses.
func TestRoutingAgreesWithServeMux(t *testing.T) {
	methods := []string{"GET", "POST", "PUT", "DELETE"}
	rapid.Check(t, func(t *rapid.T) {
		mux := http.NewServeMux()
		var routes []web.Route
		patterns := rapid.SliceOfN(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "{}"}), 1, 4), 1, 12)
		for _, segments := range patterns.Draw(t, "routes") {
			path := ""
			for i, segment := range segments {
				path += "/" + strings.Replace(segment, "{}", fmt.Sprintf("{p%d}", i), 1)
			}
			method := rapid.SampledFrom(methods).Draw(t, "method")
			if register(mux, method+" "+path) {
				routes = append(routes, web.Route{Method: method, Path: path, Handle: name(method + " " + path)})
			}
		}
		handler, err := web.NewHandler(configOf(io.Discard, routes...))
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			segments := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c"}), 1, 4).Draw(t, "path")
			method := rapid.SampledFrom(append(methods, "HEAD", "PATCH")).Draw(t, "asked")
			request := httptest.NewRequest(method, "/"+strings.Join(segments, "/"), nil)
			want, got := httptest.NewRecorder(), httptest.NewRecorder()
			mux.ServeHTTP(want, request)
			handler.ServeHTTP(got, request)
			if got.Code != want.Code || allowed(got) != allowed(want) ||
				got.Code == http.StatusOK && got.Body.String() != want.Body.String() {
				t.Fatalf("%s %s: %d %s %s, ServeMux %d %s %s", method, request.URL, got.Code, allowed(got), got.Body,
					want.Code, allowed(want), want.Body)
			}
		}
	})
}

// register adds a pattern unless ServeMux calls it a conflict.
func register(mux *http.ServeMux, pattern string) (added bool) {
	defer func() { added = recover() == nil }()
	mux.HandleFunc(pattern, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, pattern) })
	return
}

func allowed(recorder *httptest.ResponseRecorder) string {
	methods := strings.Split(recorder.Header().Get("Allow"), ", ")
	slices.Sort(methods)
	return strings.Join(methods, ", ")
}
