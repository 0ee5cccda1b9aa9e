package web

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"punchcard/platform/fault"
)

// LimitSetting is the response header that names the setting of the limit that a request reached.
const LimitSetting = "Limit-Setting"

// statusClientGone marks, in the log only, a request whose client left before the answer.
const statusClientGone = 499

var (
	errInternal         = fault.New(fault.Internal, "internal_error", "")
	errMethodNotAllowed = fault.New(fault.MethodNotAllowed, "method_not_allowed", "")
	errURITooLong       = fault.New(fault.URITooLong, "uri_too_long", "")
	errTimeout          = fault.New(fault.Unavailable, "request_timeout", "").After(time.Second)
)

// shape makes the body of a fault.
type shape func(status int, e *fault.Error) any

// answers maps each kind of fault to its status and the shape of its body.
var answers = [...]struct {
	status int
	shape  shape
}{
	fault.Internal:         {http.StatusInternalServerError, codedShape},
	fault.Invalid:          {http.StatusBadRequest, codedShape},
	fault.Refused:          {http.StatusBadRequest, textShape},
	fault.Fields:           {http.StatusBadRequest, detailShape},
	fault.Inactive:         {http.StatusBadRequest, messageShape},
	fault.Unauthenticated:  {http.StatusUnauthorized, codedMessageShape},
	fault.UnknownKey:       {http.StatusForbidden, messageShape},
	fault.Forbidden:        {http.StatusForbidden, codedShape},
	fault.NotFound:         {http.StatusNotFound, codedShape},
	fault.MethodNotAllowed: {http.StatusMethodNotAllowed, codedShape},
	fault.Conflict:         {http.StatusConflict, codedShape},
	fault.TooLarge:         {http.StatusRequestEntityTooLarge, codedShape},
	fault.URITooLong:       {http.StatusRequestURITooLong, codedShape},
	fault.UnsupportedMedia: {http.StatusUnsupportedMediaType, codedShape},
	fault.Unprocessable:    {http.StatusUnprocessableEntity, codedShape},
	fault.Limited:          {http.StatusTooManyRequests, codedShape},
	fault.Unavailable:      {http.StatusServiceUnavailable, codedShape},
}

type codedMessage struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// codedShape is E1.
func codedShape(status int, e *fault.Error) any {
	return map[string]codedMessage{"error": {status, message(status, e)}}
}

// textShape is E2.
func textShape(status int, e *fault.Error) any {
	return map[string]string{"error": message(status, e)}
}

// detailShape is E3: the fault brings its own tree.
func detailShape(status int, e *fault.Error) any {
	if e.Detail == nil {
		return codedShape(status, e)
	}
	return e.Detail
}

// messageShape is E4.
func messageShape(status int, e *fault.Error) any {
	return map[string]string{"message": message(status, e)}
}

// codedMessageShape is E4 with the status beside the text.
func codedMessageShape(status int, e *fault.Error) any {
	return codedMessage{status, message(status, e)}
}

func message(status int, e *fault.Error) string {
	if e.Message == "" || e.Kind == fault.Internal {
		return http.StatusText(status)
	}
	return e.Message
}

// fail answers with err instead of what the handler began. Where that is impossible, because a part is sent
// or nobody listens, the connection is cut: a client must never take half an answer for a whole one.
func (r *Request) fail(err error) {
	known, isFault := errors.AsType[*fault.Error](err)
	isFault = isFault && known.Kind != fault.Internal
	if !isFault && r.response.asked.Context().Err() != nil {
		if !errors.Is(err, context.Canceled) {
			r.Log().Info("the client left", "error", err)
		}
		r.response.status = statusClientGone
		r.cut = true
		return
	}
	switch {
	case isFault:
		if errors.Unwrap(known) != nil {
			r.Log().Info("the request was refused", "error", err)
		}
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		r.Log().Warn("the request ran out of time", "error", err)
		known = errTimeout
	default:
		r.Log().Error("the request failed", "error", err)
		known = errInternal
	}
	if r.response.begun {
		r.Log().Warn("the answer was cut short", slog.Int("status", r.response.status))
		r.cut = true
		return
	}
	r.response.restart()
	r.handler.secure(r.ResponseHeader())
	if known.Kind != fault.Unavailable {
		r.discardBody()
	}
	r.answerFault(known)
}

func (r *Request) answerFault(e *fault.Error) {
	if e.Kind < 0 || int(e.Kind) >= len(answers) {
		r.Log().Error("unknown kind of fault", slog.Int("kind", int(e.Kind)))
		e = errInternal
	}
	header := r.ResponseHeader()
	if e.Setting != "" {
		header[LimitSetting] = []string{e.Setting}
	}
	switch e.Kind {
	case fault.Unauthenticated:
		header["Www-Authenticate"] = []string{"Bearer"}
	case fault.MethodNotAllowed:
		header["Allow"] = []string{r.handler.methodsOf(r).String()}
	case fault.Limited, fault.Unavailable:
		header["Retry-After"] = []string{retryAfter(e.RetryAfter)}
	case fault.Conflict:
		if e.RetryAfter > 0 {
			header["Retry-After"] = []string{retryAfter(e.RetryAfter)}
		}
	case fault.TooLarge:
		header["Connection"] = []string{"close"} // what is left of the body is not read
	}
	answer := answers[e.Kind]
	err := r.JSON(answer.status, answer.shape(answer.status, e))
	switch {
	case err == nil:
	case r.response.begun:
		r.cut = true // the client left meanwhile
	default:
		r.Log().Error("the detail of a fault has no JSON form", "error", err)
		r.answerFault(errInternal)
	}
}

// retryAfter is the pause in whole seconds, rounded up, 1 at least.
func retryAfter(pause time.Duration) string {
	return strconv.FormatInt(max(1, int64((pause+time.Second-1)/time.Second)), 10)
}
