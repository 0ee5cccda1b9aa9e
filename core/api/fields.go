package api

import (
	"strconv"

	"punchcard/platform/form"
)

// Field describes a field of a form to clients that build the form from its description.
type Field struct {
	Name         string             `json:"name,omitempty"` // left out for the elements of a list of lists
	Type         string             `json:"type"`           // text, checkbox, integer, decimal, choice, group and so on
	Required     bool               `json:"required"`
	RequiredWhen string             `json:"requiredWhen,omitempty"`
	ReadWhen     string             `json:"readWhen,omitempty"` // ignored otherwise
	Choices      []string           `json:"choices,omitempty"`
	Limits       map[string]float64 `json:"limits,omitempty"` // by keyword of JSON Schema, such as maxLength
	Fields       []Field            `json:"fields,omitempty"` // of a group, or of each element of a list
}

// FieldsOf describes the fields that a function reads from a form.
func FieldsOf(read func(g *form.Group)) []Field { return fields(form.Describe(read)) }

func fields(described []*form.Field) []Field {
	all := make([]Field, len(described))
	for i, f := range described {
		all[i] = Field{
			Name: f.Name, Type: fieldTypes[f.Kind], Required: f.Required, RequiredWhen: f.RequiredWhen,
			ReadWhen: f.ReadWhen, Choices: f.Choices, Fields: fields(f.Fields),
		}
		for _, limit := range f.Limits() {
			if all[i].Limits == nil {
				all[i].Limits = map[string]float64{}
			}
			all[i].Limits[limit.Keyword], _ = strconv.ParseFloat(limit.Value, 64) // a number that form has formatted
		}
	}
	return all
}

var fieldTypes = map[form.Kind]string{
	form.KindText: "text", form.KindCheckbox: "checkbox", form.KindInteger: "integer", form.KindDecimal: "decimal",
	form.KindChoice: "choice", form.KindUUID: "uuid", form.KindID: "uuid",
	form.KindDateTime: "dateTime", form.KindDate: "date",
	form.KindFile: "file", form.KindTexts: "texts", form.KindUUIDs: "uuids", form.KindGroup: "group",
	form.KindGroups: "groups", form.KindMap: "map",
}
