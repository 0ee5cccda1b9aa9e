package template

import (
	"punchcard/core/api"
	"punchcard/core/audit"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/storeapi"
	"punchcard/platform/db"
)

// Feature returns the texts of messages. See docs/behaviour/messages.md.
func Feature(send Send, guard api.Guard) feature.Feature {
	return feature.Feature{
		Section: feature.Section{Name: "Messages",
			Description: "E-mails, SMS and push messages: their texts, how they are sent, and what became of them."},
		Endpoints: Endpoints(send, guard),
		On: []feature.Reaction{feature.On(func(tx *db.Tx, s *store.Store, e storeapi.LanguageRemoved) error {
			return DropLocale(tx, s.Key, e.Code)
		})},
		Rules:   Rules(),
		Objects: map[string]audit.Object{"message": Audited},
		Limits: []feature.Limit{
			{Name: "messageSubject", Value: SubjectLimit, Unit: "characters"},
			{Name: "messageContent", Value: ContentLimit, Unit: "characters"},
			{Name: "messageContentSMS", Value: SMSLimit, Unit: "characters"},
			{Name: "messageName", Value: NameLimit, Unit: "characters"},
		},
	}
}
