package message_test

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"punchcard/core/access"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/erasure"
	"punchcard/loyalty/message"
	"punchcard/loyalty/message/template"
	"punchcard/platform/db"
	"punchcard/platform/mail"
	"punchcard/platform/outbound"
)

// TestSend shows an e-mail from the queue to the mailbox of a customer, with secrets that are not stored.
func TestSend(t *testing.T) {
	eachOffice(t, func(o *office) {
		ida := o.ida()
		o.queue(to(ida, template.CustomerActivation))
		if d := o.only(ida); d.State != message.Waiting {
			o.Errorf("%+v", d)
		}
		o.settle()
		got := o.smtp.Next(o)
		if got.To != "ida@example.com" || got.From != "loyalty@example.com" ||
			!strings.Contains(got.Text, "Hello Ida,") ||
			!strings.Contains(got.Text, "https://loyalty.example/me/SHOP/activate/secret-token") {
			o.Errorf("received %+v", got)
		}
		d := o.only(ida)
		if got.Header.Get("Message-Id") != "<"+d.ID+"@example.com>" || got.Header.Get("List-Unsubscribe") != "" {
			o.Errorf("headers %v", got.Header)
		}
		if d.State != message.Sent || d.Status != 250 || d.Attempts != 1 || d.Values != nil || d.Content != "" ||
			d.Subject != got.Subject || d.Address != "ida@example.com" {
			o.Errorf("%+v", d)
		}
		o.settle()
		if n := o.received(); n != 0 {
			o.Errorf("sent again %d times", n)
		}
	})
}

// TestSecretsInSubjects shows that stored subjects hold no secrets.
func TestSecretsInSubjects(t *testing.T) {
	eachOffice(t, func(o *office) {
		o.Write(func(tx *db.Tx) error {
			return tx.Insert("message_templates", "store_id, event, channel, language, subject, content, enabled, changed_at",
				"", []any{o.Store.Key, template.CustomerActivation, "email", "en", "Code {{ code }}", "{{ token }}", true, 0})
		})
		ida := o.ida()
		o.queue(to(ida, template.CustomerActivation))
		o.settle()
		if got := o.smtp.Next(o); got.Subject != "Code 123456" || !strings.Contains(got.Text, "secret-token") {
			o.Errorf("received %+v", got)
		}
		if d := o.only(ida); d.Subject != "Code •••" {
			o.Errorf("%+v", d)
		}
	})
}

// TestMailbox shows that a demonstration sends nothing and keeps the content.
func TestMailbox(t *testing.T) {
	eachOffice(t, func(o *office) {
		o.config.Mailbox, o.config.Server = true, mail.Server{}
		ida := o.ida()
		o.queue(to(ida, template.CustomerActivation))
		o.settle()
		if d := o.only(ida); d.State != message.Sent || !strings.Contains(d.Content, "/activate/secret-token") {
			o.Errorf("%+v", d)
		}
		if n := o.received(); n != 0 {
			o.Errorf("%d e-mails left", n)
		}
	})
}

// TestRefusedAddress shows that an address that was refused for good gets nothing more until it is forgiven, and that
// other refusals are repeated.
func TestRefusedAddress(t *testing.T) {
	eachOffice(t, func(o *office) {
		ida := o.ida()
		o.smtp.Refuse(ida.Email, 451, [3]int{4, 2, 1})
		o.queue(to(ida, template.CustomerActivation))
		o.settle()
		if d := o.only(ida); d.State != message.Waiting || d.Attempts != 1 || d.Status != 451 || d.Error == "" {
			o.Errorf("%+v", d)
		}
		o.smtp.Refuse(ida.Email, 550, [3]int{5, 1, 1})
		o.clock.Advance(time.Minute)
		o.settle()
		first := o.only(ida)
		if first.State != message.Dead || first.Status != 550 || first.Attempts != 2 {
			o.Errorf("%+v", first)
		}
		o.smtp.Refuse(ida.Email, 0, [3]int{})
		o.queue(to(ida, template.CustomerActivation))
		o.settle()
		if all := o.of(ida); all[0].State != message.Dead || all[0].Error != "the address is undeliverable" {
			o.Errorf("%+v", all[0])
		}
		o.Write(func(tx *db.Tx) error { return message.Resend(tx, &first) })
		o.settle()
		if all := o.of(ida); all[1].State != message.Sent || o.received() != 1 {
			o.Errorf("%+v", all[1])
		}
		o.Write(func(tx *db.Tx) error {
			sent := o.of(ida)[1]
			if err := message.Resend(tx, &sent); err == nil {
				o.Error("a sent message is sent again")
			}
			return nil
		})
	})
}

