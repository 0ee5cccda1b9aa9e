package template

import (
	"cmp"
	"errors"
	"slices"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/form"
)

const path = "/api/{storeCode}/message"

// Endpoints returns the endpoints of docs/behaviour/messages.md#templates.
func Endpoints(send Send, guard api.Guard) []api.Endpoint {
	view := access.AdministratorWith(access.Settings, access.View)
	modify := access.AdministratorWith(access.Settings, access.Modify)
	const one = path + "/{message}"
	query := api.InCall(api.ListQuery(sortable, describeFilter), readQuery)
	all := []api.Endpoint{
		{Method: "GET", Path: "/api/message/events", Access: view, Do: api.Tell(listEvents),
			Summary: "List the events that messages report, with their placeholders"},
		{Method: "GET", Path: path, Access: view, Do: api.Read(query, listTemplates),
			Summary: "List the templates of messages"},
		{Method: "POST", Path: path, Access: modify, Factor: api.InHandler,
			Do:      api.Write(guard.Body("message", describeCreate), createTemplate),
			Summary: "Add a template of messages", Audit: api.Audited("CreateMessageText", "message")},
		{Method: "POST", Path: path + "/preview", Access: view, Factor: api.NoWrite,
			Do:      api.Read(api.Body("message", readDraft), preview),
			Summary: "Show how a message would look", Unkeyed: true},
		{Method: "GET", Path: one, Access: view, Do: api.Show(showTemplate), Summary: "Show a template of messages"},
		{Method: "PUT", Path: one, Access: modify, Factor: api.InHandler,
			Do:      api.Write(guard.Body("message", describeChange), changeTemplate),
			Summary: "Replace the text of a template of messages", Audit: api.Audited("UpdateMessageText", "message")},
		{Method: "DELETE", Path: one, Access: modify, Factor: api.Everyday, Do: api.Act(restore),
			Summary: "Restore the built-in text of messages", Audit: api.Audited("RestoreMessageText", "message")},
		{Method: "POST", Path: one + "/test", Access: modify, Factor: api.Everyday,
			Do:      api.Respond(api.UnreadBody(describeTrial), send.test),
			Summary: "Send a template of messages, or a draft of it, as a test",
			Unkeyed: true, Audit: api.Audited("SendTestMessage", "message"), NoDryRun: api.CallsProvider},
		{Method: "POST", Path: one + "/activate", Access: modify, Factor: api.Everyday, Do: api.Act(switchTo(true)),
			Summary: "Switch a template of messages on", Audit: api.Audited("ActivateMessageText", "message")},
		{Method: "POST", Path: one + "/deactivate", Access: modify, Factor: api.Everyday, Do: api.Act(switchTo(false)),
			Summary: "Switch a template of messages off", Audit: api.Audited("DeactivateMessageText", "message")},
	}
	return append(all, olderEndpoints(view, modify, guard)...)
}

// sortable are the fields that lists can be sorted by. Without one, templates are in the order of their
// events, channels and languages.
var sortable = map[string]func(a, b view) int{
	"event":     func(a, b view) int { return cmp.Compare(a.Event, b.Event) },
	"channel":   func(a, b view) int { return cmp.Compare(a.Channel, b.Channel) },
	"language":  func(a, b view) int { return cmp.Compare(a.Language, b.Language) },
	"subject":   func(a, b view) int { return cmp.Compare(a.Subject, b.Subject) },
	"updatedAt": func(a, b view) int { return cmp.Compare(text(a.UpdatedAt), text(b.UpdatedAt)) },
}

func text(optional *string) string {
	if optional == nil {
		return ""
	}
	return *optional
}

// filter selects templates of a list. Empty members do not limit it.
type filter struct {
	event, channel, target, language string
	enabled, builtIn                 *bool
}

func describeFilter(q *form.Group) {
	q.Choice("event", EventNames())
	q.Choice("channel", channels)
	q.Choice("target", targets)
	q.Text("language")
	q.Checkbox("enabled")
	q.Checkbox("default")
}

// query asks for a page of templates.
type query struct {
	api.Page
	filter
}

func readQuery(c *api.Call) (q query, err error) {
	request, err := c.ListRequest()
	if err != nil {
		return q, err
	}
	q.Page = request.Page
	q.language = request.Query.Child("language").Text()
	q.enabled, q.builtIn = flag(request.Query, "enabled"), flag(request.Query, "default")
	err = request.Choose(api.Choices{Name: "event", Values: EventNames(), To: &q.event},
		api.Choices{Name: "channel", Values: channels, To: &q.channel},
		api.Choices{Name: "target", Values: targets, To: &q.target})
	return q, err
}

