package trace

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	sdk "go.opentelemetry.io/otel/sdk/trace"
	"google.golang.org/protobuf/encoding/protowire"
)

// The limits of a call of the collector.
const (
	defaultTimeout   = 10 * time.Second // for a batch of spans with all attempts, as OpenTelemetry defines
	firstPause       = time.Second
	maxResponseBytes = 64 << 10
	maxErrorBytes    = 200 // of a response in an error
)

// protobuf is the type of requests and responses.
const protobuf = "application/x-protobuf"

// exporter sends spans to a collector: OTLP over HTTP, in protobuf.
type exporter struct {
	exportConfig
	client *http.Client
	pause  time.Duration // after the first attempt; it doubles with each further one
}

func newExporter(config exportConfig) *exporter {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.TLSClientConfig = config.tls
	client := &http.Client{
		Transport: transport,
		// Redirects are not followed: some would turn the call into a GET.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return &exporter{exportConfig: config, client: client, pause: firstPause}
}

// ExportSpans sends a batch. While the collector is busy, it tries again until the time-out. After an error the spans
// are lost.
func (e *exporter) ExportSpans(ctx context.Context, spans []sdk.ReadOnlySpan) error {
	if len(spans) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, e.timeout)
	defer cancel()
	body := encode(spans)
	if e.gzip {
		body = compress(body)
	}
	for pause := e.pause; ; pause *= 2 {
		wait, err := e.send(ctx, body)
		if err == nil || wait < 0 {
			return err
		}
		timer := time.NewTimer(max(wait, pause))
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return err
		}
	}
}

// Shutdown closes idle connections. The provider has sent everything before.
func (e *exporter) Shutdown(context.Context) error {
	e.client.CloseIdleConnections()
	return nil
}

// send makes one attempt. After an error wait is the least pause before another attempt, or negative if there shall be
// none.
func (e *exporter) send(ctx context.Context, body []byte) (wait time.Duration, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, e.address, bytes.NewReader(body))
	if err != nil {
		return -1, err
	}
	request.Header = e.header.Clone()
	request.Header.Set("Content-Type", protobuf)
	if e.gzip {
		request.Header.Set("Content-Encoding", "gzip")
	}
	response, err := e.client.Do(request)
	if err != nil {
		return -1, err
	}
	defer func() { _ = response.Body.Close() }() // the response was read
	answer, err := io.ReadAll(io.LimitReader(response.Body, maxResponseBytes))
	switch status := response.StatusCode; status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		if seconds, err := strconv.ParseUint(response.Header.Get("Retry-After"), 10, 16); err == nil {
			wait = time.Duration(seconds) * time.Second
		}
	default:
		wait = -1
		if status >= 200 && status <= 299 {
			if err != nil || response.Header.Get("Content-Type") != protobuf {
				return wait, nil // the spans have arrived
			}
			return wait, rejected(answer)
		}
	}
	return wait, fmt.Errorf("the collector answers %s: %q", response.Status, answer[:min(len(answer), maxErrorBytes)])
}

// rejected returns an error if the collector has refused spans of a batch: an ExportTraceServiceResponse contains an
// ExportTracePartialSuccess then.
func rejected(response []byte) error {
	number, kind, size := protowire.ConsumeTag(response)
	if size < 0 || number != 1 || kind != protowire.BytesType {
		return nil
	}
	partial, size := protowire.ConsumeBytes(response[size:])
	if size < 0 {
		return nil
	}
	var spans uint64
	var message []byte
	for len(partial) > 0 {
		number, kind, size := protowire.ConsumeTag(partial)
		if size < 0 {
			return nil
		}
		partial = partial[size:]
		switch {
		case number == 1 && kind == protowire.VarintType:
			spans, size = protowire.ConsumeVarint(partial)
		case number == 2 && kind == protowire.BytesType:
			message, size = protowire.ConsumeBytes(partial)
		default:
			size = protowire.ConsumeFieldValue(number, kind, partial)
		}
		if size < 0 {
			return nil
		}
		partial = partial[size:]
	}
	if spans == 0 && len(message) == 0 {
		return nil
	}
	return fmt.Errorf("the collector refuses %d spans: %q", spans, message[:min(len(message), maxErrorBytes)])
}

func compress(body []byte) []byte {
	var compressed bytes.Buffer
	w := gzip.NewWriter(&compressed)
	_, err := w.Write(body)
	if err = errors.Join(err, w.Close()); err != nil {
		panic(err) // a buffer takes everything
	}
	return compressed.Bytes()
}
