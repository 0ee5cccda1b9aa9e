package web_test

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"punchcard/platform/web"
)

// blank is a ResponseWriter that discards the response.
type blank struct{ header http.Header }

func (b *blank) Header() http.Header         { return b.header }
func (b *blank) Write(p []byte) (int, error) { return len(p), nil }
func (b *blank) WriteHeader(int)             {}

// watcher measures like the one of the server.
type watcher struct{ requests *prometheus.HistogramVec }

func (watcher) Begin() {}

func (w watcher) End(method, route string, _ int, took time.Duration) {
	w.requests.WithLabelValues(method, route, "2xx").Observe(took.Seconds())
}

// BenchmarkRequest is one routed JSON request among 250 routes, without the network.
func BenchmarkRequest(b *testing.B) {
	type coupon struct {
		ID   string `json:"id"`
		Code string `json:"code"`
	}
	routes := table()
	for i := range 250 {
		routes = append(routes, web.Route{Method: "GET", Path: fmt.Sprintf("/api/{scope}/thing%d/{thing}", i),
			Handle: name("x")})
	}
	routes = append(routes, web.Route{Method: "POST", Path: "/api/{scope}/person/item/{item}/take",
		Handle: func(r *web.Request) error {
			return r.JSON(http.StatusOK, coupon{ID: r.PathValue("item"), Code: r.PathValue("scope")})
		}})
	for _, log := range []string{"quiet", "watched", "logged"} {
		b.Run(log, func(b *testing.B) {
			config := configOf(io.Discard, routes...)
			if log != "logged" {
				config.Log = slog.New(slog.DiscardHandler)
			}
			if log == "watched" {
				config.Watch = watcher{prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "x"},
					[]string{"method", "route", "status"})}
			}
			config.NewID = func() string { return "id" }
			config.Clock = time.Now
			handler, err := web.NewHandler(config)
			if err != nil {
				b.Fatal(err)
			}
			request, err := http.NewRequest("POST", "/api/one/person/item/0190b3a2/take", strings.NewReader("quantity=1"))
			if err != nil {
				b.Fatal(err)
			}
			answer := &blank{http.Header{}}
			b.ReportAllocs()
			for b.Loop() {
				clear(answer.header)
				handler.ServeHTTP(answer, request)
			}
		})
	}
}
