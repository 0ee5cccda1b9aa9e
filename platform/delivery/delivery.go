// Package delivery sends what is stored in a table to the addresses of receivers until they accept
// it. A delivery is one row: it is inserted in the transaction of what it reports, claimed by one
// node for one attempt, and settled with the outcome.
//
// A claim moves the time of the next attempt forward by ClaimTerm, in a committed transaction, before
// the call. If the node crashes, the delivery is due again when that time comes. Deliveries therefore
// arrive at least once, and receivers recognize repeats by an id that all attempts share.
package delivery

import (
	"cmp"
	"context"
	"strings"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/outbound"
)

const (
	// ClaimTerm is how long a claim lasts: longer than a call and storing its outcome.
	ClaimTerm = time.Minute
	// CountLimit is the highest number that lists and metrics count up to. There may be more rows.
	CountLimit = 10_000
)

// Receiver identifies one of the addresses that a queue calls.
type Receiver struct {
	StoreKey int64
	ID       string // empty if a store has only one receiver
}

func (r Receiver) compare(other Receiver) int {
	return cmp.Or(cmp.Compare(r.StoreKey, other.StoreKey), strings.Compare(r.ID, other.ID))
}

// Recipient is a receiver with deliveries that are due, and how it is called. D is the type of the
// deliveries.
type Recipient[D any] struct {
	Receiver
	Calls int // maximum number of concurrent calls
	// Call makes an attempt. After an error no outcome is stored, and the delivery is due again when
	// its claim expires.
	Call func(ctx context.Context, d *D) (outbound.Outcome, error)
}

// Postponed is the error of a Call that made no attempt because it is too early for one. The delivery is
// due again at Until, and the attempt does not count.
type Postponed struct {
	Until  time.Time
	Reason string // shown as the error of the delivery
}

// Error returns the reason.
func (p *Postponed) Error() string { return p.Reason }

// Queue describes deliveries of one kind. The functions may be called concurrently.
type Queue[D any] struct {
	Name  string // in the log, such as "web hooks"
	Table *Table[D]

	Calls     int // maximum number of concurrent calls of a node
	Receivers int // maximum number of receivers that a node calls concurrently

	// Prepare, if set, starts each round of a node. If serve is false, the round ends there. more
	// reports that another round should follow at once.
	Prepare func(ctx context.Context) (serve, more bool, err error)

	// Due returns the receivers to be called now, in the order of their keys. It leaves out those
	// that are switched off: their deliveries stay due.
	Due func(ctx context.Context) ([]Recipient[D], error)

	// Settle, if set, stores an outcome in place of Table.Settle, which it calls. It must return nil
	// if the claim is lost.
	Settle func(tx *db.Tx, d *D, o outbound.Outcome) error

	// CountInterrupted also counts the attempts that a shutdown interrupts. It is for calls that may
	// have had an effect although no response came.
	CountInterrupted bool
}

// Progress is the state of a delivery. It is embedded in the type of what is sent.
type Progress struct {
	State       string // one of the states of the table
	Attempts    int    // started, including one that is in progress
	CreatedAt   time.Time
	DueAt       time.Time // of the next attempt, or when the claim expires; zero when there is none
	AttemptedAt time.Time // end of the last attempt
	Status      int       // of the last response, 0 without one
	Error       string    // of the last attempt, empty after a success
	FinishedAt  time.Time // zero while there are attempts to come
}

// Row returns a row of a table with the columns of its own and those of the progress.
func (p *Progress) Row(own ...any) db.Row {
	return append(own, "state", &p.State, "attempts", &p.Attempts, "created_at", db.Time(&p.CreatedAt),
		"due_at", db.Time(&p.DueAt), "attempted_at", db.Time(&p.AttemptedAt), "status", &p.Status, "error", &p.Error,
		"finished_at", db.Time(&p.FinishedAt))
}

// Finished reports whether no attempt will follow.
func (p *Progress) Finished() bool { return !p.FinishedAt.IsZero() }

// end records the outcome of the attempt in progress. accepted and failed are the final states.
func (p *Progress) end(o outbound.Outcome, now time.Time, accepted, failed string) {
	p.Status, p.Error, p.AttemptedAt = o.Status, o.Problem, now
	pause, again := Pause(p.Attempts, Random(), o.RetryAfter)
	switch {
	case o.OK():
		p.finish(accepted, now)
	case o.Hopeless || !again:
		p.finish(failed, now)
	default:
		p.DueAt = now.Add(pause)
	}
}

func (p *Progress) finish(state string, now time.Time) {
	p.State, p.DueAt, p.FinishedAt = state, time.Time{}, now
}
