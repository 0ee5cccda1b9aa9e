package web

import (
	"crypto/sha256"
	"errors"
	"io"

	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// Hold keeps the answer back until Release, so that another may still take its place, and forgets what was answered so
// far. A stream would be held in memory whole.
func (r *Request) Hold() {
	r.response.restart()
	r.response.whole = true
}

// Held is the answer that is held: 0 while there is none.
func (r *Request) Held() (status int, body []byte) { return r.response.status, r.response.held }

// Release lets the answer that was held go.
func (r *Request) Release() {
	w := &r.response
	w.whole = false
	if body := w.held; len(body) > 0 && !w.begun {
		w.held = nil
		_, _ = w.Write(body) // a failed write means that the client is gone
	}
}

// sum adds what was read of the body to its hash, for requests that can be sent again.
func (r *Request) sum(read []byte) {
	if r.Header["Idempotency-Key"] == nil {
		return
	}
	if r.bodySum == nil {
		r.bodySum = sha256.New()
	}
	r.bodySum.Write(read)
}

// BodySum is a hash of the body as it came, which is read to its end for it. It is for requests with the header
// Idempotency-Key: of others the body is not hashed while it is read.
func (r *Request) BodySum() (string, error) {
	_, _ = r.Body() // an error in it is reported to the handler that reads it
	rest := int64(form.MaxBodyBytes) + 1 - r.bodyBytes
	if _, err := io.Copy(io.Discard, io.LimitReader(bodyReader{r}, rest)); err != nil {
		if known, is := errors.AsType[*fault.Error](err); is {
			return "", known
		}
		return "", form.ErrMalformed.WithCause(err)
	}
	if r.bodyBytes > form.MaxBodyBytes {
		return "", form.ErrTooLarge
	}
	r.sum(nil)
	return string(r.bodySum.Sum(nil)), nil
}
