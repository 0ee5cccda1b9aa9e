package form

import (
	"golang.org/x/text/unicode/norm"

	"punchcard/platform/fault"
	"punchcard/platform/keytext"
)

// Texts reads a list of texts like Text. Blank entries are omitted; a value that is not a list counts as an empty one.
// Errors of entries are errors of the list.
func (g *Group) Texts(name string, rules ...Rule) []string {
	return g.list(name, KindTexts, rules, WrongType, func(text string) (string, bool) {
		return norm.NFC.String(text), true
	})
}

// KeyTexts reads a list of texts like Key, as Texts does.
func (g *Group) KeyTexts(name string, rules ...Rule) []string {
	return g.list(name, KindTexts, rules, WrongType, func(text string) (string, bool) {
		return keytext.Clean(text), true
	})
}

// UUIDs reads a list of ids of exactly 36 characters like Texts, and returns them in lower case.
func (g *Group) UUIDs(name string, rules ...Rule) []string {
	return g.list(name, KindUUIDs, rules, NotAnID, parseUUID)
}

// list applies the rules only if every entry is valid.
func (g *Group) list(name string, kind Kind, rules []Rule, problem *fault.Error,
	parse func(text string) (string, bool)) []string {
	f, node := g.at(name, note{kind: kind, rules: rules}), g.node.Child(name)
	var values []string
	valid := true
	if node.IsList() && node.Len() > 0 {
		f.entries = node.Len()
		values = make([]string, 0, f.entries)
		for _, child := range node.group.values {
			if blank(child) {
				continue
			}
			value, ok := parse(trim(child.Text()))
			if !ok || child.IsGroup() || child.File() != nil {
				valid = false
				continue
			}
			if value != "" {
				values = append(values, value)
			}
		}
	}
	if !valid {
		g.fail(f, problem)
		return values
	}
	for _, rule := range rules {
		if !rule.holdsTexts(values) {
			g.fail(f, rule.refusal(0))
		}
	}
	return values
}
