package app_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"punchcard/app"
	"punchcard/app/servertest"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/testwait"
)

// A server answers from its start on: that it lives, that it is not ready, and that requests may come again.
func TestStartingServerAnswers(t *testing.T) {
	dbtest.Both(t)
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		begun, release := make(chan struct{}), make(chan struct{})
		var first sync.Once
		config := servertest.PlainConfig(servertest.Database(t, engine))
		config.Listen = freePort(t)
		config.BeforeCommit = func() {
			first.Do(func() { close(begun) })
			<-release
		}
		base := "http://" + config.Listen
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- app.Serve(ctx, config, io.Discard, io.Discard) }()
		select {
		case <-begun: // the first commit of the start
		case err := <-ended:
			t.Fatal(err)
		}
		for path, want := range map[string]string{
			"/livez": `200 {"live":true}`, "/readyz": `503 1 {"ready":false,"reason":"starting"}`,
			"/api/DEFAULT/level": `503 1 {"error":{"code":503,"message":"Service Unavailable"}}`,
			"/":                  `503 1 {"error":{"code":503,"message":"Service Unavailable"}}`,
		} {
			response, err := http.Get(base + path)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(response.Body)
			_ = response.Body.Close()
			got := strings.Join(strings.Fields(response.Status[:3]+" "+response.Header.Get("Retry-After")+" "+
				string(body)), " ")
			if got != want || err != nil {
				t.Errorf("%s: %s, %v; want %s", path, got, err, want)
			}
		}
		close(release)
		testwait.Until(t, "the server is ready", func() bool {
			response, err := http.Get(base + "/readyz")
			if err != nil {
				return false
			}
			_ = response.Body.Close()
			return response.StatusCode == 200
		})
		stop()
		if err := testwait.Receive(t, "the end of the server", ended); err != nil {
			t.Error(err)
		}
	})
}

// Each web app is served under a policy that loads scripts, styles and data of this server only.
func TestPolicyOfPages(t *testing.T) {
	base := servertest.StartServer(t, dbtest.Engines[0], nil)
	for _, path := range []string{"/", "/till", "/me", "/embed/DEFAULT", "/docs"} {
		response, err := http.Get(base + path)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		isOurs := path != "/docs" && !strings.HasPrefix(path, "/embed")
		for _, name := range []string{"Cross-Origin-Opener-Policy", "Cross-Origin-Resource-Policy"} {
			if isOurs && response.Header.Get(name) != "same-origin" {
				t.Errorf("%s without %s", path, name)
			}
		}
		policy := response.Header.Get("Content-Security-Policy") + ";"
		for _, part := range []string{
			"default-src 'none';", "script-src 'self';", "connect-src 'self';", "object-src 'none';", "base-uri 'none';",
			"frame-ancestors ",
		} {
			if response.StatusCode != 200 || !strings.Contains(policy, part) {
				t.Errorf("%s: %d under %s without %s", path, response.StatusCode, policy, part)
			}
		}
	}
}
