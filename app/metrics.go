package app

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"punchcard/core/access"
	"punchcard/platform/web"
)

// minMetricsToken is the minimum length of the token of the metrics, in bytes.
const minMetricsToken = 16

var errMetricsToken = errors.New("--metrics-token must be at least 16 characters")

// metrics serves Prometheus, if there is a token for it.
type metrics struct {
	registry *prometheus.Registry
	token    [sha256.Size]byte

	requests *prometheus.HistogramVec
	refused  *prometheus.CounterVec
	inFlight prometheus.Gauge
}

const refusedHelp = "Requests refused by a limit, by status: 413 too large, 429 too often, 503 too many at once."

// durations are the bounds of the histogram of requests, in seconds. Most take a few milliseconds.
var durations = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10}

func newMetrics(token string) *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(), token: sha256.Sum256([]byte(token)),
		requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "punchcard_request_duration_seconds", Buckets: durations,
			Help: "Duration of requests by method, pattern of the route and class of the status (2xx).",
		}, []string{"method", "route", "status"}),
		refused: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "punchcard_requests_refused_total",
			Help: refusedHelp,
		}, []string{"status"}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "punchcard_requests_in_flight", Help: "Requests in flight.",
		}),
	}
	m.registry.MustRegister(m.requests, m.refused, m.inFlight, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

func (m *metrics) Begin() { m.inFlight.Inc() }

// classes are the labels of statuses by first digit.
var classes = [...]string{"none", "1xx", "2xx", "3xx", "4xx", "5xx"}

func (m *metrics) End(method, route string, status int, took time.Duration) {
	m.inFlight.Dec()
	class := classes[0]
	if status/100 < len(classes) {
		class = classes[status/100]
	}
	m.requests.WithLabelValues(method, route, class).Observe(took.Seconds())
	switch status {
	case http.StatusRequestEntityTooLarge, http.StatusTooManyRequests, http.StatusServiceUnavailable:
		m.refused.WithLabelValues(strconv.Itoa(status)).Inc()
	}
}

// route is GET /metrics, which is not a part of the API and requires the metrics token.
func (m *metrics) route() web.Route {
	handler := promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{DisableCompression: true})
	return web.Route{Method: http.MethodGet, Path: "/metrics", Handle: func(r *web.Request) error {
		given, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		sum := sha256.Sum256([]byte(given))
		if subtle.ConstantTimeCompare(sum[:], m.token[:]) != 1 {
			return access.ErrUnauthenticated
		}
		handler.ServeHTTP(r.Writer(), r.Request)
		return nil
	}}
}

// measure returns the metrics of the server, or nil without a token.
func (s *server) measure() (*metrics, error) {
	switch n := len(s.config.MetricsToken); {
	case n == 0:
		return nil, nil
	case n < minMetricsToken:
		return nil, errMetricsToken
	}
	m := newMetrics(s.config.MetricsToken)
	return m, m.registry.Register(&collector{server: s})
}

// scrapeLimit is the time limit of reading the metrics of the database.
const scrapeLimit = 5 * time.Second

// Collect omits metrics of the database that cannot be read in time.
func (f *collector) Collect(to chan<- prometheus.Metric) {
	f.process(to)
	ctx, stop := context.WithTimeout(context.Background(), scrapeLimit)
	defer stop()
	up := 1.0
	if err := f.sendStored(ctx, to); err != nil {
		f.log.Warn("metrics are missing", "error", err)
		up = 0
	}
	to <- prometheus.MustNewConstMetric(databaseUp, prometheus.GaugeValue, up)
}
