package mailing

import (
	"cmp"
	"slices"

	"punchcard/api"
	"punchcard/api/access"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/message/template"
	"punchcard/loyalty/points"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// ReachLimit is the number of customers of an audience who are counted.
const ReachLimit = 20_000

// reachView is the JSON of whom a mailing would reach.
type reachView struct {
	Customers int            `json:"customers"` // active ones
	Agreed    int            `json:"agreed"`    // those of them who agree to marketing messages
	Channels  map[string]int `json:"channels"`  // those of them with an address; inboxes need no agreement
	Complete  bool           `json:"complete"`  // false if there are more than were counted
}

// reach counts the audience of a form, without its texts.
func (svc *Service) reach(c *api.Call) error {
	_, g, m, err := readCall(c)
	if err != nil {
		return err
	}
	if g.Failed("channels") || g.Failed("audience") || g.Failed(m.Content.Audience) {
		return g.Err()
	}
	response := reachView{Channels: map[string]int{}}
	for _, channel := range m.Content.Channels {
		response.Channels[channel] = 0
	}
	m.StoreKey, m.State = c.Store.Key, Running
	seen := map[string]bool{}
	for m.State == Running && len(seen) < ReachLimit {
		err := c.Read(func(tx *db.Tx) error {
			for n := 0; n < 20 && m.State == Running; n++ { // some steps in one transaction
				ids, err := m.next(tx)
				if err != nil {
					return err
				}
				ids = slices.DeleteFunc(ids, func(id string) bool { return seen[id] })
				found, err := customer.FindAll(tx, c.Store.Key, ids...)
				if err != nil {
					return err
				}
				for id, who := range found {
					seen[id] = true
					response.add(who)
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	response.Complete = m.State == Finished
	return c.OK(response)
}

func (v *reachView) add(who *customer.Customer) {
	if !who.IsActive() {
		return
	}
	v.Customers++
	if who.AgreedToMarketing() {
		v.Agreed++
	}
	for channel := range v.Channels {
		reached := channel == template.Inbox
		if who.AgreedToMarketing() {
			reached = reached || channel == template.Push || channel == template.Email && who.Email != "" ||
				channel == template.SMS && who.Phone != ""
		}
		if reached {
			v.Channels[channel]++
		}
	}
}

func describePreview(describe func(*form.Group)) func(*form.Group) {
	return func(g *form.Group) {
		describe(g)
		g.UUID("customer")
		g.Text("language")
	}
}

// previewView is the text of a mailing as a customer would get it.
type previewView struct {
	Text
	Language string `json:"language"`
}

// sampleCustomer returns the customer of a preview that names none.
func sampleCustomer(language string) *customer.Customer {
	return &customer.Customer{FirstName: "Anna", LastName: "Nowak", Locale: language, EmailVerified: true}
}

func (svc *Service) preview(c *api.Call) error {
	around, g, m, err := readCall(c)
	if err != nil {
		return err
	}
	id, language := around.UUID("customer"), around.Text("language")
	if err := cmp.Or(g.Err(), around.Err()); err != nil {
		return err
	}
	var response previewView
	err = c.Read(func(tx *db.Tx) error {
		who := sampleCustomer(language)
		if id != "" {
			if !c.Caller.Allowed(access.Customers, access.View) {
				return fault.ErrForbidden
			}
			if who, err = customer.Find(tx, c.Store.Key, id); err != nil {
				return err
			}
		}
		text, usual, err := svc.sample(tx, c.Store, m, who)
		response.Text, response.Language = text, who.Locale
		if response.Language == "" {
			response.Language = usual
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}

// sample writes a mailing to a customer, with the target itself in place of the link.
func (svc *Service) sample(tx *db.Tx, s *store.Store, m *Mailing, who *customer.Customer) (
	t Text, usual string, err error) {
	w, err := svc.writer(tx, s, m, nil)
	if err != nil {
		return t, "", err
	}
	if w.balance = map[string]points.Account{}; who.ID != "" {
		account, err := points.Balance(tx, s, who.ID)
		if err != nil {
			return t, "", err
		}
		w.balance[who.ID] = account
	}
	return w.write(who, m.Content.Link), w.usual, nil
}

func describeTest(describe func(*form.Group)) func(*form.Group) {
	return func(g *form.Group) {
		describe(g)
		readTest(g)
	}
}

func readTest(g *form.Group) (channel, address, language string) {
	return g.Choice("channel", []string{template.Email, template.SMS, template.Push}, form.NotBlank),
		g.Text("address", form.NotBlank, form.MaxLength(254)), g.Text("language")
}

type testView struct {
	Sent  bool   `json:"sent"`
	Error string `json:"error,omitempty"`
}

// test sends a mailing to one address at once.
func (svc *Service) test(c *api.Call) error {
	around, g, m, err := readCall(c)
	if err != nil {
		return err
	}
	channel, address, language := readTest(around)
	if err := cmp.Or(g.Err(), around.Err()); err != nil {
		return err
	}
	var text Text
	err = c.Read(func(tx *db.Tx) (err error) {
		text, _, err = svc.sample(tx, c.Store, m, sampleCustomer(language))
		return err
	})
	if err != nil {
		return err
	}
	sent := template.Text{Subject: text.Subject, Content: text.Content}
	if channel != template.Email {
		sent.Content = text.Short
	}
	_, outcome, err := svc.messages.SendNow(c.Context(), c.DB(), c.Store, channel, address, sent)
	if err != nil {
		return err
	}
	return c.OK(testView{Sent: outcome.OK(), Error: outcome.Problem})
}
