package trace

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/instrumentation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	resources "go.opentelemetry.io/proto/otlp/resource/v1"
	traces "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"
)

var (
	traceID = trace.TraceID{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}
	spanID  = trace.SpanID{1, 2, 3, 4, 5, 6, 7, 8}
	otherID = trace.SpanID{9}
	start   = time.Unix(1_700_000_000, 123_456_789)
)

// attributes are one of each type, in alphabetical order, which a resource has.
var attributes = []attribute.KeyValue{
	attribute.StringSlice("list", []string{"a", "b"}), attribute.Bool("no", false), attribute.Int("number", -1),
	attribute.Float64("share", 0.5), attribute.String("text", "żółw"), attribute.Bool("yes", true),
}

var sentAttributes = []*common.KeyValue{
	{Key: "list", Value: &common.AnyValue{Value: &common.AnyValue_StringValue{StringValue: `["a","b"]`}}},
	{Key: "no", Value: &common.AnyValue{Value: &common.AnyValue_BoolValue{}}},
	{Key: "number", Value: &common.AnyValue{Value: &common.AnyValue_IntValue{IntValue: -1}}},
	{Key: "share", Value: &common.AnyValue{Value: &common.AnyValue_DoubleValue{DoubleValue: 0.5}}},
	{Key: "text", Value: &common.AnyValue{Value: &common.AnyValue_StringValue{StringValue: "żółw"}}},
	{Key: "yes", Value: &common.AnyValue{Value: &common.AnyValue_BoolValue{BoolValue: true}}},
}

func TestEncode(t *testing.T) {
	state, err := trace.ParseTraceState("vendor=1")
	if err != nil {
		t.Fatal(err)
	}
	about := resource.NewWithAttributes("https://schema.example", attributes...)
	scope := instrumentation.Scope{Name: "punchcard"}
	caller := trace.NewSpanContext(trace.SpanContextConfig{
		TraceID: traceID, SpanID: otherID, TraceFlags: trace.FlagsSampled, TraceState: state, Remote: true,
	})
	request := caller.WithSpanID(spanID).WithRemote(false)
	body := encode(tracetest.SpanStubs{{
		Name: "GET /level", SpanKind: trace.SpanKindServer, Resource: about, InstrumentationScope: scope,
		SpanContext: request, Parent: caller, StartTime: start, EndTime: start.Add(time.Second),
		Attributes: attributes, DroppedAttributes: 2, DroppedLinks: 3,
		Links:  []sdk.Link{{SpanContext: caller}, {SpanContext: request, Attributes: attributes}},
		Status: sdk.Status{Code: codes.Error, Description: "bad"},
	}, {
		Name: "root", SpanKind: trace.SpanKindProducer, Resource: about, InstrumentationScope: scope,
		SpanContext: request, StartTime: start, EndTime: start, Status: sdk.Status{Code: codes.Ok},
	}}.Snapshots())
	var got collector.ExportTraceServiceRequest
	if err := proto.Unmarshal(body, &got); err != nil {
		t.Fatal(err)
	}
	const sampled, known, remote = 1, 0x100, 0x200
	nanoseconds := uint64(1_700_000_000_123_456_789)
	want := &collector.ExportTraceServiceRequest{ResourceSpans: []*traces.ResourceSpans{{
		Resource:  &resources.Resource{Attributes: sentAttributes},
		SchemaUrl: "https://schema.example",
		ScopeSpans: []*traces.ScopeSpans{{
			Scope: &common.InstrumentationScope{Name: "punchcard"},
			Spans: []*traces.Span{{
				TraceId: traceID[:], SpanId: spanID[:], ParentSpanId: otherID[:], TraceState: "vendor=1",
				Flags: sampled | known | remote, Name: "GET /level", Kind: traces.Span_SPAN_KIND_SERVER,
				StartTimeUnixNano: nanoseconds, EndTimeUnixNano: nanoseconds + 1e9,
				Attributes: sentAttributes, DroppedAttributesCount: 2, DroppedLinksCount: 3,
				Links: []*traces.Span_Link{
					{TraceId: traceID[:], SpanId: otherID[:], TraceState: "vendor=1", Flags: sampled | known | remote},
					{TraceId: traceID[:], SpanId: spanID[:], TraceState: "vendor=1", Flags: sampled | known,
						Attributes: sentAttributes},
				},
				Status: &traces.Status{Code: traces.Status_STATUS_CODE_ERROR, Message: "bad"},
			}, {
				TraceId: traceID[:], SpanId: spanID[:], TraceState: "vendor=1", Flags: sampled | known,
				Name: "root", Kind: traces.Span_SPAN_KIND_PRODUCER,
				StartTimeUnixNano: nanoseconds, EndTimeUnixNano: nanoseconds,
				Status: &traces.Status{Code: traces.Status_STATUS_CODE_OK},
			}},
		}},
	}}}
	if diff := cmp.Diff(want, &got, protocmp.Transform()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
