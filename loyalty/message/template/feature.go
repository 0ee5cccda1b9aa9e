package template

import (
	"punchcard/core/audit"
	"punchcard/core/feature"
)

// Feature returns the texts of messages. See docs/behaviour/messages.md.
func Feature(hooks Hooks) feature.Feature {
	return feature.Feature{
		Section: feature.Section{Name: "Messages",
			Description: "E-mails, SMS and push messages: their texts, how they are sent, and what became of them."},
		Endpoints: Endpoints(hooks),
		Rules:     Rules(),
		Objects:   map[string]audit.Object{"message": Audited},
		Limits: []feature.Limit{
			{Name: "messageSubject", Value: SubjectLimit, Unit: "characters"},
			{Name: "messageContent", Value: ContentLimit, Unit: "characters"},
			{Name: "messageContentSMS", Value: SMSLimit, Unit: "characters"},
			{Name: "messageName", Value: NameLimit, Unit: "characters"},
		},
	}
}
