package openapi

import (
	"reflect"
	"runtime"
	"slices"
	"strings"

	"punchcard/api"
)

// Section is a part of the description, whose tag its operations have.
type Section struct {
	Name        string
	Description string   // one sentence
	Packages    []string // of the handlers of its operations
}

// tagOf returns the tag of the section of an endpoint. Outside of all sections it is the package of the handler.
func (b *builder) tagOf(e *api.Endpoint) tag {
	name := packageOf(e)
	for _, s := range b.sections {
		if slices.Contains(s.Packages, name) {
			return tag{s.Name, s.Description}
		}
	}
	return tag{Name: name}
}

// rank orders tags like their sections, with those of no section at the end.
func (b *builder) rank(t tag) int {
	at := slices.IndexFunc(b.sections, func(s Section) bool { return s.Name == t.Name })
	if at < 0 {
		return len(b.sections)
	}
	return at
}

// packageOf returns the package of the handler.
func packageOf(e *api.Endpoint) string {
	name := runtime.FuncForPC(reflect.ValueOf(e.Handle).Pointer()).Name()
	last, _, _ := strings.Cut(name[strings.LastIndexByte(name, '/')+1:], ".")
	return last
}
