package message_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/device"
	"punchcard/loyalty/message"
	"punchcard/loyalty/message/template"
	"punchcard/platform/db"
	"punchcard/platform/outbound"
	"punchcard/platform/webpush"
	"punchcard/platform/webpush/webpushtest"
)

// pushService plays the push service of a browser: it takes only calls that are signed with the key of the
// installation, and decrypts them as the browser does.
type pushService struct {
	*httptest.Server
	*webpushtest.Browser
	office *office
	public string

	mutex      sync.Mutex
	status     int
	retryAfter string // seconds
	got        []pushed
}

// pushed is a call of a push service.
type pushed struct {
	header  http.Header
	size    int // of the payload, in bytes
	message struct{ ID, Title, Text, Link string }
}

func newPushService(o *office) *pushService {
	o.Helper()
	s := &pushService{Browser: webpushtest.NewBrowser(o), office: o, status: http.StatusCreated}
	s.Server = httptest.NewServer(s)
	o.Cleanup(s.Close)
	err := o.DB.Read(context.Background(), func(tx *db.Tx) error {
		private, err := db.Value[string](tx, `SELECT private_key FROM web_push_keys`)
		if err != nil {
			return err
		}
		key, err := webpush.ParseKey(private)
		if err == nil {
			s.public, err = key.Public()
		}
		return err
	})
	if err != nil {
		o.Fatal(err)
	}
	return s
}

func (s *pushService) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	p := pushed{header: r.Header}
	claims, err := webpushtest.Verify(r.Header.Get("Authorization"), s.public, s.URL, s.office.clock.Now())
	if err != nil || claims["sub"] != "mailto:loyalty@example.com" {
		s.office.Errorf("claims %v, %v", claims, err)
	}
	body, _ := io.ReadAll(r.Body)
	plain, err := s.Decrypt(body)
	if err == nil {
		err = json.Unmarshal(plain, &p.message)
	}
	if err != nil {
		s.office.Error(err)
	}
	p.size = len(plain)
	s.got = append(s.got, p)
	if s.retryAfter != "" {
		w.Header().Set("Retry-After", s.retryAfter)
	}
	w.WriteHeader(s.status)
}

// pushesToBrowsers switches push messages to browsers on, with a key of the installation.
func (o *office) pushesToBrowsers(push string) {
	o.Helper()
	key, err := webpush.NewKey()
	if err != nil {
		o.Fatal(err)
	}
	private, err := key.Private()
	if err != nil {
		o.Fatal(err)
	}
	o.Write(func(tx *db.Tx) error {
		if _, err := tx.InsertNew("web_push_keys", "key_id, private_key, created_at", []any{1, private, 1}); err != nil {
			return err
		}
		return tx.Insert("message_settings", "store_id, email, sms, push, unsubscribe_key", "", []any{
			o.Store.Key, `{"Off":true}`, `{"Off":true}`, push, "key",
		})
	})
}

func (o *office) subscribe(c *customer.Customer, endpoint string, b *webpushtest.Browser) {
	o.Helper()
	o.Write(func(tx *db.Tx) error {
		who, _, err := customer.Lock(tx, o.Store, c.ID)
		if err != nil {
			return err
		}
		p := &device.Subscription{Endpoint: endpoint, P256dh: b.P256dh, Auth: b.Auth}
		return device.AddSubscription(tx, who.StoreKey, who.ID, p)
	})
}

// subscriptions returns the endpoints of a customer's browsers.
func (o *office) subscriptions(c *customer.Customer) (endpoints []string) {
	o.Helper()
	err := o.DB.Read(context.Background(), func(tx *db.Tx) error {
		all, err := device.Subscriptions(tx, o.Store.Key, c.ID)
		for _, p := range all {
			endpoints = append(endpoints, p.Endpoint)
		}
		return err
	})
	if err != nil {
		o.Fatal(err)
	}
	return endpoints
}

// browserMessages returns the deliveries of a customer to browsers, the newest first.
func (o *office) browserMessages(c *customer.Customer) []message.Delivery {
	o.Helper()
	return slices.DeleteFunc(o.of(c), func(d message.Delivery) bool { return !strings.HasPrefix(d.Queue, "browser") })
}

