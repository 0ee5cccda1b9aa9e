package form

import (
	"slices"
	"strings"

	"punchcard/platform/fault"
	"punchcard/platform/keytext"
)

// The errors of names that an endpoint does not know.
var (
	errUnknownField     = fault.New(fault.Fields, "unknown_field", "There is no such field.")
	errUnknownParameter = fault.New(fault.Fields, "unknown_parameter", "There is no such parameter.")
)

// UnknownIn returns nil if body and query have no other names than these fields, or an error of each other name.
// inAny are names that any body and any query may have.
func UnknownIn(body, query *Node, fields, parameters []*Field, inAny ...string) error {
	if err := unknownIn(query, parameters, errUnknownParameter, inAny); err != nil {
		return err
	}
	return unknownIn(body, fields, errUnknownField, inAny)
}

func unknownIn(node *Node, known []*Field, problem *fault.Error, inAny []string) error {
	g := Read(node)
	for name, child := range node.Children() {
		if !slices.Contains(inAny, name) {
			g.refuseUnknown(name, child, known, problem)
		}
	}
	return g.Err()
}

// refuseUnknown adds errors to a child that is not known, or to those below it. A value of the wrong type is no concern
// of it.
func (g *Group) refuseUnknown(name string, child *Node, known []*Field, problem *fault.Error) {
	at := slices.IndexFunc(known, func(f *Field) bool { return f.Name == name })
	if at < 0 {
		g.AddError(name, suggesting(problem, name, known))
		return
	}
	f := known[at]
	if len(f.Fields) == 0 || !child.IsGroup() {
		return // a group in which nothing is named may hold anything
	}
	inner := g.nested(g.field.child(name), child)
	for name, child := range child.Children() {
		if f.Kind == KindGroup {
			inner.refuseUnknown(name, child, f.Fields, problem)
			continue
		}
		element := inner.nested(inner.field.child(name), nil)
		for name, child := range child.Children() {
			element.refuseUnknown(name, child, f.Fields, problem)
		}
	}
}

// suggesting returns the error with the known name that was probably meant, if there is one.
func suggesting(problem *fault.Error, name string, known []*Field) *fault.Error {
	at := slices.IndexFunc(known, func(f *Field) bool { return isMeant(f.Name, name) })
	if at < 0 {
		return problem
	}
	suggests := *problem
	suggests.Message += ` Did you mean "` + known[at].Name + `"?`
	return &suggests
}

// isMeant reports whether a name is a known one in another style, such as first_name for firstName, or with a typo.
func isMeant(known, name string) bool {
	bare := strings.NewReplacer("_", "", "-", "", "[]", "").Replace
	known, name = strings.ToLower(bare(known)), strings.ToLower(bare(name))
	return known == name || keytext.IsTypo(known, name)
}
