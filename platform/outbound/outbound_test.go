package outbound_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"punchcard/platform/outbound"
)

var noon = time.Date(2031, 4, 17, 12, 0, 0, 0, time.UTC)

func client(t *testing.T, change func(*outbound.Config)) *outbound.Client {
	t.Helper()
	config := outbound.Config{Reach: outbound.Loopback, Agent: "Punchcard/test", Clock: func() time.Time { return noon }}
	if change != nil {
		change(&config)
	}
	c := outbound.NewClient(config)
	t.Cleanup(c.Close)
	return c
}

func receiver(t *testing.T, answer http.HandlerFunc) (address string) {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	return server.URL
}

func TestDo(t *testing.T) {
	var got *http.Request
	var body []byte
	address := receiver(t, func(w http.ResponseWriter, r *http.Request) {
		got = r
		body, _ = io.ReadAll(r.Body)
		w.Header().Set("Retry-After", "120")
		w.WriteHeader(http.StatusAccepted)
		_, _ = io.WriteString(w, "taken")
	})
	answer, err := client(t, nil).Do(t.Context(), outbound.Call{
		URL: address + "/hook?key=1", Header: http.Header{"X-Key": {"value"}}, Body: []byte(`{"a":1}`),
	})
	if err != nil {
		t.Fatal(err)
	}
	if !answer.OK() || answer.Status != 202 || string(answer.Body) != "taken" || answer.RetryAfter != 2*time.Minute {
		t.Errorf("answer %+v", answer)
	}
	if got.Method != "POST" || got.URL.String() != "/hook?key=1" || string(body) != `{"a":1}` ||
		got.Header.Get("X-Key") != "value" || got.Header.Get("Content-Type") != "application/json" ||
		got.UserAgent() != "Punchcard/test" {
		t.Errorf("request %s %s %v %s", got.Method, got.URL, got.Header, body)
	}
}

func TestRedirectsAreAnswers(t *testing.T) {
	var followed atomic.Bool
	address := receiver(t, func(w http.ResponseWriter, r *http.Request) {
		followed.Store(followed.Load() || r.URL.Path == "/elsewhere")
		http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
	})
	answer, err := client(t, nil).Do(t.Context(), outbound.Call{URL: address})
	if err != nil || answer.Status != 307 || answer.OK() || followed.Load() {
		t.Errorf("%+v, %v, followed: %t", answer, err, followed.Load())
	}
}

func TestLimitsOfAnAnswer(t *testing.T) {
	release := make(chan struct{})
	address := receiver(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/long":
			_, _ = w.Write(make([]byte, outbound.MaxAnswerBytes+1000))
		case "/half": // the status arrives, the body never ends
			w.WriteHeader(http.StatusOK)
			_, _ = io.WriteString(w, "half")
			_ = http.NewResponseController(w).Flush()
			<-release
		default:
			<-release
		}
	})
	t.Cleanup(func() { close(release) })
	c := client(t, func(c *outbound.Config) { c.Timeout = 300 * time.Millisecond })
	if answer, err := c.Do(t.Context(), outbound.Call{URL: address + "/long"}); err != nil ||
		len(answer.Body) != outbound.MaxAnswerBytes {
		t.Errorf("a long body: %v", err)
	}
	if answer, err := c.Do(t.Context(), outbound.Call{URL: address + "/half"}); err != nil ||
		answer.Status != 200 || string(answer.Body) != "half" {
		t.Errorf("half a body: %+v, %v", answer, err)
	}
	if _, err := c.Do(t.Context(), outbound.Call{URL: address}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("no answer: %v", err)
	}
}

// Errors never contain the address, because its query may be a secret.
func TestErrorsHideTheAddress(t *testing.T) {
	closed := httptest.NewServer(nil)
	closed.Close()
	for _, address := range []string{closed.URL + "/?key=secret", "http://secret.invalid/", "secret://", ""} {
		_, err := client(t, nil).Do(t.Context(), outbound.Call{URL: address})
		if err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"":                              0,
		"0":                             0,
		"-5":                            0,
		"soon":                          0,
		"90":                            90 * time.Second,
		"99999999999999":                outbound.MaxRetryAfter,
		"Thu, 17 Apr 2031 12:10:00 GMT": 10 * time.Minute,
		"Thu, 17 Apr 2031 11:00:00 GMT": 0,
		"Thu, 17 Apr 2042 12:00:00 GMT": outbound.MaxRetryAfter,
	} {
		address := receiver(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", text)
			w.WriteHeader(http.StatusServiceUnavailable)
		})
		answer, err := client(t, nil).Do(t.Context(), outbound.Call{URL: address})
		if err != nil || answer.RetryAfter != want {
			t.Errorf("%q: %+v, %v", text, answer, err)
		}
	}
}

func TestRefused(t *testing.T) {
	for status, want := range map[int]bool{
		200: false, 302: false, 399: false, 400: true, 401: true, 404: true, 408: false, 409: true, 410: true, 422: true,
		425: false, 429: false, 499: true, 500: false, 503: false,
	} {
		if answer := (&outbound.Response{Status: status}); answer.Refused() != want {
			t.Errorf("%d: %t", status, !want)
		}
	}
}

// The example of the specification.
func TestSignatureOfTheSpecification(t *testing.T) {
	header, err := outbound.Sign("msg_p5jXN8AQM9LWM0D4loKWxJek", time.Unix(1614265330, 0),
		[]byte(`{"test": 2432232314}`), "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	if err != nil {
		t.Fatal(err)
	}
	if got := header.Get("webhook-signature"); got != "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=" {
		t.Errorf("signature %s", got)
	}
	if got := header.Get("webhook-timestamp"); got != "1614265330" {
		t.Errorf("timestamp %s", got)
	}
}

func TestSecretsThatAreNone(t *testing.T) {
	for _, secret := range []string{"", "whsec_", "whsec_*", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"} {
		if _, err := outbound.Sign("1", noon, nil, secret); !errors.Is(err, outbound.ErrSecret) {
			t.Errorf("%q: %v", secret, err)
		}
	}
}