// A mailing reaches each browser of the customer, encrypted and signed, with the link of the mailing, and the gateway
// besides.
func TestPushToBrowsers(t *testing.T) {
	eachOffice(t, func(o *office) {
		g := newGateway(o, func(r *http.Request) string { return r.Method })
		o.pushesToBrowsers(`{"URL":"` + g.url + `","Secret":"` + outbound.NewSecret() + `","Browsers":true}`)
		phone, desk := newPushService(o), newPushService(o)
		ida := o.ida()
		o.subscribe(ida, phone.URL+"/a", phone.Browser)
		o.subscribe(ida, desk.URL+"/b", desk.Browser)
		mailing := to(ida, template.Mailing)
		mailing.Channels = []string{template.Push}
		mailing.Values = map[string]string{
			"mailing_subject": "Żółta herbata & more", "mailing_short": strings.Repeat("ż\"", 5000),
			message.Link: "https://tea.example/offer",
		}
		o.queue(mailing)
		o.settle()
		if len(phone.got) != 1 || len(desk.got) != 1 || len(g.bodies) != 1 {
			o.Fatalf("%d, %d and %d calls, %+v", len(phone.got), len(desk.got), len(g.bodies), o.of(ida))
		}
		p := phone.got[0]
		if p.message.Title != "Żółta herbata & more" || p.message.Link != "https://tea.example/offer" ||
			!strings.HasSuffix(p.message.Text, "…") || p.size > message.BrowserPayload || p.size < message.BrowserPayload-10 {
			o.Errorf("%d bytes: %.200q", p.size, p.message)
		}
		for name, want := range map[string]string{
			"Ttl": "86400", "Urgency": "low", "Content-Encoding": "aes128gcm",
			"Topic": strings.ReplaceAll(p.message.ID, "-", ""),
		} {
			if got := p.header.Get(name); got != want {
				o.Errorf("%s: %q, want %q", name, got, want)
			}
		}
		for _, d := range o.browserMessages(ida) {
			if d.State != message.Sent || d.Queue != "browser_marketing" || d.Status != 201 {
				o.Errorf("%+v", d)
			}
		}
	})
}

// Events with an inbox go to browsers, too, not to the gateway. Customers without a browser get nothing.
func TestPushOfEventsToBrowsers(t *testing.T) {
	eachOffice(t, func(o *office) {
		g := newGateway(o, func(r *http.Request) string { return r.Method })
		o.pushesToBrowsers(`{"URL":"` + g.url + `","Secret":"` + outbound.NewSecret() + `","Browsers":true}`)
		s, ida := newPushService(o), o.ida()
		o.queue(to(ida, template.PointsEnding))
		if all := o.browserMessages(ida); len(all) != 0 {
			o.Errorf("without a browser: %+v", all)
		}
		o.subscribe(ida, s.URL, s.Browser)
		o.queue(to(ida, template.PointsEnding))
		o.settle()
		if len(s.got) != 1 || len(g.bodies) != 0 || s.got[0].message.Link != "/me/SHOP/points" ||
			s.got[0].header.Get("Urgency") != "normal" {
			o.Errorf("%+v, %d calls of the gateway", s.got, len(g.bodies))
		}
	})
}

// Without the agreement no marketing message reaches a browser, also if it was withdrawn after the message was queued.
func TestPushToBrowsersNeedsConsent(t *testing.T) {
	eachOffice(t, func(o *office) {
		o.pushesToBrowsers(`{"Browsers":true}`)
		s, ida := newPushService(o), o.ida()
		o.subscribe(ida, s.URL, s.Browser)
		mailing := to(ida, template.Mailing)
		mailing.Channels = []string{template.Push}
		o.queue(mailing)
		o.Write(func(tx *db.Tx) error {
			who, _, err := customer.Lock(tx, o.Store, ida.ID)
			if err != nil {
				return err
			}
			change := customer.Change{Sent: map[string]bool{customer.Agreements[1]: true}}
			return customer.Update(tx, o.Store, who, change)
		})
		mailing.Agreed = false
		o.queue(mailing)
		o.settle()
		if all := o.browserMessages(ida); len(s.got) != 0 || len(all) != 1 || all[0].State != message.Dropped {
			o.Errorf("%d calls, %+v", len(s.got), all)
		}
	})
}

