package form

import (
	"errors"
	"slices"
	"strconv"

	"punchcard/platform/fault"
)

// Group reads the fields of a group of a form. Reading a field adds it to the tree of errors, so a form reads all its
// fields, even those that it ignores. A field that is missing, blank or invalid reads as the zero value; Err returns
// all errors together. Reading a field again with the same rules has no effect. A Group belongs to one goroutine.
type Group struct {
	form  *state
	node  *Node // nil if the group was not submitted
	field *field
}

// state is shared by the groups of a form.
type state struct {
	root       *field
	path       []string // names in the body above the root
	failed     bool
	summary    string // see Group.Summarize
	describing bool   // the form is read by Describe
}

// Read begins to read the form that body has under a path of names. A nil body is a form with nothing submitted.
func Read(body *Node, path ...string) *Group {
	node := body
	for _, name := range path {
		node = node.Child(name)
	}
	root := &field{}
	g := &Group{form: &state{root: root, path: path}, field: root}
	if node.IsGroup() {
		g.node = node
	} else if node != nil && !blank(node) {
		g.AddFormError(WrongType)
	}
	return g
}

// Node returns the input of the group; nil if it was not submitted.
func (g *Group) Node() *Node { return g.node }

// blank reports whether node is a scalar without text, which counts as not submitted.
func blank(node *Node) bool { return node.File() == nil && !node.IsGroup() && trim(node.Text()) == "" }

// fail adds an error to a field, unless it has one with the same message.
func (g *Group) fail(f *field, problem *fault.Error) {
	g.form.failed = true
	if !f.has(problem) {
		f.errors = append(f.errors, problem)
	}
}

// AddError adds an error to a field of the group. Clients get its message and code.
func (g *Group) AddError(field string, problem *fault.Error) { g.fail(g.field.child(field), problem) }

// AddFormError adds an error to the group as a whole; for the outermost one, to the whole form.
func (g *Group) AddFormError(problem *fault.Error) { g.fail(g.field, problem) }

// Summarize gives the response a member error with a text, for clients that look for it in place of the tree.
func (g *Group) Summarize(text string) { g.form.summary = text }

// Failed reports whether a field, or anything below it, has an error so far.
func (g *Group) Failed(field string) bool { return g.field.hasFailed(field) }

// HasFailed reports whether err is the error of a form in which a field, or anything below it, has an error.
func HasFailed(err error, field string) bool {
	refused, is := errors.AsType[*fault.Error](err)
	if !is {
		return false
	}
	tree, is := refused.Detail.(Tree)
	return is && tree.root.hasFailed(field)
}

// Submitted reports whether the field was sent, even blank.
func (g *Group) Submitted(name string) bool {
	if g.form.describing {
		g.at(name, note{presence: true})
	}
	return g.node.Has(name)
}

// HasValue reports whether the field was sent with anything in it: a file, a text that is not blank, or a group with
// such a field.
func (g *Group) HasValue(name string) bool { return g.Submitted(name) && hasValue(g.node.Child(name)) }

func hasValue(node *Node) bool {
	if !node.IsGroup() {
		return node != nil && !blank(node)
	}
	return slices.ContainsFunc(node.group.values, hasValue)
}

// Ignore adds fields to the tree of errors without reading them.
func (g *Group) Ignore(names ...string) {
	for _, name := range names {
		g.field.child(name)
	}
}

// ErrFields is the error of a form with errors in its fields.
var ErrFields = fault.New(fault.Fields, "invalid_fields", "Fields of the form are not valid.")

// Err returns nil, or ErrFields with a detail: the Tree of the whole form.
func (g *Group) Err() error {
	if !g.form.failed {
		return nil
	}
	refused := *ErrFields
	refused.Detail = Tree{g.form.root, g.form.path, g.form.summary}
	return &refused
}

// Group reads a nested group. A blank value counts as not submitted.
func (g *Group) Group(name string) *Group {
	return g.nested(g.at(name, note{kind: KindGroup}), g.node.Child(name))
}

func (g *Group) nested(f *field, node *Node) *Group {
	inner := &Group{form: g.form, field: f}
	if node.IsGroup() {
		inner.node = node
	} else if node != nil && !blank(node) {
		g.fail(f, WrongType)
	}
	return inner
}

// Groups reads a list of groups.
func (g *Group) Groups(name string) []*Group {
	f, node := g.at(name, note{kind: KindGroups}), g.node.Child(name)
	if node == nil || blank(node) {
		return nil
	}
	if !node.IsList() {
		g.fail(f, WrongType)
		return nil
	}
	groups := make([]*Group, 0, node.Len())
	for i, child := range node.group.values {
		groups = append(groups, g.nested(f.child(strconv.Itoa(i)), child))
	}
	return groups
}

// Keys returns the submitted names below a field in order, for maps such as translations by language.
func (g *Group) Keys(name string) []string {
	if g.form.describing {
		g.at(name, note{kind: KindMap})
	}
	var keys []string
	for key := range g.node.Child(name).Children() {
		keys = append(keys, key)
	}
	return keys
}
