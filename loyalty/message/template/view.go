package template

import (
	"punchcard/core/api"
	"punchcard/core/store"
)

// view is the JSON of a template: docs/behaviour/messages.md#view-of-a-template.
type view struct {
	ID        string  `json:"id"`
	Event     string  `json:"event"`
	Channel   string  `json:"channel" enum:"email,sms,push,inbox"`
	Target    string  `json:"target"`
	Language  string  `json:"language"`
	Subject   string  `json:"subject"`
	Content   string  `json:"content"`
	Enabled   bool    `json:"enabled"`
	Default   bool    `json:"default"` // the text is the built-in one
	Marketing bool    `json:"marketing"`
	Secret    bool    `json:"secret,omitempty"` // the text can hold secrets; a change needs SECURITY MODIFY
	Fixed     bool    `json:"fixed,omitempty"`  // the text cannot be changed
	UpdatedAt *string `json:"updatedAt,omitempty"`
}

func newView(s *store.Store, t *Template) view {
	e := Find(t.Event)
	return view{
		ID: t.ID(s), Event: t.Event, Channel: t.Channel, Target: e.Target, Language: t.Language,
		Subject: t.Subject, Content: t.Content, Enabled: t.Enabled, Default: t.BuiltIn, Marketing: e.Marketing,
		Secret: len(e.Secret) > 0, Fixed: e.Administrators,
		UpdatedAt: api.OptionalTimestamp(t.ChangedAt, s.Zone),
	}
}

type viewList struct {
	Messages []view `json:"messages"`
	Total    int    `json:"total"`
}

type oneView struct {
	Message view `json:"message"`
}

type identity struct {
	ID string `json:"id"`
}

// eventView is an event as clients list it to choose from.
type eventView struct {
	Value     string   `json:"value"`
	Label     string   `json:"label"`
	Snippets  []string `json:"snippets"` // placeholders that texts can contain
	Target    string   `json:"target"`
	Marketing bool     `json:"marketing"`
	Channels  []string `json:"channels"`
}

type eventList struct {
	Events []eventView `json:"events"`
	Total  int         `json:"total"`
}

func listEvents(*api.Call) (eventList, error) {
	list := eventList{Events: []eventView{}, Total: len(Events)}
	for _, e := range Events {
		v := eventView{Value: e.Name, Label: e.Label, Target: e.Target, Marketing: e.Marketing, Snippets: []string{},
			Channels: e.Channels}
		for _, name := range e.names() {
			v.Snippets = append(v.Snippets, "{{ "+name+" }}")
		}
		list.Events = append(list.Events, v)
	}
	return list, nil
}
