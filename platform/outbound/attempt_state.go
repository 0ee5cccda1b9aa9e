package outbound

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// problemLimit is how much of a problem is kept, in bytes.
const problemLimit = 500

// Outcome is how an attempt went.
type Outcome struct {
	Status     int           // 0 when no answer came
	RetryAfter time.Duration // that the receiver asked to wait
	Problem    string        // empty when the receiver took the call
	Refused    bool          // the receiver would not take the same call later either
	Gone       bool          // the receiver wants no more calls
	Hopeless   bool          // another attempt makes no sense
}

// OK says whether the receiver took the call.
func (o *Outcome) OK() bool { return o.Problem == "" }

// Try makes a call and tells how it went, with the receiver by name: "the gateway answered 500".
func (c *Client) Try(ctx context.Context, call Call, receiver string) Outcome {
	answer, err := c.Do(ctx, call)
	if err != nil {
		problem := err.Error() // which may quote what the receiver said
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

// AttemptState are the attempts of a call that is made until its receiver takes it. It is a part of what is sent.
type AttemptState struct {
	State       string // one of those that the sender has
	Attempts    int
	CreatedAt   time.Time
	DueAt       time.Time // of the next attempt; zero when there is none
	AttemptedAt time.Time // the last attempt
	Status      int       // of its answer, 0 when there was none
	Error       string    // of the last attempt, empty after a success
}

// Begin counts an attempt that is made at the moment.
func (t *AttemptState) Begin(now time.Time) { t.Attempts, t.AttemptedAt = t.Attempts+1, now }

// End keeps how the last attempt went, and says whether it was to be the last; if not, it is due again.
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
