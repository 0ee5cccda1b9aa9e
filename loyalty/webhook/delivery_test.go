package webhook_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"punchcard/loyalty/webhook"
	"punchcard/platform/db"
	"punchcard/platform/delivery"
	"punchcard/platform/outbound"
)

// The Standard Webhooks library verifies what arrives, and the body describes the event.
func TestDelivery(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		r := listen(t, nil)
		s.happens(1, "a before")
		made := s.subscribes(r.url, func(d *webhook.Draft) {
			d.EventNames = []string{"Platform.Domain.User.*"}
			d.Headers = []webhook.Header{{Name: "X-Key", Value: "word"}}
		})
		s.happens(1, "a first")
		s.happens(2, "a foreign")
		s.settle(s.sender())
		r.expect(t, "first")
		got := r.got()[0]
		library, err := standardwebhooks.NewWebhook(made.Secret)
		if err != nil {
			t.Fatal(err)
		}
		if err := library.VerifyIgnoringTimestamp(got.body, got.header); err != nil {
			t.Error(err)
		}
		if at := got.header.Get("webhook-timestamp"); at != fmt.Sprint(s.clock.Now().Unix()) {
			t.Errorf("timestamp %s", at)
		}
		want := `{"type":"Platform.Domain.User.Event.Happened","timestamp":"2031-04-17T14:00:00+02:00",` +
			`"data":{"storeCode":"ONE","eventId":2,"uuid":"a","payload":{"name":"first"}}}`
		if string(got.body) != want {
			t.Errorf("body %s", got.body)
		}
		if id := got.header.Get("webhook-id"); id != made.ID+"_2" || got.header.Get("X-Key") != "word" ||
			got.header.Get("Content-Type") != "application/json" {
			t.Errorf("headers %v", got.header)
		}
		if states := s.states(made); states != "delivered 1" {
			t.Error(states)
		}
	})
}

// With the real clock, the library checks the timestamp too.
func TestDeliveryIsVerifiedInTime(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		s.clock.Set(time.Now())
		r := listen(t, nil)
		made := s.subscribes(r.url, nil)
		s.happens(1, "a now")
		s.settle(s.sender())
		library, err := standardwebhooks.NewWebhook(made.Secret)
		if err != nil {
			t.Fatal(err)
		}
		if err := library.Verify(r.got()[0].body, r.got()[0].header); err != nil {
			t.Error(err)
		}
	})
}

func TestUnsignedDelivery(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		r := listen(t, nil)
		s.subscribes(r.url, func(d *webhook.Draft) { d.Signed = false })
		s.happens(1, "a first")
		s.settle(s.sender())
		header := r.got()[0].header
		if header.Get("webhook-id") == "" || header.Get("webhook-timestamp") == "" ||
			header.Values("webhook-signature") != nil {
			t.Errorf("headers %v", header)
		}
	})
}

func TestNamesThatASubscriptionWants(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		for names, want := range map[string]string{
			"*":                                   "first",
			"Platform.Domain.User.Event.Happened": "first",
			"Platform.Domain.User.Event.Happen*":  "first",
			"Platform.Domain.User.Event.Happen":   "",
			"Platform.Domain.Account.*":           "",
			"Platform.Domain.Account.*,Platform.Domain.User.Event.Happened": "first",
		} {
			r := listen(t, nil)
			made := s.subscribes(r.url, func(d *webhook.Draft) { d.EventNames = strings.Split(names, ",") })
			s.happens(1, "a first")
			s.settle(s.sender())
			if got := r.names(); got != want {
				t.Errorf("%s: %q", names, got)
			}
			s.write(func(tx *db.Tx) error { return webhook.Delete(tx, 1, made.ID) })
		}
	})
}

