package message

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"punchcard/core/access"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/erasure"
	"punchcard/loyalty/message/letter"
	"punchcard/loyalty/message/template"
	"punchcard/platform/db"
	"punchcard/platform/delivery"
)

// mask stands for secrets in what is stored.
const mask = "•••"

// composed is a message that is ready to be sent, or why it is not sent.
type composed struct {
	text, masked template.Text
	html         string // of an e-mail of blocks
	unsubscribe  string // URL of the API that ends messages like this one; empty for none

	refusal string // why it is not sent; empty if it is
	dropped bool   // because there is no reason for it any more
}

func dropped(reason string) (composed, error) { return composed{refusal: reason, dropped: true}, nil }

// compose decides whether a message is sent now, and writes it. The secrets that it makes are valid when the
// operation is committed.
func (s *sender) compose(tx *db.Tx, of *store.Store, d *Delivery) (c composed, err error) {
	channel, marketing := d.channel()
	event := template.Find(d.Event)
	if event == nil {
		return composed{refusal: "a newer version of the server queued it"}, nil
	}
	if tx.ServerNow().Sub(d.CreatedAt) > Lifetime {
		return composed{refusal: fmt.Sprintf("it could not be sent within %d hours", Lifetime/time.Hour)}, nil
	}
	m := d.message()
	if reason, err := address(tx, of, m, marketing); err != nil || reason != "" {
		return composed{refusal: reason, dropped: true}, err
	}
	if !d.toAdministrator() {
		switch undeliverable, err := isUndeliverable(tx, of.Key, channel, d.Address); {
		case err != nil:
			return c, err
		case undeliverable:
			return composed{refusal: "the address is undeliverable"}, nil
		}
	}
	texts, err := template.Load(tx, of)
	if err != nil {
		return c, err
	}
	render := func(secrets map[string]string) (template.Text, bool) {
		values := maps.Clone(m.Values)
		maps.Copy(values, secrets)
		text, on := texts.Render(d.Event, channel, m.Language, values)
		if m.unconfirmed { // somebody else may have entered the name
			bare, _ := texts.Render(d.Event, channel, m.Language, template.WithoutNames(values))
			text.Subject = strings.TrimLeft(strings.ReplaceAll(bare.Subject, " ,", ","), " ,")
		}
		return text, on
	}
	hidden := map[string]string{}
	for _, name := range event.Secret {
		hidden[name] = mask
	}
	on := false
	if c.masked, on = render(hidden); !on {
		return dropped("its template is switched off")
	}
	base := s.pages(of, d)
	if base == "" && (marketing && channel != template.Push || mentions(render, hidden, "link")) {
		return c, postponed(tx, d, noBase)
	}
	if err := s.count(tx, of, d, m.unconfirmed, marketing); err != nil {
		return c, err
	}
	secrets, ok, err := s.secrets(tx, of, event, m)
	if err != nil {
		return c, err
	}
	if !ok {
		return dropped("there is no reason for it any more")
	}
	if path := secrets["link"]; path != "" {
		secrets["link"] = base + path
	}
	c.text, _ = render(secrets)
	err = s.complete(tx, of, m, channel, marketing, &c)
	return c, err
}

// complete adds the link that ends marketing messages, and the HTML of an e-mail of blocks.
func (s *sender) complete(tx *db.Tx, of *store.Store, m *Message, channel string, marketing bool, c *composed) (
	err error) {
	content, ending := c.text.Content, letter.Part{}
	if marketing && channel != template.Push {
		if ending, err = c.addUnsubscribe(tx, of, m, s.Pages(of), s.API(of)); err != nil {
			return err
		}
	}
	if channel == template.Email {
		c.html, err = s.htmlOf(tx, of, m, c.text.Subject, content, ending)
	}
	return err
}

// noBase is why a message with a link waits.
const noBase = "no public URL is known for its link"

// pages returns the address of the pages that the links of a message open; empty if it is not known.
func (s *sender) pages(of *store.Store, d *Delivery) string {
	if d.toAdministrator() {
		return s.Base
	}
	return s.Pages(of)
}

// address completes the message by what is known about its customer. It returns why the customer does not
// get it, or an empty text.
func address(tx *db.Tx, of *store.Store, m *Message, marketing bool) (reason string, err error) {
	if m.Values == nil {
		m.Values = map[string]string{}
	}
	if m.Role != access.Customer {
		return "", nil
	}
	if m.unconfirmed = m.RecipientID == ""; m.unconfirmed {
		return "", nil
	}
	found, err := customer.FindAll(tx, of.Key, m.RecipientID)
	who := found[m.RecipientID]
	switch {
	case err != nil:
		return "", err
	case who == nil || !who.AnonymizedAt.IsZero(),
		who.Status == customer.Deleted && (who.MergedInto == "" || m.Event != template.CustomersMerged):
		return "the customer was deleted", nil
	case marketing && (!who.AgreedToMarketing() || !who.IsActive()):
		return "the customer does not agree to marketing messages", nil
	}
	if marketing {
		leaving, err := erasure.Planned(tx, of.Key, who.ID)
		if err != nil || leaving[who.ID] {
			return "the customer deleted the account", err
		}
	}
	m.unconfirmed = m.Email != "" && !(m.Email == who.Email && who.EmailVerified) ||
		m.Phone != "" && !(m.Phone == who.Phone && who.PhoneVerified)
	m.Language = cmp.Or(m.Language, who.Locale)
	for name, value := range map[string]string{"first_name": who.FirstName, "last_name": who.LastName} {
		if m.Values[name] == "" {
			m.Values[name] = value
		}
	}
	return "", nil
}

