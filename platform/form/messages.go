package form

// Messages lists what is wrong with a form in one line each: the path of the field, with dots, and its problem.
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
