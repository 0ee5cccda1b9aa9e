package template

import (
	"maps"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/form"
)

// testView is the outcome of a test message.
type testView struct {
	MessageID string `json:"messageId"`
	Delivered bool   `json:"delivered"`
	Status    int    `json:"status"` // of the mail server or the gateway; 0 without a response
	Error     string `json:"error,omitempty"`
}

// trial is a test message.
type trial struct {
	to         string // an e-mail address, a phone, or the id of a customer
	customerID string // whose values it has; empty for samples
	text       *Text  // nil for the text of the template
}

func describeTrial(g *form.Group) { readTrial(g.Group("message"), nil, Email) }

// readTrial reads a test message of an event on a channel. A draft takes the place of the text of the template.
func readTrial(g *form.Group, e *Event, channel string) trial {
	var t trial
	switch channel {
	case Email:
		t.to = g.Key("to", form.NotBlank, form.MaxLength(SubjectLimit), form.Email)
	case SMS:
		t.to = g.Key("to", form.NotBlank, form.MaxLength(SubjectLimit), form.Phone)
	case Push:
		t.to = g.UUID("to", form.NotBlank)
	case Inbox:
		g.AddError("to", form.Invalid("wrong_channel"))
	}
	t.customerID = g.UUID("customerId")
	if g.Submitted("content") || g.Submitted("subject") {
		text := readText(g, e, channel)
		t.text = &text
	}
	return t
}

// test sends a message at once, also if the template is switched off.
func (send Send) test(c *api.Call, body *form.Node) (testView, error) {
	g := form.Read(body, "message")
	var t Template
	var r trial
	var filled Text
	err := c.Read(func(tx *db.Tx) (err error) {
		if t, err = byID(tx, c.Store, c.PathID("message")); err != nil {
			return err
		}
		r = readTrial(g, Find(t.Event), t.Channel)
		if err := g.Err(); err != nil {
			return err
		}
		if r.text != nil && Find(t.Event).Administrators {
			return errFixed
		}
		filled, err = trialText(tx, c.Store, &t, r)
		return err
	})
	if err == nil && r.customerID != "" && !c.Caller.Allowed(access.Customers, access.View) {
		err = access.LacksPermission(access.Customers, access.View)
	}
	if err != nil {
		return testView{}, err
	}
	id, o, err := send(c.Context(), c.DB(), c.Store, t.Channel, r.to, filled)
	return testView{MessageID: id, Delivered: o.OK(), Status: o.Status, Error: o.Problem}, err
}

// trialText returns the text of a test message, with samples or with the values of a customer.
func trialText(tx *db.Tx, s *store.Store, t *Template, r trial) (Text, error) {
	text := t.Text
	if r.text != nil {
		text = *r.text
	}
	values := sampleValues(t.Language)
	if r.customerID != "" {
		own, _, err := valuesOfCustomer(tx, s, r.customerID)
		if err != nil {
			return Text{}, err
		}
		maps.Copy(values, own)
	}
	return text.fill(s, values), nil
}
