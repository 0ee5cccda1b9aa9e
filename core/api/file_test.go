package api_test

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"testing"
	"time"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/fault"
)

func TestFiles(t *testing.T) {
	asked, fails := 0, false
	d := dbtest.Open(t, dbtest.Config(t, "sqlite"), time.Now)
	send := api.Tell(func(*api.Call) (api.File, error) {
		return api.File{MediaType: "image/png", Tag: "tag", Caching: "public", Content: func() ([]byte, error) {
			asked++
			if fails {
				return nil, fault.ErrNotFound
			}
			return []byte("content"), nil
		}}, nil
	})
	s := open(t, d, api.Endpoint{Method: "GET", Path: "/file", Access: access.Public(),
		Do: send.DescribedAs(api.Media("image/png"))})
	get := func(tags ...string) (*http.Response, string) {
		request, err := http.NewRequestWithContext(t.Context(), "GET", s.url+"/file", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header["If-None-Match"] = tags
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return response, string(body)
	}
	for _, c := range []struct {
		tags   []string
		status int
	}{
		{nil, 200}, {[]string{`"tag"`}, 304}, {[]string{`W/"tag"`}, 304}, {[]string{"*"}, 304}, {[]string{`"other"`}, 200},
		{[]string{`"a", "tag"`}, 304}, {[]string{`"a"`, `"b",W/"tag"`}, 304}, {[]string{`tag`}, 200}, {[]string{``}, 200},
	} {
		asked = 0
		response, body := get(c.tags...)
		shown := []string{response.Header.Get("Etag"), response.Header.Get("Cache-Control"),
			response.Header.Get("X-Content-Type-Options")}
		if response.StatusCode != c.status || !slices.Equal(shown, []string{`"tag"`, "public", "nosniff"}) {
			t.Errorf("%q: %d %q", c.tags, response.StatusCode, shown)
		}
		whole := fmt.Sprint(body, response.Header.Get("Content-Type"), response.Header.Get("Content-Disposition"), asked)
		if want := map[int]string{200: "contentimage/pnginline1", 304: "0"}[c.status]; whole != want {
			t.Errorf("%q: %s, want %s", c.tags, whole, want)
		}
	}
	fails = true
	if response, _ := get(); response.StatusCode != 404 || response.Header.Get("Etag") != "" ||
		response.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("a file that is gone: %d %v", response.StatusCode, response.Header)
	}
}
