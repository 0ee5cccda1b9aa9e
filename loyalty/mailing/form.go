package mailing

import (
	"net/url"
	"slices"
	"unicode/utf8"

	"punchcard/api"
	"punchcard/loyalty/message"
	"punchcard/loyalty/message/template"
	"punchcard/loyalty/store"
	"punchcard/platform/form"
)

const (
	// CustomersLimit is the number of customers that a mailing can name.
	CustomersLimit = 1_000
	nameLimit      = 255
	subjectLimit   = 255
	contentLimit   = 20_000
	// ShortLimit is the length of the short text, in characters: three SMS of 160.
	ShortLimit = 480
	linkLimit  = 2_000
)

func localeOf(wanted, usual string) api.Locale { return api.Locale{Wanted: wanted, Default: usual} }

// readForm reads the form of a mailing.
func readForm(g *form.Group, s *store.Store, languages store.Languages) *Mailing {
	m := &Mailing{Name: g.Text("name", form.NotBlank, form.MaxLength(nameLimit))}
	c := &m.Content
	c.Channels = g.Texts("channels", form.MinItems(1), form.Matches(form.UnknownChoice, func(name string) bool {
		return name == "" || slices.Contains(message.MailingChannels, name)
	}))
	c.Audience = g.Choice("audience", []string{toEverybody, toLevels, toSegments, toCustomers}, form.NotBlank)
	for _, list := range []struct {
		audience string
		to       *[]string
	}{{toLevels, &c.Levels}, {toSegments, &c.Segments}, {toCustomers, &c.Customers}} {
		ids := g.UUIDs(list.audience)
		if c.Audience != list.audience {
			continue
		}
		*list.to = ids
		switch {
		case g.Failed(list.audience):
		case len(ids) == 0:
			g.AddError(list.audience, form.NoItems)
		case len(ids) > CustomersLimit:
			g.AddError(list.audience, form.TooMany.With(CustomersLimit))
		}
	}
	readTexts(g.Group("texts"), c, languages)
	if len(c.Texts) == 0 && !g.Failed("texts") {
		g.AddError("texts", form.NoItems)
	}
	c.Link = g.Text("link", form.MaxLength(linkLimit), form.Matches(form.NotValid, isWebAddress))
	m.SendAt = g.DateTime("sendAt", s.Zone)
	return m
}

func readTexts(g *form.Group, c *Content, languages store.Languages) {
	c.Texts = map[string]Text{}
	known := form.Matches(form.NotValid, func(text string) bool {
		return template.Unknown(text, ownPlaceholders...) == ""
	})
	mail := slices.Contains(c.Channels, template.Email)
	push := slices.Contains(c.Channels, template.Push)
	short := slices.ContainsFunc(c.Channels, func(channel string) bool {
		return channel != template.Email && channel != ""
	})
	for _, l := range languages {
		t := g.Group(l.Code)
		text := Text{
			Subject: t.Text("subject", form.MaxLength(subjectLimit), known),
			Content: t.Text("content", form.MaxLength(contentLimit), known),
			Short:   t.Text("short", form.MaxLength(ShortLimit), known),
		}
		if text == (Text{}) && !t.Failed("subject") && !t.Failed("content") && !t.Failed("short") {
			continue // not written in this language
		}
		for name, of := range map[string]struct {
			text     string
			required bool
		}{"subject": {text.Subject, mail || push}, "content": {text.Content, mail}, "short": {text.Short, short}} {
			if of.required && of.text == "" && !t.Failed(name) {
				t.AddError(name, form.Blank)
			}
		}
		c.Texts[l.Code] = text
	}
}

// isWebAddress reports whether a text is an address that people can open, or empty.
func isWebAddress(text string) bool {
	if text == "" {
		return true
	}
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && u.User == nil &&
		utf8.ValidString(text)
}
