package queue

import "github.com/nats-io/nats.go"

// SignalPrefix starts the subjects of signals. They are in no stream.
const SignalPrefix = "punchcard.signals."

// Tell sends a short text to all nodes that are connected to the same queue, this one included. It does not wait, and a
// node that is not connected misses it.
func (q *Queue) Tell(signal, text string) {
	if err := q.conn.Publish(SignalPrefix+signal, []byte(text)); err != nil {
		q.config.Log.Warn("a signal reached no other node", "signal", signal, "error", err)
	}
}

// Hear calls a function with the text of each signal of a name until the queue is closed, one at a time.
func (q *Queue) Hear(signal string, receive func(text string)) error {
	_, err := q.conn.Subscribe(SignalPrefix+signal, func(m *nats.Msg) { receive(string(m.Data)) })
	return err
}
