package form

import (
	"slices"

	"punchcard/platform/fault"
)

// UnknownFilter is the error of a parameter that a list does not have.
var UnknownFilter = fault.New(fault.Fields, "unknown_filter", "There is no such filter.")

// Ignored is a child of a query that a list passes over, and why.
type Ignored struct {
	Name    string
	Problem *fault.Error
}

// IgnoredIn returns the children of a query that a list passes over: names that are not known, groups in the place of
// texts, and those named in unread, whose values the list could not read.
func IgnoredIn(query *Node, known []*Field, unread ...string) (ignored []Ignored) {
	for name, child := range query.Children() {
		at := slices.IndexFunc(known, func(f *Field) bool { return f.Name == name })
		switch {
		case at < 0:
			ignored = append(ignored, Ignored{name, UnknownFilter})
		case child.IsGroup() && !known[at].isList():
			ignored = append(ignored, Ignored{name, WrongType})
		case slices.Contains(unread, name):
			ignored = append(ignored, Ignored{name, NotValid})
		}
	}
	return ignored
}

func (f *Field) isList() bool {
	return f.Kind == KindTexts || f.Kind == KindUUIDs || f.Kind.hasFields()
}
