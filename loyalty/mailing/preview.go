package mailing

import (
	"cmp"
	"maps"
	"slices"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/message/template"
	"punchcard/platform/db"
	"punchcard/platform/form"
)

// ReachLimit is the number of customers of an audience who are counted.
const ReachLimit = 20_000

// reachView is the JSON of whom a mailing would reach.
type reachView struct {
	Customers int            `json:"customers"` // active ones
	Agreed    int            `json:"agreed"`    // those of them who agree to marketing messages
	Channels  map[string]int `json:"channels"`  // those of them who are reached; inboxes need no agreement
	// those of them whose address was refused for good, by channel; they do not count as reached
	Undeliverable map[string]int `json:"undeliverable"`
	Complete      bool           `json:"complete"` // false if there are more than were counted
}

// reach counts the audience of a form, without its texts.
func reach(c *api.Call, sent api.Unchecked[*Mailing]) (reachView, error) {
	m := sent.In
	v := reachView{Channels: map[string]int{}, Undeliverable: map[string]int{}}
	if g := sent.Form; g.Failed("channels") || g.Failed("audience") || g.Failed(m.Content.Audience) {
		return v, g.Err()
	}
	for _, channel := range m.Content.Channels {
		v.Channels[channel] = 0
		if channel != template.Inbox {
			v.Undeliverable[channel] = 0
		}
	}
	m.StoreKey, m.State = c.Store.Key, Running
	seen := map[string]bool{}
	for m.State == Running && len(seen) < ReachLimit {
		err := c.Read(func(tx *db.Tx) error {
			for n := 0; n < 20 && m.State == Running; n++ { // some steps in one transaction
				if err := v.addNext(tx, c.Store, m, seen); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return v, err
		}
	}
	v.Complete = m.State == Finished
	return v, nil
}

// addNext adds the next customers of an audience who were not seen.
func (v *reachView) addNext(tx *db.Tx, s *store.Store, m *Mailing, seen map[string]bool) error {
	ids, err := m.next(tx)
	if err != nil {
		return err
	}
	ids = slices.DeleteFunc(ids, func(id string) bool { return seen[id] })
	found, err := customer.FindAll(tx, s.Key, ids...)
	if err != nil {
		return err
	}
	for id := range found {
		seen[id] = true
	}
	return v.add(tx, s, m.source(), slices.Collect(maps.Values(found)))
}

func (v *reachView) add(tx *db.Tx, s *store.Store, src *Source, customers []*customer.Customer) error {
	reach, err := src.Reach(tx, s, customers...)
	for _, who := range customers {
		if !who.IsActive() {
			continue
		}
		v.Customers++
		if who.AgreedToMarketing() {
			v.Agreed++
		}
		for channel := range reach[who.ID].Channels {
			v.Channels[channel]++
		}
		for channel := range reach[who.ID].Undeliverable {
			v.Undeliverable[channel]++
		}
	}
	return err
}

// DescribePreview describes the fields of Preview around a form.
func DescribePreview(g *form.Group) {
	g.UUID("customer")
	g.Text("language")
}

// PreviewView is the text of a mailing as a customer would get it.
type PreviewView struct {
	Text
	HTML     string `json:"html,omitempty"` // the e-mail of a text with blocks
	Language string `json:"language"`
}

// sampleCustomer returns the customer of a preview that names none.
func sampleCustomer(language string) *customer.Customer {
	return &customer.Customer{FirstName: "Anna", LastName: "Nowak", Locale: language, EmailVerified: true}
}

func (svc *Service) preview(c *api.Call, sent api.Unchecked[*Mailing]) (PreviewView, error) {
	return svc.Preview(c, sent.Form.Err(), &sent.In.Content.Words, nil)
}

// Preview returns texts as a customer would get them. refused is why the form is refused that they were read from.
func (svc *Service) Preview(c *api.Call, refused error, words *Words, further map[string]string,
) (v PreviewView, err error) {
	body, err := c.Body()
	if err != nil {
		return v, err
	}
	around := form.Read(body)
	id, language := around.UUID("customer"), around.Text("language")
	if err := cmp.Or(refused, around.Err()); err != nil {
		return v, err
	}
	err = c.Read(func(tx *db.Tx) (err error) {
		who := sampleCustomer(language)
		if id != "" {
			if !c.Caller.Allowed(access.Customers, access.View) {
				return access.LacksPermission(access.Customers, access.View)
			}
			if who, err = customer.Find(tx, c.Store.Key, id); err != nil {
				return err
			}
		}
		w, err := svc.newWriter(tx, c.Store, words, who)
		if err != nil {
			return err
		}
		w.server, w.bare = "", false
		v.Text, v.Language = w.write(who, words.Link, further, same), cmp.Or(who.Locale, w.usual)
		v.HTML, err = html(tx, c.Store, &v.Text, v.Language)
		return err
	})
	return v, err
}

// DescribeTest describes the fields of Test around a form.
func DescribeTest(g *form.Group) { readTest(g) }

func readTest(g *form.Group) (channel, address, language string) {
	return g.Choice("channel", []string{template.Email, template.SMS, template.Push}, form.NotBlank),
		g.Text("address", form.NotBlank, form.MaxLength(254)), g.Text("language")
}

// TestView is the outcome of a test.
type TestView struct {
	Sent  bool   `json:"sent"`
	Error string `json:"error,omitempty"`
}

func (svc *Service) test(c *api.Call, sent api.Unchecked[*Mailing]) (TestView, error) {
	return svc.Test(c, sent.Form.Err(), &sent.In.Content.Words, nil)
}

// Test sends texts to one address at once. refused is why the form is refused that they were read from.
func (svc *Service) Test(c *api.Call, refused error, words *Words, further map[string]string) (v TestView, err error) {
	body, err := c.Body()
	if err != nil {
		return v, err
	}
	around := form.Read(body)
	channel, address, language := readTest(around)
	if err := cmp.Or(refused, around.Err()); err != nil {
		return v, err
	}
	var text Text
	err = c.Read(func(tx *db.Tx) error {
		who := sampleCustomer(language)
		w, err := svc.newWriter(tx, c.Store, words, who)
		if err == nil {
			text = w.write(who, words.Link, further, same)
		}
		return err
	})
	if err != nil {
		return v, err
	}
	sent := template.Text{Subject: text.Subject, Content: text.Content}
	if channel != template.Email {
		sent.Content = text.Short
	}
	_, outcome, err := svc.messages.SendNow(c.Context(), c.DB(), c.Store, channel, address, sent, text.parts...)
	return TestView{Sent: outcome.OK(), Error: outcome.Problem}, err
}
