package openapi

import (
	"reflect"
	"slices"
	"strings"
)

// Event is a type of events, which web hooks send.
type Event struct {
	Type    string // the full name
	Payload any    // a value of the type of the payload
	// Personal are the paths of members that callers without a permission do not see, such as customerData.email.
	Personal []string
}

// webhooks describes what subscriptions send: one call, whose body is an object of one of the types of events.
func (b *builder) webhooks(events []Event) named[*pathItem] {
	if len(events) == 0 {
		return nil
	}
	whole := &schema{Discriminator: &discriminator{PropertyName: "type"}}
	for _, e := range events {
		name := e.Type[strings.LastIndexByte(e.Type, '.')+1:]
		payload := b.typeSchema(reflect.TypeOf(e.Payload))
		for _, path := range e.Personal {
			payload = b.without(payload, strings.Split(path, "."))
		}
		b.schemas.add(name, eventSchema(e.Type, payload))
		whole.OneOf = append(whole.OneOf, reference(name))
		whole.Discriminator.Mapping.add(e.Type, "#/components/schemas/"+name)
	}
	b.schemas.add("WebhookEvent", whole)
	text := &schema{Type: "string"}
	receive := &operation{
		Tags: []string{"Web hooks"}, Summary: "Receive an event that was subscribed to", ID: "receiveEvent",
		Description: "Sent to the address of a subscription; see the introduction for how to verify it. Any status 2xx " +
			"accepts it, others are tried again.",
		Parameters: []parameter{
			{Name: "webhook-id", In: "header", Required: true, Schema: text,
				Description: "The same for each attempt to deliver the event."},
			{Name: "webhook-timestamp", In: "header", Required: true, Schema: text,
				Description: "Seconds since 1970, when this attempt was made."},
			{Name: "webhook-signature", In: "header", Schema: text,
				Description: "Signatures separated by spaces, of subscriptions with hmacEnabled."},
		},
		RequestBody: &body{Required: true, Content: named[mediaType]{
			{"application/json", mediaType{Schema: reference("WebhookEvent")}}}},
		Responses: named[*response]{{"204", &response{Description: "The event was accepted."}},
			{"400", &response{Description: "The signature does not fit; the event is sent again later."}}},
		Security: &[]requirement{},
	}
	return named[*pathItem]{{"event", &pathItem{{"post", receive}}}}
}

func eventSchema(name string, payload *schema) *schema {
	text := &schema{Type: "string"}
	data := object(member[*schema]{"storeCode", text}, member[*schema]{"eventId", &schema{Type: "integer"}},
		member[*schema]{"uuid", text}, member[*schema]{"payload", payload})
	data.Required = []string{"storeCode", "eventId", "uuid", "payload"}
	s := object(member[*schema]{"type", withChoices(text, []string{name})},
		member[*schema]{"timestamp", &schema{Type: "string", Format: "date-time"}}, member[*schema]{"data", data})
	s.Required = []string{"type", "timestamp", "data"}
	return s
}

// without returns a schema whose member at a path need not be there. The schemas that it refers to stay, because
// responses have them too.
func (b *builder) without(s *schema, path []string) *schema {
	if name, is := strings.CutPrefix(s.Ref, "#/components/schemas/"); is {
		s = b.schemas[slices.IndexFunc(b.schemas, func(m member[*schema]) bool { return m.name == name })].value
	}
	loose := *s
	if len(path) == 1 {
		loose.Required = slices.DeleteFunc(slices.Clone(s.Required), func(name string) bool { return name == path[0] })
		return &loose
	}
	loose.Properties = slices.Clone(s.Properties)
	for i, m := range s.Properties {
		if m.name == path[0] {
			loose.Properties[i].value = b.without(m.value, path[1:])
		}
	}
	return &loose
}
