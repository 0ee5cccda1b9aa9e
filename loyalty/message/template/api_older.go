package template

import (
	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// olderEndpoints are the calls of older clients. They know one text for each event: that of e-mails in the
// default language.
func (h Hooks) olderEndpoints(view, modify access.Rule) []api.Endpoint {
	const path = "/api/{storeCode}/settings/emails"
	return []api.Endpoint{
		{Method: "GET", Path: path, Access: view, Handle: listEmails,
			Summary: "List the texts of e-mails in the default language", Query: api.PageQuery[string](nil),
			Response: emailList{}},
		{Method: "GET", Path: path + "/{message}", Access: view, Handle: getEmail,
			Summary: "Show the text of an e-mail", Response: emailPage{}},
		{Method: "PUT", Path: path + "/{message}", Access: modify, Factor: api.InHandler, Handle: h.changeEmail,
			Summary: "Replace the text of an e-mail", Form: describeEmail, Response: identity{},
			Audit: api.Audited("UpdateMessageText", "message")},
	}
}

// email is the text of an e-mail as older clients read it.
type email struct {
	ID            string `json:"id"`
	Key           string `json:"key"` // the event
	Subject       string `json:"subject"`
	Content       string `json:"content"`
	SenderName    string `json:"sender_name"`
	SenderEmail   string `json:"sender_email"`
	ReceiverEmail string `json:"receiver_email"` // always empty: an event decides who receives its messages
}

type emailList struct {
	Emails []email `json:"emails"`
	Total  int     `json:"total"`
}

type emailPage struct {
	Entity     email      `json:"entity"`
	Additional additional `json:"additional"`
}

type additional struct {
	Variables []string `json:"variables"`
}

// emails returns the texts of e-mails in the default language, or in the best one that there is.
func emails(tx *db.Tx, s *store.Store) ([]Template, error) {
	set, err := Load(tx, s)
	if err != nil {
		return nil, err
	}
	var all []Template
	for _, e := range Events {
		if t, exists := set.best(e.Name, Email, ""); exists {
			t.Language = set.languages.Default()
			all = append(all, t)
		}
	}
	return all, nil
}

func findEmail(tx *db.Tx, s *store.Store, id string) (Template, error) {
	all, err := emails(tx, s)
	for _, t := range all {
		if t.ID(s) == id {
			return t, err
		}
	}
	if err == nil {
		err = fault.ErrNotFound
	}
	return Template{}, err
}

func emailOf(s *store.Store, t *Template) email {
	return email{
		ID: t.ID(s), Key: t.Event, Subject: t.Subject, Content: t.Content, SenderName: s.Settings.ProgramName,
		SenderEmail: s.Settings.HelpEmailAddress,
	}
}

func listEmails(c *api.Call) error {
	page, err := c.Page()
	if err != nil {
		return err
	}
	var found []Template
	err = c.Read(func(tx *db.Tx) (err error) {
		found, err = emails(tx, c.Store)
		return err
	})
	if err != nil {
		return err
	}
	response := emailList{Emails: []email{}, Total: len(found)}
	from := min(page.Offset, len(found))
	for _, t := range found[from:min(from+page.Limit, len(found))] {
		response.Emails = append(response.Emails, emailOf(c.Store, &t))
	}
	return c.OK(response)
}

func getEmail(c *api.Call) error {
	var response emailPage
	err := c.Read(func(tx *db.Tx) error {
		t, err := findEmail(tx, c.Store, pathID(c))
		if err == nil {
			response.Entity, response.Additional.Variables = emailOf(c.Store, &t), Find(t.Event).names()
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}

func describeEmail(g *form.Group) {
	g = g.Group("email")
	readText(g, nil, Email)
	api.ReadCurrentPassword(g)
}

// changeEmail stores the subject and the content. All other fields are ignored.
func (h Hooks) changeEmail(c *api.Call) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	confirm, err := h.Guard(c, form.Read(body, "email"))
	if err != nil {
		return err
	}
	id := pathID(c)
	return c.Write(func(tx *db.Tx) error {
		if _, err := store.Lock(tx, c.Store.Key); err != nil {
			return err
		}
		t, err := findEmail(tx, c.Store, id)
		if err != nil {
			return err
		}
		group := form.Read(body, "email")
		group.Ignore("key", "sender_name", "sender_email", "receiver_email")
		former := t
		t.Text = readText(group, Find(t.Event), Email)
		if err := group.Err(); err != nil {
			return err
		}
		if err := save(tx, c.Store, &former, t); err != nil {
			return err
		}
		return confirmText(tx, confirm, former, t.Text)
	}, func() error { return c.OK(identity{id}) })
}
