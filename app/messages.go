package app

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"strings"

	"punchcard/core/store"
	"punchcard/loyalty/identity/verification"
	"punchcard/loyalty/message"
	"punchcard/loyalty/notification"
	"punchcard/platform/keytext"
	"punchcard/platform/mail"
)

// messageConfig reads the flags for messages.
func (s *server) messageConfig() (*message.Config, error) {
	c := &message.Config{
		Links: message.Links{Base: strings.TrimRight(s.config.PublicURL, "/")},
		HTTP:  s.outbound, Mail: mail.NewClient(mail.Config{Reach: s.config.reach(), Clock: s.db.Now}),
		From: s.config.MailFrom, Mailbox: s.config.Demo,
		PerHour:        cmp.Or(s.config.MessagesPerHour, message.DefaultPerHour),
		PerAddressHour: cmp.Or(s.config.MessagesPerAddress, message.DefaultPerAddressHour),

		PerUnconfirmedDay: cmp.Or(s.config.MessagesPerUnconfirmed, message.DefaultPerUnconfirmedDay),
		Secrets:           messageSecrets(), Notifications: notification.Pushed, Guard: verification.Guard(s.auth),
	}
	if !store.IsPublicURL(s.config.PublicURL) {
		return nil, errors.New("--public-url: it is not the address of a web site")
	}
	if s.config.SMTP == "" {
		return c, nil
	}
	var err error
	if c.Server, err = mail.ParseServer(s.config.SMTP); err != nil {
		return nil, fmt.Errorf("--smtp: %w", err)
	}
	c.Server.Trusted = true
	if !keytext.IsAddress(c.From) {
		return nil, errors.New("--mail-from: --smtp needs the e-mail address that messages come from")
	}
	return c, nil
}

// linkTo makes the address that a demonstration listens on the base of its links, unless it has a public URL.
func (s *server) linkTo(scheme string, address net.Addr) {
	if s.config.Demo && s.messages.Base == "" {
		s.messages.Base = scheme + "://" + address.String()
	}
}

// pagesAt returns the address of the cockpit: the public URL, or where the server listens.
func (s *server) pagesAt(scheme string, address net.Addr) string {
	return cmp.Or(strings.TrimRight(s.config.PublicURL, "/"), scheme+"://"+address.String())
}

// closeClients closes the idle connections to the addresses that users configure.
func (s *server) closeClients() {
	s.outbound.Close()
	s.messages.Mail.Close()
}
