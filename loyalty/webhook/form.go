package webhook

import (
	"slices"
	"strings"

	"punchcard/platform/fault"
	"punchcard/platform/form"
	"punchcard/platform/outbound"
)

// The maximum lengths of texts, in characters.
const (
	descriptionLimit = 255
	eventNameLimit   = 255
	headerNameLimit  = 100
	headerValueLimit = 1000
)

var (
	errUnknownEvent = fault.New(fault.Fields, "unknown_event", "event does not exist")
	errManyEvents   = fault.New(fault.Fields, "too_many_events", "These are more than %d events.")
)

// reader reads the forms of subscriptions.
type reader struct {
	types  []string // all event types
	client *outbound.Client
}

// read reads a subscription, which has one event name or several. If the form has no member active,
// a new subscription is active and an existing one keeps its state.
func (r reader) read(g *form.Group) Draft {
	d := Draft{
		URL:         g.Text("url", r.client.URLRules(form.NotBlank)...),
		Description: g.Text("description", form.MaxLength(descriptionLimit)),
		Signed:      g.Checkbox("hmacEnabled"),
		KeepActive:  !g.Submitted("active"),
		Active:      g.Checkbox("active"),
	}
	known := form.Matches(errUnknownEvent, r.known)
	rules := []form.Rule{form.MaxLength(eventNameLimit), known}
	names := g.Texts("eventNames", rules...)
	several := g.Submitted("eventNames")
	if !several {
		rules = append(rules, form.NotBlank)
	}
	if name := g.Text("eventName", rules...); name != "" && !slices.Contains(names, name) {
		names = append([]string{name}, names...)
	}
	if several && len(names) == 0 || len(names) > NameLimit {
		g.AddError("eventNames", form.Invalid("wrong_number_of_events"))
	}
	if slices.ContainsFunc(names, isShort) && !allMatch(names, isShort) {
		g.AddError("eventNames", form.Invalid("mixed_event_names"))
	}
	d.EventNames = names
	entries := g.Groups("headers")
	for _, entry := range entries[:min(HeaderLimit, len(entries))] {
		d.Headers = append(d.Headers, Header{
			Name: entry.Text("headerName", form.NotBlank, form.MaxLength(headerNameLimit),
				outbound.HeaderName),
			Value: entry.Text("headerValue", form.MaxLength(headerValueLimit),
				form.Matches(form.Invalid("not_a_header_value"), isHeaderValue)),
		})
	}
	if len(entries) > HeaderLimit {
		g.AddError("headers", form.Invalid("too_many_headers"))
	}
	if repeats(d.Headers) {
		g.AddError("headers", form.Invalid("repeated_header"))
	}
	return d
}

// known reports whether a name matches an event type or a short name.
func (r reader) known(name string) bool {
	return isShort(name) || slices.ContainsFunc(r.types, func(t string) bool { return nameFits(name, t) })
}

func allMatch(names []string, is func(string) bool) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return !is(name) })
}

func isHeaderValue(value string) bool {
	return !strings.ContainsFunc(value, func(c rune) bool { return c < ' ' || c > '~' })
}

func repeats(headers []Header) bool {
	for i, h := range headers {
		if slices.ContainsFunc(headers[:i], func(o Header) bool { return strings.EqualFold(o.Name, h.Name) }) {
			return true
		}
	}
	return false
}

// span is a range of events. Both ends are included.
type span struct{ from, to int64 }

func readSpan(g *form.Group) span {
	from := g.Integer("fromId", form.NotBlank, form.AtLeast(1))
	to := g.Integer("toId", form.NotBlank, form.AtLeast(1))
	switch {
	case g.Failed("fromId"), g.Failed("toId"):
	case to < from:
		g.AddError("toId", form.Invalid("range_reversed"))
	case to-from >= ReplayLimit:
		g.AddError("toId", errManyEvents.With(ReplayLimit))
	}
	return span{from, to}
}
