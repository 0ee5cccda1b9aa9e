package simulator_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"punchcard/loyalty/cashback/simulator"
	"punchcard/platform/outbound"
)

const message = `{"type":"cashback","requestGuid":"r","orderId":"c_d","amount":AMOUNT,"currency":"EUR",` +
	`"metadata":{"storeCode":"SHOP"}}`

func TestProvider(t *testing.T) {
	noon := func() time.Time { return time.Date(2031, 5, 1, 12, 0, 0, 0, time.UTC) }
	right, callbackSecret := outbound.NewSecret(), outbound.NewSecret()
	for name, c := range map[string]struct {
		body      string
		secret    string // that signs the message
		platform  int    // status of the platform's answer
		rejectAll bool

		status int
		word   string // of the callback; none when empty
	}{
		"paid":                  {strings.Replace(message, "AMOUNT", "10.5", 1), right, 200, false, 202, "SUCCESS"},
		"rejected by amount":    {strings.Replace(message, "AMOUNT", "0.13", 1), right, 200, false, 202, "REJECTED"},
		"not quite":             {strings.Replace(message, "AMOUNT", "13", 1), right, 200, false, 202, "SUCCESS"},
		"rejected":              {strings.Replace(message, "AMOUNT", "10.5", 1), right, 200, true, 202, "REJECTED"},
		"the platform is down":  {strings.Replace(message, "AMOUNT", "10.5", 1), right, 503, false, 202, "SUCCESS"},
		"signed by a stranger":  {strings.Replace(message, "AMOUNT", "1", 1), callbackSecret, 200, false, 401, ""},
		"signed, but no JSON":   {"hello", right, 200, false, 422, ""},
		"signed, but no order":  {`{"requestGuid":"r"}`, right, 200, false, 422, ""},
		"signed, but very long": {strings.Repeat("x", 1<<20), right, 200, false, 400, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var called []string
			platform := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				content := r.Header.Get("Content")
				var said struct{ OrderID, RequestGUID, Status, StatusCode string }
				if err := json.Unmarshal([]byte(content), &said); err != nil || said.OrderID != "c_d" || said.RequestGUID != "r" ||
					said.Status != said.StatusCode || r.URL.Path != "/api/SHOP/campaign/cashback/callback/payprovider" ||
					r.Header.Get("X-Auth-Token") != "key" ||
					!outbound.Verify(r.Header, []byte(content), noon(), callbackSecret) {
					t.Errorf("%s %v: %s, %v", r.URL, r.Header, content, err)
				}
				called = append(called, said.Status)
				w.WriteHeader(c.platform)
			}))
			defer platform.Close()
			client := outbound.NewClient(outbound.Config{Reach: outbound.Loopback, Agent: "test", Clock: noon})
			defer client.Close()
			got := make(chan error, 1)
			provider := httptest.NewServer(&simulator.Provider{
				Server: platform.URL, Key: "key", Secret: right, CallbackSecret: callbackSecret, RejectAll: c.rejectAll,
				Client: client, Clock: noon, NewID: func() string { return "id" },
				Report: func(_ simulator.Order, err error) { got <- err },
			})
			defer provider.Close()
			header, err := outbound.Sign("r", noon(), []byte(c.body), c.secret)
			if err != nil {
				t.Fatal(err)
			}
			answer, err := client.Do(t.Context(), outbound.Call{URL: provider.URL, Header: header, Body: []byte(c.body)})
			if err != nil && !errors.Is(err, io.EOF) || err == nil && answer.Status != c.status {
				t.Fatalf("%+v, %v", answer, err)
			}
			if c.word == "" {
				provider.Close() // waits for what it does
				if len(called) != 0 {
					t.Errorf("called back: %v", called)
				}
				return
			}
			if err := <-got; (err == nil) != (c.platform == 200) {
				t.Errorf("got %v", err)
			}
			if len(called) != 1 || called[0] != c.word {
				t.Errorf("called back %v, want %s", called, c.word)
			}
		})
	}
}
