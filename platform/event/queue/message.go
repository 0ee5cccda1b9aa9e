package queue

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"punchcard/platform/event"
)

// Headers of a message. Its body is the payload of the event as stored.
const (
	headerType       = "Punchcard-Type"
	headerAggregate  = "Punchcard-Aggregate"
	headerRecordedAt = "Punchcard-Recorded-At" // microseconds since 1970
	headerOmitted    = "Punchcard-Payload"     // "omitted": too long for the queue, to be read through the API
)

// headerBytes is more than the size of the subject and headers of any message.
const headerBytes = 4 << 10

func message(e *event.Event, maxPayload int64) *nats.Msg {
	m := &nats.Msg{
		Subject: subject(e),
		Data:    e.Payload,
		Header: nats.Header{
			jetstream.MsgIDHeader: {strconv.FormatInt(e.ID, 10)},
			headerType:            {e.Type},
			headerAggregate:       {e.AggregateID},
			headerRecordedAt:      {strconv.FormatInt(e.RecordedAt.UnixMicro(), 10)},
		},
	}
	if int64(len(m.Data)) > maxPayload-headerBytes {
		m.Data = nil
		m.Header.Set(headerOmitted, "omitted")
	}
	return m
}

// subject consists of the prefix, the store and the parts of the type's name, so that subscribers
// can use wildcards.
func subject(e *event.Event) string {
	return SubjectPrefix + strconv.FormatInt(e.StoreKey, 10) + "." + safePath(e.Type)
}

// safePath makes a type's name valid as subject tokens: no wildcards, spaces or empty tokens.
func safePath(name string) string {
	if !strings.ContainsFunc(name, unsafeInSubject) && !strings.Contains("."+name+".", "..") {
		return name
	}
	parts := strings.Split(name, ".")
	for i, part := range parts {
		if part = strings.Map(func(r rune) rune {
			if unsafeInSubject(r) {
				return '_'
			}
			return r
		}, part); part == "" {
			part = "_"
		}
		parts[i] = part
	}
	return strings.Join(parts, ".")
}

func unsafeInSubject(r rune) bool { return r <= ' ' || r >= 0x7f || r == '*' || r == '>' }

// errOutOfStep means that the stream does not end with the last relayed event: it lost messages, or
// another program publishes to it.
var errOutOfStep = errors.New("the message queue does not end with the event that was relayed last")

// publish appends the events to a stream whose last sequence is last, and returns when all are
// stored. The first message requires that sequence, and every other one requires the previous
// message. So the stream accepts a prefix of the events without gaps, and the acknowledgement of the
// last message covers all.
func (q *Queue) publish(ctx context.Context, events []event.Event, last uint64) error {
	maxPayload := q.conn.MaxPayload()
	for i := range events {
		m := message(&events[i], maxPayload)
		if i == 0 {
			m.Header.Set(jetstream.ExpectedLastSeqHeader, strconv.FormatUint(last, 10))
		} else {
			m.Header.Set(jetstream.ExpectedLastMsgIDHeader, strconv.FormatInt(events[i-1].ID, 10))
		}
		if i < len(events)-1 {
			if err := q.conn.PublishMsg(m); err != nil {
				return err
			}
			continue
		}
		ack, err := q.stream.PublishMsg(ctx, m)
		if err != nil {
			return err
		}
		if ack.Sequence != last+uint64(len(events)) {
			return errOutOfStep
		}
	}
	return nil
}

// end returns the last sequence of the stream, and the id and message stored there. It creates the
// stream if it is missing. The id is 0 when the message is gone or has no id.
func (q *Queue) end(ctx context.Context) (sequence uint64, id int64, last *jetstream.RawStreamMsg, err error) {
	stream, err := q.ensureStream(ctx)
	if err != nil {
		return 0, 0, nil, err
	}
	state := stream.CachedInfo().State
	if state.Msgs == 0 {
		return state.LastSeq, 0, nil, nil
	}
	last, err = stream.GetMsg(ctx, state.LastSeq)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return state.LastSeq, 0, nil, nil
	}
	if err != nil {
		return 0, 0, nil, err
	}
	id, err = strconv.ParseInt(last.Header.Get(jetstream.MsgIDHeader), 10, 64)
	if err != nil {
		id = 0
	}
	return state.LastSeq, id, last, nil
}
