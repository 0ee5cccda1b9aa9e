package web

import (
	"net/http"
	"time"
)

// The limits of the pace of a body. A client that sends byte by byte would otherwise occupy one of the requests in
// flight for all of ReadTimeout.
const (
	BodyPatience = 10 * time.Second // for the next byte, and in total for what is slower than BodyPace
	BodyPace     = 64 << 10         // bytes a second
)

// pacedBody reads the body as long as the client keeps the pace. Its counters are in the request.
type pacedBody struct{ of *Request }

func (b pacedBody) Read(p []byte) (int, error) {
	r := b.of
	if !r.bodyWanted {
		r.bodyWanted, r.bodyStarted = true, time.Now()
	}
	r.hurry()
	n, err := r.Request.Body.Read(p)
	r.bodyReceived += int64(n)
	if err != nil && r.from != nil {
		r.from.expectResponse()
	}
	return n, err
}

// expectBody sets the time limit of a body that the handler may not read: net/http waits for it before it sends the
// response.
func (r *Request) expectBody() {
	if r.ContentLength != 0 {
		r.bodyStarted = time.Now()
		r.hurry()
		if from, is := r.Context().Value(connectionKey{}).(*connection); is {
			r.from = from
			from.unread.Store(true)
		}
	}
}

// hurry sets the deadline for the next part of the body.
func (r *Request) hurry() {
	total := BodyPatience + time.Duration(r.bodyReceived/BodyPace)*time.Second
	server, is := r.Context().Value(http.ServerContextKey).(*http.Server)
	if is && server.ReadTimeout > 0 && r.upload == nil {
		total = min(total, server.ReadTimeout)
	}
	now := time.Now()
	due := r.bodyStarted.Add(min(total, now.Sub(r.bodyStarted)+BodyPatience))
	if due.Sub(r.bodyDue) > paceStep {
		r.bodyDue = due
		// A writer without deadlines is no connection, and needs none.
		_ = http.NewResponseController(r.response.ResponseWriter).SetReadDeadline(due)
	}
}

// paceStep is the smallest change of the deadline, so that a body in many pieces does not set as many deadlines.
const paceStep = 100 * time.Millisecond
