package trade_test

import (
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	traces "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"punchcard/app"
	"punchcard/app/servertest"
	"punchcard/platform/db/dbtest"
)

// collectSpans is a collector of traces. The function returns the spans that have arrived, by name.
func collectSpans(t *testing.T) (address string, spans func() map[string][]*traces.Span) {
	t.Helper()
	var mutex sync.Mutex
	arrived := map[string][]*traces.Span{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var request collector.ExportTraceServiceRequest
		if err == nil {
			err = proto.Unmarshal(body, &request)
		}
		if err != nil || r.URL.Path != "/v1/traces" {
			t.Errorf("%s: %v", r.URL.Path, err)
		}
		mutex.Lock()
		defer mutex.Unlock()
		for _, of := range request.ResourceSpans {
			for _, scope := range of.ScopeSpans {
				for _, span := range scope.Spans {
					arrived[span.Name] = append(arrived[span.Name], span)
				}
			}
		}
		w.Header().Set("Content-Type", "application/x-protobuf")
	}))
	t.Cleanup(server.Close)
	return server.URL, func() map[string][]*traces.Span {
		mutex.Lock()
		defer mutex.Unlock()
		return arrived
	}
}

// Requests are parts of the trace that their traceparent names, with their work in the database below them. Receivers
// of web hooks get the trace of the delivery.
func TestTraces(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		address, arrived := servertest.ListenToCalls(t)
		collected, spans := collectSpans(t)
		config := servertest.PlainConfig(servertest.DemoDatabase(t, engine))
		config.Clock, config.AllowPrivateAddresses, config.OTLP = time.Now, true, collected
		base, stop := servertest.RunUntil(t, config, servertest.Log(t))
		admin := servertest.LogInAdmin(t, base)
		admin.Form(servertest.Webhooks, "webhookSubscription[url]="+url.QueryEscape(address)+
			"&webhookSubscription[eventName]=Platform.Domain.User.Event.CustomerWasRegistered")
		makeLevel(admin)
		register(t, admin, "ida")
		const trace, parent = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base+"/api/DEFAULT/level", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+admin.Token)
		request.Header.Set("Traceparent", "00-"+trace+"-"+parent+"-01")
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		customer := servertest.LogIn(t, base, "/api/customer/login_check", "user@example.com", "loyalty")
		_, after, _ := strings.Cut(string(customer.Send("GET", "/api/DEFAULT/customer/campaign/available", "", "").Body),
			`"campaignId":"`)
		campaign, _, _ := strings.Cut(after, `"`)
		customer.Form("/api/DEFAULT/customer/campaign/"+campaign+"/buy", "")
		hook := <-arrived
		stop()
		list := spans()["GET /api/{storeCode}/level"]
		if len(list) != 1 || hex.EncodeToString(list[0].TraceId) != trace ||
			hex.EncodeToString(list[0].ParentSpanId) != parent {
			t.Fatalf("the request is not a part of its trace: %v", list)
		}
		below := false
		for _, read := range spans()["database read"] {
			below = below || string(read.ParentSpanId) == string(list[0].SpanId)
		}
		if !below {
			t.Errorf("no read is a part of the request: %v", spans()["database read"])
		}
		if len(spans()["database write"]) == 0 || len(spans()["database batch"]) == 0 {
			t.Errorf("no writes or batches are traced")
		}
		deliveries := spans()["delivery of web hooks"]
		if len(deliveries) != 1 || !strings.Contains(hook.Header.Get("Traceparent"),
			hex.EncodeToString(deliveries[0].TraceId)+"-"+hex.EncodeToString(deliveries[0].SpanId)) {
			t.Errorf("the receiver gets %q of %v", hook.Header.Get("Traceparent"), deliveries)
		}
	})
}

// Without a collector there are no traces, and calls say nothing of them.
func TestWithoutTraces(t *testing.T) {
	address, arrived := servertest.ListenToCalls(t)
	base := servertest.StartServer(t, "sqlite", func(c *app.Config) { c.Clock, c.AllowPrivateAddresses = time.Now, true })
	admin := servertest.LogInAdmin(t, base)
	admin.Form(servertest.Webhooks, "webhookSubscription[url]="+url.QueryEscape(address)+
		"&webhookSubscription[eventName]=Platform.Domain.User.Event.CustomerWasRegistered")
	makeLevel(admin)
	register(t, admin, "ida")
	if hook := <-arrived; hook.Header.Get("Traceparent") != "" {
		t.Errorf("the receiver gets %q", hook.Header.Get("Traceparent"))
	}
}
