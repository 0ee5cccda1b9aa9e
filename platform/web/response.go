package web

import (
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/gzip"
)

// MinGzipBytes is the smallest body that is compressed: a shorter answer fits one network packet anyway.
const MinGzipBytes = 1400

// gzipWriters keeps compressors, which are costly to make; level 1 gives most of the gain for least time.
var gzipWriters = sync.Pool{New: func() any {
	writer, err := gzip.NewWriterLevel(io.Discard, gzip.BestSpeed)
	if err != nil {
		panic(err) // the level is a constant of the package
	}
	return writer
}}

// response is the answer on its way out. Nothing is sent before the first byte of the body whose fate is known
// (sent as it is, or compressed), so a handler that fails before can still be answered with an error.
type response struct {
	http.ResponseWriter
	asked  *http.Request
	status int    // 0 until a handler chooses one
	bytes  int64  // of the body as sent
	begun  bool   // status and headers are sent
	held   []byte // the start of a body that may become long enough to compress, or all of it
	whole  bool   // all of the body is held, see Hold
	gzip   *gzip.Writer

	stalled  *time.Timer   // ends the context of a stream; nil for what is no stream
	patience time.Duration // from one write of a stream to the next, and for the client to take it
}

// Unwrap lets http.ResponseController reach the connection.
func (w *response) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader chooses the status. The first choice stands.
func (w *response) WriteHeader(status int) {
	switch {
	case status < http.StatusOK:
		w.ResponseWriter.WriteHeader(status)
	case w.status == 0:
		w.status = status
	}
}

// Write sends body bytes, or holds them until it is known whether the body is worth compressing.
func (w *response) Write(p []byte) (int, error) {
	w.putOff()
	if !w.begun {
		if length, held := w.hold(p); held {
			return length, nil
		}
	}
	if w.gzip != nil {
		return w.gzip.Write(p)
	}
	return w.send(p)
}

// putOff gives a stream its time anew.
func (w *response) putOff() {
	if w.stalled != nil {
		w.stalled.Reset(w.patience)
		// What takes no deadline is no connection, and keeps nobody waiting.
		_ = http.NewResponseController(w.ResponseWriter).SetWriteDeadline(time.Now().Add(w.patience))
	}
}

// hold keeps p and says so, or begins the answer because p decides the body's fate.
func (w *response) hold(p []byte) (int, bool) {
	if w.whole {
		w.held = append(w.held, p...)
		return len(p), true
	}
	length, err := strconv.Atoi(w.Header().Get("Content-Length"))
	switch known := err == nil; {
	case known && length < MinGzipBytes, !w.compressible():
		w.begin(false)
	case !known && len(w.held)+len(p) < MinGzipBytes:
		w.held = append(w.held, p...)
		return len(p), true
	default:
		w.begin(true)
	}
	return 0, false
}

// compressible says whether this answer may be compressed for this client.
func (w *response) compressible() bool {
	header := w.Header()
	return textual(header.Get("Content-Type")) && header.Get("Content-Encoding") == "" &&
		header.Get("Content-Range") == "" && w.status != http.StatusNoContent &&
		w.status != http.StatusNotModified && acceptsGzip(w.asked.Header["Accept-Encoding"])
}

// begin sends status and headers, then what was held.
func (w *response) begin(compress bool) {
	header := w.Header()
	if w.status == 0 {
		w.status = http.StatusOK
	}
	if textual(header.Get("Content-Type")) {
		header.Add("Vary", "Accept-Encoding")
	}
	if compress {
		header.Del("Content-Length")
		header["Content-Encoding"] = []string{"gzip"}
		if tag := header.Get("Etag"); strings.HasPrefix(tag, `"`) {
			header.Set("Etag", "W/"+tag) // same content, other bytes
		}
		w.gzip = gzipWriters.Get().(*gzip.Writer)
		w.gzip.Reset(sender{w})
	}
	w.begun = true
	w.ResponseWriter.WriteHeader(w.status)
	if len(w.held) > 0 {
		// A failed write cancels the request's context and fails every later write too.
		_, _ = w.Write(w.held)
		w.held = nil
	}
}

// FlushError sends what was written so far, for handlers that stream.
func (w *response) FlushError() error {
	w.putOff()
	if !w.begun {
		w.begin(w.compressible())
	}
	if w.gzip != nil {
		if err := w.gzip.Flush(); err != nil {
			return err
		}
	}
	return http.NewResponseController(w.ResponseWriter).Flush()
}

// finish completes the answer after the handler is done.
func (w *response) finish() {
	w.putOff()
	if !w.begun {
		if len(w.held) > 0 {
			w.Header().Set("Content-Length", strconv.Itoa(len(w.held)))
		}
		w.begin(false)
	}
	if w.gzip != nil {
		// A failed write means that the client is gone.
		_ = w.gzip.Close()
		gzipWriters.Put(w.gzip)
		w.gzip = nil
	}
}

// restart forgets an answer of which nothing is sent, so that another can take its place.
func (w *response) restart() {
	w.status, w.held = 0, nil
	for _, name := range [...]string{"Content-Disposition", "Content-Encoding", "Content-Length",
		"Content-Range", "Content-Type", "Etag", "Last-Modified", "Location"} {
		w.Header().Del(name)
	}
}

func (w *response) send(p []byte) (int, error) {
	n, err := w.ResponseWriter.Write(p)
	if w.asked.Method != http.MethodHead {
		w.bytes += int64(n)
	}
	return n, err
}

// sender is where compressed bytes go.
type sender struct{ *response }

func (s sender) Write(p []byte) (int, error) { return s.send(p) }

// textual says whether a body of this type shrinks when compressed. Pictures do not, and streams of events would each
// hold a compressor for as long as they last.
func textual(contentType string) bool {
	if contentType == "text/event-stream" {
		return false
	}
	return strings.HasPrefix(contentType, "application/json") || contentType == ProblemType ||
		strings.HasPrefix(contentType, "text/") ||
		strings.HasPrefix(contentType, "application/javascript")
}

// acceptsGzip reads Accept-Encoding as RFC 9110 section 12.5.3 does: a weight of 0 refuses, "*" speaks for
// codings not named, and identity wins only when its weight is higher.
func acceptsGzip(lines []string) bool {
	named, identity, other := -1.0, -1.0, -1.0
	for _, line := range lines {
		for part := range strings.SplitSeq(line, ",") {
			coding, parameters, weighted := strings.Cut(part, ";")
			q := 1.0
			if weighted {
				q = weight(parameters)
			}
			switch strings.ToLower(strings.TrimSpace(coding)) {
			case "gzip", "x-gzip":
				named = q
			case "identity":
				identity = q
			case "*":
				other = q
			}
		}
	}
	if named < 0 {
		named = other
	}
	return named > 0 && named >= identity
}

// weight reads q=0.5; what is malformed weighs nothing.
func weight(parameters string) float64 {
	name, value, _ := strings.Cut(parameters, "=")
	q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if err != nil || !strings.EqualFold(strings.TrimSpace(name), "q") || !(q >= 0 && q <= 1) {
		return 0
	}
	return q
}
