package openapi

import (
	"encoding"
	"encoding/json"
	"fmt"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"
)

// components are the schemas of named types, each described once.
type components struct {
	schemas   named[*schema]
	typeNames map[reflect.Type]string
}

var (
	marshaler     = reflect.TypeFor[json.Marshaler]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
	variants      = reflect.TypeFor[Variants]()
)

// Variants is implemented by types that are encoded as an object whose members differ from value to value. common
// holds the members that all have, each of further those that some have.
type Variants interface {
	Variants() (common any, further []any)
}

// typeSchema returns the schema of the JSON of a type.
func (c *components) typeSchema(t reflect.Type) *schema {
	switch {
	case t == reflect.TypeFor[json.RawMessage]():
		return &schema{}
	case t == reflect.TypeFor[time.Time]():
		return &schema{Type: "string", Format: "date-time"}
	case t.Kind() == reflect.Pointer:
		return nullable(c.typeSchema(t.Elem()))
	case t.Implements(variants):
		return c.component(t)
	case t.Implements(marshaler) || reflect.PointerTo(t).Implements(marshaler):
		return c.written(t)
	case t.Implements(textMarshaler):
		return &schema{Type: "string"}
	}
	switch t.Kind() {
	case reflect.Bool:
		return &schema{Type: "boolean"}
	case reflect.String:
		return &schema{Type: "string"}
	case reflect.Float32, reflect.Float64:
		return &schema{Type: "number"}
	case reflect.Slice, reflect.Array:
		return listSchema(c.typeSchema(t.Elem()))
	case reflect.Map:
		return &schema{Type: "object", Additional: c.typeSchema(t.Elem())}
	case reflect.Interface:
		return &schema{}
	case reflect.Struct:
		return c.component(t)
	}
	return &schema{Type: "integer"}
}

// component returns a reference to the schema of a named struct, or the schema of an unnamed one.
func (c *components) component(t reflect.Type) *schema {
	if t.Name() == "" {
		return c.members(t)
	}
	name, known := c.typeNames[t]
	if !known {
		name = componentName(t)
		for c.schemas.has(name) {
			name += "Too"
		}
		c.typeNames[t] = name
		place := len(c.schemas)
		c.schemas.add(name, nil) // a type that contains itself refers to this entry
		c.schemas[place].value = c.members(t)
	}
	return reference(name)
}

// Composed is a response whose members are known when the program starts.
type Composed interface {
	// Members returns a value of a struct with the members.
	Members() any
}

// composed returns a reference to the schema of a response, with the name of its type.
func (c *components) composed(of Composed) *schema {
	t := reflect.TypeOf(of)
	if _, known := c.typeNames[t]; !known {
		c.typeNames[t] = componentName(t)
		c.schemas.add(c.typeNames[t], c.members(reflect.TypeOf(of.Members())))
	}
	return reference(c.typeNames[t])
}

// endpointsOf matches the name of a package such as customerapi.
var endpointsOf = regexp.MustCompile(`^([a-z]+)api\.`)

var word = regexp.MustCompile(`[A-Za-z0-9]+`)

// componentName returns the package and name of the type, and of its type arguments: LevelView. A package such as
// customerapi, which has the endpoints of customer, counts as customer.
func componentName(t reflect.Type) string {
	own, arguments, _ := strings.Cut(t.Name(), "[")
	name := ""
	for part := range strings.SplitSeq(t.PkgPath()+"."+own+","+strings.TrimSuffix(arguments, "]"), ",") {
		pkg := ""
		base := endpointsOf.ReplaceAllString(path.Base(part), "$1.")
		for _, w := range word.FindAllString(base, -1) {
			if w = title(w); strings.HasPrefix(w, pkg) {
				name = strings.TrimSuffix(name, pkg) // SellerView, not SellerSellerView
			}
			name, pkg = name+w, w
		}
	}
	return name
}

