package web

import (
	"crypto/sha256"
	"errors"
	"io"

	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// Hold discards what was written of the response and keeps what follows in memory until Release, so that another
// response can still replace it.
func (r *Request) Hold() {
	r.response.restart()
	r.response.whole = true
}

// Held returns the response that is held, with status 0 if there is none.
func (r *Request) Held() (status int, body []byte) { return r.response.status, r.response.held }

// Release sends the response that is held.
func (r *Request) Release() {
	w := &r.response
	w.whole = false
	if body := w.held; len(body) > 0 && !w.begun {
		w.held = nil
		_ = r.write(body) // an error means that the client is gone
	}
}

// sum adds bytes of the body to its hash, for requests with an Idempotency-Key.
func (r *Request) sum(read []byte) {
	if r.Header["Idempotency-Key"] == nil {
		return
	}
	if r.bodySum == nil {
		r.bodySum = sha256.New()
	}
	r.bodySum.Write(read)
}

// BodySum reads the body to its end and returns the hash of its bytes. The request must have the header
// Idempotency-Key: the body of other requests is not hashed while it is read.
func (r *Request) BodySum() (string, error) {
	_, _ = r.Body() // the handler that reads it gets the error
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
