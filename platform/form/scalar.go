package form

import (
	"slices"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"

	"punchcard/platform/fault"
	"punchcard/platform/keytext"
)

func trim(text string) string { return strings.TrimSpace(text) }

// scalar reads a text. ok is false if there is nothing to parse.
func (g *Group) scalar(name string, n note) (f *field, text string, ok bool) {
	f = g.at(name, n)
	node := g.node.Child(name)
	if node.IsGroup() || node.File() != nil {
		g.fail(f, WrongType)
		return f, "", false
	}
	text = node.Text()
	if trim(text) == "" {
		g.requireValue(f, n.rules)
		return f, "", false
	}
	return f, text, true
}

// requireValue adds an error to a blank field if its rules require a value.
func (g *Group) requireValue(f *field, rules []Rule) {
	for _, rule := range rules {
		if rule.kind == notBlank {
			g.fail(f, Blank)
		}
	}
}

func (g *Group) checkText(f *field, text string, rules []Rule) {
	for _, rule := range rules {
		if !rule.holdsText(text) {
			g.fail(f, rule.refusal(0))
		}
	}
}

// Text reads a text, trims it and composes its letters (NFC).
func (g *Group) Text(name string, rules ...Rule) string {
	return g.textOf(name, rules, func(text string) string { return norm.NFC.String(trim(text)) })
}

// Key reads a text that people type and paste to find something, such as an e-mail address or a code, in the form of
// keytext.Clean.
func (g *Group) Key(name string, rules ...Rule) string { return g.textOf(name, rules, keytext.Clean) }

func (g *Group) textOf(name string, rules []Rule, write func(text string) string) string {
	f, text, ok := g.scalar(name, note{kind: KindText, rules: rules})
	if !ok {
		return ""
	}
	if text = write(text); text == "" { // nothing but characters without a shape
		g.requireValue(f, rules)
		return ""
	}
	g.checkText(f, text, rules)
	return text
}

// Verbatim reads a text without trimming it, for passwords. White space alone is blank.
func (g *Group) Verbatim(name string, rules ...Rule) string {
	f, text, ok := g.scalar(name, note{kind: KindText, rules: rules})
	if ok {
		g.checkText(f, text, rules)
	}
	return text
}

// Checkbox reads a switch like IsTrue. Absent means false.
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
	g.checkNumber(f, n, 0, rules)
	return n
}

// notInteger returns the error of a value that Integer refuses.
func notInteger(fractional bool, rules []Rule) *fault.Error {
	if fractional && slices.ContainsFunc(rules, func(r Rule) bool { return r.kind == whole }) {
		return NotAnInteger
	}
	return NotANumber
}

// Decimal reads a number as an integer of units of 10^-digits, like ParseDecimal. RoundTo and AtMostDigits say what
// happens to further digits.
func (g *Group) Decimal(name string, digits int, rules ...Rule) int64 {
	f, text, ok := g.scalar(name, note{kind: KindDecimal, digits: digits, rules: rules})
	if !ok {
		return 0
	}
	n, ok := parseRounded(trim(text), digits, rules)
	if !ok {
		g.fail(f, NotANumber)
		return 0
	}
	for _, rule := range rules {
		if rule.kind == atMostDigits && fractionDigits(text) > int(rule.bound) {
			g.fail(f, rule.refusal(digits))
		}
	}
	g.checkNumber(f, n, digits, rules)
	return n
}

// parseRounded is ParseDecimal with the rounding of the rules.
func parseRounded(text string, digits int, rules []Rule) (units int64, ok bool) {
	stored := digits
	for _, rule := range rules {
		if rule.kind == roundTo {
			stored = int(rule.bound)
		}
	}
	rounded, ok := ParseDecimal(text, stored)
	if !ok || stored == digits {
		return rounded, ok
	}
	return ParseDecimal(formatDecimal(rounded, stored), digits)
}

// fractionDigits counts the digits after the point of a number, without zeros at the end.
func fractionDigits(text string) int {
	_, fraction, _ := strings.Cut(trim(text), ".")
	return len(strings.TrimRight(fraction, "0"))
}

func (g *Group) checkNumber(f *field, n int64, digits int, rules []Rule) {
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

// Choice reads one of the choices. Case counts.
func (g *Group) Choice(name string, choices []string, rules ...Rule) string {
	n := note{kind: KindChoice, choices: choices, rules: rules}
	return parsed(g, name, n, UnknownChoice, func(text string) (string, bool) {
		if !slices.Contains(choices, text) {
			return "", false
		}
		return text, true
	})
}

// UUID reads an id of exactly 36 characters and returns it in lower case.
func (g *Group) UUID(name string, rules ...Rule) string {
	return parsed(g, name, note{kind: KindUUID, rules: rules}, NotAnID, parseUUID)
}

func parseUUID(text string) (string, bool) {
	if !IsUUID(text) {
		return "", false
	}
	return strings.ToLower(text), true
}

// DateTime reads a moment like ParseDateTime. The zero time means none.
func (g *Group) DateTime(name string, zone *time.Location, rules ...Rule) time.Time {
	n := note{kind: KindDateTime, rules: rules}
	return parsed(g, name, n, NotADate, func(text string) (time.Time, bool) { return ParseDateTime(text, zone) })
}

// End reads the end of a period like ParseEnd. The zero time means none.
func (g *Group) End(name string, zone *time.Location, rules ...Rule) time.Time {
	n := note{kind: KindDateTime, rules: rules}
	return parsed(g, name, n, NotADate, func(text string) (time.Time, bool) { return ParseEnd(text, zone) })
}

// Date reads a date as midnight UTC, like ParseDate. The zero time means none.
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
		g.requireValue(f, rules)
	} else {
		g.fail(f, WrongType)
	}
	return nil
}
