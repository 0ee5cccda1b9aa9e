package cashback

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/campaign/campaigntest"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/delivery"
	"punchcard/platform/fault"
	"punchcard/platform/outbound"
)

// bank is a payment provider of the tests.
type bank struct {
	*httptest.Server
	shop *shop

	mutex  sync.Mutex
	got    []order
	answer func(w http.ResponseWriter, o order) // accepts everything when nil
}

// opens starts a provider and configures it in the store.
func (s *shop) opens(answer func(w http.ResponseWriter, o order)) *bank {
	s.Helper()
	b := &bank{shop: s, answer: answer}
	b.Server = httptest.NewServer(b)
	s.Cleanup(b.Close)
	s.Store.Settings.CashbackProviderURL = b.URL + "/pay?key=hidden"
	s.Store.Settings.CashbackProviderSecret = outbound.NewSecret()
	s.Write(func(tx *db.Tx) error { return store.Update(tx, s.Store) })
	return b
}

func (b *bank) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the call was interrupted
	}
	var o order
	if err := json.Unmarshal(body, &o); err != nil {
		b.shop.Errorf("%s: %v", body, err)
	}
	if !outbound.Verify(r.Header, body, b.shop.clock.Now(), b.shop.Store.Settings.CashbackProviderSecret) ||
		r.Header.Get(outbound.HeaderID) != o.RequestGUID {
		b.shop.Errorf("%v does not sign %s", r.Header, body)
	}
	b.mutex.Lock()
	b.got = append(b.got, o)
	answer := b.answer
	b.mutex.Unlock()
	if answer != nil {
		answer(w, o)
	}
}

func (b *bank) answers(with func(w http.ResponseWriter, o order)) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.answer = with
}

// took returns what arrived since the last call.
func (b *bank) took() []order {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	got := b.got
	b.got = nil
	return got
}

func status(code int) func(http.ResponseWriter, order) {
	return func(w http.ResponseWriter, _ order) { w.WriteHeader(code) }
}

// sender returns the sender of a new process.
func (s *shop) sender() *delivery.Sender[Message] {
	client := outbound.NewClient(outbound.Config{Reach: outbound.Loopback, Agent: "test", Clock: s.clock.Now})
	s.Cleanup(client.Close)
	return NewSender(s.DB, store.NewDirectory(s.DB), client)
}

func (s *shop) settle(sender *delivery.Sender[Message]) {
	s.Helper()
	if err := sender.Settle(background); err != nil {
		s.Fatal(err)
	}
}

// redeems makes a cashback.
func (s *shop) redeems(who string) *Cashback {
	s.Helper()
	made, err := s.redeem(s.request(who, 100))
	if err != nil {
		s.Fatal(err)
	}
	return made
}

// messages lists the messages of the store, the newest first.
func (s *shop) messages(state string) []Message {
	s.Helper()
	var found []Message
	s.Read(func(tx *db.Tx) (err error) {
		var total int
		found, total, err = messageTable.List(tx, delivery.Receiver{StoreKey: s.Store.Key}, state, 1000, 0)
		if total != len(found) {
			s.Errorf("%d in a list of %d", len(found), total)
		}
		return err
	})
	return found
}

// only returns the only message of the store.
func (s *shop) only(state string, attempts int) *Message {
	s.Helper()
	found := s.messages("")
	if len(found) != 1 || found[0].State != state || found[0].Attempts != attempts {
		s.Fatalf("want one message that is %s after %d attempts, got %+v", state, attempts, found)
	}
	if with := s.messages(state); len(with) != 1 || with[0] != found[0] {
		s.Errorf("by state: %+v", with)
	}
	if (state == Waiting) == found[0].DueAt.IsZero() {
		s.Errorf("%s, due at %v", state, found[0].DueAt)
	}
	return &found[0]
}

// A list can show who the money is for, once for all messages of a customer.
func TestCustomersOfMessages(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		s.campaign(10, nil)
		who, gone := s.customer(grant{5000, 0}), db.NewID()
		s.opens(nil)
		s.redeems(who)
		s.redeems(who)
		var views []messageView
		for _, m := range s.messages("") {
			views = append(views, newView(s.Store, &m))
		}
		views = append(views, messageView{CustomerID: gone})
		s.Read(func(tx *db.Tx) error {
			if err := addCustomers(tx, s.Store.Key, nil); err != nil {
				return err
			}
			return addCustomers(tx, s.Store.Key, views)
		})
		if len(views) != 3 || views[0].Customer == nil || views[0].Customer.LastName == "" || views[1].Customer == nil {
			t.Errorf("%+v", views)
		}
		if views[2].Customer != nil {
			t.Errorf("somebody unknown is %+v", views[2].Customer)
		}
	})
}