// TestPublicURL shows that messages with links wait for a public URL, and others do not.
func TestPublicURL(t *testing.T) {
	eachOffice(t, func(o *office) {
		o.config.Base = ""
		ida := o.ida()
		o.queue(to(ida, template.CustomerActivation))
		o.settle()
		d := o.only(ida)
		if d.State != message.Waiting || d.Attempts != 0 || !strings.Contains(d.Error, "public URL") || o.tokens != 0 {
			o.Errorf("%+v, %d tokens", d, o.tokens)
		}
		o.queue(to(ida, template.PasswordChanged))
		o.settle()
		if n := o.received(); n != 1 {
			o.Errorf("%d e-mails without links", n)
		}
		o.Configure(func(s *store.Settings) { s.PublicURL = "https://shop.example" })
		o.clock.Advance(time.Minute)
		o.settle()
		if got := o.smtp.Next(o); !strings.Contains(got.Text, "https://shop.example/me/SHOP/activate/secret-token") {
			o.Errorf("received %+v", got)
		}
	})
}

// TestNoChannel shows that e-mails wait for a mail server, and that they are given up after some days.
func TestNoChannel(t *testing.T) {
	eachOffice(t, func(o *office) {
		server := o.config.Server
		o.config.Server = mail.Server{}
		ida := o.ida()
		o.queue(to(ida, template.CustomerActivation))
		o.settle()
		if d := o.only(ida); d.State != message.Waiting || d.Attempts != 0 {
			o.Errorf("%+v", d)
		}
		clean := message.Clean(o.DB, 24*time.Hour)
		o.clock.Advance(message.Lifetime + time.Minute)
		if n, err := clean(t.Context()); err != nil || n != 1 {
			o.Errorf("%d given up, %v", n, err)
		}
		if d := o.only(ida); d.State != message.Dead || d.Error != "its channel did not work" {
			o.Errorf("%+v", d)
		}
		o.config.Server = server
		o.settle()
		o.clock.Advance(25 * time.Hour)
		if n, err := clean(t.Context()); err != nil || n != 1 || len(o.of(ida)) != 0 || o.received() != 0 {
			o.Errorf("%d deleted, %v", n, err)
		}
	})
}

// TestDropped shows that a message without a reason is not sent, and that another template may be switched off.
func TestDropped(t *testing.T) {
	eachOffice(t, func(o *office) {
		ida := o.ida()
		o.needed = false
		o.queue(to(ida, template.CustomerActivation))
		o.settle()
		if d := o.only(ida); d.State != message.Dropped || d.Values != nil || o.received() != 0 {
			o.Errorf("%+v", d)
		}
		o.queue(to(ida, template.CustomerRegistered)) // off by default
		if n := len(o.of(ida)); n != 1 {
			o.Errorf("%d deliveries", n)
		}
	})
}

// enable switches the e-mail of an event on.
func (o *office) enable(event string) {
	o.Helper()
	o.Write(func(tx *db.Tx) error {
		return tx.Insert("message_templates", "store_id, event, channel, language, subject, content, enabled, changed_at",
			"", []any{o.Store.Key, event, "email", "en", "About {{ program_name }}", "Hello {{ first_name }}", true, 0})
	})
}

