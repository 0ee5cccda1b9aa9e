package trace

import (
	"bytes"
	"compress/gzip"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/protobuf/proto"
)

// oneSpan returns a batch of one span.
func oneSpan() []sdk.ReadOnlySpan {
	return tracetest.SpanStubs{{
		Name: "request", StartTime: start, EndTime: start,
		SpanContext: trace.NewSpanContext(trace.SpanContextConfig{TraceID: traceID, SpanID: spanID}),
	}}.Snapshots()
}

// exporterTo returns an exporter to a collector that is answered by handler. It does not pause between attempts.
func exporterTo(t *testing.T, handler http.HandlerFunc) *exporter {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	config, err := readConfig(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	e := newExporter(config)
	e.pause = 0
	t.Cleanup(func() { _ = e.Shutdown(t.Context()) })
	return e
}

func TestExport(t *testing.T) {
	for _, compression := range []string{"none", "gzip"} {
		t.Run(compression, func(t *testing.T) {
			t.Setenv("OTEL_EXPORTER_OTLP_COMPRESSION", compression)
			t.Setenv("OTEL_EXPORTER_OTLP_HEADERS", "Authorization=Basic%20abc, X-Tenant=shop")
			arrived := 0
			e := exporterTo(t, func(_ http.ResponseWriter, r *http.Request) {
				arrived++
				for name, want := range map[string]string{
					"Content-Type": "application/x-protobuf", "Authorization": "Basic abc", "X-Tenant": "shop",
				} {
					if got := r.Header.Get(name); got != want {
						t.Errorf("%s: %q, want %q", name, got, want)
					}
				}
				if r.Method != http.MethodPost || r.URL.Path != "/v1/traces" {
					t.Errorf("%s %s", r.Method, r.URL.Path)
				}
				body := io.Reader(r.Body)
				if r.Header.Get("Content-Encoding") == "gzip" {
					plain, err := gzip.NewReader(body)
					if err != nil {
						t.Error(err)
						return
					}
					body = plain
				} else if compression == "gzip" {
					t.Error("the spans are not compressed")
				}
				content, err := io.ReadAll(body)
				if err != nil || !bytes.Equal(content, encode(oneSpan())) {
					t.Errorf("%q, %v", content, err)
				}
			})
			if err := e.ExportSpans(t.Context(), oneSpan()); err != nil || arrived != 1 {
				t.Errorf("%d calls, %v", arrived, err)
			}
			if err := e.ExportSpans(t.Context(), nil); err != nil || arrived != 1 {
				t.Errorf("%d calls after an empty batch, %v", arrived, err)
			}
		})
	}
}

// A collector that is busy is called again. All other errors are final.
func TestExportToABusyCollector(t *testing.T) {
	for status, calls := range map[int]int{200: 1, 202: 1, 301: 1, 400: 1, 429: 3, 500: 1, 502: 3, 503: 3, 504: 3} {
		n := 0
		e := exporterTo(t, func(w http.ResponseWriter, _ *http.Request) {
			if n++; n < 3 {
				w.Header().Set("Location", "/elsewhere")
				w.WriteHeader(status)
				_, _ = io.WriteString(w, "reason "+strings.Repeat("x", maxErrorBytes))
			}
		})
		err := e.ExportSpans(t.Context(), oneSpan())
		if n != calls {
			t.Errorf("status %d: %d calls, want %d", status, n, calls)
		}
		switch fails := calls == 1 && status > 299; {
		case fails != (err != nil):
			t.Errorf("status %d: error %v", status, err)
		case fails && (!strings.Contains(err.Error(), "reason") || len(err.Error()) > 2*maxErrorBytes):
			t.Errorf("status %d: error %v", status, err)
		}
	}
}

func TestExportEndsWithTheTimeout(t *testing.T) {
	t.Setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "50")
	e := exporterTo(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "3600")
		w.WriteHeader(http.StatusServiceUnavailable)
	})
	if wait, err := e.send(t.Context(), encode(oneSpan())); wait != time.Hour || err == nil {
		t.Errorf("%v, %v: want a pause of an hour", wait, err)
	}
	if err := e.ExportSpans(t.Context(), oneSpan()); err == nil || !strings.Contains(err.Error(), "503") {
		t.Errorf("error %v", err)
	}
	hangs := exporterTo(t, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // only then is the end of the connection seen
		<-r.Context().Done()
	})
	if err := hangs.ExportSpans(t.Context(), oneSpan()); err == nil {
		t.Error("no error from a collector that does not answer")
	}
}

func TestExportOfRefusedSpans(t *testing.T) {
	for want, partial := range map[string]*collector.ExportTracePartialSuccess{
		"": {}, `the collector refuses 7 spans: "too old"`: {RejectedSpans: 7, ErrorMessage: "too old"},
		`the collector refuses 0 spans: "slow down"`: {ErrorMessage: "slow down"},
	} {
		body, err := proto.Marshal(&collector.ExportTraceServiceResponse{PartialSuccess: partial})
		if err != nil {
			t.Fatal(err)
		}
		e := exporterTo(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/x-protobuf")
			_, _ = w.Write(body)
		})
		got := ""
		if err := e.ExportSpans(t.Context(), oneSpan()); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("error %q, want %q", got, want)
		}
		for size := range body {
			_ = rejected(body[:size]) // must not panic
		}
	}
}

// A server runs without its collector. The log says that traces are lost, without the headers.
func TestCollectorIsAway(t *testing.T) {
	t.Setenv("OTEL_EXPORTER_OTLP_HEADERS", "Authorization=secret")
	server := httptest.NewServer(nil)
	server.Close()
	var log bytes.Buffer
	tracer, err := Open(t.Context(), server.URL, "1.0.0", slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	_, span := tracer.Delivery(t.Context(), "web hooks")
	span.EndDelivery(http.StatusOK)
	tracer.Close()
	if got := log.String(); !strings.Contains(got, "traces are lost") || strings.Contains(got, "secret") {
		t.Errorf("log: %s", got)
	}
}
