package event

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
)

// Edit clears the members of one event type's payload that identify a person.
type Edit struct {
	// Members are the paths of the members that it clears, such as customerData.email.
	Members []string

	apply func(payload json.RawMessage) (Fact, error)
}

// Editing returns an Edit for payloads of type T. clear sets every personal member to its zero
// value. Members is found by running clear once on a payload without empty members.
func Editing[T Fact](clear func(fact *T)) Edit {
	sample := new(T)
	fillIn(reflect.ValueOf(sample).Elem())
	before := members(sample)
	clear(sample)
	return Edit{
		Members: cleared(before, members(sample), ""),
		apply: func(payload json.RawMessage) (Fact, error) {
			var fact T
			if err := json.Unmarshal(payload, &fact); err != nil {
				return nil, err
			}
			clear(&fact)
			return fact, nil
		},
	}
}

// Without returns the payload without the members that the edit clears. The order of members may
// change, and other members keep their values.
func (e Edit) Without(payload json.RawMessage) (json.RawMessage, error) {
	for _, path := range e.Members {
		var err error
		if payload, err = withoutMember(payload, strings.Split(path, ".")); err != nil {
			return nil, err
		}
	}
	return payload, nil
}

func withoutMember(object json.RawMessage, path []string) (json.RawMessage, error) {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(object, &all); err != nil {
		return nil, err
	}
	inner, present := all[path[0]]
	switch {
	case !present:
		return object, nil
	case len(path) == 1:
		delete(all, path[0])
	default:
		rest, err := withoutMember(inner, path[1:])
		if err != nil {
			return nil, err
		}
		all[path[0]] = rest
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(all)
	return bytes.TrimSpace(text.Bytes()), err
}

// fillIn sets every member of a payload to a value that is not empty.
func fillIn(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for _, field := range v.Fields() {
			if field.CanSet() || field.Kind() == reflect.Struct {
				fillIn(field)
			}
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fillIn(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fillIn(v.Index(0))
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(1)
	default:
		panic("event: a payload holds a " + v.Type().String())
	}
}

// members returns the members of a payload by name.
func members(fact any) map[string]any {
	text, err := json.Marshal(fact)
	var all map[string]any
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		panic(err) // a payload that cannot be encoded
	}
	return all
}

// cleared returns the paths of the members that changed or disappeared.
func cleared(before, after map[string]any, prefix string) (paths []string) {
	for name, was := range before {
		inner, isObject := was.(map[string]any)
		left, stays := after[name].(map[string]any)
		switch {
		case isObject && stays && len(left) > 0:
			paths = append(paths, cleared(inner, left, prefix+name+".")...)
		case !reflect.DeepEqual(was, after[name]):
			paths = append(paths, prefix+name)
		}
	}
	slices.Sort(paths)
	return paths
}
