package web

import (
	"context"
	"io"
	"net/http"
	"time"

	"punchcard/platform/form"
)

// upload is a body of any length that is read as it arrives.
type upload struct {
	of      *Request
	left    int64       // bytes that may still come
	stalled *time.Timer // ends the context of the request
}

// IsUpload reports whether the body is too large for Body, and is to be read by Upload.
func (r *Request) IsUpload() bool {
	return carriesBody(r.Method) && r.ContentLength > form.MaxBodyBytes
}

// Upload returns the body as it arrives, for a route with UploadBytes. It is not kept in memory. The client must keep
// BodyPace, and the context of the request ends when RequestTimeout passes without a read.
func (r *Request) Upload() io.Reader {
	ctx, cancel := context.WithCancel(r.response.request.Context())
	r.Request = r.WithContext(ctx)
	r.upload = &upload{of: r, left: r.endpoint.UploadBytes, stalled: time.AfterFunc(r.handler.RequestTimeout, cancel)}
	return r.upload
}

// Read reads the next bytes, and restarts the time limit of the request.
func (u *upload) Read(p []byte) (int, error) {
	patience := u.of.handler.RequestTimeout
	u.stalled.Reset(patience + BodyPatience)
	n, err := pacedBody{u.of}.Read(p)
	u.of.sum(p[:n])
	if u.left -= int64(n); u.left < 0 {
		return 0, form.ErrTooLarge
	}
	u.stalled.Reset(patience)
	// A writer without deadlines is no connection, and needs none.
	_ = http.NewResponseController(u.of.response.ResponseWriter).SetWriteDeadline(time.Now().Add(2 * patience))
	return n, err
}

// UploadSum returns the hash of the bytes that were read by Upload. The request must have the header Idempotency-Key.
func (r *Request) UploadSum() string {
	r.sum(nil)
	return string(r.bodySum.Sum(nil))
}
