package message

import (
	"cmp"
	"context"
	"time"

	"punchcard/core/access"
	"punchcard/core/store"
	"punchcard/loyalty/message/letter"
	"punchcard/loyalty/message/template"
	"punchcard/platform/db"
	"punchcard/platform/delivery"
	"punchcard/platform/mail"
	"punchcard/platform/outbound"
	"punchcard/platform/phone"
)

// server returns the server that takes the e-mails of a store.
func (s *Settings) server(c *Config) mail.Server {
	if s.Email.Server.Host != "" {
		return s.Email.Server
	}
	return c.Server
}

// mail returns the e-mail of a message.
func (c *composed) mail(s *sender, of *store.Store, settings *Settings, d *Delivery) *mail.Mail {
	m := &mail.Mail{
		ID: d.ID, From: settings.Email.Sender, FromName: cmp.Or(settings.Email.SenderName, of.Settings.ProgramName),
		To: d.Address, Subject: c.text.Subject, Text: c.text.Content, HTML: c.html, At: s.db.Now(),
		Unsubscribe: c.unsubscribe,
	}
	if settings.Email.Server.Host == "" { // the server of the operator accepts one sender
		m.From, m.ReplyTo = s.From, settings.Email.Sender
	}
	return m
}

// mailToAdministrator returns the e-mail of a message to an administrator. Nothing in it comes from the settings of a
// store.
func (c *composed) mailToAdministrator(s *sender, d *Delivery) *mail.Mail {
	return &mail.Mail{
		ID: d.ID, From: s.From, FromName: "Punchcard", To: d.Address, Subject: c.text.Subject, Text: c.text.Content,
		At: s.db.Now(),
	}
}

// gatewayCall is the body of a call of a gateway.
type gatewayCall struct {
	MessageID  string `json:"messageId"` // the webhook-id of the call
	Channel    string `json:"channel"`
	To         string `json:"to"` // phone, or id of the customer
	Title      string `json:"title,omitempty"`
	Text       string `json:"text"`
	CustomerID string `json:"customerId,omitempty"`
	StoreCode  string `json:"storeCode"`
}

// callGateway sends a message by SMS or push.
func (s *sender) callGateway(ctx context.Context, of *store.Store, settings *Settings, d *Delivery, c *composed) (
	o outbound.Outcome) {
	channel, _ := d.channel()
	call := gatewayCall{
		MessageID: d.ID, Channel: channel, To: d.Address, Title: c.text.Subject, Text: c.text.Content,
		StoreCode: of.Code,
	}
	if channel == template.SMS {
		call.To = phone.Dialled(d.Address, of.Settings.Country)
	}
	if d.Role == string(access.Customer) {
		call.CustomerID = d.RecipientID
	}
	return s.hand(ctx, s.db.Now(), settings.gateway(channel), &call)
}

// hand gives a message to the service that sends SMS, or to a gateway of the store's own.
func (c *Config) hand(ctx context.Context, now time.Time, g *Gateway, call *gatewayCall) outbound.Outcome {
	if g.Service == twilio {
		return c.sendTwilio(ctx, g, call.To, call.Text)
	}
	return c.post(ctx, now, g, call)
}

// post calls a gateway. A call that it does not understand is not repeated. 410 says that the
// address does not exist, or that the gateway has moved.
func (c *Config) post(ctx context.Context, now time.Time, g *Gateway, call *gatewayCall) outbound.Outcome {
	o := c.call(ctx, now, g.URL, g.Secret, call.MessageID, call)
	o.Gone, o.Doubtful = false, o.Gone
	o.Hopeless = o.Status == 400 || o.Status == 422
	return o
}

// testEvent is the event of test messages in the mailbox of a demonstration.
const testEvent = "test"

// SendNow sends a text at once, an e-mail also as HTML of parts if there are any, also by a channel that is switched
// off, and returns its id. Nothing is stored but in the mailbox of a demonstration.
func (c *Config) SendNow(ctx context.Context, d *db.DB, of *store.Store, channel, address string, text template.Text,
	parts ...letter.Part) (id string, o outbound.Outcome, err error) {
	id = db.NewID()
	if c.Mailbox {
		return id, outbound.Outcome{Status: mailboxStatus}, store.Write(ctx, d, of, func(tx *db.Tx) error {
			now := tx.ServerNow()
			return table.Insert(tx, &Delivery{
				StoreKey: of.Key, Queue: channel, ID: id, Event: testEvent, Role: string(access.Administrator),
				Address: address, Subject: text.Subject, Content: text.Content,
				Progress: delivery.Progress{
					State: Sent, Attempts: 1, CreatedAt: now, AttemptedAt: now, Status: mailboxStatus, FinishedAt: now,
				},
			})
		})
	}
	var settings *Settings
	ready := composed{text: text}
	err = store.Read(ctx, d, of, func(tx *db.Tx) (err error) {
		if settings, err = settingsOf(tx, of.Key); err == nil {
			ready.html, err = c.html(tx, of, text.Subject, "", parts)
		}
		return err
	})
	if err != nil {
		return id, o, err
	}
	if c.obstacle(settings, channel) == NotConfigured {
		return id, outbound.Outcome{Problem: "this channel is not configured"}, nil
	}
	if channel == template.Email {
		s := &sender{Config: c, db: d}
		return id, c.Mail.Send(ctx, settings.server(c), ready.mail(s, of, settings, &Delivery{ID: id, Address: address})), nil
	}
	if channel != template.Push || settings.Push.URL != "" {
		o = c.hand(ctx, d.Now(), settings.gateway(channel), &gatewayCall{
			MessageID: id, Channel: channel, To: address, Title: text.Subject, Text: text.Content, StoreCode: of.Code,
		})
	}
	if channel == template.Push && settings.Push.Browsers && o.OK() {
		o, err = c.pushToAll(ctx, d, of, address, browserMessage{ID: id, Title: text.Subject, Text: text.Content})
	}
	return id, o, err
}
