package message

import (
	"fmt"
	"slices"
	"strings"

	"punchcard/core/config"
	"punchcard/loyalty/message/template"
	"punchcard/platform/db"
	"punchcard/platform/mail"
	"punchcard/platform/outbound"
)

// Settings are how the messages of a store are sent. The zero value is that of a new store.
type Settings struct {
	StoreKey  int64
	Email     EmailSettings
	SMS, Push Gateway
	// UnsubscribeKey signs the links that end marketing messages. Without a row it is empty.
	UnsubscribeKey string
}

// EmailSettings are how e-mails are sent. Without a Server they go through that of the operator.
type EmailSettings struct {
	Off        bool
	SenderName string // empty: the name of the program
	// Sender is the address that e-mails come from or, through the server of the operator, that answers go to.
	Sender string
	Server mail.Server
}

// Gateway is an address that sends SMS or push messages.
type Gateway struct {
	Off    bool
	URL    string // empty: none
	Secret string // signs the calls

	// Browsers reports whether push messages go to browsers, too.
	Browsers bool `json:",omitempty"`

	// Service sends SMS instead of a gateway of the store's own, from a number or a name of an account.
	Service, Account, From, Token string `json:",omitempty"`
}

// sameCalls reports whether two gateways are called alike.
func (g *Gateway) sameCalls(other *Gateway) bool {
	a, b := *g, *other
	a.Off, b.Off = false, false
	a.Browsers, b.Browsers = false, false
	return a == b
}

// gateway returns the gateway of a channel other than e-mail.
func (s *Settings) gateway(channel string) *Gateway {
	if channel == template.SMS {
		return &s.SMS
	}
	return &s.Push
}

// takes reports whether a message is queued for a transport. Without a gateway, an SMS is queued only if nothing
// else reaches the recipient. Events with an inbox are pushed to the gateway with their notification, but for messages
// that name their channels.
func (s *Settings) takes(m *Message, e *template.Event, transport string) bool {
	switch transport {
	case template.Email:
		return true
	case template.SMS:
		return s.SMS.URL != "" || m.Email == ""
	case template.Push:
		return s.Push.URL != "" && (m.Channels != nil || !slices.Contains(e.Channels, template.Inbox))
	case browsers:
		return s.Push.Browsers
	}
	return false
}

// Audited holds the settings that the audit log shows.
type Audited struct {
	NotificationGateway       string `json:"notificationGateway,omitempty"`
	NotificationGatewayActive bool   `json:"notificationGatewayActive,omitempty"`

	MailOff, SMSOff, PushOff bool
	MailSender, MailServer   string
	SMSGateway, PushGateway  string
	PushBrowsers             bool
}

// ReadAudited returns what the audit log shows of the settings of a store.
func ReadAudited(tx *db.Tx, storeKey int64) (Audited, error) {
	notifications, _, err := FindNotificationGateway(tx, storeKey)
	if err != nil {
		return Audited{}, err
	}
	s, err := settingsOf(tx, storeKey)
	a := Audited{
		NotificationGateway: notifications.URL, NotificationGatewayActive: notifications.Active,
		MailOff: s.Email.Off, SMSOff: s.SMS.Off, PushOff: s.Push.Off, PushGateway: s.Push.URL,
		PushBrowsers: s.Push.Browsers,
		SMSGateway:   strings.Join(strings.Fields(s.SMS.URL+" "+s.SMS.Account+" "+s.SMS.From), " "),
		MailSender:   strings.TrimSpace(s.Email.SenderName + " " + s.Email.Sender),
	}
	if server := &s.Email.Server; server.Host != "" {
		a.MailServer = fmt.Sprintf("%s %s:%d %s", server.Security, server.Host, server.Port, server.User)
	}
	return a, err
}

var settingsTable = db.NewConfiguration("message_settings", "store_id", func(s *Settings) db.Row {
	return db.Row{
		"store_id", &s.StoreKey, "email", db.JSON(&s.Email), "sms", db.JSON(&s.SMS), "push", db.JSON(&s.Push),
		"unsubscribe_key", &s.UnsubscribeKey,
	}
})

var settingsPart = config.NewPart(func(tx *db.Tx, storeKey int64) (Settings, error) {
	s, _, err := settingsTable.One(tx, `SELECT * FROM message_settings WHERE store_id = ?`, storeKey)
	s.StoreKey = storeKey
	return s, err
}, settingsTable.Schema)

// settingsOf returns the settings of a store.
func settingsOf(tx *db.Tx, storeKey int64) (*Settings, error) {
	s, err := settingsPart.Of(tx, storeKey)
	return &s, err
}

// save stores the settings. A first row gets a key.
func (s *Settings) save(tx *db.Tx) error {
	if s.UnsubscribeKey == "" {
		s.UnsubscribeKey = outbound.NewSecret()
	}
	return settingsTable.InsertOr(tx, `ON CONFLICT (store_id) DO UPDATE
		SET email = excluded.email, sms = excluded.sms, push = excluded.push`, s)
}

// signing returns the settings with a key for links, which are stored if they had none.
func signing(tx *db.Tx, storeKey int64) (*Settings, error) {
	s, err := settingsOf(tx, storeKey)
	if err != nil || s.UnsubscribeKey != "" {
		return s, err
	}
	s.UnsubscribeKey = outbound.NewSecret()
	if _, err := settingsTable.InsertNew(tx, s); err != nil {
		return nil, err
	}
	return settingsOf(tx, storeKey) // another transaction may have been first
}