// TestMarketing shows that marketing messages are for those only who agree when they are sent, that each can be
// ended by its link, and that they respect the quiet hours.
func TestMarketing(t *testing.T) {
	eachOffice(t, func(o *office) {
		o.enable(template.Birthday)
		ida := o.ida()
		refusing := to(ida, template.Birthday)
		refusing.Agreed = false
		o.queue(refusing)
		if n := len(o.of(ida)); n != 0 {
			o.Errorf("%d messages to somebody who does not agree", n)
		}
		o.Configure(func(s *store.Settings) { s.MessagesQuietFrom, s.MessagesQuietUntil = "13:00", "15:00" })
		o.queue(to(ida, template.Birthday), to(ida, template.CustomerActivation))
		o.settle() // 14:00 in Warsaw
		if n := o.received(); n != 1 {
			o.Errorf("%d e-mails in the quiet hours", n)
		}
		o.clock.Advance(time.Hour)
		o.settle()
		got := o.smtp.Next(o)
		_, link, _ := strings.Cut(got.Text, "https://loyalty.example/me/SHOP/unsubscribe/")
		token := strings.TrimSpace(link)
		if got.Header.Get("List-Unsubscribe") != "<https://loyalty.example/api/SHOP/customer/unsubscribe/"+token+">" ||
			got.Header.Get("List-Unsubscribe-Post") == "" || token == "" {
			o.Errorf("received %+v", got)
		}
		for range 2 {
			o.Write(func(tx *db.Tx) error { return o.config.Unsubscribe(tx, o.Store, token) })
		}
		if o.Find(ida.ID).Agreements[1] {
			o.Error("the customer still agrees")
		}
		for _, wrong := range []string{"", "a", token + "a", strings.ToUpper(token)} {
			err := o.DB.Write(t.Context(), func(tx *db.Tx) error { return o.config.Unsubscribe(tx, o.Store, wrong) })
			if err == nil {
				o.Errorf("token %q is accepted", wrong)
			}
		}
		o.queue(to(ida, template.Birthday)) // with the agreement as it was
		o.settle()
		if d := o.of(ida)[0]; d.State != message.Dropped || o.received() != 0 {
			o.Errorf("%+v", d)
		}
	})
}

// TestHourlyLimits shows that messages above a limit wait for the next hour, and marketing messages before the others.
func TestHourlyLimits(t *testing.T) {
	eachOffice(t, func(o *office) {
		o.enable(template.Birthday)
		o.config.PerHour, o.config.PerAddressHour = 10, 3
		ida := o.ida()
		for range 5 {
			o.queue(to(ida, template.CustomerActivation))
		}
		o.settle()
		if n := o.received(); n != 3 {
			o.Errorf("%d e-mails to one address", n)
		}
		o.clock.Advance(time.Hour)
		o.settle()
		if n := o.received(); n != 2 {
			o.Errorf("%d e-mails in the second hour", n)
		}
		o.clock.Advance(time.Hour)
		o.config.PerAddressHour = 100
		for range 12 {
			o.queue(to(ida, template.Birthday))
		}
		o.settle()
		if n := o.received(); n != 8 {
			o.Errorf("%d marketing messages in an hour", n)
		}
		for range 4 {
			o.queue(to(ida, template.CustomerActivation))
		}
		o.settle()
		if n := o.received(); n != 2 {
			o.Errorf("%d other messages in the hour", n)
		}
		o.clock.Advance(time.Hour)
		o.settle()
		if n := o.received(); n != 6 {
			o.Errorf("%d messages in the last hour", n)
		}
	})
}

// TestGateways shows the calls of the gateways, and what their answers mean.
func TestGateways(t *testing.T) {
	eachOffice(t, func(o *office) {
		secret := outbound.NewSecret()
		g := newGateway(o, func(r *http.Request) string {
			body, err := io.ReadAll(r.Body)
			if err != nil || !outbound.Verify(r.Header, body, o.clock.Now(), secret) {
				return "not signed"
			}
			return string(body)
		})
		o.Write(func(tx *db.Tx) error {
			return tx.Insert("message_settings", "store_id, email, sms, push, unsubscribe_key", "", []any{
				o.Store.Key, `{"Off":true}`, `{"URL":"` + g.url + `","Secret":"` + secret + `"}`, `{}`, secret,
			})
		})
		ida := o.ida()
		o.queue(to(ida, template.CustomerActivation))
		o.settle()
		states := map[string]string{}
		for _, d := range o.of(ida) {
			states[d.Queue] = d.State
		}
		if states["email"] != message.Waiting || states["sms"] != message.Sent {
			o.Errorf("states %v", states)
		}
		sms := o.of(ida)[slices.IndexFunc(o.of(ida), func(d message.Delivery) bool { return d.Queue == "sms" })]
		want := `{"messageId":"` + sms.ID + `","channel":"sms","to":"+48123",` +
			`"text":"Loyalty program: your activation code is 123456","customerId":"` + ida.ID + `","storeCode":"SHOP"}`
		if len(g.bodies) != 1 || g.bodies[0] != want {
			o.Errorf("calls %q, want %s", g.bodies, want)
		}
		phone := to(ida, template.CustomerActivation)
		phone.Email = ""
		for _, c := range []struct {
			status int
			state  string
		}{
			{503, message.Waiting}, {401, message.Waiting}, {422, message.Dead},
			{410, message.Waiting}, {204, message.Sent}, // one 410 may be about the gateway
		} {
			g.status = c.status
			o.queue(phone)
			o.settle()
			if d := o.of(ida)[0]; d.State != c.state {
				o.Errorf("after %d: %+v", c.status, d)
			}
		}
	})
}