// During a rotation, either secret verifies. A day later only the new one does.
func TestRotation(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		r := listen(t, nil)
		made := s.subscribes(r.url, nil)
		var rotated *webhook.Subscription
		s.write(func(tx *db.Tx) (err error) {
			rotated, err = webhook.Rotate(tx, 1, made.ID)
			return err
		})
		if rotated.Secret == made.Secret {
			t.Fatal("the secret is the old one")
		}
		for i, c := range []struct {
			wait   time.Duration
			before bool // the old secret verifies
		}{{0, true}, {webhook.RotationOverlap - time.Second, true}, {time.Second, false}} {
			s.clock.Advance(c.wait)
			s.happens(1, fmt.Sprint("a ", i))
			s.settle(s.sender())
			got := r.got()[i]
			for secret, want := range map[string]bool{made.Secret: c.before, rotated.Secret: true} {
				library, err := standardwebhooks.NewWebhook(secret)
				if err != nil {
					t.Fatal(err)
				}
				if err := library.VerifyIgnoringTimestamp(got.body, got.header); (err == nil) != want {
					t.Errorf("call %d: %v, want a match: %t", i, err, want)
				}
			}
		}
	})
}

// Every attempt has the same id. The next event of the aggregate waits until the last of them has failed, those of
// other aggregates do not.
func TestRetriesAndDeadLetters(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		r := listen(t, func(w http.ResponseWriter, c call) {
			if c.name() == "bad" {
				w.WriteHeader(http.StatusInternalServerError)
			}
		})
		made := s.subscribes(r.url, nil)
		s.happens(1, "a bad", "a next", "b other", "a last")
		sender := s.sender()
		s.settle(sender)
		if got := r.names(); got != "bad other" && got != "other bad" {
			t.Fatalf("arrived %q", got)
		}
		if states := s.states(made); states != "waiting 2, pending 1, delivered 1" {
			t.Fatal(states)
		}
		began := s.clock.Now()
		for attempts := 1; attempts < delivery.Attempts; attempts++ {
			if got := strings.Count(r.names(), "bad"); got != attempts {
				t.Fatalf("%d attempts, want %d", got, attempts)
			}
			shortest, _ := delivery.Pause(attempts, 0, 0)
			longest, _ := delivery.Pause(attempts, 1, 0)
			s.clock.Advance(shortest - time.Second)
			s.settle(sender)
			if got := strings.Count(r.names(), "bad"); got != attempts {
				t.Fatalf("attempt %d comes early", attempts+1)
			}
			s.clock.Advance(longest - shortest + time.Second)
			s.settle(sender)
		}
		if took := s.clock.Now().Sub(began); took < 3*24*time.Hour {
			t.Errorf("given up after %v", took)
		}
		if states := s.states(made); states != "delivered 3, dead 1" {
			t.Error(states)
		}
		if got := r.names(); !strings.HasSuffix(got, "bad next last") {
			t.Errorf("arrived %q", got)
		}
		ids := map[string]int{}
		for _, c := range r.got() {
			ids[c.header.Get("webhook-id")]++
		}
		if len(ids) != 4 || ids[made.ID+"_1"] != delivery.Attempts {
			t.Errorf("calls by id: %v", ids)
		}
		s.clock.Advance(1000 * time.Hour)
		s.settle(sender)
		if len(r.got()) != delivery.Attempts+3 {
			t.Error("a dead delivery is sent")
		}
	})
}

func TestRetryAfterIsKept(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		r := listen(t, func(w http.ResponseWriter, _ call) {
			w.Header().Set("Retry-After", "3600")
			w.WriteHeader(http.StatusTooManyRequests)
		})
		s.subscribes(r.url, nil)
		s.happens(1, "a first")
		sender := s.sender()
		for _, c := range []struct {
			wait time.Duration
			want int
		}{{0, 1}, {59 * time.Minute, 1}, {time.Minute, 2}} {
			s.clock.Advance(c.wait)
			s.settle(sender)
			if got := len(r.got()); got != c.want {
				t.Errorf("after %v more: %d calls, want %d", c.wait, got, c.want)
			}
		}
	})
}

