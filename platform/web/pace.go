package web

import (
	"net/http"
	"time"
)

// The pace of a body. Who sends byte by byte would otherwise hold one of the requests in flight for all of ReadTimeout.
const (
	BodyPatience = 10 * time.Second // for the next byte, and for all of what comes slower than BodyPace
	BodyPace     = 64 << 10         // bytes a second
)

// pacedBody reads the body as long as it comes at its pace. What it counts is kept by the request.
type pacedBody struct{ of *Request }

func (b pacedBody) Read(p []byte) (int, error) {
	r := b.of
	if !r.bodyAsked {
		r.bodyAsked, r.bodyFrom = true, time.Now()
	}
	r.hurry()
	n, err := r.Request.Body.Read(p)
	r.bodyCame += int64(n)
	if err != nil && r.from != nil {
		r.from.expectAnswer()
	}
	return n, err
}

// expectBody gives a body that nobody may ask for its time: net/http waits for it before it sends the answer.
func (r *Request) expectBody() {
	if r.ContentLength != 0 {
		r.bodyFrom = time.Now()
		r.hurry()
		if from, is := r.Context().Value(connectionKey{}).(*connection); is {
			r.from = from
			from.unread.Store(true)
		}
	}
}

// hurry sets the moment at which the client must have sent the next part.
func (r *Request) hurry() {
	total := BodyPatience + time.Duration(r.bodyCame/BodyPace)*time.Second
	if server, is := r.Context().Value(http.ServerContextKey).(*http.Server); is && server.ReadTimeout > 0 {
		total = min(total, server.ReadTimeout)
	}
	now := time.Now()
	due := r.bodyFrom.Add(min(total, now.Sub(r.bodyFrom)+BodyPatience))
	if due.Sub(r.bodyDue) > paceStep {
		r.bodyDue = due
		// What takes no deadline is no connection, and keeps nobody waiting.
		_ = http.NewResponseController(r.response.ResponseWriter).SetReadDeadline(due)
	}
}

// paceStep keeps a body in many pieces from setting as many deadlines.
const paceStep = 100 * time.Millisecond
