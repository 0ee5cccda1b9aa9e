// Package trace makes OpenTelemetry traces: which request, batch of the database or delivery took how long, and which
// one caused which. Spans hold patterns and numbers, no personal data.
package trace

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// flushLimit is how long a stop waits for the collector.
const flushLimit = 5 * time.Second

// Tracer makes spans and sends them to a collector. A nil Tracer makes none, which costs nothing.
type Tracer struct {
	tracer   trace.Tracer
	shutdown func(context.Context) error // sends what is left
	log      *slog.Logger
}

// contexts reads and writes traceparent and tracestate.
var contexts propagation.TraceContext

// Open returns a tracer that sends to the address of a collector (OTLP over HTTP), or to that of the variables
// OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_EXPORTER_OTLP_TRACES_ENDPOINT. Without one it returns nil. The other variables
// of OpenTelemetry configure the rest, such as OTEL_TRACES_SAMPLER.
func Open(ctx context.Context, address, version string, log *slog.Logger) (*Tracer, error) {
	if strings.EqualFold(os.Getenv("OTEL_SDK_DISABLED"), "true") {
		return nil, nil
	}
	config, err := readConfig(address)
	switch {
	case err != nil:
		return nil, fmt.Errorf("traces: %w", err)
	case config.address == "":
		return nil, nil
	}
	about, err := resource.New(ctx, resource.WithTelemetrySDK(), resource.WithHost(), resource.WithAttributes(
		attribute.String("service.name", "punchcard"), attribute.String("service.version", version)),
		resource.WithFromEnv())
	if err != nil {
		return nil, fmt.Errorf("traces: %w", err)
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { log.Warn("traces are lost", "error", err) }))
	provider := sdk.NewTracerProvider(sdk.WithBatcher(newExporter(config)), sdk.WithResource(about))
	return &Tracer{tracer: provider.Tracer("punchcard"), shutdown: provider.Shutdown, log: log}, nil
}

// Close sends what is left.
func (t *Tracer) Close() {
	if t == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), flushLimit)
	defer cancel()
	if err := t.shutdown(ctx); err != nil {
		t.log.Warn("traces are lost", "error", err)
	}
}

// Span is a part of a trace. A nil Span records nothing.
type Span struct{ trace.Span }

// Request begins the span of a request, in the trace that its traceparent names, or in a new one.
func (t *Tracer) Request(r *http.Request) (*http.Request, *Span) {
	if t == nil {
		return r, nil
	}
	ctx, span := t.tracer.Start(contexts.Extract(r.Context(), propagation.HeaderCarrier(r.Header)), "request",
		trace.WithSpanKind(trace.SpanKindServer))
	return r.WithContext(ctx), &Span{span}
}

// EndRequest ends the span of a request. route is the pattern of its path.
func (s *Span) EndRequest(method, route string, status int, id string) {
	if s == nil {
		return
	}
	s.SetName(method + " " + route)
	s.SetAttributes(attribute.String("http.request.method", method), attribute.String("http.route", route),
		attribute.Int("http.response.status_code", status), attribute.String("punchcard.request_id", id))
	if status >= http.StatusInternalServerError {
		s.SetStatus(codes.Error, "")
	}
	s.Span.End()
}

// Part begins a part of the trace of ctx. Without one it does nothing.
func (t *Tracer) Part(ctx context.Context, name string) (context.Context, *Span) {
	if t == nil || !trace.SpanContextFromContext(ctx).IsValid() {
		return ctx, nil
	}
	ctx, span := t.tracer.Start(ctx, name)
	return ctx, &Span{span}
}

// Batch begins the span of calls that run together: a part of the trace of the first of them that has one, with links
// from the others. callers are their contexts.
func (t *Tracer) Batch(name, operation string, callers []context.Context) *Span {
	if t == nil {
		return nil
	}
	var first context.Context
	var links []trace.Link
	for _, caller := range callers {
		of := trace.SpanContextFromContext(caller)
		switch {
		case !of.IsValid():
		case first == nil:
			first = caller
		default:
			links = append(links, trace.Link{SpanContext: of})
		}
	}
	if first == nil {
		return nil
	}
	_, span := t.tracer.Start(first, name, trace.WithLinks(links...), trace.WithAttributes(
		attribute.String("punchcard.operation", operation), attribute.Int("punchcard.calls", len(callers))))
	return &Span{span}
}

// Delivery begins a trace of its own: that of an attempt to deliver something.
func (t *Tracer) Delivery(ctx context.Context, queue string) (context.Context, *Span) {
	if t == nil {
		return ctx, nil
	}
	ctx, span := t.tracer.Start(ctx, "delivery of "+queue, trace.WithNewRoot(), trace.WithSpanKind(trace.SpanKindProducer))
	return ctx, &Span{span}
}

// EndDelivery ends the span of an attempt with the status of the response, 0 without one.
func (s *Span) EndDelivery(status int) {
	if s == nil {
		return
	}
	s.SetAttributes(attribute.Int("http.response.status_code", status))
	if status < 200 || status > 299 {
		s.SetStatus(codes.Error, "")
	}
	s.Span.End()
}

// End ends a part, which failed with err unless that is nil.
func (s *Span) End(err error) {
	if s == nil {
		return
	}
	if err != nil {
		s.SetStatus(codes.Error, "")
	}
	s.Span.End()
}

// Inject names the trace of ctx in the headers of a call, if there is one.
func Inject(ctx context.Context, header http.Header) {
	contexts.Inject(ctx, propagation.HeaderCarrier(header))
}
