package trace

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
)

// tracesPath is added to the address of a collector.
const tracesPath = "/v1/traces"

// exportConfig is how spans are sent.
type exportConfig struct {
	address string // complete, with the path
	header  http.Header
	timeout time.Duration // for a batch with all attempts
	gzip    bool
	tls     *tls.Config
}

// setting returns the variable OTEL_EXPORTER_OTLP_TRACES_ and name, or OTEL_EXPORTER_OTLP_ and name.
func setting(name string) string {
	if value := os.Getenv("OTEL_EXPORTER_OTLP_TRACES_" + name); value != "" {
		return value
	}
	return os.Getenv("OTEL_EXPORTER_OTLP_" + name)
}

// readConfig reads the variables of OpenTelemetry for exporters. collector is the address that was set otherwise. The
// address of the result is empty if there is none.
func readConfig(collector string) (exportConfig, error) {
	c := exportConfig{timeout: defaultTimeout}
	switch own := os.Getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"); {
	case collector != "":
		c.address = strings.TrimRight(collector, "/") + tracesPath
	case own != "":
		c.address = own
	case os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT") != "":
		c.address = strings.TrimRight(os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT"), "/") + tracesPath
	default:
		return c, nil
	}
	if u, err := url.Parse(c.address); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return c, errors.New("the address of the collector must be a URL with http or https")
	}
	if protocol := setting("PROTOCOL"); protocol != "" && protocol != "http/protobuf" {
		return c, fmt.Errorf("the protocol %q is not supported, only http/protobuf", protocol)
	}
	switch compression := setting("COMPRESSION"); compression {
	case "gzip":
		c.gzip = true
	case "", "none":
	default:
		return c, fmt.Errorf("the compression %q is not supported, only gzip and none", compression)
	}
	if value := setting("TIMEOUT"); value != "" {
		milliseconds, err := strconv.ParseUint(value, 10, 31)
		if err != nil || milliseconds == 0 {
			return c, fmt.Errorf("the time-out %q is not a number of milliseconds", value)
		}
		c.timeout = time.Duration(milliseconds) * time.Millisecond
	}
	var err error
	if c.header, err = readHeaders(setting("HEADERS")); err != nil {
		return c, err
	}
	c.tls, err = readCertificates(setting("CERTIFICATE"), setting("CLIENT_CERTIFICATE"), setting("CLIENT_KEY"))
	return c, err
}

// readHeaders reads headers like "Authorization=Basic%20xyz,X-Tenant=a". They may be secret, so errors say nothing of
// them.
func readHeaders(list string) (http.Header, error) {
	header := http.Header{"User-Agent": {"punchcard"}}
	for pair := range strings.SplitSeq(list, ",") {
		if pair = strings.TrimSpace(pair); pair == "" {
			continue
		}
		name, value, found := strings.Cut(pair, "=")
		value, err := url.PathUnescape(strings.TrimSpace(value))
		if name = strings.TrimSpace(name); !found || name == "" || err != nil {
			return nil, errors.New("the headers for the collector are not a list of name=value")
		}
		header.Set(name, value)
	}
	return header, nil
}

// readCertificates reads PEM files: the authority of the collector's certificate, and the certificate of this client.
// Without any it returns nil, and the collector's certificate must be one that the system trusts.
func readCertificates(authority, certificate, key string) (*tls.Config, error) {
	if authority == "" && certificate == "" && key == "" {
		return nil, nil
	}
	c := &tls.Config{}
	if authority != "" {
		pem, err := os.ReadFile(authority)
		if err != nil {
			return nil, err
		}
		c.RootCAs = x509.NewCertPool()
		if !c.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("%s contains no certificate", authority)
		}
	}
	if certificate != "" || key != "" {
		pair, err := tls.LoadX509KeyPair(certificate, key)
		if err != nil {
			return nil, err
		}
		c.Certificates = []tls.Certificate{pair}
	}
	return c, nil
}
