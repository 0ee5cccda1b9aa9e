package main

import (
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	events "punchcard/platform/event/queue"
)

// A missing event in the message queue is found.
func TestQueueDisorder(t *testing.T) {
	q, err := startQueue(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := q.stop(); err != nil {
			t.Error(err)
		}
	}()
	_, err = q.stream.CreateStream(t.Context(), jetstream.StreamConfig{Name: events.StreamName, Subjects: []string{"a"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"1", "2", "4"} {
		m := &nats.Msg{Subject: "a", Header: nats.Header{jetstream.MsgIDHeader: {id}}}
		if _, err := q.stream.PublishMsg(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	for i, want := range []string{"", "", "message 3 of the queue is event 4"} {
		to := int64(i + 1)
		if found, err := q.disorder(t.Context(), to); found != want || err != nil {
			t.Errorf("until %d: %q, %v", to, found, err)
		}
	}
}
