package event

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
)

// Edit clears the members of one event type's payload that tell who a person is.
type Edit struct {
	// Members are the paths of the members that it clears, such as customerData.email.
	Members []string

	apply func(payload json.RawMessage) (Fact, error)
}

// Editing is an Edit of the payloads that T is. clear sets every personal member to its empty value; Members is found
// by running it once on a payload in which no member is empty.
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

// Without is the payload without the members that the edit clears, in whatever order. Other members stay as they are.
func (e Edit) Without(payload json.RawMessage) (json.RawMessage, error) {
	for _, path := range e.Members {
		var err error
		if payload, err = without(payload, strings.Split(path, ".")); err != nil {
			return nil, err
		}
	}
	return payload, nil
}

func without(object json.RawMessage, path []string) (json.RawMessage, error) {
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
		rest, err := without(inner, path[1:])
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

// fillIn sets everything that a payload holds to something that is not empty.
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

// members are those of a payload by their names.
func members(fact any) map[string]any {
	text, err := json.Marshal(fact)
	var all map[string]any
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		panic(err) // a payload that has no JSON form
	}
	return all
}

// cleared lists the paths of the members that became empty or went away.
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
