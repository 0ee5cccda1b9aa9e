package outbound_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"punchcard/platform/outbound"
)

func TestTry(t *testing.T) {
	status := http.StatusOK
	address := receiver(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(status)
	})
	for _, c := range []struct {
		status        int
		problem       string
		refused, gone bool
	}{
		{204, "", false, false}, {503, "the gateway answered 503", false, false},
		{422, "the gateway answered 422", true, false}, {410, "the gateway answered 410", true, true},
	} {
		status = c.status
		got := client(t, nil).Try(t.Context(), outbound.Call{URL: address}, "gateway")
		want := outbound.Outcome{
			Status: c.status, RetryAfter: 7 * time.Second, Problem: c.problem, Refused: c.refused, Gone: c.gone,
		}
		if got != want || got.OK() != (c.problem == "") {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
}

// A response that is not HTTP is quoted in the error, cut off between characters.
func TestTryOfGarbage(t *testing.T) {
	for _, said := range []string{strings.Repeat("ż", 600), "a" + strings.Repeat("ż", 600)} {
		address := receiver(t, func(w http.ResponseWriter, _ *http.Request) {
			connection, _, err := http.NewResponseController(w).Hijack()
			if err == nil {
				_, err = io.WriteString(connection, said+"\r\n\r\n")
				err = errors.Join(err, connection.Close())
			}
			if err != nil {
				t.Error(err)
			}
		})
		got := client(t, nil).Try(t.Context(), outbound.Call{URL: address}, "gateway")
		if got.Status != 0 || got.OK() || !utf8.ValidString(got.Problem) ||
			len(got.Problem) > 500 || len(got.Problem) < 490 {
			t.Errorf("%d bytes: %+v", len(got.Problem), got)
		}
	}
}
