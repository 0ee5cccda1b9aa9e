package form

import (
	"net/url"
	"strings"
)

// Messages returns the errors of the form as lines: the path of the field with dots, and the message.
func (t Tree) Messages() []string { return t.root.messages(nil, "") }

func (f *field) messages(lines []string, path string) []string {
	for _, problem := range f.errors {
		message := problem.Message
		if path != "" {
			message = path + ": " + message
		}
		lines = append(lines, message)
	}
	for i, child := range f.children.values {
		name := f.children.name(i)
		if path != "" {
			name = path + "." + name
		}
		lines = child.messages(lines, name)
	}
	return lines
}

// Problem is one error of a form for clients that read application/problem+json.
type Problem struct {
	Detail  string `json:"detail"`
	Pointer string `json:"pointer"` // to the field in the body: a JSON pointer as a URI fragment (RFC 6901)
	Code    string `json:"code"`
}

// Problems lists the errors of the form in reading order, those of the whole form first.
func (t Tree) Problems() []Problem {
	pointer := "#"
	for _, name := range t.path {
		pointer += pointerStep(name)
	}
	return t.root.problems(nil, pointer)
}

func (f *field) problems(all []Problem, pointer string) []Problem {
	for _, e := range f.errors {
		all = append(all, Problem{Detail: e.Message, Pointer: pointer, Code: e.Code})
	}
	for i, child := range f.children.values {
		all = child.problems(all, pointer+pointerStep(f.children.name(i)))
	}
	return all
}

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

// pointerStep returns a name as a step of a JSON pointer in a URI fragment.
func pointerStep(name string) string {
	step := url.URL{Fragment: pointerEscapes.Replace(name)}
	return "/" + step.EscapedFragment()
}
