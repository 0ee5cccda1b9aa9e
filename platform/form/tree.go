package form

import (
	"encoding/json"
	"slices"
	"strconv"

	"punchcard/platform/fault"
)

// field is a node of the tree of errors.
type field struct {
	errors   []*fault.Error
	children ordered[*field] // in reading order
	entries  int             // submitted entries of a collection of single values, which have no errors of their own
	note     *note           // how it is read; set while a form is described
}

func (f *field) child(name string) *field {
	if i := f.children.find(name); i >= 0 {
		return f.children.values[i]
	}
	child := &field{}
	f.children.add(name, child)
	return child
}

// failed reports whether the field or anything below it has an error.
func (f *field) failed() bool {
	if len(f.errors) > 0 {
		return true
	}
	for _, child := range f.children.values {
		if child.failed() {
			return true
		}
	}
	return false
}

// hasFailed reports whether a child of the field has failed.
func (f *field) hasFailed(child string) bool {
	i := f.children.find(child)
	return i >= 0 && f.children.values[i].failed()
}

// has reports whether the field has an error with the same message.
func (f *field) has(problem *fault.Error) bool {
	return slices.ContainsFunc(f.errors, func(e *fault.Error) bool { return e.Message == problem.Message })
}

// Tree is the tree of errors of a form: every field that was read, in reading order, with its errors. It is the
// detail of ErrFields, and its JSON is the body of the response.
type Tree struct {
	root *field
	path []string // names in the body above the root

	summary string // see Group.Summarize
}

// MarshalJSON returns {"form":{"children":{…}},"errors":[…]}. Errors of the whole form are in both form.errors and
// errors. A summary follows as the member error.
func (t Tree) MarshalJSON() ([]byte, error) {
	out := append([]byte(nil), `{"form":{`...)
	if len(t.root.errors) > 0 {
		out = appendErrors(out, t.root.errors)
		out = append(out, ',')
	}
	out = appendChildren(out, t.root)
	out = append(out, `},"errors":`...)
	out = appendList(out, t.root.errors)
	if t.summary != "" {
		out = appendText(append(out, `,"error":`...), t.summary)
	}
	return append(out, '}'), nil
}

func appendField(out []byte, f *field) []byte {
	out = append(out, '{')
	if len(f.errors) > 0 {
		out = appendErrors(out, f.errors)
	}
	if len(f.children.values) > 0 || f.entries > 0 {
		if len(f.errors) > 0 {
			out = append(out, ',')
		}
		out = appendChildren(out, f)
	}
	return append(out, '}')
}

func appendChildren(out []byte, f *field) []byte {
	out = append(out, `"children":{`...)
	for i, child := range f.children.values {
		if i > 0 {
			out = append(out, ',')
		}
		out = appendText(out, f.children.name(i))
		out = append(out, ':')
		out = appendField(out, child)
	}
	for i := range f.entries {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, '"')
		out = strconv.AppendInt(out, int64(i), 10)
		out = append(out, `":{}`...)
	}
	return append(out, '}')
}

func appendErrors(out []byte, problems []*fault.Error) []byte {
	return appendList(append(out, `"errors":`...), problems)
}

func appendList(out []byte, problems []*fault.Error) []byte {
	out = append(out, '[')
	for i, problem := range problems {
		if i > 0 {
			out = append(out, ',')
		}
		out = appendText(out, problem.Message)
	}
	return append(out, ']')
}

func appendText(out []byte, text string) []byte {
	quoted, _ := json.Marshal(text) // a string always marshals
	return append(out, quoted...)
}