func TestProviderGetsTheOrder(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		s.campaign(10, nil)
		who, sender := s.customer(grant{5000, 0}), s.sender()
		s.redeems(who)
		if found := s.messages(""); len(found) != 0 {
			t.Errorf("without a provider: %+v", found)
		}
		b := s.opens(nil)
		made := s.redeems(who)
		waiting := s.only(Waiting, 0)
		s.settle(sender)
		s.settle(sender)
		got := b.took()
		want := order{
			Type: "cashback", RequestGUID: waiting.ID, OrderID: who + "_" + made.CouponID, Amount: made.RewardAmount,
			Currency: "EUR", Metadata: metadata{"SHOP"},
		}
		if len(got) != 1 || got[0] != want {
			t.Errorf("the provider got %+v, want %+v", got, want)
		}
		if m := s.only(Sent, 1); m.Status != 200 || m.Error != "" {
			t.Errorf("%+v", m)
		}
		// Its response does not settle the payment.
		if c := s.cashback(made); c.State != Created || s.Account(who).Points != 4800 {
			t.Errorf("%+v, %v points", c, s.Account(who).Points)
		}
	})
}

func (s *shop) cashback(of *Cashback) *Cashback {
	s.Helper()
	var c *Cashback
	s.Read(func(tx *db.Tx) (err error) {
		c, err = lockCashback(tx, s.Store.Key, of.CustomerID, of.CouponID)
		return err
	})
	return c
}

// No message is sent for manual payments and refused exchanges.
func TestNoMessageIsSent(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		s.opens(nil)
		manual := s.campaign(10, func(d *campaign.Draft) { d.Definition.CashbackProvider = "" })
		s.redeems(s.customer(grant{5000, 0}))
		s.Write(func(tx *db.Tx) error { return catalogue.SetActive(tx, s.Store, manual, false) })
		s.campaign(10, nil)
		if _, err := s.redeem(s.request(s.customer(grant{5000, 0}), 4)); !errors.Is(err, ErrWorthless) {
			t.Errorf("points that are worth nothing: %v", err)
		}
		if _, err := s.redeem(s.request(s.customer(grant{50, 0}), 100)); err == nil {
			t.Error("more points than there are")
		}
		if found := s.messages(""); len(found) != 0 {
			t.Errorf("%+v", found)
		}
	})
}

// After an outage, the provider gets the message at the scheduled time, with the same id.
func TestProviderIsDownForAWhile(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		b := s.opens(status(http.StatusServiceUnavailable))
		s.campaign(10, nil)
		s.redeems(s.customer(grant{5000, 0}))
		sender := s.sender()
		for attempts := 1; attempts < 4; attempts++ {
			s.settle(sender)
			s.settle(sender)
			m := s.only(Waiting, attempts)
			if m.Status != 503 || m.Error != "the provider answered 503" || !m.DueAt.After(s.clock.Now()) {
				t.Errorf("%+v", m)
			}
			s.clock.Advance(m.DueAt.Sub(s.clock.Now()) - time.Microsecond)
			s.settle(sender)
			s.only(Waiting, attempts)
			s.clock.Advance(time.Microsecond)
		}
		b.answers(nil)
		s.settle(sender)
		got := b.took()
		if s.only(Sent, 4); len(got) != 4 || got[0] != got[3] {
			t.Errorf("%+v", got)
		}
	})
}

