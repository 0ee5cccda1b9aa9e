package trace

import (
	"encoding/pem"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestConfig(t *testing.T) {
	const general, own = "OTEL_EXPORTER_OTLP_", "OTEL_EXPORTER_OTLP_TRACES_"
	for _, test := range []struct {
		name, collector string
		environment     map[string]string
		address, fails  string
	}{
		{name: "none"},
		{name: "setting", collector: "http://a:4318/", address: "http://a:4318/v1/traces"},
		{name: "base", environment: map[string]string{general + "ENDPOINT": "https://b/otlp"},
			address: "https://b/otlp/v1/traces"},
		{name: "complete", address: "http://c/own",
			environment: map[string]string{general + "ENDPOINT": "http://b", own + "ENDPOINT": "http://c/own"}},
		{name: "setting first", collector: "http://a", address: "http://a/v1/traces",
			environment: map[string]string{own + "ENDPOINT": "http://c"}},
		{name: "no scheme", collector: "localhost:4318", fails: "must be a URL with http or https"},
		{name: "no host", collector: "http://", fails: "must be a URL with http or https"},
		{name: "gRPC", collector: "http://a", environment: map[string]string{general + "PROTOCOL": "grpc"},
			fails: `the protocol "grpc" is not supported`},
		{name: "compression", collector: "http://a", environment: map[string]string{own + "COMPRESSION": "br"},
			fails: `the compression "br" is not supported`},
		{name: "time-out", collector: "http://a", environment: map[string]string{own + "TIMEOUT": "10s"},
			fails: `the time-out "10s" is not a number of milliseconds`},
		{name: "headers", collector: "http://a", environment: map[string]string{own + "HEADERS": "secret"},
			fails: "the headers for the collector are not a list of name=value"},
		{name: "certificate", collector: "http://a", fails: "no such file",
			environment: map[string]string{general + "CERTIFICATE": "/missing.pem"}},
		{name: "key", collector: "http://a", fails: "no such file",
			environment: map[string]string{general + "CLIENT_KEY": "/missing.pem"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			for name, value := range test.environment {
				t.Setenv(name, value)
			}
			c, err := readConfig(test.collector)
			switch {
			case test.fails == "" && (err != nil || c.address != test.address):
				t.Errorf("%q, %v: want %q", c.address, err, test.address)
			case test.fails != "" && (err == nil || !strings.Contains(err.Error(), test.fails)):
				t.Errorf("error %v, want %q", err, test.fails)
			}
		})
	}
}

func TestSwitchedOff(t *testing.T) {
	t.Setenv("OTEL_SDK_DISABLED", "true")
	if tracer, err := Open(t.Context(), "http://a", "1.0.0", slog.Default()); tracer != nil || err != nil {
		t.Errorf("%v, %v", tracer, err)
	}
}

func TestCertificateOfACollector(t *testing.T) {
	server := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer server.Close()
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	export := func() error {
		config, err := readConfig(server.URL)
		if err != nil {
			t.Fatal(err)
		}
		return newExporter(config).ExportSpans(t.Context(), oneSpan())
	}
	if err := export(); err == nil {
		t.Error("an unknown certificate is accepted")
	}
	file := filepath.Join(t.TempDir(), "ca.pem")
	content := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("OTEL_EXPORTER_OTLP_CERTIFICATE", file)
	if err := export(); err != nil {
		t.Error(err)
	}
}
