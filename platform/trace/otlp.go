package trace

import (
	"math"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"google.golang.org/protobuf/encoding/protowire"
)

// The bits of flags beside those of W3C, in SpanFlags of trace.proto.
const (
	remoteIsKnown = 1 << 8
	isRemote      = 1 << 9
)

// message is one of protobuf. The numbers of fields are those of opentelemetry/proto in version 1.
type message []byte

func (m *message) text(field protowire.Number, value string) {
	*m = protowire.AppendString(protowire.AppendTag(*m, field, protowire.BytesType), value)
}

func (m *message) bytes(field protowire.Number, value []byte) {
	*m = protowire.AppendBytes(protowire.AppendTag(*m, field, protowire.BytesType), value)
}

func (m *message) number(field protowire.Number, value uint64) {
	*m = protowire.AppendVarint(protowire.AppendTag(*m, field, protowire.VarintType), value)
}

func (m *message) fixed64(field protowire.Number, value uint64) {
	*m = protowire.AppendFixed64(protowire.AppendTag(*m, field, protowire.Fixed64Type), value)
}

func (m *message) fixed32(field protowire.Number, value uint32) {
	*m = protowire.AppendFixed32(protowire.AppendTag(*m, field, protowire.Fixed32Type), value)
}

// attributes writes each attribute as a KeyValue. Values that are neither texts, numbers nor truth values become texts.
func (m *message) attributes(field protowire.Number, all []attribute.KeyValue) {
	for _, a := range all {
		var value, pair message
		switch a.Value.Type() {
		case attribute.BOOL:
			value.number(2, protowire.EncodeBool(a.Value.AsBool()))
		case attribute.INT64:
			value.number(3, uint64(a.Value.AsInt64()))
		case attribute.FLOAT64:
			value.fixed64(4, math.Float64bits(a.Value.AsFloat64()))
		default:
			value.text(1, a.Value.String())
		}
		pair.text(1, string(a.Key))
		pair.bytes(2, value)
		m.bytes(field, pair)
	}
}

// encode returns an ExportTraceServiceRequest. All spans are of one Tracer, so they have one resource and one scope.
func encode(spans []sdk.ReadOnlySpan) []byte {
	var resource, scope, ofScope, ofResource, request message
	resource.attributes(1, spans[0].Resource().Attributes())
	scope.text(1, spans[0].InstrumentationScope().Name)
	ofScope.bytes(1, scope)
	for _, span := range spans {
		ofScope.bytes(2, encodeSpan(span))
	}
	ofResource.bytes(1, resource)
	ofResource.bytes(2, ofScope)
	ofResource.text(3, spans[0].Resource().SchemaURL())
	request.bytes(1, ofResource)
	return request
}

// encodeSpan returns a Span. The spans of a Tracer have no events.
func encodeSpan(s sdk.ReadOnlySpan) message {
	var span, status message
	id, parent := s.SpanContext(), s.Parent()
	traceID, spanID := id.TraceID(), id.SpanID()
	span.bytes(1, traceID[:])
	span.bytes(2, spanID[:])
	span.text(3, id.TraceState().String())
	if parentID := parent.SpanID(); parentID.IsValid() {
		span.bytes(4, parentID[:])
	}
	span.text(5, s.Name())
	span.number(6, uint64(s.SpanKind()))
	span.fixed64(7, uint64(s.StartTime().UnixNano()))
	span.fixed64(8, uint64(s.EndTime().UnixNano()))
	span.attributes(9, s.Attributes())
	span.number(10, uint64(s.DroppedAttributes()))
	for _, of := range s.Links() {
		span.bytes(13, encodeLink(of))
	}
	span.number(14, uint64(s.DroppedLinks()))
	status.text(2, s.Status().Description)
	status.number(3, statusCode(s.Status().Code))
	span.bytes(15, status)
	span.fixed32(16, flags(id.TraceFlags(), parent))
	return span
}

func encodeLink(l sdk.Link) message {
	var link message
	traceID, spanID := l.SpanContext.TraceID(), l.SpanContext.SpanID()
	link.bytes(1, traceID[:])
	link.bytes(2, spanID[:])
	link.text(3, l.SpanContext.TraceState().String())
	link.attributes(4, l.Attributes)
	link.fixed32(6, flags(l.SpanContext.TraceFlags(), l.SpanContext))
	return link
}

// flags returns the trace flags of W3C, with a bit that is set if the context came from another process.
func flags(w3c trace.TraceFlags, context trace.SpanContext) uint32 {
	all := uint32(w3c) | remoteIsKnown
	if context.IsRemote() {
		all |= isRemote
	}
	return all
}

// statusCode returns the number of a status in protobuf, which is not that of the library.
func statusCode(code codes.Code) uint64 {
	switch code {
	case codes.Ok:
		return 1
	case codes.Error:
		return 2
	default:
		return 0
	}
}
