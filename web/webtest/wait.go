package webtest

import "fmt"

// WaitText waits until the text is visible. White space counts as one blank.
func (p *Page) WaitText(text string) {
	p.t.Helper()
	p.must(fmt.Sprintf("wait for the text %q", text), "text", nil, text)
}

// WaitGone waits until the text is not visible any more.
func (p *Page) WaitGone(text string) {
	p.t.Helper()
	p.must(fmt.Sprintf("wait until %q is gone", text), "gone", nil, text)
}

// WaitFor waits until there is an element with the role and the name, such as a heading or a button.
func (p *Page) WaitFor(role, name string) {
	p.t.Helper()
	p.must(fmt.Sprintf("wait for %s %q", role, name), "present", &element{role, name}, "")
}

// WaitForNo waits until there is no element with the role and the name.
func (p *Page) WaitForNo(role, name string) {
	p.t.Helper()
	p.must(fmt.Sprintf("wait for no %s %q", role, name), "absent", &element{role, name}, "")
}

// WaitValue waits until the field with the label has the value: the text, the chosen option, or true or false.
func (p *Page) WaitValue(label, value string) {
	p.t.Helper()
	p.must(fmt.Sprintf("wait until %q holds %q", label, value), "value", &element{"field", label}, value)
}

// WaitPath waits until the path with its query and fragment is the given one. One that ends with … is a beginning.
func (p *Page) WaitPath(path string) {
	p.t.Helper()
	p.must("wait for the path "+path, "path", nil, path)
}

// Text returns the visible text, with white space as one blank.
func (p *Page) Text() string {
	p.t.Helper()
	return p.must("read the text", "read", nil, "").Text
}

// Count returns how many visible elements have the role and the name; an empty name is any.
func (p *Page) Count(role, name string) int {
	p.t.Helper()
	return p.must("count", "count", &element{role, name}, "").Count
}

// Focused returns the role and the name of the element that has the focus, such as "button Save", and nothing if none
// has it.
func (p *Page) Focused() string {
	p.t.Helper()
	return p.must("read the focus", "focused", nil, "").Text
}