func title(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// members returns the schema of a struct by the rules of encoding/json: members of embedded structs are its own, and of
// two with one name the outer one counts.
func (c *components) members(t reflect.Type) *schema {
	s := object()
	depths := map[string]int{}
	var walk func(t reflect.Type, depth int, always bool)
	walk = func(t reflect.Type, depth int, always bool) {
		for field := range t.Fields() {
			name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
			inner := field.Type
			if inner.Kind() == reflect.Pointer {
				inner = inner.Elem()
			}
			switch {
			case name == "-":
				continue
			case field.Anonymous && name == "" && inner.Kind() == reflect.Struct && !inner.Implements(marshaler):
				walk(inner, depth+1, always && inner == field.Type)
				continue
			case !field.IsExported():
				continue
			case name == "":
				name = field.Name
			}
			if known, again := depths[name]; !again || known > depth {
				depths[name] = depth
				c.member(s, name, options, field, always)
			}
		}
	}
	if t.Implements(variants) {
		common, further := reflect.Zero(t).Interface().(Variants).Variants()
		walk(reflect.TypeOf(common), 0, true)
		for _, some := range further {
			walk(reflect.Indirect(reflect.ValueOf(some)).Type(), 0, false)
		}
		return s
	}
	walk(t, 0, true)
	return s
}

func (c *components) member(s *schema, name, options string, field reflect.StructField, always bool) {
	t := field.Type
	leftOut := strings.Contains(options, "omitempty") || strings.Contains(options, "omitzero")
	if leftOut && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	value := c.typeSchema(t)
	if strings.Contains(options, "string") {
		value = &schema{Type: "string"}
	}
	if choices := field.Tag.Get("enum"); choices != "" {
		value = withChoices(value, strings.Split(choices, ","))
	}
	s.Required = slices.DeleteFunc(s.Required, func(known string) bool { return known == name })
	if always && !leftOut {
		s.Required = append(s.Required, name)
	}
	s.Properties = slices.DeleteFunc(s.Properties, func(m member[*schema]) bool { return m.name == name })
	s.Properties.add(name, value)
}

// withChoices limits a text, or the elements of a list of texts, to the values of the tag enum. Null stays allowed.
func withChoices(s *schema, choices []string) *schema {
	limited := *s
	if limited.Items != nil {
		limited.Items = withChoices(limited.Items, choices)
		return &limited
	}
	for _, choice := range choices {
		limited.Enum = append(limited.Enum, choice)
	}
	if _, one := s.Type.(string); !one {
		limited.Enum = append(limited.Enum, nil)
	}
	return &limited
}

// written infers the schema of a type with its own MarshalJSON from the JSON of its zero value and of a filled one.
func (c *components) written(t reflect.Type) *schema {
	var found []*schema
	var kinds []string
	for _, full := range []bool{true, false} {
		v := reflect.New(t)
		if full {
			fill(v.Elem(), 0)
		}
		text, err := json.Marshal(v.Interface())
		var value any
		if err != nil || json.Unmarshal(text, &value) != nil {
			continue
		}
		s := inferred(value)
		if s.Type == "object" && t.Kind() == reflect.Map {
			s = &schema{Type: "object", Additional: c.typeSchema(t.Elem())}
		}
		if kind := fmt.Sprint(s.Type); !slices.Contains(kinds, kind) {
			kinds, found = append(kinds, kind), append(found, s)
		}
	}
	if len(found) == 1 {
		return found[0]
	}
	return &schema{AnyOf: found}
}

// inferred returns the schema of a JSON value.
func inferred(value any) *schema {
	switch value := value.(type) {
	case bool:
		return &schema{Type: "boolean"}
	case float64:
		return &schema{Type: "number"}
	case string:
		return &schema{Type: "string"}
	case []any:
		if len(value) == 0 {
			return listSchema(&schema{})
		}
		return listSchema(inferred(value[0]))
	case map[string]any:
		return &schema{Type: "object"}
	}
	return &schema{Type: "null"}
}

// fillDepth limits the nesting of filled values, because a type can contain itself.
const fillDepth = 4

// fill sets v and everything in it to values that are not zero.
func fill(v reflect.Value, depth int) {
	if depth > fillDepth || !v.CanSet() {
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.String:
		v.SetString("1")
	case reflect.Float32, reflect.Float64:
		v.SetFloat(1)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), depth+1)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), depth+1)
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key, depth+1)
		fill(value, depth+1)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), depth+1)
		}
	default:
		switch {
		case v.CanInt():
			v.SetInt(1)
		case v.CanUint():
			v.SetUint(1)
		}
	}
}
