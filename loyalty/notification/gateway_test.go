package notification_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/message"
	"punchcard/loyalty/notification"
	"punchcard/platform/db"
	"punchcard/platform/delivery"
	"punchcard/platform/outbound"
)

// receiver is a gateway that can be down.
type receiver struct {
	*httptest.Server
	mutex sync.Mutex
	down  bool
	calls []string            // ids of the calls, including refused ones
	got   map[string][]string // ids of accepted notifications, by customer
}

func newReceiver(s *shop, secret string) *receiver {
	r := &receiver{got: map[string][]string{}}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		r.mutex.Lock()
		defer r.mutex.Unlock()
		body, err := io.ReadAll(request.Body)
		if err != nil || !outbound.Verify(request.Header, body, s.clock.Now(), secret) {
			s.Errorf("the call is not signed: %v", err)
		}
		r.calls = append(r.calls, request.Header.Get(outbound.HeaderID))
		if r.down {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		var message struct {
			PushID, StoreCode string
			Notifications     []struct{ NotificationID, CustomerID, Kind, Text string }
		}
		if err := json.Unmarshal(body, &message); err != nil || message.StoreCode != "SHOP" {
			s.Errorf("%s: %v", body, err)
		}
		for _, n := range message.Notifications {
			r.got[n.CustomerID] = append(r.got[n.CustomerID], n.NotificationID)
		}
	}))
	s.Cleanup(r.Close)
	return r
}

const secret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="

func (s *shop) gateway(url string, active bool) {
	s.Helper()
	s.write(func(tx *db.Tx) error {
		_, err := message.SetNotificationGateway(tx, message.NotificationGateway{
			StoreKey: s.store.Key, URL: url, Secret: secret, Active: active,
		})
		return err
	})
}

// sends makes the calls that are due.
func (s *shop) sends() {
	s.Helper()
	client := outbound.NewClient(outbound.Config{Reach: outbound.Loopback, Clock: s.clock.Now})
	defer client.Close()
	config := &message.Config{HTTP: client, Notifications: notification.Pushed}
	if err := message.NewSender(s.db, store.NewDirectory(s.db), config).Settle(s.Context()); err != nil {
		s.Fatal(err)
	}
}

// pushes counts the calls by state.
func (s *shop) pushes() string {
	var all []string
	for _, state := range []string{message.Waiting, message.Sent, message.Dead} {
		n := s.number(`SELECT COUNT(*) FROM messages WHERE queue = 'notifications' AND state = $1`, state)
		all = append(all, fmt.Sprint(state, " ", n))
	}
	return strings.Join(all, ", ")
}

// Notifications reach the gateway once it is up, each attempt with the same id.
func TestGatewayDownAndUp(t *testing.T) {
	eachShop(t, func(s *shop) {
		r := newReceiver(s, secret)
		s.gateway(r.URL, true)
		ids := s.customers(120)
		s.campaign("Sale", nil)
		s.announces(120)
		r.down = true
		s.sends()
		s.sends()
		if len(r.calls) != 3 { // 120 customers are notified in three transactions
			s.Errorf("%d calls", len(r.calls))
		}
		r.down = false
		s.clock.Advance(time.Minute)
		s.sends()
		if got := s.pushes(); got != "waiting 0, sent 3, dead 0" {
			s.Error(got)
		}
		for _, id := range ids {
			if len(r.got[id]) != 1 {
				s.Errorf("%s got %v", id, r.got[id])
			}
		}
		if len(slices.Compact(slices.Sorted(slices.Values(r.calls)))) != 3 {
			s.Errorf("the calls have the ids %v", r.calls)
		}
		if n := s.number(`SELECT COUNT(*) FROM messages WHERE details <> 'null'`); n != 0 {
			s.Errorf("%d finished calls have notifications", n)
		}
		s.clock.Advance(48 * time.Hour)
		if removed, err := notification.Clean(24*time.Hour)(s.Context(), s.db, s.store); removed != 120 || err != nil {
			s.Errorf("%d notifications are removed: %v", removed, err)
		}
		if removed, err := message.Clean(s.db, 24*time.Hour)(s.Context()); removed != 3 || err != nil {
			s.Errorf("%d calls are removed: %v", removed, err)
		}
	})
}

// Marketing is pushed to customers who agreed to it. All find it in their inboxes.
func TestMarketingIsPushedWithConsent(t *testing.T) {
	eachShop(t, func(s *shop) {
		s.gateway("https://push.example.com/", true)
		agreed := s.customers(1)
		s.write(func(tx *db.Tx) error {
			_, err := customer.Register(tx, s.store, customer.Registration{
				FirstName: "Eva", Email: "eva@example.com", Active: true, Agreements: [3]bool{true, false, true},
			})
			return err
		})
		s.announces(0)
		s.campaign("Sale", nil)
		s.announces(2)
		if n := s.number(`SELECT COALESCE(SUM(size), 0) FROM messages`); n != 1 {
			s.Errorf("%d notifications are pushed, want 1", n)
		}
		if n := s.number(`SELECT COUNT(*) FROM messages WHERE details LIKE $1`, "%"+agreed[0]+"%"); n != 1 {
			s.Error("the customer who agreed gets no push")
		}
	})
}

