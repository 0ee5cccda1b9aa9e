package openapi

import (
	"bytes"
	"encoding/json"
	"slices"

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
	Enum             []string       `json:"enum,omitempty"`
	MaxLength        json.Number    `json:"maxLength,omitempty"`
	Minimum          json.Number    `json:"minimum,omitempty"`
	ExclusiveMinimum json.Number    `json:"exclusiveMinimum,omitempty"`
	ExclusiveMaximum json.Number    `json:"exclusiveMaximum,omitempty"`
	MinItems         json.Number    `json:"minItems,omitempty"`
	Items            *schema        `json:"items,omitempty"`
	Properties       named[*schema] `json:"properties,omitempty"`
	Required         []string       `json:"required,omitempty"`
	Additional       *schema        `json:"additionalProperties,omitempty"`
	AnyOf            []*schema      `json:"anyOf,omitempty"`
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
	for _, limit := range f.Limits() {
		bound := json.Number(limit.Value)
		switch limit.Keyword {
		case "minimum":
			s.Minimum = bound
		case "exclusiveMinimum":
			s.ExclusiveMinimum = bound
		case "exclusiveMaximum":
			s.ExclusiveMaximum = bound
		case "minItems":
			s.MinItems = bound
		case "maxLength":
			texts.MaxLength = bound
		}
	}
	if s.Minimum != "" && s.ExclusiveMinimum != "" {
		s.Minimum, s.ExclusiveMinimum = oneMinimum(s.Minimum, s.ExclusiveMinimum)
	}
	return s
}

// oneMinimum leaves the stronger of two bounds.
func oneMinimum(minimum, exclusive json.Number) (json.Number, json.Number) {
	m, _ := minimum.Float64()
	if e, _ := exclusive.Float64(); e >= m {
		return "", exclusive
	}
	return minimum, ""
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
		return &schema{Type: "string", Enum: f.Choices}
	case form.KindUUID:
		return &schema{Type: "string", Format: "uuid"}
	case form.KindID:
		id := &schema{Type: "string"}
		return &schema{AnyOf: []*schema{id, object(member[*schema]{f.Name, id})}}
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