// flag reads a filter that is true, false or not set.
func flag(query *form.Node, name string) *bool {
	if value, ok := form.ParseBool(query.Child(name).Text()); ok {
		return &value
	}
	return nil
}

func (f *filter) matches(v view) bool {
	is := func(filter, value string) bool { return filter == "" || filter == value }
	return is(f.event, v.Event) && is(f.channel, v.Channel) && is(f.target, v.Target) && is(f.language, v.Language) &&
		(f.enabled == nil || *f.enabled == v.Enabled) && (f.builtIn == nil || *f.builtIn == v.Default)
}

// listTemplates filters and sorts in memory: the number of templates is that of events, channels and languages.
func listTemplates(r *api.Reading, q query) (list viewList, err error) {
	set, err := Load(r.Tx, r.Store)
	if err != nil {
		return list, err
	}
	var found []view
	for _, t := range set.All() {
		if v := newView(r.Store, &t); q.matches(v) {
			found = append(found, v)
		}
	}
	if compare := sortable[q.Sort]; compare != nil {
		slices.SortStableFunc(found, compare)
	}
	if q.Descending {
		slices.Reverse(found)
	}
	from := min(q.Offset, len(found))
	to := min(from+q.Limit, len(found))
	return viewList{Messages: append([]view{}, found[from:to]...), Total: len(found)}, nil
}

func showTemplate(r *api.Reading) (oneView, error) {
	t, err := byID(r.Tx, r.Store, r.PathID("message"))
	if err != nil {
		return oneView{}, err
	}
	return oneView{newView(r.Store, &t)}, nil
}

func createTemplate(w *api.Writing, sent api.Guarded) (identity, error) {
	g := sent.Form()
	e, k := readKey(g)
	t := Template{Key: k, Text: readText(g, e, k.Channel), Enabled: g.Checkbox("enabled")}
	var err error
	if t.Language, err = languageOf(w.Tx, g, t.Language); err != nil {
		return identity{}, err
	}
	former, err := create(w.Tx, w.Store, t)
	if errors.Is(err, ErrTaken) {
		g.AddError("event", form.AlreadyUsed)
		err = g.Err()
	}
	if err != nil {
		return identity{}, err
	}
	return identity{t.ID(w.Store)}, confirmText(w.Tx, sent.Confirm, former, t.Text)
}

// languageOf returns the code of a language, or the default one for an empty code. A code of no language
// gets an error. The form is complete then: languageOf returns its errors.
func languageOf(tx *db.Tx, g *form.Group, code string) (string, error) {
	languages, err := store.AllLanguages(tx)
	if err != nil {
		return "", err
	}
	if code == "" {
		return languages.Default(), g.Err()
	}
	if !slices.ContainsFunc(languages, func(l store.Language) bool { return l.Code == code }) {
		g.AddError("language", form.Invalid("not_a_language"))
	}
	return code, g.Err()
}

// confirmText confirms the change of a text that holds secrets.
func confirmText(tx *db.Tx, confirm func(tx *db.Tx, what ...string) error, former Template, now Text) error {
	if former.Text == now || len(Find(former.Event).Secret) == 0 {
		return nil
	}
	return confirm(tx, former.Event+" "+former.Channel+" "+former.Language)
}

// changeTemplate reports an unknown id before invalid data.
func changeTemplate(w *api.Writing, sent api.Guarded) (identity, error) {
	id := w.PathID("message")
	t, err := byID(w.Tx, w.Store, id)
	if err != nil {
		return identity{}, err
	}
	g := sent.Form()
	g.Ignore("channel", "target", "event", "language")
	text, enabled := readText(g, Find(t.Event), t.Channel), g.Checkbox("enabled")
	if err := g.Err(); err != nil {
		return identity{}, err
	}
	if err := Change(w.Tx, w.Store, id, text, enabled); err != nil {
		return identity{}, err
	}
	return identity{id}, confirmText(w.Tx, sent.Confirm, t, text)
}

func switchTo(enabled bool) func(w *api.Writing) (identity, error) {
	return func(w *api.Writing) (identity, error) {
		id := w.PathID("message")
		return identity{id}, Switch(w.Tx, w.Store, id, enabled)
	}
}

func restore(w *api.Writing) (api.NoContent, error) {
	return api.NoContent{}, Restore(w.Tx, w.Store, w.PathID("message"))
}
