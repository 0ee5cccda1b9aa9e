// Package fault holds the one error type that callers of the product see. Every other error is a
// defect: it is logged with its request id and shown as a plain 500.
package fault

import (
	"errors"
	"fmt"
	"runtime"
	"time"
)

// Kind says what sort of failure an Error is. The web layer maps each kind to a status and one of
// the body shapes of errors, in one table: docs/behaviour/requests.md#errors.
type Kind int

// The kinds, with their status and body shape.
const (
	Internal         Kind = iota // 500, E1: a defect of ours
	Invalid                      // 400, E1: malformed request; Message replaces the reason phrase when set
	Refused                      // 400, E2: a rule of the business says no; Message is the whole answer
	Fields                       // 400, E3: field errors; Detail is the error tree
	Inactive                     // 400, E4: the log-in exists but is switched off
	Unauthenticated              // 401, E4 with code
	UnknownKey                   // 403, E4: permanent token not known
	Forbidden                    // 403, E1
	NotFound                     // 404, E1
	MethodNotAllowed             // 405, E1, with an Allow header
	Conflict                     // 409, E1, with Retry-After when there is a pause
	TooLarge                     // 413, E1
	UnsupportedMedia             // 415, E1
	Unprocessable                // 422, E1
	Limited                      // 429, E1, with Retry-After
	Unavailable                  // 503, E1, with Retry-After
)

// Error is a failure that the caller may see. Sentinels are declared beside the type they guard and
// compared with errors.Is; two errors are the same when kind and message are.
type Error struct {
	Kind    Kind
	Message string // shown to the caller; empty means the reason phrase of the status
	Detail  any    // the error tree of Fields, otherwise nil

	RetryAfter time.Duration // for Limited, Unavailable and Conflict; shown in whole seconds, rounded up
	Setting    string        // the flag that changes the limit that was reached; sent as a response header
	cause      error         // logged, never shown
}

// New makes an error of the kind that shows message to the caller.
func New(kind Kind, message string) *Error { return &Error{Kind: kind, Message: message} }

// Wrap makes an error of the kind that hides cause from the caller but keeps it for the log.
func Wrap(kind Kind, message string, cause error) *Error {
	return &Error{Kind: kind, Message: message, cause: cause}
}

// WithCause returns a copy of the error that keeps cause for the log.
func (e *Error) WithCause(cause error) *Error {
	copied := *e
	copied.cause = cause
	return &copied
}

// Retry makes an error that tells the caller to come back after the pause.
func Retry(kind Kind, message string, after time.Duration) *Error {
	return &Error{Kind: kind, Message: message, RetryAfter: after}
}

// Error implements error; it is meant for the log.
func (e *Error) Error() string {
	switch {
	case e.cause == nil:
		return e.Message
	case e.Message == "":
		return e.cause.Error()
	}
	return fmt.Sprintf("%s: %v", e.Message, e.cause)
}

// Unwrap gives the hidden cause to errors.Is and errors.As.
func (e *Error) Unwrap() error { return e.cause }

// Is makes errors.Is compare kind and message, so that a copy with a cause equals its sentinel.
func (e *Error) Is(target error) bool {
	other, ok := target.(*Error)
	return ok && e.Kind == other.Kind && e.Message == other.Message
}

// KindOf returns the kind of err, Internal for any error that is not an Error.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return Internal
}

// PanicText tells the log what a recovered panic was: the words of the runtime, and of any other value its type only,
// because the value may hold what somebody sent.
func PanicText(recovered any) string {
	if known, ok := recovered.(runtime.Error); ok {
		return known.Error()
	}
	return fmt.Sprintf("%T", recovered)
}

// The failures that any endpoint may answer.
var (
	ErrInvalid   = New(Invalid, "")
	ErrForbidden = New(Forbidden, "")
	ErrNotFound  = New(NotFound, "")
)
