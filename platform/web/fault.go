package web

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"time"

	"punchcard/platform/fault"
)

// LimitSetting is the response header that names the setting of the limit that a request exceeds.
const LimitSetting = "Limit-Setting"

// statusClientGone marks, in the log only, a request whose client left before the response.
const statusClientGone = 499

var (
	errInternal         = fault.New(fault.Internal, "internal_error", "")
	errMethodNotAllowed = fault.New(fault.MethodNotAllowed, "method_not_allowed", "")
	errURITooLong       = fault.New(fault.URITooLong, "uri_too_long", "")
	errTimeout          = fault.New(fault.Unavailable, "request_timeout", "").After(time.Second)
)

// responses maps each kind of error to its status and body.
var responses = [...]struct {
	status int
	body   func(status int, e *fault.Error) any
}{
	fault.Internal:           {http.StatusInternalServerError, errorObject},
	fault.Invalid:            {http.StatusBadRequest, errorObject},
	fault.Refused:            {http.StatusBadRequest, errorText},
	fault.Fields:             {http.StatusBadRequest, errorTree},
	fault.Inactive:           {http.StatusBadRequest, onlyMessage},
	fault.Unauthenticated:    {http.StatusUnauthorized, codeAndMessage},
	fault.UnknownKey:         {http.StatusForbidden, onlyMessage},
	fault.Forbidden:          {http.StatusForbidden, errorObject},
	fault.NotFound:           {http.StatusNotFound, errorObject},
	fault.MethodNotAllowed:   {http.StatusMethodNotAllowed, errorObject},
	fault.Conflict:           {http.StatusConflict, errorObject},
	fault.PreconditionFailed: {http.StatusPreconditionFailed, errorObject},
	fault.TooLarge:           {http.StatusRequestEntityTooLarge, errorObject},
	fault.URITooLong:         {http.StatusRequestURITooLong, errorObject},
	fault.UnsupportedMedia:   {http.StatusUnsupportedMediaType, errorObject},
	fault.Unprocessable:      {http.StatusUnprocessableEntity, errorObject},
	fault.Limited:            {http.StatusTooManyRequests, errorObject},
	fault.Unavailable:        {http.StatusServiceUnavailable, errorObject},
}

// StatusOf returns the status of a kind of error.
func StatusOf(kind fault.Kind) int { return responses[kind].status }

// statusAndMessage is the status as a number beside a text.
type statusAndMessage struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// errorObject is {"error":{"code":404,"message":"Not Found"}}.
func errorObject(status int, e *fault.Error) any {
	return map[string]statusAndMessage{"error": {status, message(status, e)}}
}

// errorText is {"error":"text"}.
func errorText(status int, e *fault.Error) any {
	return map[string]string{"error": message(status, e)}
}

// errorTree is the tree of a form: {"form":{"children":{…}},"errors":[]}.
func errorTree(status int, e *fault.Error) any {
	if e.Detail == nil {
		return errorObject(status, e)
	}
	return e.Detail
}

// onlyMessage is {"message":"text"}.
func onlyMessage(status int, e *fault.Error) any {
	return map[string]string{"message": message(status, e)}
}

// codeAndMessage is {"code":401,"message":"text"}.
func codeAndMessage(status int, e *fault.Error) any {
	return statusAndMessage{status, message(status, e)}
}

func message(status int, e *fault.Error) string {
	if e.Message == "" || e.Kind == fault.Internal {
		return http.StatusText(status)
	}
	return e.Message
}

// fail responds with err instead of what the handler began. If a part is sent already, or the client has left, the
// connection is cut: a client must never take half a response for a whole one.
func (r *Request) fail(err error) {
	known, isFault := errors.AsType[*fault.Error](err)
	isFault = isFault && known.Kind != fault.Internal
	if !isFault && r.response.request.Context().Err() != nil {
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
		r.Log().Warn("the response was cut short", slog.Int("status", r.response.status))
		r.cut = true
		return
	}
	r.response.restart()
	r.handler.secure(r.ResponseHeader())
	if known.Kind != fault.Unavailable {
		r.discardBody()
	}
	r.writeError(known)
}

// writeError writes an error in the form that the client accepts, with the headers of its kind.
func (r *Request) writeError(e *fault.Error) {
	if e.Kind < 0 || int(e.Kind) >= len(responses) {
		r.Log().Error("unknown kind of error", slog.Int("kind", int(e.Kind)))
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
	response := responses[e.Kind]
	var err error
	if acceptsProblem(r.Header["Accept"]) {
		if !slices.Contains(header["Vary"], "Accept") {
			header["Vary"] = append(header["Vary"], "Accept")
		}
		err = r.json(response.status, contentTypeProblem, r.problem(response.status, e))
	} else {
		err = r.JSON(response.status, response.body(response.status, e))
	}
	switch {
	case err == nil:
	case r.response.begun:
		r.cut = true // the client left meanwhile
	default:
		r.Log().Error("the error has no JSON form", "error", err)
		r.writeError(errInternal)
	}
}

// retryAfter returns the pause in whole seconds, rounded up, 1 at least.
func retryAfter(pause time.Duration) string {
	return strconv.FormatInt(max(1, int64((pause+time.Second-1)/time.Second)), 10)
}
