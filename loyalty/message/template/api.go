package template

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/form"
)

const path = "/api/{storeCode}/message"

// Endpoints returns the endpoints of docs/behaviour/messages.md#templates.
func Endpoints(h Hooks) []api.Endpoint {
	view := access.AdministratorWith(access.Settings, access.View)
	modify := access.AdministratorWith(access.Settings, access.Modify)
	const one = path + "/{message}"
	all := []api.Endpoint{
		{Method: "GET", Path: "/api/message/events", Access: view, Handle: listEvents,
			Summary: "List the events that messages report, with their placeholders", Response: eventList{}},
		{Method: "GET", Path: path, Access: view, Handle: listTemplates,
			Summary: "List the templates of messages", Query: api.ListQuery(sortable, describeFilter), Response: viewList{}},
		{Method: "POST", Path: path, Access: modify, Factor: api.InHandler, Handle: h.create,
			Summary: "Add a template of messages", Form: describeCreate, Response: identity{},
			Audit: api.Audited("CreateMessageText", "message")},
		{Method: "POST", Path: path + "/preview", Access: view, Factor: api.NoWrite, Handle: h.preview,
			Summary: "Show how a message would look", Form: describePreview, Response: previewList{}, Unkeyed: true},
		{Method: "GET", Path: one, Access: view, Handle: getTemplate,
			Summary: "Show a template of messages", Response: oneView{}},
		{Method: "PUT", Path: one, Access: modify, Factor: api.InHandler, Handle: h.change,
			Summary: "Replace the text of a template of messages", Form: describeChange, Response: identity{},
			Audit: api.Audited("UpdateMessageText", "message")},
		{Method: "DELETE", Path: one, Access: modify, Factor: api.Everyday, Handle: restore,
			Summary: "Restore the built-in text of messages", Response: api.NoContent{},
			Audit: api.Audited("RestoreMessageText", "message")},
		{Method: "POST", Path: one + "/test", Access: modify, Factor: api.Everyday, Handle: h.test,
			Summary: "Send a template of messages, or a draft of it, as a test", Form: describeTrial, Response: testView{},
			Unkeyed: true, Audit: api.Audited("SendTestMessage", "message"), NoDryRun: api.CallsProvider},
		{Method: "POST", Path: one + "/activate", Access: modify, Factor: api.Everyday, Handle: switchTo(true),
			Summary: "Switch a template of messages on", Response: identity{},
			Audit: api.Audited("ActivateMessageText", "message")},
		{Method: "POST", Path: one + "/deactivate", Access: modify, Factor: api.Everyday, Handle: switchTo(false),
			Summary: "Switch a template of messages off", Response: identity{},
			Audit: api.Audited("DeactivateMessageText", "message")},
	}
	return append(all, h.olderEndpoints(view, modify)...)
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
	q.Choice("event", eventNames())
	q.Choice("channel", channels)
	q.Choice("target", targets)
	q.Text("language")
	q.Checkbox("enabled")
	q.Checkbox("default")
}

func readFilter(request *api.ListRequest) (f filter, err error) {
	for _, choice := range []struct {
		name string
		all  []string
		to   *string
	}{{"event", eventNames(), &f.event}, {"channel", channels, &f.channel}, {"target", targets, &f.target}} {
		if err == nil {
			*choice.to, err = request.Choice(choice.name, choice.all)
		}
	}
	f.language = request.Query.Child("language").Text()
	f.enabled, f.builtIn = flag(request.Query, "enabled"), flag(request.Query, "default")
	return f, err
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
func listTemplates(c *api.Call) error {
	request, err := c.ListRequest()
	if err != nil {
		return err
	}
	f, err := readFilter(&request)
	if err != nil {
		return err
	}
	var found []view
	err = c.Read(func(tx *db.Tx) error {
		set, err := Load(tx, c.Store)
		if err != nil {
			return err
		}
		for _, t := range set.All() {
			if v := newView(c.Store, &t); f.matches(v) {
				found = append(found, v)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if compare := sortable[request.Sort]; compare != nil {
		slices.SortStableFunc(found, compare)
	}
	if request.Descending {
		slices.Reverse(found)
	}
	from := min(request.Offset, len(found))
	to := min(from+request.Limit, len(found))
	return c.OK(viewList{Messages: append([]view{}, found[from:to]...), Total: len(found)})
}

func getTemplate(c *api.Call) error {
	var response oneView
	err := c.Read(func(tx *db.Tx) error {
		t, err := byID(tx, c.Store, pathID(c))
		if err == nil {
			response.Message = newView(c.Store, &t)
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}

// pathID returns the id in the path in lower case, as ids are shown.
func pathID(c *api.Call) string { return strings.ToLower(c.PathValue("message")) }

func (h Hooks) create(c *api.Call) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	group := form.Read(body, "message")
	e, k := readKey(group)
	t := Template{Key: k, Text: readText(group, e, k.Channel), Enabled: group.Checkbox("enabled")}
	confirm, err := h.Guard(c, form.Read(body, "message"))
	if err != nil {
		return err
	}
	err = c.Write(func(tx *db.Tx) (err error) {
		if t.Language, err = languageOf(tx, group, t.Language); err != nil {
			return err
		}
		former, err := create(tx, c.Store, t)
		if err != nil {
			return err
		}
		return confirmText(tx, confirm, former, t.Text)
	}, func() error { return c.OK(identity{t.ID(c.Store)}) })
	if errors.Is(err, ErrTaken) {
		group.AddError("event", form.AlreadyUsed)
		return group.Err()
	}
	return err
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

func (h Hooks) change(c *api.Call) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	confirm, err := h.Guard(c, form.Read(body, "message"))
	if err != nil {
		return err
	}
	id := pathID(c)
	return c.Write(func(tx *db.Tx) error {
		t, err := byID(tx, c.Store, id) // an unknown id is reported before invalid data
		if err != nil {
			return err
		}
		group := form.Read(body, "message")
		group.Ignore("channel", "target", "event", "language")
		text, enabled := readText(group, Find(t.Event), t.Channel), group.Checkbox("enabled")
		if err := group.Err(); err != nil {
			return err
		}
		if err := Change(tx, c.Store, id, text, enabled); err != nil {
			return err
		}
		return confirmText(tx, confirm, t, text)
	}, func() error { return c.OK(identity{id}) })
}

func switchTo(enabled bool) func(c *api.Call) error {
	return func(c *api.Call) error {
		id := pathID(c)
		return c.Write(func(tx *db.Tx) error { return Switch(tx, c.Store, id, enabled) },
			func() error { return c.OK(identity{id}) })
	}
}

func restore(c *api.Call) error {
	return c.Write(func(tx *db.Tx) error { return Restore(tx, c.Store, pathID(c)) }, c.NoContent)
}
