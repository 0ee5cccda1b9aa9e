package message

import (
	"cmp"
	"time"

	"punchcard/loyalty/customer"
	"punchcard/loyalty/message/template"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/mail"
	"punchcard/platform/outbound"
)

// The limits of sending.
const (
	Lifetime = 72 * time.Hour // of a message that cannot be sent

	DefaultPerHour        = 5000 // messages of a store in an hour
	DefaultPerAddressHour = 20   // messages to one address in an hour

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

	Secrets map[string]Secrets // by event
	// Changed runs after a customer switched marketing messages off.
	Changed func(tx *db.Tx, s *store.Store, before, after *customer.Customer) error
}

// Links makes links to the web apps.
type Links struct {
	Base string // the public URL of the server, without a slash at its end; empty if it is not known
}

// To returns the link to a path that begins with a slash. ok is false if neither the store nor the
// server has a public URL.
func (l Links) To(s *store.Store, path string) (link string, ok bool) {
	base := cmp.Or(s.Settings.PublicURL, l.Base)
	return base + path, base != ""
}

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

// obstacle returns why a channel does not work, or an empty text.
func (c *Config) obstacle(settings *Settings, channel string) string {
	off, set := settings.Email.Off, c.Mailbox || settings.Email.Server.Host != "" || c.Server.Host != ""
	if channel != template.Email {
		g := settings.gateway(channel)
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
