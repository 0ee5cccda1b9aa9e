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
func olderEndpoints(view, modify access.Rule, guard api.Guard) []api.Endpoint {
	const path = "/api/{storeCode}/settings/emails"
	return []api.Endpoint{
		{Method: "GET", Path: path, Access: view, Do: api.Read(api.InPages[string](nil), listEmails),
			Summary: "List the texts of e-mails in the default language"},
		{Method: "GET", Path: path + "/{message}", Access: view, Do: api.Show(showEmail),
			Summary: "Show the text of an e-mail"},
		{Method: "PUT", Path: path + "/{message}", Access: modify, Factor: api.InHandler,
			Do:      api.Write(guard.Body("email", describeEmail), changeEmail),
			Summary: "Replace the text of an e-mail", Audit: api.Audited("UpdateMessageText", "message")},
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

func listEmails(r *api.Reading, page api.Page) (emailList, error) {
	found, err := emails(r.Tx, r.Store)
	list := emailList{Emails: []email{}, Total: len(found)}
	from := min(page.Offset, len(found))
	for _, t := range found[from:min(from+page.Limit, len(found))] {
		list.Emails = append(list.Emails, emailOf(r.Store, &t))
	}
	return list, err
}

func showEmail(r *api.Reading) (emailPage, error) {
	t, err := findEmail(r.Tx, r.Store, r.PathID("message"))
	if err != nil {
		return emailPage{}, err
	}
	return emailPage{emailOf(r.Store, &t), additional{Find(t.Event).names()}}, nil
}

func describeEmail(g *form.Group) { readText(g, nil, Email) }

// changeEmail stores the subject and the content. All other fields are ignored.
func changeEmail(w *api.Writing, sent api.Guarded) (identity, error) {
	id := w.PathID("message")
	if _, err := store.Lock(w.Tx, w.Store.Key); err != nil {
		return identity{}, err
	}
	t, err := findEmail(w.Tx, w.Store, id)
	if err != nil {
		return identity{}, err
	}
	g := sent.Form()
	g.Ignore("key", "sender_name", "sender_email", "receiver_email")
	former := t
	t.Text = readText(g, Find(t.Event), Email)
	if err := g.Err(); err != nil {
		return identity{}, err
	}
	if err := save(w.Tx, w.Store, &former, t); err != nil {
		return identity{}, err
	}
	return identity{id}, confirmText(w.Tx, sent.Confirm, former, t.Text)
}
