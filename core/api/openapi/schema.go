package openapi

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"punchcard/platform/form"
)

// named is a JSON object whose members keep their order.
type named[T any] []member[T]

type member[T any] struct {
	name  string
	value T
}

func (n *named[T]) add(name string, value T) { *n = append(*n, member[T]{name, value}) }

func (n named[T]) has(name string) bool {
	return slices.ContainsFunc(n, func(m member[T]) bool { return m.name == name })
}

// MarshalJSON returns an object with the members in order.
func (n named[T]) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, m := range n {
		if i > 0 {
			out.WriteByte(',')
		}
		name, err := json.Marshal(m.name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		out.Write(name)
		out.WriteByte(':')
		out.Write(value)
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// schema is a subset of JSON Schema 2020-12.
type schema struct {
	Ref              string         `json:"$ref,omitempty"`
	Description      string         `json:"description,omitempty"`
	Type             any            `json:"type,omitempty"` // a name, or several
	Format           string         `json:"format,omitempty"`
	Pattern          string         `json:"pattern,omitempty"`
	ContentMediaType string         `json:"contentMediaType,omitempty"`
	Enum             []any          `json:"enum,omitempty"` // texts, and null
	MaxLength        json.Number    `json:"maxLength,omitempty"`
	Minimum          json.Number    `json:"minimum,omitempty"`
	Maximum          json.Number    `json:"maximum,omitempty"`
	MinItems         json.Number    `json:"minItems,omitempty"`
	Items            *schema        `json:"items,omitempty"`
	Properties       named[*schema] `json:"properties,omitempty"`
	Required         []string       `json:"required,omitempty"`
	Additional       *schema        `json:"additionalProperties,omitempty"`
	AnyOf            []*schema      `json:"anyOf,omitempty"`
	OneOf            []*schema      `json:"oneOf,omitempty"`
	Discriminator    *discriminator `json:"discriminator,omitempty"`
}

// discriminator names the member that tells the schema of an object among several.
type discriminator struct {
	PropertyName string        `json:"propertyName"`
	Mapping      named[string] `json:"mapping"`
}

func listSchema(of *schema) *schema { return &schema{Type: "array", Items: of} }
func reference(n string) *schema    { return &schema{Ref: "#/components/schemas/" + n} }

func object(properties ...member[*schema]) *schema {
	return &schema{Type: "object", Properties: properties}
}

// nullable returns a schema that also allows null.
func nullable(s *schema) *schema {
	if kind, isOne := s.Type.(string); isOne && s.Ref == "" {
		withNull := *s
		withNull.Type = []string{kind, "null"}
		return &withNull
	}
	return &schema{AnyOf: []*schema{s, {Type: "null"}}}
}

// formSchema describes the object that a form submits.
func formSchema(fields []*form.Field) *schema {
	s := object()
	for _, f := range fields {
		plain, marked := strings.CutPrefix(f.Name, "_")
		if marked && slices.ContainsFunc(fields, func(other *form.Field) bool { return other.Name == plain }) {
			continue // _username is another spelling of username, and would have the same name in a generated client
		}
		s.Properties.add(f.Name, fieldSchema(f))
		if f.Required {
			s.Required = append(s.Required, f.Name)
		}
	}
	return s
}

func fieldSchema(f *form.Field) *schema {
	s := kindSchema(f)
	s.Description = sentences(conditional("Required when ", f.RequiredWhen), conditional("Read when ", f.ReadWhen))
	texts := s
	if s.Items != nil {
		texts = s.Items
	}
	for _, limit := range f.Inclusive() {
		bound := json.Number(limit.Value)
		switch limit.Keyword {
		case "minimum":
			s.Minimum = stronger(s.Minimum, bound)
		case "maximum":
			s.Maximum = bound
		case "minItems":
			s.MinItems = bound
		case "maxLength":
			texts.MaxLength = bound
		}
	}
	return s
}

// stronger returns the greater of two lower bounds, of which the first may be missing.
func stronger(one, other json.Number) json.Number {
	o, _ := one.Float64()
	if v, _ := other.Float64(); one != "" && o > v {
		return one
	}
	return other
}

// querySchema describes a field of the query. A list of groups is sent as labels[0][key], which OpenAPI knows as an
// object of objects only.
func querySchema(f *form.Field) *schema {
	s := fieldSchema(f)
	if f.Kind == form.KindGroups {
		return &schema{Type: "object", Additional: s.Items}
	}
	return s
}

// hasFile reports whether a file is among the values.
func hasFile(s *schema) bool {
	if s == nil {
		return false
	}
	return s.ContentMediaType != "" || hasFile(s.Items) || hasFile(s.Additional) ||
		slices.ContainsFunc(s.Properties, func(m member[*schema]) bool { return hasFile(m.value) })
}

func kindSchema(f *form.Field) *schema {
	switch f.Kind {
	case form.KindCheckbox:
		return &schema{Type: "boolean"}
	case form.KindInteger:
		return &schema{Type: "integer"}
	case form.KindDecimal:
		return &schema{Type: "number"}
	case form.KindChoice:
		return withChoices(&schema{Type: "string"}, f.Choices)
	case form.KindUUID:
		return &schema{Type: "string", Format: "uuid"}
	case form.KindID:
		return &schema{Type: "string"} // or the object that has it as a member, as clients send back what they have read
	case form.KindDateTime, form.KindDate:
		return &schema{Type: "string", Pattern: form.DateTimePattern}
	case form.KindFile:
		return &schema{Type: "string", ContentMediaType: "application/octet-stream"}
	case form.KindTexts:
		return listSchema(&schema{Type: "string"})
	case form.KindUUIDs:
		return listSchema(&schema{Type: "string", Format: "uuid"})
	case form.KindGroup:
		return formSchema(f.Fields)
	case form.KindGroups:
		return listSchema(elementSchema(f.Fields))
	case form.KindMap:
		return &schema{Type: "object", Additional: elementSchema(f.Fields)}
	}
	return &schema{Type: "string"}
}

// elementSchema describes the elements of a list or map: groups, or single values.
func elementSchema(fields []*form.Field) *schema {
	if len(fields) == 1 && fields[0].Name == "" {
		return fieldSchema(fields[0])
	}
	return formSchema(fields)
}