// A failed message does not decide the payment: only a retry by an administrator or a callback does.
func TestMessagesThatFail(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		b := s.opens(status(http.StatusUnprocessableEntity))
		s.campaign(10, nil)
		who, sender := s.customer(grant{5000, 0}), s.sender()
		made := s.redeems(who)
		waiting := s.only(Waiting, 0)
		if _, err := s.resend(waiting.ID); !errors.Is(err, ErrNotFailed) {
			t.Errorf("a waiting one: %v", err)
		}
		s.settle(sender)
		failed := s.only(Unsent, 1)
		if failed.Status != 422 || failed.Error != "the provider answered 422" || s.Account(who).Points != 4900 {
			t.Errorf("%+v, %v points", failed, s.Account(who).Points)
		}
		s.clock.Advance(30 * 24 * time.Hour)
		s.settle(sender)
		s.only(Unsent, 1)

		b.answers(status(http.StatusBadGateway))
		if m, err := s.resend(failed.ID); err != nil || m.State != Waiting || m.Attempts != 0 {
			t.Errorf("%+v, %v", m, err)
		}
		for range delivery.Attempts {
			s.settle(sender)
			s.clock.Advance(48 * time.Hour)
		}
		s.settle(sender)
		s.only(Unsent, delivery.Attempts)
		if got := b.took(); len(got) != 1+delivery.Attempts {
			t.Errorf("%d calls", len(got))
		}

		if _, err := s.receive(made, "REJECTED", ""); err != nil {
			t.Fatal(err)
		}
		s.only(Settled, delivery.Attempts)
		if _, err := s.resend(failed.ID); !errors.Is(err, ErrNotFailed) {
			t.Errorf("a settled one: %v", err)
		}
		if _, err := s.resend(db.NewID()); !errors.Is(err, fault.ErrNotFound) {
			t.Errorf("none: %v", err)
		}
	})
}

func (s *shop) resend(id string) (m *Message, err error) {
	err = s.DB.Write(background, func(tx *db.Tx) (err error) {
		m, err = Resend(tx, s.Store.Key, id)
		return err
	})
	return m, err
}

// A callback that arrives before the response of the provider outweighs it.
func TestCallbackBeforeTheAnswer(t *testing.T) {
	for _, c := range []struct {
		word   string
		answer int
		want   string
		left   int // points
	}{
		{"SUCCESS", 200, Settled, 4900}, {"SUCCESS", 500, Settled, 4900}, {"REJECTED", 200, Settled, 5000},
		{"REJECTED", 404, Settled, 5000}, {"ACCEPTED", 503, Sent, 4900}, {"ACCEPTED", 200, Sent, 4900},
	} {
		t.Run(fmt.Sprint(c.word, c.answer), func(t *testing.T) {
			eachShop(t, func(t *testing.T, s *shop) {
				who := s.customer(grant{5000, 0})
				b := s.opens(func(w http.ResponseWriter, o order) {
					customerID, couponID, _ := strings.Cut(o.OrderID, "_")
					for range 2 {
						if _, err := s.receive(&Cashback{CustomerID: customerID, CouponID: couponID}, c.word, ""); err != nil {
							t.Error(err)
						}
					}
					w.WriteHeader(c.answer)
				})
				s.campaign(10, nil)
				s.redeems(who)
				sender := s.sender()
				for range 3 {
					s.settle(sender)
					s.clock.Advance(time.Hour)
				}
				s.only(c.want, 1)
				if got := b.took(); len(got) != 1 || int(s.Account(who).Points) != c.left {
					t.Errorf("%d calls, %v points", len(got), s.Account(who).Points)
				}
			})
		})
	}
}

// Two nodes send every message once. Repeated concurrent callbacks have one effect.
func TestTwoSenders(t *testing.T) {
	dbtest.Both(t)
	eachShop(t, func(t *testing.T, s *shop) {
		s.campaign(10, nil)
		who := s.customer(grant{9000, 0})
		var callbacks sync.WaitGroup
		b := s.opens(func(_ http.ResponseWriter, o order) {
			customerID, couponID, _ := strings.Cut(o.OrderID, "_")
			for range 2 {
				callbacks.Go(func() {
					if _, err := s.receive(&Cashback{CustomerID: customerID, CouponID: couponID}, "REJECTED", ""); err != nil {
						t.Error(err)
					}
				})
			}
		})
		for range 50 {
			s.redeems(who)
		}
		var all sync.WaitGroup
		for range 2 {
			sender := s.sender()
			all.Go(func() { s.settle(sender) })
		}
		all.Wait()
		callbacks.Wait()
		orders := map[string]int{}
		for _, o := range b.took() {
			orders[o.OrderID]++
		}
		for id, n := range orders {
			if n != 1 {
				t.Errorf("%s arrived %d times", id, n)
			}
		}
		if a := s.Account(who); len(orders) != 50 || a.Points != 9000 || a.Used != 0 {
			t.Errorf("%d orders, account %+v", len(orders), a)
		}
	})
}

