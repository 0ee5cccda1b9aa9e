package form

import (
	"slices"
	"strings"
	"time"

	"punchcard/platform/fault"
)

func trim(text string) string { return strings.TrimSpace(text) }

// scalar reads a single text; ok is false when nothing is left to be parsed.
func (g *Group) scalar(name string, n note) (f *field, text string, ok bool) {
	f = g.at(name, n)
	node := g.node.Child(name)
	if node.IsGroup() || node.File() != nil {
		g.fail(f, WrongType)
		return f, "", false
	}
	text = node.Text()
	if trim(text) == "" {
		g.demand(f, n.rules)
		return f, "", false
	}
	return f, text, true
}

// demand holds a blank field to its rules.
func (g *Group) demand(f *field, rules []Rule) {
	for _, rule := range rules {
		if rule.kind == notBlank {
			g.fail(f, Blank)
		}
	}
}

func (g *Group) holdText(f *field, text string, rules []Rule) {
	for _, rule := range rules {
		if !rule.holdsText(text) {
			g.fail(f, rule.refusal(0))
		}
	}
}

// Text reads a text without the white space around it.
func (g *Group) Text(name string, rules ...Rule) string {
	f, text, ok := g.scalar(name, note{kind: KindText, rules: rules})
	if !ok {
		return ""
	}
	text = trim(text)
	g.holdText(f, text, rules)
	return text
}

// Verbatim reads a text as it was sent, for passwords; white space alone is blank.
func (g *Group) Verbatim(name string, rules ...Rule) string {
	f, text, ok := g.scalar(name, note{kind: KindText, rules: rules})
	if ok {
		g.holdText(f, text, rules)
	}
	return text
}

// Checkbox reads a switch as IsTrue does; absent means false.
func (g *Group) Checkbox(name string) bool {
	_, text, _ := g.scalar(name, note{kind: KindCheckbox})
	return IsTrue(text)
}

// Integer reads a whole number of 64 bits.
func (g *Group) Integer(name string, rules ...Rule) int64 {
	f, text, ok := g.scalar(name, note{kind: KindInteger, rules: rules})
	if !ok {
		return 0
	}
	n, fractional, ok := parseInteger(trim(text))
	if !ok {
		g.fail(f, notInteger(fractional, rules))
		return 0
	}
	g.holdNumber(f, n, 0, rules)
	return n
}

// notInteger returns the error of a value that Integer refuses.
func notInteger(fractional bool, rules []Rule) *fault.Error {
	if fractional && slices.ContainsFunc(rules, func(r Rule) bool { return r.kind == whole }) {
		return NotAnInteger
	}
	return NotANumber
}

// Decimal reads a number as an integer of units of 10^-digits, as ParseDecimal does.
func (g *Group) Decimal(name string, digits int, rules ...Rule) int64 {
	f, text, ok := g.scalar(name, note{kind: KindDecimal, digits: digits, rules: rules})
	if !ok {
		return 0
	}
	n, ok := ParseDecimal(trim(text), digits)
	if !ok {
		g.fail(f, NotANumber)
		return 0
	}
	g.holdNumber(f, n, digits, rules)
	return n
}

func (g *Group) holdNumber(f *field, n int64, digits int, rules []Rule) {
	for _, rule := range rules {
		if !rule.holdsNumber(n) {
			g.fail(f, rule.refusal(digits))
		}
	}
}

// parsed reads a value of a type that only NotBlank applies to. A text that parse refuses gives the field the problem.
func parsed[T any](g *Group, name string, n note, problem *fault.Error, parse func(text string) (T, bool)) T {
	var value T
	f, text, ok := g.scalar(name, n)
	if !ok {
		return value
	}
	value, ok = parse(trim(text))
	if !ok {
		g.fail(f, problem)
	}
	return value
}

// Choice reads one of the choices, which are compared exactly.
func (g *Group) Choice(name string, choices []string, rules ...Rule) string {
	n := note{kind: KindChoice, choices: choices, rules: rules}
	return parsed(g, name, n, UnknownChoice, func(text string) (string, bool) {
		if !slices.Contains(choices, text) {
			return "", false
		}
		return text, true
	})
}

// UUID reads an id of exactly 36 characters, in lower case.
func (g *Group) UUID(name string, rules ...Rule) string {
	return parsed(g, name, note{kind: KindUUID, rules: rules}, NotAnID, parseUUID)
}

func parseUUID(text string) (string, bool) {
	if !IsUUID(text) {
		return "", false
	}
	return strings.ToLower(text), true
}

// DateTime reads a moment, as ParseDateTime does; the zero time means none.
func (g *Group) DateTime(name string, zone *time.Location, rules ...Rule) time.Time {
	n := note{kind: KindDateTime, rules: rules}
	return parsed(g, name, n, NotADate, func(text string) (time.Time, bool) { return ParseDateTime(text, zone) })
}

// Date reads a date as midnight UTC, as ParseDate does; the zero time means none.
func (g *Group) Date(name string, rules ...Rule) time.Time {
	return parsed(g, name, note{kind: KindDate, rules: rules}, NotADate, ParseDate)
}

// File reads an uploaded file; nil means none.
func (g *Group) File(name string, rules ...Rule) *File {
	f, node := g.at(name, note{kind: KindFile, rules: rules}), g.node.Child(name)
	if node.File() != nil {
		return node.File()
	}
	if node == nil || blank(node) {
		g.demand(f, rules)
	} else {
		g.fail(f, WrongType)
	}
	return nil
}
