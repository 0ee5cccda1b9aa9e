package message_test

import (
	"io"
	"net/http"
	"testing"
	"time"

	"punchcard/loyalty/message"
	"punchcard/loyalty/message/template"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/outbound"
)

// emailSettings sets how the e-mails of the store are sent.
func (o *office) emailSettings(json string) {
	o.Helper()
	o.Write(func(tx *db.Tx) error {
		return tx.Insert("message_settings", "store_id, email, sms, push, unsubscribe_key",
			"ON CONFLICT (store_id) DO UPDATE SET email = excluded.email", []any{o.Store.Key, json, `{}`, `{}`, "key"})
	})
}

// TestFaultyReplyTo shows that an address of the store that is not valid delays messages, and is not held against the
// customers.
func TestFaultyReplyTo(t *testing.T) {
	eachOffice(t, func(o *office) {
		ida := o.ida()
		o.emailSettings(`{"SenderName":"12\" Pizza","Sender":"not an address"}`)
		o.queue(to(ida, template.CustomerActivation))
		o.settle()
		if d := o.only(ida); d.State != message.Waiting || d.Error != "the address for answers is not valid" {
			o.Errorf("%+v", d)
		}
		o.emailSettings(`{"SenderName":"12\" Pizza","Sender":"pizza@example.com"}`)
		o.queue(to(ida, template.PasswordChanged))
		o.settle()
		from, err := o.smtp.Next(o).Header.AddressList("From")
		if err != nil || from[0].Name != `12" Pizza` {
			o.Errorf("from %v, %v", from, err)
		}
	})
}

// TestMarksEnd shows that an address that is refused for good gets nothing for four weeks, and then one message.
func TestMarksEnd(t *testing.T) {
	dbtest.Both(t)
	eachOffice(t, func(o *office) {
		ida := o.ida()
		o.smtp.Refuse(ida.Email, 550, [3]int{5, 1, 1})
		send := func() string {
			o.queue(to(ida, template.PasswordChanged))
			o.settle()
			return o.of(ida)[0].Error
		}
		const marked = "the address is undeliverable"
		if refusal := send(); refusal == "" || refusal == marked {
			o.Errorf("refused with %q", refusal)
		}
		o.clock.Advance(message.UndeliverableTerm - time.Minute)
		if refusal := send(); refusal != marked {
			o.Errorf("before the end: %q", refusal)
		}
		o.clock.Advance(time.Minute)
		if refusal := send(); refusal == "" || refusal == marked {
			o.Errorf("after the end: %q", refusal)
		}
		if refusal := send(); refusal != marked {
			o.Errorf("marked again: %q", refusal)
		}
		o.clock.Advance(message.UndeliverableTerm)
		o.smtp.Refuse(ida.Email, 0, [3]int{})
		if n, err := message.Clean(o.DB, time.Hour)(t.Context()); err != nil || n == 0 {
			o.Errorf("removed %d, %v", n, err)
		}
		if refusal := send(); refusal != "" || o.received() != 1 {
			o.Errorf("at last: %q", refusal)
		}
	})
}

// TestDoubtfulRefusals shows that a bare 550 is tried again, and marks the address when it comes again two days later.
func TestDoubtfulRefusals(t *testing.T) {
	dbtest.Both(t)
	eachOffice(t, func(o *office) {
		ida := o.ida()
		last := func() message.Delivery { o.settle(); return o.of(ida)[0] }
		refuse := func(status int) { o.smtp.Refuse(ida.Email, status, [3]int{-1, -1, -1}) }
		refuse(550)
		o.queue(to(ida, template.PasswordChanged))
		if d := last(); d.State != message.Waiting {
			o.Errorf("%+v", d)
		}
		o.clock.Advance(message.RefusedApart - time.Hour)
		if d := last(); d.State != message.Waiting || d.Attempts != 2 {
			o.Errorf("too early: %+v", d)
		}
		refuse(0)
		o.clock.Advance(2 * time.Hour)
		if d := last(); d.State != message.Sent || o.received() != 1 {
			o.Errorf("accepted: %+v", d)
		}
		refuse(550)
		o.queue(to(ida, template.PasswordChanged)) // an accepted message has cleared the address
		if d := last(); d.State != message.Waiting {
			o.Errorf("%+v", d)
		}
		o.clock.Advance(message.RefusedApart)
		if d := last(); d.State != message.Dead || d.Status != 550 {
			o.Errorf("two days later: %+v", d)
		}
		refuse(0)
		o.queue(to(ida, template.PasswordChanged))
		if d := last(); d.State != message.Dead || d.Error != "the address is undeliverable" {
			o.Errorf("marked: %+v", d)
		}
	})
}

// TestGatewayGone shows that 410 of a gateway means the phone only when it comes again two days later: a gateway that
// has moved answers 410 to everything.
func TestGatewayGone(t *testing.T) {
	eachOffice(t, func(o *office) {
		g := newGateway(o, func(r *http.Request) string {
			_, _ = io.Copy(io.Discard, r.Body)
			return r.Method
		})
		o.Write(func(tx *db.Tx) error {
			return tx.Insert("message_settings", "store_id, email, sms, push, unsubscribe_key", "", []any{
				o.Store.Key, `{"Off":true}`, `{"URL":"` + g.url + `","Secret":"` + outbound.NewSecret() + `"}`, `{}`, "key",
			})
		})
		ida := o.ida()
		phone := to(ida, template.CustomerActivation)
		phone.Email = ""
		g.status = http.StatusGone
		o.queue(phone)
		for _, want := range []string{message.Waiting, message.Dead} {
			o.settle()
			if d := o.only(ida); d.State != want || d.Status != http.StatusGone {
				o.Errorf("%+v, want %s", d, want)
			}
			o.clock.Advance(message.RefusedApart)
		}
	})
}

// TestRefusedHours shows the hour in which a channel refused most addresses, for good or not.
func TestRefusedHours(t *testing.T) {
	dbtest.Both(t)
	eachOffice(t, func(o *office) {
		row := func(table string, more []any, channel, address string, at time.Time) {
			o.Write(func(tx *db.Tx) error {
				columns := "store_id, channel, address, since"
				if more != nil {
					columns += ", reason"
				}
				return tx.Insert(table, columns, "", append([]any{o.Store.Key, channel, address, at.UnixMicro()}, more...))
			})
		}
		now := o.clock.Now()
		for _, address := range []string{"a", "b"} {
			row("undeliverable_addresses", []any{"no"}, "email", address, now)
			row("refused_addresses", nil, "email", address+"?", now.Add(time.Minute))
			row("undeliverable_addresses", []any{"no"}, "sms", address, now)
			row("undeliverable_addresses", []any{"no"}, "email", address+"!", now.Add(-time.Hour))
		}
		err := o.DB.Read(t.Context(), func(tx *db.Tx) error {
			found, err := message.RefusedHours(tx, o.Store.Key, now.Add(-time.Hour), 3)
			if len(found) != 1 || found[0].Channel != "email" || found[0].Addresses != 4 || !found[0].Hour.Equal(now) {
				o.Errorf("%+v", found)
			}
			return err
		})
		if err != nil {
			o.Error(err)
		}
	})
}