// A sender that stops during a call leaves the message due. After a crash it is due when the claim
// expires.
func TestSenderStops(t *testing.T) {
	dbtest.Both(t)
	eachShop(t, func(t *testing.T, s *shop) {
		arrived, release := make(chan struct{}), make(chan struct{})
		b := s.opens(func(http.ResponseWriter, order) {
			arrived <- struct{}{}
			<-release
		})
		s.campaign(10, nil)
		s.redeems(s.customer(grant{5000, 0}))
		ctx, stop := context.WithCancel(background)
		var running sync.WaitGroup
		running.Go(func() { s.sender().Run(ctx) })
		<-arrived
		stop()
		running.Wait()
		close(release)
		if m := s.only(Waiting, 1); !m.DueAt.Equal(s.clock.Now()) {
			t.Errorf("due at %v", m.DueAt)
		}
		s.Write(func(tx *db.Tx) error { // a crash right after this
			_, err := messageTable.Claim(tx, delivery.Receiver{StoreKey: s.Store.Key}, 1)
			return err
		})
		b.answers(nil)
		sender := s.sender()
		s.settle(sender)
		s.only(Waiting, 2)
		s.clock.Advance(delivery.ClaimTerm)
		s.settle(sender)
		s.only(Sent, 3)
		if got := b.took(); len(got) != 2 || got[0] != got[1] {
			t.Errorf("%+v", got)
		}
	})
}

// An unreachable or removed provider costs an attempt. The error does not contain its address.
func TestProviderIsGone(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		s.campaign(10, nil)
		s.opens(nil).Close()
		s.redeems(s.customer(grant{5000, 0}))
		sender := s.sender()
		s.settle(sender)
		m := s.only(Waiting, 1)
		if m.Status != 0 || m.Error == "" || strings.Contains(m.Error, "hidden") {
			t.Errorf("%+v", m)
		}
		s.Store.Settings.CashbackProviderURL = ""
		s.Write(func(tx *db.Tx) error { return store.Update(tx, s.Store) })
		s.clock.Advance(time.Hour)
		s.settle(sender)
		if m := s.only(Waiting, 2); m.Error != "the store has no payment provider" {
			t.Errorf("%+v", m)
		}
	})
}

// A provider that hangs does not delay other stores.
func TestSlowProvider(t *testing.T) {
	dbtest.Both(t)
	eachShop(t, func(t *testing.T, s *shop) {
		s.campaign(10, nil)
		arrived, release := make(chan struct{}), make(chan struct{})
		s.opens(func(http.ResponseWriter, order) {
			arrived <- struct{}{}
			<-release
		})
		for range 2 * CallsPerStore {
			s.redeems(s.customer(grant{500, 0}))
		}
		opened := *s.Shop.Shop
		other := shop{campaigntest.Shop{Shop: &opened}, s.clock}
		s.Write(func(tx *db.Tx) (err error) {
			other.Store, err = store.Create(tx, store.New{Code: "OTHER", Name: "O", Currency: "EUR", Settings: s.Store.Settings})
			return err
		})
		got := make(chan string, 1)
		other.opens(func(_ http.ResponseWriter, o order) { got <- o.Metadata.StoreCode })
		s.Write(func(tx *db.Tx) error {
			return enqueue(tx, &Cashback{StoreKey: other.Store.Key, CustomerID: "c", CouponID: "d", RewardAmount: 1})
		})
		ctx, stop := context.WithCancel(background)
		var running sync.WaitGroup
		running.Go(func() { s.sender().Run(ctx) })
		for range CallsPerStore {
			<-arrived
		}
		if code := <-got; code != "OTHER" {
			t.Error(code)
		}
		stop()
		running.Wait()
		close(release)
	})
}

// The Standard Webhooks library accepts the signatures.
func TestLibraryVerifiesMessages(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		s.clock.Advance(time.Since(s.clock.Now())) // the library has a clock of its own
		verified := make(chan error, 1)
		receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			library, err := standardwebhooks.NewWebhook(s.Store.Settings.CashbackProviderSecret)
			if err == nil {
				var body []byte
				if body, err = io.ReadAll(r.Body); err == nil {
					err = library.Verify(body, r.Header)
				}
			}
			verified <- err
		}))
		t.Cleanup(receiver.Close)
		s.opens(nil)
		s.Store.Settings.CashbackProviderURL = receiver.URL
		s.Write(func(tx *db.Tx) error { return store.Update(tx, s.Store) })
		s.campaign(10, nil)
		s.redeems(s.customer(grant{5000, 0}))
		s.settle(s.sender())
		if err := <-verified; err != nil {
			t.Error(err)
		}
	})
}
