package template

import (
	"slices"
	"strings"

	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// The maximum lengths of texts, in characters.
const (
	SubjectLimit = 255
	ContentLimit = 20_000
	SMSLimit     = 1_600 // of the content of a text message, ten parts of it
)

// errPlaceholder is the error of a text with a placeholder that the event does not have.
var errPlaceholder = fault.New(fault.Fields, "unknown_placeholder", "The event has no placeholder %s.")

var (
	channels = []string{Email, SMS, Push, Inbox}
	targets  = []string{Customer, Admin}
)

// EventNames returns the names of Events.
func EventNames() []string {
	names := make([]string, len(Events))
	for i, e := range Events {
		names[i] = e.Name
	}
	return names
}

// readKey reads which text a form is about: an event, a channel that it can have, and a language. The event
// is nil if the form names none.
func readKey(g *form.Group) (e *Event, k Key) {
	k = Key{
		Event: g.Choice("event", EventNames(), form.NotBlank), Channel: g.Choice("channel", channels, form.NotBlank),
		Language: g.Text("language", form.MaxLength(SubjectLimit)),
	}
	e = Find(k.Event)
	target := g.Choice("target", targets)
	if e != nil && target != "" && target != e.Target {
		g.AddError("target", form.Invalid("wrong_target"))
	}
	if e != nil && k.Channel != "" && !slices.Contains(e.Channels, k.Channel) {
		g.AddError("channel", form.Invalid("wrong_channel"))
	}
	return e, k
}

// readText reads the text of an event on a channel.
func readText(g *form.Group, e *Event, channel string) Text {
	subjectRules := []form.Rule{form.MaxLength(SubjectLimit)}
	if channel == Email {
		subjectRules = append(subjectRules, form.NotBlank)
	}
	subject := g.Text("subject", subjectRules...)
	content := g.Text("content", form.NotBlank, form.MaxLength(contentLimit(channel)))
	checkText(g, e, "subject", subject)
	checkText(g, e, "content", content)
	return normal(channel, subject, content)
}

func contentLimit(channel string) int {
	if channel == SMS {
		return SMSLimit
	}
	return ContentLimit
}

// normal returns a text as it is stored: the subject in one line, and none where the channel has no subject.
func normal(channel, subject, content string) Text {
	if channel == SMS || channel == Inbox {
		subject = ""
	}
	return Text{Subject: oneLine(subject), Content: strings.ReplaceAll(content, "\r\n", "\n")}
}

// checkText adds an error to the field if its text has an unknown placeholder.
func checkText(g *form.Group, e *Event, field, text string) {
	if e == nil {
		return
	}
	if name := unknown(text, e.names()); name != "" {
		g.AddError(field, errPlaceholder.With(name))
	}
}

func describeCreate(g *form.Group) {
	e, k := readKey(g)
	readText(g, e, k.Channel)
	g.Checkbox("enabled")
}

func describeChange(g *form.Group) {
	readText(g, nil, Push)
	g.Checkbox("enabled")
}
