package outbound

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// problemLimit is the maximum stored length of an error, in bytes.
const problemLimit = 500

// Outcome is the result of an attempt.
type Outcome struct {
	Status     int           // 0 without a response
	RetryAfter time.Duration // requested by the receiver
	Problem    string        // empty when the receiver accepted the call
	Refused    bool          // repeating the same call is pointless
	Gone       bool          // the receiver wants no more calls
	Hopeless   bool          // no further attempt is made
}

// OK reports whether the receiver accepted the call.
func (o *Outcome) OK() bool { return o.Problem == "" }

// Try makes a call and returns the outcome. receiver names the other side in errors: "the gateway
// answered 500".
func (c *Client) Try(ctx context.Context, call Call, receiver string) Outcome {
	answer, err := c.Do(ctx, call)
	if err != nil {
		problem := err.Error() // may quote the response
		return Outcome{Problem: strings.ToValidUTF8(problem[:min(len(problem), problemLimit)], "")}
	}
	o := Outcome{
		Status: answer.Status, RetryAfter: answer.RetryAfter, Refused: answer.Refused(), Gone: answer.Gone(),
	}
	if !answer.OK() {
		o.Problem = fmt.Sprintf("the %s answered %d", receiver, answer.Status)
	}
	return o
}

// AttemptState is the state of a call that is repeated until its receiver accepts it. It is embedded
// in the type of what is sent.
type AttemptState struct {
	State       string // one of the states of the embedding type
	Attempts    int
	CreatedAt   time.Time
	DueAt       time.Time // of the next attempt; zero when there is none
	AttemptedAt time.Time // the last attempt
	Status      int       // of the last response, 0 without one
	Error       string    // of the last attempt, empty after a success
}

// Begin counts an attempt made now.
func (t *AttemptState) Begin(now time.Time) { t.Attempts, t.AttemptedAt = t.Attempts+1, now }

// End records the outcome of the attempt and sets DueAt for the next one. last is true when there is
// none.
func (t *AttemptState) End(o Outcome, now time.Time) (last bool) {
	t.Status, t.Error, t.DueAt = o.Status, o.Problem, time.Time{}
	if o.OK() || o.Hopeless {
		return true
	}
	pause, again := Pause(t.Attempts, Random(), o.RetryAfter)
	if again {
		t.DueAt = now.Add(pause)
	}
	return !again
}
