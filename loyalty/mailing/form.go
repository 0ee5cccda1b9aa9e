package mailing

import (
	"punchcard/core/store"
	"punchcard/platform/form"
)

const (
	// CustomersLimit is the number of customers that a mailing can name.
	CustomersLimit = 1_000
	nameLimit      = 255
)

// readForm reads the form of a mailing.
func readForm(g *form.Group, languages store.Languages, s *store.Store) *Mailing {
	m := &Mailing{Name: g.Text("name", form.NotBlank, form.MaxLength(nameLimit))}
	c := &m.Content
	c.Channels = ReadChannels(g)
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
	c.Words = ReadWords(g, c.Channels, languages)
	c.OutcomeDays = ReadOutcomeDays(g)
	m.SendAt = g.DateTime("sendAt", s.Zone)
	return m
}
