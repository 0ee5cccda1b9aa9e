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
	Doubtful   bool          // Gone, if the same response comes days later
	Hopeless   bool          // no further attempt is made
}

// OK reports whether the receiver accepted the call.
func (o *Outcome) OK() bool { return o.Problem == "" }

// Try makes a call and returns the outcome. receiver names the other side in errors: "the gateway
// answered 500".
func (c *Client) Try(ctx context.Context, call Call, receiver string) Outcome {
	o, _ := c.Ask(ctx, call, receiver)
	return o
}

// Ask is Try, and returns the body of the response, too.
func (c *Client) Ask(ctx context.Context, call Call, receiver string) (Outcome, []byte) {
	response, err := c.Do(ctx, call)
	if err != nil {
		problem := err.Error() // may quote the response
		return Outcome{Problem: strings.ToValidUTF8(problem[:min(len(problem), problemLimit)], "")}, nil
	}
	o := Outcome{
		Status: response.Status, RetryAfter: response.RetryAfter, Refused: response.Refused(), Gone: response.Gone(),
	}
	if !response.OK() {
		o.Problem = fmt.Sprintf("the %s answered %d", receiver, response.Status)
	}
	return o, response.Body
}
