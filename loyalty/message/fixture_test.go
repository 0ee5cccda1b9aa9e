package message_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"punchcard/core/access"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/customertest"
	"punchcard/loyalty/message"
	"punchcard/loyalty/message/template"
	"punchcard/platform/check"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/mail"
	"punchcard/platform/mail/mailtest"
	"punchcard/platform/outbound"
)

// office is a store that sends messages through a mail server on loopback.
type office struct {
	*customertest.Shop
	clock  *dbtest.Clock
	smtp   *mailtest.Server
	config *message.Config
	tokens int // that secrets made
	needed bool
}

// eachOffice runs the test with an office on every database, at noon in UTC.
func eachOffice(t *testing.T, run func(o *office)) {
	t.Helper()
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		clock := dbtest.NewClock(time.Date(2031, 4, 17, 12, 0, 0, 0, time.UTC))
		d := dbtest.Open(t, dbtest.Config(t, engine), clock.Now)
		o := &office{
			Shop: customertest.NewShop(t, d, "SHOP"), clock: clock, smtp: mailtest.Start(t), needed: true,
		}
		o.config = &message.Config{
			Links: message.Links{Base: "https://loyalty.example"}, From: "loyalty@example.com",
			Server:  mail.Server{Host: o.smtp.Host, Port: o.smtp.Port, Security: mail.Optional, Trusted: true},
			Mail:    mail.NewClient(mail.Config{Reach: outbound.Loopback, Clock: clock.Now}),
			HTTP:    outbound.NewClient(outbound.Config{Reach: outbound.Loopback, Agent: "test", Clock: clock.Now}),
			PerHour: 100, PerAddressHour: 50, PerUnconfirmedDay: 50,
			Secrets: map[string]message.Secrets{
				template.CustomerActivation: o.secrets, template.CustomerInvitation: o.secrets,
			},
		}
		t.Cleanup(o.config.Mail.Close)
		t.Cleanup(o.config.HTTP.Close)
		run(o)
		o.clean()
	})
}

// clean fails the test for rows that break a rule.
func (o *office) clean() {
	o.Helper()
	_, err := check.Run(context.Background(), o.DB, message.Rules(), check.Report{
		Begin:   func(string, int, int) {},
		Finding: func(f check.Finding) { o.Error(f) }, More: func(string, int64) {},
	})
	if err != nil {
		o.Error(err)
	}
}

func (o *office) secrets(*db.Tx, *store.Store, *message.Message) (map[string]string, bool, error) {
	o.tokens++
	return map[string]string{"token": "secret-token", "link": "/me/SHOP/activate/secret-token", "code": "123456"},
		o.needed, nil
}

// ida registers a customer who agrees to marketing messages.
func (o *office) ida() *customer.Customer {
	o.Helper()
	in := customertest.Ida()
	in.Agreements[1] = true
	in.Active = true
	return o.Register(in)
}

func (o *office) queue(all ...message.Message) {
	o.Helper()
	o.Write(func(tx *db.Tx) error { return message.Queue(tx, o.Store, all...) })
}

// to returns a message to a customer.
func to(c *customer.Customer, event string) message.Message {
	return message.Message{
		Event: event, Role: access.Customer, RecipientID: c.ID, Email: c.Email, Phone: c.Phone,
		Agreed: c.Agreements[1],
	}
}

// settle sends what is due.
func (o *office) settle() {
	o.Helper()
	sender := message.NewSender(o.DB, store.NewDirectory(o.DB), o.config)
	if err := sender.Settle(context.Background()); err != nil && !errors.Is(err, context.Canceled) {
		o.Fatal(err)
	}
}

// of returns the deliveries to a customer, the newest first.
func (o *office) of(c *customer.Customer) (found []message.Delivery) {
	o.Helper()
	err := o.DB.Read(context.Background(), func(tx *db.Tx) (err error) {
		found, err = message.Of(tx, o.Store.Key, c.ID, "", 100)
		return err
	})
	if err != nil {
		o.Fatal(err)
	}
	return found
}

// only returns the one delivery to a customer.
func (o *office) only(c *customer.Customer) message.Delivery {
	o.Helper()
	found := o.of(c)
	if len(found) != 1 {
		o.Fatalf("%d deliveries", len(found))
	}
	return found[0]
}

// received returns how many e-mails arrived since the last call.
func (o *office) received() (n int) {
	for ; ; n++ {
		select {
		case <-o.smtp.Received:
		default:
			return n
		}
	}
}

// gateway is an HTTP gateway that answers with a status.
type gateway struct {
	mutex  sync.Mutex
	status int
	bodies []string
	url    string
}

func newGateway(t testing.TB, read func(r *http.Request) string) *gateway {
	g := &gateway{status: http.StatusNoContent}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g.mutex.Lock()
		defer g.mutex.Unlock()
		g.bodies = append(g.bodies, read(r))
		w.WriteHeader(g.status)
	}))
	t.Cleanup(server.Close)
	g.url = server.URL
	return g
}
