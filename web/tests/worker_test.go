package tests

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"punchcard/platform/testwait"
	"punchcard/web/webtest"
)

// losing starts a proxy in front of a shop that drops what service workers ask for while lost is set, and sends on the
// channel when it has.
func losing(t *testing.T, s *shop, lost *atomic.Bool) (address string, dropped testwait.Signal) {
	t.Helper()
	to, err := url.Parse(s.base)
	if err != nil {
		t.Fatal(err)
	}
	dropped = testwait.NewSignal()
	next := httputil.NewSingleHostReverseProxy(to)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if lost.Load() && strings.HasSuffix(r.Header.Get("Referer"), "/worker.js") {
			dropped.Send()
			panic(http.ErrAbortHandler) // closes the connection
		}
		next.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL, dropped
}

// A worker that loses the network while it keeps the files of the app goes on when the network is back.
func TestWorkerLosesTheNetwork(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	var lost atomic.Bool
	lost.Store(true)
	address, dropped := losing(t, s, &lost)
	p := webtest.Open(t, webtest.Options{Server: address, Allow: []string{"a request failed"}})
	p.Go("/till/DEFAULT")
	p.WaitText("Till")
	testwait.Receive(t, "the worker loses the network", dropped)
	lost.Store(false)
	p.WaitUntil("the worker is there", `navigator.serviceWorker.ready.then(() => true)`)
	p.SetOffline(true)
	p.Reload()
	p.WaitFor("heading", "Till")
}

// What failed for want of a network is read again when the server answers, although the device says nothing.
func TestReadsAgainWhenTheServerIsBack(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	p := s.openAs(t, "me", "/me/DEFAULT/coupons", webtest.Options{})
	p.WaitText("To use (1)")
	p.Failing("/api/DEFAULT/customer/", func() {
		p.Reload()
		p.WaitText("This is as of")
	})
	p.WaitGone("This is as of")
	p.WaitText("To use (1)")
}