// secrets makes the secrets of a message.
func (s *sender) secrets(tx *db.Tx, of *store.Store, event *template.Event, m *Message) (
	values map[string]string, ok bool, err error) {
	if len(event.Secret) == 0 {
		return nil, true, nil
	}
	from := s.Secrets[event.Name]
	if from == nil {
		return nil, false, fmt.Errorf("nothing makes the secrets of %s", event.Name)
	}
	return from(tx, of, m)
}

// mentions reports whether the text shows a secret.
func mentions(render func(map[string]string) (template.Text, bool), hidden map[string]string, name string) bool {
	if hidden[name] == "" {
		return false
	}
	without := maps.Clone(hidden)
	without[name] = ""
	with, _ := render(hidden)
	other, _ := render(without)
	return with != other
}

// postponed postpones a message that needs a setting. The older it is, the longer is the pause.
func postponed(tx *db.Tx, d *Delivery, reason string) error {
	now := tx.ServerNow()
	pause := min(max(now.Sub(d.CreatedAt), time.Minute), time.Hour)
	return &delivery.Postponed{Until: now.Add(pause), Reason: reason}
}

// count counts a message towards the limits of the hour, or postpones it to the next one. What customers get never
// delays a message to an administrator.
func (s *sender) count(tx *db.Tx, of *store.Store, d *Delivery, unconfirmed, marketing bool) error {
	if d.toAdministrator() {
		return nil // limited by account
	}
	if unconfirmed {
		if err := s.countDay(tx, of, d); err != nil {
			return err
		}
	}
	most := s.PerHour
	if marketing {
		most = most * marketingShare / 100
	}
	now := tx.ServerNow()
	for _, c := range []struct {
		address, reason string
		most            int
	}{
		{d.Address, "the address got as many messages as the limit of an hour allows", s.PerAddressHour},
		{"", "the store sent as many messages as the limit of an hour allows", most},
	} {
		counted, err := countInHour(tx, of.Key, c.address, hourOf(now), c.most)
		if err != nil {
			return err
		}
		if !counted {
			return &delivery.Postponed{Until: now.Truncate(time.Hour).Add(time.Hour), Reason: c.reason}
		}
	}
	return nil
}

// countDay counts a message to an address that may be somebody else's towards the limit of the day, or postpones it to
// the next one.
func (s *sender) countDay(tx *db.Tx, of *store.Store, d *Delivery) error {
	const day = 24 * time.Hour
	next := tx.ServerNow().Truncate(day).Add(day)
	counted, err := countInHour(tx, of.Key, dayOf+d.Address, hourOf(next)-1, s.PerUnconfirmedDay)
	if err == nil && !counted {
		const reason = "the unconfirmed address got as many messages as the limit of a day allows"
		err = &delivery.Postponed{Until: next, Reason: reason}
	}
	return err
}

func hourOf(t time.Time) int64 { return t.Unix() / int64(time.Hour/time.Second) }

// IsQuiet reports whether it is in the quiet hours of a store, which may pass midnight.
func IsQuiet(s *store.Store, now time.Time) bool {
	from, until := s.Settings.MessagesQuietFrom, s.Settings.MessagesQuietUntil
	at := now.In(s.Zone).Format("15:04")
	if from <= until {
		return from <= at && at < until
	}
	return at >= from || at < until
}

// unsubscribeLines introduce the link that ends marketing messages, by language.
var unsubscribeLines = map[string]string{
	"en": "You do not want messages like this any more? ", "pl": "Nie chcesz już takich wiadomości? ",
	"de": "Sie möchten solche Nachrichten nicht mehr erhalten? ", "fr": "Vous ne souhaitez plus recevoir ces messages ? ",
	"es": "¿No desea recibir más mensajes como este? ",
}

// addUnsubscribe adds the link that ends marketing messages: to a page, and to the API for mail programs. It returns
// the last line of the message.
func (c *composed) addUnsubscribe(tx *db.Tx, of *store.Store, m *Message, pages, api string) (letter.Part, error) {
	token, err := UnsubscribeToken(tx, of, m.RecipientID)
	if err != nil {
		return letter.Part{}, err
	}
	language := m.Language
	if language == "" {
		languages, err := store.AllLanguages(tx)
		if err != nil {
			return letter.Part{}, err
		}
		language = languages.Default()
	}
	language, _, _ = strings.Cut(strings.ReplaceAll(language, "-", "_"), "_")
	if api != "" {
		c.unsubscribe = api + "/api/" + of.Code + "/customer/unsubscribe/" + token
	}
	link := pages + pageOf(of, token)
	line := cmp.Or(unsubscribeLines[language], unsubscribeLines["en"])
	c.text.Content += "\n\n" + line + link
	return letter.Footer(line, link), nil
}

// queuesOf returns the queues of a channel by the settings of the store.
func queuesOf(channel string) (queues []string) {
	for _, queue := range transports {
		if of, _ := channelOf(queue); of == channel {
			queues = append(queues, queue, queue+marketingSuffix)
		}
	}
	return queues
}

// allQueues lists the queues of all channels.
var allQueues = append(slices.Concat(queuesOf(template.Email), queuesOf(template.SMS), queuesOf(template.Push)),
	administrators, notifications)
