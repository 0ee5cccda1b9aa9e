package message

import (
	"cmp"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/message/template"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
	"punchcard/platform/keytext"
	"punchcard/platform/mail"
	"punchcard/platform/outbound"
)

const nameLimit = 255 // characters

// Errors of settings.
var (
	errAddress  = fault.New(fault.Fields, "not_an_address", "This value is not a valid e-mail address.")
	errSecret   = fault.New(fault.Fields, "not_a_signing_secret", "This value is not a valid signing secret.")
	errPlain    = fault.New(fault.Fields, "encryption_required", "A password is sent over an encrypted connection only.")
	errPassword = fault.New(fault.Fields, "password_required", "This server needs its password again.")
	errToken    = fault.New(fault.Fields, "token_required", "This account needs its token.")
)

func showSettings(r *api.Reading) (settingsView, error) {
	s, err := settingsOf(r.Tx, r.Store.Key)
	if err != nil {
		return settingsView{}, err
	}
	return settingsViewOf(s), nil
}

func (c *Config) describeSettings(g *form.Group) {
	c.read(g)
	api.ReadCurrentPassword(g)
}

// sentSettings are new settings. confirm is the guard of settings that make messages go elsewhere.
type sentSettings struct {
	Settings
	confirm func(tx *db.Tx, what ...string) error
}

func (c *Config) readSettings(call *api.Call, g *form.Group) (in sentSettings, err error) {
	in.Settings = *c.read(g)
	if g.Node() == nil { // absent checkboxes mean off, so a body without settings would stop all messages
		g.AddFormError(form.Blank)
	}
	if g.Err() != nil {
		return in, nil
	}
	body, err := call.Body()
	if err == nil {
		in.confirm, err = c.Guard(call, form.Read(body, "messageSettings"))
	}
	return in, err
}

// read reads the whole settings. Empty passwords and secrets keep the present ones.
func (c *Config) read(g *form.Group) *Settings {
	s := &Settings{}
	isAddress := form.Matches(errAddress, func(text string) bool { return text == "" || keytext.IsAddress(text) })
	email := g.Group("email")
	s.Email = EmailSettings{
		Off: !email.Checkbox("active"), SenderName: email.Text("senderName", form.MaxLength(nameLimit)),
		Sender: email.Key("senderAddress", isAddress),
		Server: mail.Server{
			Host:     email.Text("host", form.MaxLength(nameLimit), c.HTTP.HostNameRule()),
			Port:     int(email.Integer("port", form.GreaterThan(0), form.LessThan(1<<16))),
			Security: email.Choice("security", mail.Securities), User: email.Text("user", form.MaxLength(nameLimit)),
			Password: email.Verbatim("password", form.MaxLength(nameLimit)),
		},
	}
	server := &s.Email.Server
	server.Security = cmp.Or(server.Security, mail.StartTLS)
	server.Port = cmp.Or(server.Port, mail.DefaultPort(server.Security))
	switch {
	case server.Host == "":
		s.Email.Server = mail.Server{}
	case s.Email.Sender == "" && !email.Failed("senderAddress"):
		email.AddError("senderAddress", form.Blank)
	}
	if server.User != "" && server.Security == mail.Optional {
		email.AddError("security", errPlain)
	}
	s.SMS, s.Push = c.readGateway(g.Group("sms")), c.readGateway(g.Group("push"))
	readTwilio(g.Group("sms"), &s.SMS)
	s.Push.Browsers = g.Group("push").Checkbox("browsers")
	return s
}

func (c *Config) readGateway(g *form.Group) Gateway {
	return Gateway{Off: !g.Checkbox("active"), URL: g.Text("url", c.HTTP.URLRules()...), Secret: readSecret(g)}
}

func readSecret(g *form.Group) string {
	return g.Verbatim("secret", form.Matches(errSecret, func(text string) bool {
		return text == "" || outbound.IsSecret(text)
	}))
}

func changeSettings(w *api.Writing, in sentSettings) (v settingsView, err error) {
	if _, err := store.Lock(w.Tx, w.Store.Key); err != nil { // concurrent calls generate only one secret
		return v, err
	}
	old, err := settingsOf(w.Tx, w.Store.Key)
	if err != nil {
		return v, err
	}
	s := in.Settings
	s.StoreKey, s.UnsubscribeKey = w.Store.Key, old.UnsubscribeKey
	if !keepPassword(&s.Email.Server, &old.Email.Server) {
		return v, w.Refuse("email.password", errPassword)
	}
	if !s.SMS.keepToken(&old.SMS) {
		return v, w.Refuse("sms.token", errToken)
	}
	v = settingsViewOf(&s)
	v.SMS.Secret, v.Push.Secret = s.SMS.keepSecret(&old.SMS), s.Push.keepSecret(&old.Push)
	if err := s.save(w.Tx); err != nil {
		return v, err
	}
	if s.Push.Browsers {
		if err := makePushKey(w.Tx); err != nil {
			return v, err
		}
	}
	if moved := s.moved(old); len(moved) > 0 {
		return v, in.confirm(w.Tx, moved...)
	}
	return v, nil
}

// moved names the settings that make messages go elsewhere than before.
func (s *Settings) moved(old *Settings) (names []string) {
	for _, part := range []struct {
		name string
		same bool
	}{
		{"email", s.Email.Server == old.Email.Server},
		{"sms", s.SMS.sameCalls(&old.SMS)},
		{"push", s.Push.sameCalls(&old.Push)},
	} {
		if !part.same {
			names = append(names, "messageSettings["+part.name+"]")
		}
	}
	return names
}

// keepPassword keeps the former password of the same log-in at the same server. Another server needs it again, so
// that nobody has a stored password sent to a server of theirs.
func keepPassword(server, old *mail.Server) (ok bool) {
	switch {
	case server.User == "":
		server.Password = ""
		return true
	case server.Password != "":
		return true
	}
	same := *old
	same.Password = ""
	if *server == same {
		server.Password = old.Password
	}
	return server.Password != ""
}

// keepSecret keeps the former secret of a gateway, or returns the one that it generates.
func (g *Gateway) keepSecret(old *Gateway) (made string) {
	switch {
	case g.URL == "", g.Service != "":
		g.Secret = ""
	case g.Secret != "":
	case old.Secret != "":
		g.Secret = old.Secret
	default:
		made = outbound.NewSecret()
		g.Secret = made
	}
	return made
}

// trial is a test message.
type trial struct{ channel, address string }

func readTest(g *form.Group) trial {
	t := trial{
		channel: g.Choice("channel", channels, form.NotBlank),
		address: g.Key("address", form.NotBlank, form.MaxLength(keytext.MaxAddress)),
	}
	if t.channel == template.Email && t.address != "" && !keytext.IsAddress(t.address) {
		g.AddError("address", errAddress)
	}
	return t
}

// test sends a message at once, also by a channel that is switched off, and stores nothing.
func (c *Config) test(call *api.Call, t trial) (testView, error) {
	text := template.Text{
		Subject: call.Store.Settings.ProgramName,
		Content: "This is a test message of " + call.Store.Settings.ProgramName + ".",
	}
	id, o, err := c.SendNow(call.Context(), call.DB(), call.Store, t.channel, t.address, text)
	return testView{MessageID: id, Delivered: o.OK(), Status: o.Status, Error: o.Problem}, err
}
