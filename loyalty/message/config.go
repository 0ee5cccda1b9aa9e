package message

import (
	"cmp"
	"time"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/message/template"
	"punchcard/platform/db"
	"punchcard/platform/keytext"
	"punchcard/platform/mail"
	"punchcard/platform/outbound"
)

// The limits of sending.
const (
	Lifetime = 72 * time.Hour // of a message that cannot be sent

	DefaultPerHour        = 5000 // messages of a store in an hour
	DefaultPerAddressHour = 20   // messages to one address in an hour

	DefaultPerUnconfirmedDay = 10 // messages to one address that nobody confirmed in a day (UTC)

	StoresAtOnce  = 32 // that one node sends messages of concurrently
	CallsPerQueue = 4  // concurrent calls for a channel of a store, twice: for marketing messages, too

	// marketingShare is the part of a store's hourly limit that marketing messages can use, in percent. The
	// rest is for messages that people wait for.
	marketingShare = 80
)

// Config is how a server sends messages.
type Config struct {
	Links
	Mail *mail.Client
	HTTP *outbound.Client // calls the gateways

	Server mail.Server // sends the e-mails of stores without their own; the zero value is none
	From   string      // the address that those e-mails come from
	// Mailbox keeps messages with their content instead of sending them.
	Mailbox bool

	PerHour        int // messages of a store in an hour
	PerAddressHour int // messages to one address in an hour

	PerUnconfirmedDay int // messages to one address that nobody confirmed in a day

	Secrets map[string]Secrets // by event
	// Notifications returns what the gateway for notifications gets, given the customers of these by their ids.
	// Deleted notifications are left out.
	Notifications func(tx *db.Tx, s *store.Store, customers map[string]string) ([]any, error)

	Guard api.Guard // of the mail server and the gateways
}

// Links has the addresses that links begin with, without a slash at their end.
type Links struct {
	Base string // the public URL of the server; empty if it is not known
}

// API returns the address at which the server is reached for a store; empty if it is not known.
func (l Links) API(s *store.Store) string {
	return cmp.Or(keytext.ASCIIURL(s.Settings.PublicURL), l.Base)
}

// Pages returns the address of the pages for customers and sellers of a store; empty if it is not known.
func (l Links) Pages(s *store.Store) string { return cmp.Or(s.Settings.MessageLinksURL, l.API(s)) }

// Why a channel does not work.
const (
	NotConfigured = "not_configured"
	SwitchedOff   = "switched_off"
)

// Works reports whether the store has a working channel, and why not.
func (c *Config) Works(tx *db.Tx, s *store.Store, channel string) (works bool, reason string, err error) {
	settings, err := settingsOf(tx, s.Key)
	if err != nil {
		return false, "", err
	}
	reason = c.obstacle(settings, channel)
	return reason == "", reason, nil
}

// administratorsObstacle returns why messages to administrators are not sent, or an empty text.
func (c *Config) administratorsObstacle() string {
	if c.Mailbox || c.Server.Host != "" {
		return ""
	}
	return NotConfigured
}

// obstacle returns why a channel does not work, or an empty text.
func (c *Config) obstacle(settings *Settings, channel string) string {
	if channel == template.Push && settings.Push.URL == "" {
		channel = browsers
	}
	return c.obstacleOf(settings, channel)
}

// obstacleOf returns why a transport does not work, or an empty text.
func (c *Config) obstacleOf(settings *Settings, transport string) string {
	var off, set bool
	switch transport {
	case template.Email:
		off, set = settings.Email.Off, c.Mailbox || settings.Email.Server.Host != "" || c.Server.Host != ""
	case browsers:
		off, set = settings.Push.Off, settings.Push.Browsers
	default:
		g := settings.gateway(transport)
		off, set = g.Off, g.URL != ""
	}
	switch {
	case !set:
		return NotConfigured
	case off:
		return SwitchedOff
	}
	return ""
}
