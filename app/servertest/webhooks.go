package servertest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

// Webhooks is the path of the subscriptions.
const Webhooks = "/api/DEFAULT/webhook/subscription"

// Arrival is a call at a receiver.
type Arrival struct {
	Header http.Header
	Body   []byte
}

// ListenToCalls is a receiver of web hooks.
func ListenToCalls(t *testing.T) (address string, arrived chan Arrival) {
	t.Helper()
	arrived = make(chan Arrival, 100)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if body, err := io.ReadAll(r.Body); err == nil {
			arrived <- Arrival{r.Header, body}
		}
	}))
	t.Cleanup(receiver.Close)
	return receiver.URL, arrived
}