// The answer of a push service decides whether a message is repeated, with the same Topic and not before the time that
// it asks for, and whether the browser is forgotten.
func TestAnswersOfPushServices(t *testing.T) {
	eachOffice(t, func(o *office) {
		o.pushesToBrowsers(`{"Browsers":true}`)
		s, ida := newPushService(o), o.ida()
		s.retryAfter = "3600"
		for _, c := range []struct {
			status int
			state  string
			stays  bool
		}{
			{201, message.Sent, true}, {429, message.Waiting, true}, {500, message.Waiting, true},
			{401, message.Waiting, true}, {403, message.Dead, true}, {413, message.Dead, true},
			{404, message.Dead, false}, {410, message.Dead, false},
		} {
			s.status = c.status
			o.subscribe(ida, s.URL, s.Browser)
			o.queue(to(ida, template.PointsEnding))
			o.settle()
			d := o.browserMessages(ida)[0]
			if d.State != c.state || d.Status != c.status || (len(o.subscriptions(ida)) == 1) != c.stays {
				o.Errorf("after %d: %+v, %q", c.status, d, o.subscriptions(ida))
			}
			if c.status == 429 && d.DueAt.Before(o.clock.Now().Add(time.Hour)) {
				o.Errorf("due again at %v", d.DueAt)
			}
		}
		if d := o.browserMessages(ida); d[len(d)-1].State != message.Sent {
			o.Errorf("the first: %+v", d[len(d)-1])
		}
		s.status, s.got = 201, nil
		o.subscribe(ida, s.URL, s.Browser)
		o.clock.Advance(2 * time.Hour)
		o.settle()
		topics := map[string]bool{}
		for _, p := range s.got {
			topics[p.header.Get("Topic")] = true
		}
		if len(s.got) != 3 || len(topics) != 3 {
			o.Errorf("%d repeats of %v", len(s.got), topics)
		}
	})
}

// A message waits for nobody when its browser has unsubscribed.
func TestPushToAnUnsubscribedBrowser(t *testing.T) {
	eachOffice(t, func(o *office) {
		o.pushesToBrowsers(`{"Browsers":true}`)
		s, ida := newPushService(o), o.ida()
		o.subscribe(ida, s.URL, s.Browser)
		o.queue(to(ida, template.PointsEnding))
		o.Write(func(tx *db.Tx) error {
			_, err := tx.Exec(`DELETE FROM push_subscriptions`)
			return err
		})
		o.settle()
		if all := o.browserMessages(ida); len(s.got) != 0 || len(all) != 1 || all[0].State != message.Dropped {
			o.Errorf("%d calls, %+v", len(s.got), all)
		}
	})
}

// An endpoint out of reach is not called, even if it was stored while it was within reach.
func TestPushServicesOutOfReach(t *testing.T) {
	eachOffice(t, func(o *office) {
		o.pushesToBrowsers(`{"Browsers":true}`)
		s, ida := newPushService(o), o.ida()
		o.config.HTTP = outbound.NewClient(outbound.Config{Reach: outbound.Public, Agent: "test", Clock: o.clock.Now})
		o.Cleanup(o.config.HTTP.Close)
		for _, endpoint := range []string{s.URL, "https://10.0.0.1/x", "https://169.254.169.254/x"} {
			o.subscribe(ida, endpoint, s.Browser)
		}
		o.queue(to(ida, template.PointsEnding))
		o.settle()
		all := o.browserMessages(ida)
		for _, d := range all {
			if d.State != message.Waiting || !strings.Contains(d.Error, "refused") {
				o.Errorf("%+v", d)
			}
		}
		if len(all) != 3 || len(s.got) != 0 {
			o.Errorf("%d messages, %d calls", len(all), len(s.got))
		}
	})
}

// A browser belongs to one customer, and the oldest ones make room.
func TestLimitOfBrowsers(t *testing.T) {
	eachOffice(t, func(o *office) {
		ida := o.ida()
		b := webpushtest.NewBrowser(o)
		names := []string{"a", "b", "c", "d", "e", "f", "g", "b"}
		for _, name := range names {
			o.clock.Advance(time.Second)
			o.subscribe(ida, "https://push.example.net/"+name, b)
		}
		var got strings.Builder
		for _, endpoint := range o.subscriptions(ida) {
			got.WriteString(endpoint[len(endpoint)-1:])
		}
		if got.String() != "defgb" || got.Len() != device.SubscriptionLimit {
			o.Errorf("browsers %s", got.String())
		}
	})
}