// After a timeout the event is sent again.
func TestSlowReceiver(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		release := make(chan struct{})
		r := listen(t, func(http.ResponseWriter, call) { <-release })
		t.Cleanup(func() { close(release) }) // before the server closes
		s.client = s.newClient(func(c *outbound.Config) { c.Timeout = 200 * time.Millisecond })
		made := s.subscribes(r.url, nil)
		s.happens(1, "a first")
		s.settle(s.sender())
		if states := s.states(made); states != "pending 1" {
			t.Error(states)
		}
		const problem = `SELECT error FROM webhook_deliveries WHERE subscription_id = $1`
		if got := s.text(problem, made); !strings.Contains(got, "no answer in time") {
			t.Errorf("the log says %q", got)
		}
		s.clock.Advance(time.Minute)
		s.client = s.newClient(nil)
		r.recover()
		s.settle(s.sender())
		if states := s.states(made); states != "delivered 1" {
			t.Error(states)
		}
	})
}

func TestPrivateAddressIsRefused(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		r := listen(t, nil)
		s.client = s.newClient(func(c *outbound.Config) { c.Reach = outbound.Public })
		made := s.subscribes(r.url, nil)
		s.happens(1, "a first")
		s.settle(s.sender())
		if len(r.got()) != 0 || s.states(made) != "pending 1" {
			t.Errorf("%d calls, %s", len(r.got()), s.states(made))
		}
		const problem = `SELECT error FROM webhook_deliveries WHERE subscription_id = $1`
		if got := s.text(problem, made); got != "the address is refused" {
			t.Errorf("the log says %q", got)
		}
	})
}

// A receiver that responds with 410 is not called again. Activated again, its subscription continues
// where it stopped.
func TestGone(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		r := listen(t, status(http.StatusGone))
		made := s.subscribes(r.url, nil)
		sender := s.sender()
		s.happens(1, "a first")
		s.settle(sender)
		s.happens(1, "a second")
		s.clock.Advance(100 * time.Hour)
		s.settle(sender)
		r.expect(t, "first")
		const reason = `SELECT disabled_reason FROM webhook_subscriptions WHERE subscription_id = $1`
		if got := s.text(reason, made); got != "The receiver answered 410 Gone." {
			t.Errorf("reason %q", got)
		}
		r.recover()
		s.write(func(tx *db.Tx) error {
			_, _, err := webhook.Update(tx, 1, made.ID,
				webhook.Draft{URL: r.url, EventNames: []string{"*"}, Signed: true, Active: true})
			return err
		})
		s.settle(sender)
		r.expect(t, "first first second")
		if got := s.text(reason, made); got != "" {
			t.Errorf("reason %q", got)
		}
	})
}

// A receiver that fails for days is disabled. One success restarts the count.
func TestFailingForDays(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		failing := true
		r := listen(t, func(w http.ResponseWriter, _ call) {
			if failing {
				w.WriteHeader(http.StatusBadGateway)
			}
		})
		made := s.subscribes(r.url, nil)
		sender := s.sender()
		day := func(n int) {
			s.clock.Advance(24 * time.Hour)
			s.happens(1, fmt.Sprintf("%d day%d", n, n))
			s.settle(sender)
		}
		const isActive = `SELECT disabled_reason FROM webhook_subscriptions WHERE subscription_id = $1`
		for n := range 4 {
			day(n)
		}
		failing = false
		day(4)
		failing = true
		first := s.clock.Now().Add(24 * time.Hour)
		for n := range 5 {
			day(5 + n)
		}
		if got := s.text(isActive, made); got != "" {
			t.Fatalf("switched off too early: %q", got)
		}
		day(10)
		want := "Every attempt failed since " + first.Format(time.RFC3339) + "."
		if got := s.text(isActive, made); got != want {
			t.Errorf("reason %q, want %q", got, want)
		}
		before := len(r.got())
		day(11)
		if len(r.got()) != before {
			t.Error("it is called although it is switched off")
		}
	})
}

// The payload is the same as in the list of events.
func TestPayloadIsThatOfTheEvent(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		r := listen(t, nil)
		s.subscribes(r.url, nil)
		s.happens(1, `a <ü & "quote">`)
		s.settle(s.sender())
		if name := r.got()[0].name(); name != `<ü & "quote">` || !json.Valid(r.got()[0].body) {
			t.Errorf("name %q in %s", name, r.got()[0].body)
		}
	})
}
