package earning

import (
	"slices"
	"strings"

	"punchcard/core/store"
	"punchcard/platform/form"
)

// eventRule pays for one of Events.
var eventRule = RuleType{
	Name: Event,
	ReadEventName: func(f *Form) {
		const platform = "platform." // prefix of alternative event names
		name := f.Text("eventName", form.NotBlank, form.Matches(form.UnknownChoice, func(text string) bool {
			return slices.Contains(Events, strings.Replace(text, platform, "oloy.", 1))
		}))
		f.Rule.EventName = strings.Replace(name, platform, "oloy.", 1)
	},
	Read: func(f *Form) { f.PointsAmount(form.GreaterThan(0)) },
	View: func(r *Rule, _ *store.Store, to *TypeView) {
		to.EventName, to.PointsAmount = &r.EventName, &r.Definition.Points
	},
}
