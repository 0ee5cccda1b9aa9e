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

// MinGzipBytes is the size of the smallest body that is compressed. Shorter ones fit one network packet anyway.
const MinGzipBytes = 1400

// gzipWriters is a pool of compressors, which are expensive to create. Level 1 gives most of the gain in the least
// time.
var gzipWriters = sync.Pool{New: func() any {
	writer, err := gzip.NewWriterLevel(io.Discard, gzip.BestSpeed)
	if err != nil {
		panic(err) // the level is a constant of the package
	}
	return writer
}}

// response is the response of a request. It sends nothing before it is known whether the body is compressed, so that an
// error can still replace what a handler began. Compression is part of it rather than a handler around it (such as
// gzhttp), because it holds back the same bytes, and because the ETag of a compressed body becomes a weak one.
type response struct {
	http.ResponseWriter
	request *http.Request
	status  int    // 0 until a handler sets it
	bytes   int64  // of the body, as sent
	begun   bool   // status and headers are sent
	held    []byte // begin of a body that may become long enough to be compressed, or all of it
	whole   bool   // hold all of the body, see Hold
	gzip    *gzip.Writer

	stalled  *time.Timer   // ends the context of a stream; nil if this is none
	patience time.Duration // maximum time between two writes of a stream, and for the client to read one
}

// Unwrap lets http.ResponseController reach the connection.
func (w *response) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader sets the status. Later calls have no effect.
func (w *response) WriteHeader(status int) {
	switch {
	case status < http.StatusOK:
		w.ResponseWriter.WriteHeader(status)
	case w.status == 0:
		w.status = status
	}
}

// Write sends bytes of the body, or holds them until it is known whether the body is compressed.
func (w *response) Write(p []byte) (int, error) {
	w.extend()
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

// extend restarts the time limit of a stream.
func (w *response) extend() {
	if w.stalled != nil {
		w.stalled.Reset(w.patience)
		// A writer without deadlines is no connection, and needs none.
		_ = http.NewResponseController(w.ResponseWriter).SetWriteDeadline(time.Now().Add(w.patience))
	}
}

// hold keeps p and returns true, or begins the response because p decides whether it is compressed.
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

// compressible reports whether the response may be compressed for the client.
func (w *response) compressible() bool {
	header := w.Header()
	return textual(header.Get("Content-Type")) && header.Get("Content-Encoding") == "" &&
		header.Get("Content-Range") == "" && w.status != http.StatusNoContent &&
		w.status != http.StatusNotModified && AcceptsGzip(w.request.Header["Accept-Encoding"])
}

// begin sends status and headers, then the bytes that were held.
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
			header.Set("Etag", "W/"+tag) // equal content in other bytes
		}
		w.gzip = gzipWriters.Get().(*gzip.Writer)
		w.gzip.Reset(sender{w})
	}
	w.begun = true
	w.ResponseWriter.WriteHeader(w.status)
	if len(w.held) > 0 {
		// An error cancels the context of the request and fails all further writes.
		_, _ = w.Write(w.held)
		w.held = nil
	}
}

// FlushError sends what was written, for handlers that stream.
func (w *response) FlushError() error {
	w.extend()
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

// finish completes the response after the handler has returned.
func (w *response) finish() {
	w.extend()
	if !w.begun {
		if len(w.held) > 0 {
			w.Header().Set("Content-Length", strconv.Itoa(len(w.held)))
		}
		w.begin(false)
	}
	if w.gzip != nil {
		// An error means that the client is gone.
		_ = w.gzip.Close()
		gzipWriters.Put(w.gzip)
		w.gzip = nil
	}
}

// restart discards a response of which nothing is sent, so that another can replace it.
func (w *response) restart() {
	w.status, w.held = 0, nil
	for _, name := range [...]string{"Content-Disposition", "Content-Encoding", "Content-Length",
		"Content-Range", "Content-Type", "Etag", "Last-Modified", "Location"} {
		w.Header().Del(name)
	}
}

func (w *response) send(p []byte) (int, error) {
	n, err := w.ResponseWriter.Write(p)
	if w.request.Method != http.MethodHead {
		w.bytes += int64(n)
	}
	return n, err
}

// sender writes compressed bytes.
type sender struct{ *response }

func (s sender) Write(p []byte) (int, error) { return s.send(p) }

// textual reports whether bodies of the type are compressed. Pictures do not shrink, and each stream of events would
// occupy a compressor as long as it lasts.
func textual(contentType string) bool {
	if contentType == "text/event-stream" {
		return false
	}
	return strings.HasPrefix(contentType, "application/json") || contentType == ProblemType ||
		strings.HasPrefix(contentType, "text/") ||
		strings.HasPrefix(contentType, "application/javascript")
}

// AcceptsGzip evaluates Accept-Encoding as RFC 9110 section 12.5.3 says: a weight of 0 refuses, "*" stands for
// codings that are not named, and identity wins only if its weight is higher.
func AcceptsGzip(lines []string) bool {
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

// weight parses q=0.5. A malformed weight is 0.
func weight(parameters string) float64 {
	name, value, _ := strings.Cut(parameters, "=")
	q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if err != nil || !strings.EqualFold(strings.TrimSpace(name), "q") || !(q >= 0 && q <= 1) {
		return 0
	}
	return q
}
