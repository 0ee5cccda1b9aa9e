// Package fault holds the one error type that clients see. Every other error is a defect: it is logged with its
// request id and sent as a plain 500.
package fault

import (
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"
)

// Kind classifies an Error. The web layer maps each kind to a status and a body, in one table:
// docs/behaviour/requests.md#errors.
type Kind int

// The kinds, with their status.
const (
	Internal           Kind = iota // 500: a defect
	Invalid                        // 400: a malformed request
	Refused                        // 400: a rule of a feature refuses
	Fields                         // 400: field errors; also the kind of the error of one field
	Inactive                       // 400: the account exists but is not active
	Unauthenticated                // 401
	UnknownKey                     // 403: an unknown permanent token
	Forbidden                      // 403
	NotFound                       // 404
	MethodNotAllowed               // 405, with an Allow header
	Conflict                       // 409, with Retry-After if there is a pause
	PreconditionFailed             // 412
	TooLarge                       // 413
	URITooLong                     // 414
	UnsupportedMedia               // 415
	Unprocessable                  // 422
	Limited                        // 429, with Retry-After
	Unavailable                    // 503, with Retry-After
)

// kindNames are the kinds by name, as stored responses have them.
var kindNames = [...]string{
	Internal: "internal", Invalid: "invalid", Refused: "refused", Fields: "fields", Inactive: "inactive",
	Unauthenticated: "unauthenticated", UnknownKey: "unknown_key", Forbidden: "forbidden", NotFound: "not_found",
	MethodNotAllowed: "method_not_allowed", Conflict: "conflict",
	PreconditionFailed: "precondition_failed", TooLarge: "too_large", URITooLong: "uri_too_long",
	UnsupportedMedia: "unsupported_media", Unprocessable: "unprocessable", Limited: "limited",
	Unavailable: "unavailable",
}

// MarshalText returns the name of the kind.
func (k Kind) MarshalText() ([]byte, error) { return []byte(kindNames[k]), nil }

// UnmarshalText reads what MarshalText returns.
func (k *Kind) UnmarshalText(name []byte) error {
	i := slices.Index(kindNames[:], string(name))
	if i < 0 {
		return fmt.Errorf("fault: unknown kind %q", name)
	}
	*k = Kind(i)
	return nil
}

// Error is a failure that the client may see. Errors are declared beside the type they guard and compared with
// errors.Is, which compares their codes.
type Error struct {
	Kind    Kind
	Code    string // identifies the error for programs; never changes. docs/errors.md lists all codes
	Message string // sent to the client; empty means the reason phrase of the status
	Detail  any    // the error tree of a form, otherwise nil

	// Explanation is JSON that tells clients that read problem details which rules were checked; nil for none.
	Explanation json.RawMessage

	// Missing tells clients that read problem details which right a caller with credentials lacks; nil for none.
	Missing *Missing

	RetryAfter time.Duration // of Limited, Unavailable and Conflict; sent in whole seconds, rounded up
	Setting    string        // flag that moves the limit that was exceeded; sent as a response header
	cause      error         // logged, never sent
}

// Missing names the right that a caller lacks for a call.
type Missing struct {
	What       string   `json:"missing"`              // permission, role, store, log_in or active_account
	Permission string   `json:"permission,omitempty"` // such as CUSTOMER MODIFY
	Roles      []string `json:"roles,omitempty"`      // any of them
}

// New returns an error with a code in snake case and a message for the client.
func New(kind Kind, code, message string) *Error {
	return &Error{Kind: kind, Code: code, Message: message}
}

// With returns a copy whose message is formatted with the values, as by fmt.Sprintf.
func (e *Error) With(values ...any) *Error {
	copied := *e
	copied.Message = fmt.Sprintf(e.Message, values...)
	return &copied
}

// WithCause returns a copy that keeps cause for the log.
func (e *Error) WithCause(cause error) *Error {
	copied := *e
	copied.cause = cause
	return &copied
}

// After returns a copy that tells the client to retry after the pause.
func (e *Error) After(pause time.Duration) *Error {
	copied := *e
	copied.RetryAfter = pause
	return &copied
}

// WithExplanation returns a copy that tells which rules were checked.
func (e *Error) WithExplanation(rules json.RawMessage) *Error {
	copied := *e
	copied.Explanation = rules
	return &copied
}

// Lacking returns a copy that names the right which the caller lacks.
func (e *Error) Lacking(m Missing) *Error {
	copied := *e
	copied.Missing = &m
	return &copied
}

// WithSetting returns a copy that names the flag that moves the limit that was exceeded.
func (e *Error) WithSetting(flag string) *Error {
	copied := *e
	copied.Setting = flag
	return &copied
}

// Error returns a text for the log.
func (e *Error) Error() string {
	switch {
	case e.cause != nil && e.Message != "":
		return fmt.Sprintf("%s: %v", e.Message, e.cause)
	case e.cause != nil:
		return e.cause.Error()
	case e.Message != "":
		return e.Message
	}
	return e.Code
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.cause }

// Is makes errors.Is compare codes, so that a copy equals the error it was made from.
func (e *Error) Is(target error) bool {
	other, ok := target.(*Error)
	return ok && e.Code == other.Code
}

// KindOf returns the kind of err, Internal for any error that is not an Error.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return Internal
}

// PanicText describes a recovered panic for the log: the text of a runtime error, and only the type of any other value,
// because the value may hold what a client sent.
func PanicText(recovered any) string {
	if known, ok := recovered.(runtime.Error); ok {
		return known.Error()
	}
	return fmt.Sprintf("%T", recovered)
}

// The errors that any endpoint may return.
var (
	ErrInvalid   = New(Invalid, "bad_request", "")
	ErrForbidden = New(Forbidden, "forbidden", "")
	ErrNotFound  = New(NotFound, "not_found", "")
	ErrBusy      = New(Unavailable, "server_busy", "").After(time.Second)
)
