package template

import (
	"context"
	"maps"
	"unicode/utf8"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/platform/db"
	"punchcard/platform/form"
	"punchcard/platform/outbound"
)

// Send sends a text at once, and returns the id of the message with the outcome.
type Send func(ctx context.Context, d *db.DB, s *store.Store, channel, to string, t Text) (
	id string, o outbound.Outcome, err error)

// valuesOfCustomer returns the values of placeholders that a customer has, and their language, which may be empty. The
// error is fault.ErrNotFound if there is no such customer.
func valuesOfCustomer(tx *db.Tx, s *store.Store, customerID string) (
	values map[string]string, language string, err error) {
	c, err := customer.Find(tx, s.Key, customerID)
	if err != nil {
		return nil, "", err
	}
	return c.MessageValues(), c.Locale, nil
}

// previewView is a message as it would look on a channel.
type previewView struct {
	Channel  string `json:"channel" enum:"email,sms,push,inbox"`
	Language string `json:"language"` // of the text
	Subject  string `json:"subject"`
	Content  string `json:"content"`
	Enabled  bool   `json:"enabled"`
	Length   int    `json:"length"` // characters of the content; of a text message as they are counted in parts
	Parts    int    `json:"parts,omitempty"`
	Encoding string `json:"encoding,omitempty"` // of a text message: gsm7 or ucs2
}

type previewList struct {
	Previews []previewView `json:"previews"`
	Total    int           `json:"total"`
}

// draft is a message to preview.
type draft struct {
	event             *Event
	channel, language string // empty for all channels, and for the language of the customer
	customerID        string // empty for samples
	text              *Text  // nil for the template
}

// readDraft reads what to preview. Only a draft of one channel has a text.
func readDraft(g *form.Group) draft {
	d := draft{
		event:   Find(g.Choice("event", EventNames(), form.NotBlank)),
		channel: g.Choice("channel", channels), language: g.Text("language", form.MaxLength(SubjectLimit)),
		customerID: g.UUID("customerId"),
	}
	if !g.Submitted("content") && !g.Submitted("subject") {
		return d
	}
	if d.channel == "" && !g.Failed("channel") {
		g.AddError("channel", form.Blank)
	}
	subject := g.Text("subject", form.MaxLength(SubjectLimit))
	content := g.Text("content", form.MaxLength(contentLimit(d.channel)))
	checkText(g, d.event, "subject", subject)
	checkText(g, d.event, "content", content)
	text := normal(d.channel, subject, content)
	d.text = &text
	return d
}

// preview shows how a message would look, by channel.
func preview(r *api.Reading, d draft) (previewList, error) {
	if d.customerID != "" && !r.Caller.Allowed(access.Customers, access.View) {
		return previewList{}, access.LacksPermission(access.Customers, access.View)
	}
	views, err := views(r.Tx, r.Store, d)
	return previewList{views, len(views)}, err
}

func views(tx *db.Tx, s *store.Store, d draft) ([]previewView, error) {
	var own map[string]string
	if d.customerID != "" {
		values, language, err := valuesOfCustomer(tx, s, d.customerID)
		if err != nil {
			return nil, err
		}
		own = values
		if d.language == "" {
			d.language = language
		}
	}
	set, err := Load(tx, s)
	if err != nil {
		return nil, err
	}
	views := []previewView{}
	for _, channel := range d.event.Channels {
		if d.channel != "" && channel != d.channel {
			continue
		}
		t, exists := set.best(d.event.Name, channel, d.language)
		if d.text != nil {
			t.Text = *d.text
			if d.language != "" {
				t.Language = d.language
			}
		} else if !exists {
			continue
		}
		values := sampleValues(t.Language)
		maps.Copy(values, own)
		views = append(views, previewOf(&t, t.fill(s, values)))
	}
	return views, nil
}

func previewOf(t *Template, filled Text) previewView {
	v := previewView{
		Channel: t.Channel, Language: t.Language, Subject: filled.Subject, Content: filled.Content, Enabled: t.Enabled,
		Length: utf8.RuneCountInString(filled.Content),
	}
	if t.Channel == SMS {
		var sevenBit bool
		v.Length, v.Parts, sevenBit = parts(filled.Content)
		v.Encoding = map[bool]string{true: "gsm7", false: "ucs2"}[sevenBit]
	}
	return v
}