// Pushes to a gateway that never works are given up after the last attempt. The notifications stay
// in the inboxes.
func TestGatewayIsGivenUp(t *testing.T) {
	eachShop(t, func(s *shop) {
		r := newReceiver(s, secret)
		r.down = true
		s.gateway(r.URL, true)
		ids := s.customers(1)
		s.campaign("Sale", nil)
		s.announces(1)
		for range delivery.Attempts + 2 {
			s.sends()
			s.clock.Advance(30 * time.Hour)
		}
		if got := s.pushes(); got != "waiting 0, sent 0, dead 1" || len(r.calls) != delivery.Attempts {
			s.Errorf("%s after %d calls", got, len(r.calls))
		}
		s.expect("Sale", ids...)
	})
}

// Notifications of a deleted inbox are not sent, and none to a gateway that is inactive or removed.
func TestGatewayGetsNothingOfForgottenCustomers(t *testing.T) {
	eachShop(t, func(s *shop) {
		r := newReceiver(s, secret)
		s.gateway(r.URL, true)
		ids := s.customers(2)
		s.campaign("Sale", nil)
		s.announces(2)
		s.write(func(tx *db.Tx) error {
			_, err := notification.Forget(tx, s.store, ids[0], "")
			return err
		})
		s.gateway(r.URL, false)
		s.sends()
		s.gateway(r.URL, true)
		s.sends()
		if len(r.got[ids[0]]) != 0 || len(r.got[ids[1]]) != 1 {
			s.Errorf("it got %v", r.got)
		}
		s.campaign("More", nil)
		s.announces(2)
		s.write(func(tx *db.Tx) error { return message.RemoveNotificationGateway(tx, s.store.Key) })
		s.sends()
		if got := s.pushes(); got != "waiting 0, sent 1, dead 1" || len(r.calls) != 1 {
			s.Errorf("%s after %d calls", got, len(r.calls))
		}
		s.campaign("Last", nil)
		s.announces(2)
		if n := s.number(`SELECT COUNT(*) FROM messages`); n != 2 {
			s.Errorf("%d pushes without a gateway", n)
		}
	})
}

// Calls that a node of 0.9 queued are made, and those that it made are listed. One that it may be making waits.
func TestCallsOfTheReleaseBefore(t *testing.T) {
	eachShop(t, func(s *shop) {
		r := newReceiver(s, secret)
		s.gateway(r.URL, true)
		ids := s.customers(1)
		s.campaign("Sale", nil)
		s.announces(1)
		now := s.clock.Now()
		s.write(func(tx *db.Tx) error {
			if _, err := tx.Exec(`DELETE FROM messages`); err != nil {
				return err
			}
			inbox, err := db.Value[string](tx, `SELECT notification_id FROM notifications`)
			if err != nil {
				return err
			}
			items := fmt.Sprintf(`[{"customerId":%q,"notificationId":%q}]`, ids[0], inbox)
			insert := func(id, items, state string, due, finished any) error {
				return tx.Insert("notification_pushes", "store_id, push_id, items, size, state, attempts, created_at, due_at, "+
					"attempted_at, status, error, finished_at", "", []any{
					s.store.Key, id, items, 1, state, 1, now.UnixMicro(), due, now.UnixMicro(), 200, "", finished,
				})
			}
			return errors.Join(
				insert("delivered", "null", "delivered", nil, now.UnixMicro()),
				insert("due", items, "pending", now.UnixMicro(), nil),
				insert("claimed", items, "pending", now.Add(delivery.ClaimTerm).UnixMicro(), nil),
				insert("later", items, "pending", now.Add(time.Hour).UnixMicro(), nil))
		})
		takes := func(want int64) {
			s.Helper()
			if got, err := message.TakePushes(s.db)(s.Context()); got != want || err != nil {
				s.Errorf("%d calls are taken over, want %d: %v", got, want, err)
			}
		}
		takes(3)
		s.sends()
		s.clock.Advance(2 * time.Hour)
		takes(1)
		s.sends()
		if want := []string{"due", "claimed", "later"}; !slices.Equal(r.calls, want) || len(r.got[ids[0]]) != 3 {
			s.Errorf("the calls are %v with %v, want %v", r.calls, r.got, want)
		}
		if got := s.pushes(); got != "waiting 0, sent 4, dead 0" {
			s.Error(got)
		}
	})
}
