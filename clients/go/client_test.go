package client_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	client "punchcard/clients/go"
)

// shop returns a client of the server that the environment names.
func shop(t *testing.T) *client.Client {
	t.Helper()
	if os.Getenv("PUNCHCARD_URL") == "" {
		t.Fatal("PUNCHCARD_URL and PUNCHCARD_KEY name no server: run go test ./app/tests/clients")
	}
	return &client.Client{URL: os.Getenv("PUNCHCARD_URL"), Token: os.Getenv("PUNCHCARD_KEY"), Store: "DEFAULT"}
}

func TestServer(t *testing.T) {
	c, ctx := shop(t), t.Context()
	body := map[string]any{"pos": map[string]any{"name": "Go", "identifier": "go-1", "location": map[string]any{
		"street": "Quay", "address1": "1", "postal": "0150", "city": "Oslo", "province": "Oslo", "country": "NO"}}}
	call := client.Call{Body: body, IdempotencyKey: "go-client-1"}
	var first, again map[string]any
	call.Into = &first
	if err := c.Do(ctx, "POST", "/api/{store}/pos", call); err != nil {
		t.Fatal(err)
	}
	call.Into = &again
	if err := c.Do(ctx, "POST", "/api/{store}/pos", call); err != nil || again["posId"] != first["posId"] {
		t.Errorf("repeated: %v, %v and %v", err, first, again)
	}
	var refused *client.Error
	err := c.Post(ctx, "/api/{store}/pos", nil, map[string]any{"pos": map[string]any{"name": ""}}, nil)
	if !errors.As(err, &refused) || refused.Status != 400 || len(refused.Errors) == 0 || refused.RequestID == "" {
		t.Errorf("a wrong form: %v, %+v", err, refused)
	}
	found := 0
	for row, err := range client.Pages[map[string]any](ctx, c, "/api/{store}/pos", "pos", client.Params{"perPage": 2}) {
		if err != nil {
			t.Fatal(err)
		}
		if row["identifier"] == "go-1" {
			found++
		}
	}
	if found != 1 {
		t.Errorf("the list has the place %d times", found)
	}
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	var last int64
	for event, err := range c.Events(ctx, 0) {
		if err != nil {
			t.Fatal(err)
		}
		if event.ID <= last || event.Type == "" {
			t.Errorf("event %+v after %d", event, last)
		}
		if last = event.ID; last > 3 {
			break
		}
	}
}

// A refusal for now is repeated after the pause that the server asks for, with the same key.
func TestRepeats(t *testing.T) {
	var keys []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		keys = append(keys, r.Header.Get("Idempotency-Key"))
		if len(keys) == 1 {
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	defer server.Close()
	c := &client.Client{URL: server.URL}
	err := c.Post(t.Context(), "/api/x", nil, nil, nil)
	if err != nil || len(keys) != 2 || keys[0] != keys[1] || keys[0] == "" {
		t.Errorf("%v with the keys %v", err, keys)
	}
}

// The vector of the specification Standard Webhooks.
func TestVerifyWebhook(t *testing.T) {
	const secret, body = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", `{"test": 2432232314}`
	header := http.Header{"Webhook-Id": {"msg_p5jXN8AQM9LWM0D4loKWxJek"}, "Webhook-Timestamp": {"1614265330"},
		"Webhook-Signature": {"v1,AAAA v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="}}
	now := time.Unix(1614265330, 0)
	if _, err := client.VerifyWebhook(secret, header, []byte(body), now); err != nil {
		t.Error(err)
	}
	if _, err := client.VerifyWebhook(secret, header, []byte(body+" "), now); !errors.Is(err, client.ErrWebhookSignature) {
		t.Errorf("a changed body: %v", err)
	}
	now = now.Add(time.Hour)
	if _, err := client.VerifyWebhook(secret, header, []byte(body), now); !errors.Is(err, client.ErrWebhookTime) {
		t.Errorf("an old one: %v", err)
	}
}