// TestNamesOfStrangers shows that a name that anybody may have entered is no link in a message to an address that
// nobody confirmed, not in its subject, and short; and that such an address gets few messages in a day.
func TestNamesOfStrangers(t *testing.T) {
	eachOffice(t, func(o *office) {
		o.config.PerUnconfirmedDay = 2
		o.Write(func(tx *db.Tx) error {
			return tx.Insert("message_templates", "store_id, event, channel, language, subject, content, enabled, changed_at",
				"", []any{o.Store.Key, template.PasswordChanged, "email", "en", "{{ first_name }}, hello",
					"Hello {{ first_name }}!", true, 0})
		})
		const lure = "You won! http://evil.example/x evil.example me@evil.example +48 600 100 200"
		mallory := o.Register(customer.Registration{
			FirstName: lure, Email: "victim@example.com", Unverified: true, Active: true,
		})
		m := to(mallory, template.PasswordChanged)
		for _, m := range []message.Message{m, {
			Event: template.CustomerInvitation, Role: access.Customer, Email: "guest@example.com",
			Values: map[string]string{"referrer_name": lure},
		}} {
			o.queue(m)
			o.settle()
			got := o.smtp.Next(o)
			for _, word := range []string{"evil.example", "@evil", "100"} {
				if strings.Contains(got.HTML+got.Text, word) {
					o.Errorf("%s has %q:\n%s\n%s", m.Event, word, got.Text, got.HTML)
				}
			}
			if !strings.Contains(got.Text, "You won! http: evil. example") || strings.Contains(got.Subject, "You won") ||
				strings.HasPrefix(got.Subject, ",") || strings.Count(got.HTML, "<a ") > 1 {
				o.Errorf("%s: %q\n%s", m.Event, got.Subject, got.Text)
			}
		}
		o.queue(m, m)
		o.settle()
		if n := o.received(); n != 1 {
			o.Errorf("%d further messages within the day", n)
		}
		o.clock.Advance(12 * time.Hour)
		o.settle()
		if n := o.received(); n != 1 {
			o.Errorf("%d messages on the next day", n)
		}
		ida := o.ida() // who confirmed the address
		o.queue(to(ida, template.PasswordChanged), to(ida, template.PasswordChanged), to(ida, template.PasswordChanged))
		o.settle()
		if n := o.received(); n != 3 {
			o.Errorf("%d messages to a confirmed address", n)
		}
	})
}

// A customer who deleted the account gets no marketing from then on, also none that was queued before, until they come
// back. Messages about the account still arrive.
func TestLeavingCustomersGetNoMarketing(t *testing.T) {
	eachOffice(t, func(o *office) {
		o.enable(template.Birthday)
		ida := o.ida()
		o.queue(to(ida, template.Birthday))
		o.Write(func(tx *db.Tx) error { return erasure.Plan(tx, ida.StoreKey, ida.ID, tx.Now().Add(14*24*time.Hour)) })
		o.queue(to(ida, template.Birthday), to(ida, template.CustomerActivation))
		o.settle()
		var states []string
		for _, d := range o.of(ida) {
			states = append(states, d.Event+" "+d.State)
		}
		want := []string{template.CustomerActivation + " sent", template.Birthday + " dropped"}
		if !slices.Equal(states, want) {
			o.Errorf("%q, want %q", states, want)
		}
		o.Write(func(tx *db.Tx) error { return erasure.Cancel(tx, o.Store.Key, ida.ID) })
		o.received()
		o.queue(to(ida, template.Birthday))
		o.settle()
		if n := o.received(); n != 1 {
			o.Errorf("%d e-mails after coming back", n)
		}
	})
}
