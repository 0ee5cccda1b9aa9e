package message_test

import (
	"testing"

	"punchcard/loyalty/message"
	"punchcard/loyalty/message/template"
	"punchcard/platform/db"
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
