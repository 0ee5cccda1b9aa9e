package form

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"punchcard/platform/fault"
)

type ruleKind int

const (
	notBlank ruleKind = iota
	atLeast
	greaterThan
	notZero
	greaterOrEqual
	lessThan
	minItems
	maxLength
	matches
	whole
	roundTo
	atMostDigits
)

// Rule is a condition for the value of a field. Only NotBlank and MinItems apply to a blank field. Bounds of numbers
// are in the unit of the field: 1/100 for a Decimal with two digits.
type Rule struct {
	kind    ruleKind
	bound   int64
	problem *fault.Error
	accepts func(text string) bool
}

// NotBlank requires a value.
var NotBlank = Rule{kind: notBlank, bound: 1}

// AtLeast requires n or more. The message says "n or more".
func AtLeast(n int64) Rule { return Rule{kind: atLeast, bound: n} }

// GreaterThan requires more than n.
func GreaterThan(n int64) Rule { return Rule{kind: greaterThan, bound: n} }

// NotZero refuses 0 with the problem. It stands beside AtLeast(0), which refuses negative numbers with
// another one.
func NotZero(problem *fault.Error) Rule { return Rule{kind: notZero, problem: problem} }

// GreaterOrEqual requires n or more. The message says "greater than or equal to n".
func GreaterOrEqual(n int64) Rule { return Rule{kind: greaterOrEqual, bound: n} }

// LessThan requires less than n.
func LessThan(n int64) Rule { return Rule{kind: lessThan, bound: n} }

// MinItems requires a collection of n entries or more.
func MinItems(n int) Rule { return Rule{kind: minItems, bound: int64(n)} }

// MaxLength requires a text, or texts, of n characters or less.
func MaxLength(n int) Rule { return Rule{kind: maxLength, bound: int64(n)} }

// Whole sets the error of Integer for a number with a fraction.
var Whole = Rule{kind: whole}

// RoundTo rounds a Decimal to fewer digits after the point than it is stored with, half away from zero.
func RoundTo(digits int) Rule { return Rule{kind: roundTo, bound: int64(digits)} }

// AtMostDigits refuses a Decimal with more digits after the point, instead of rounding it.
func AtMostDigits(digits int) Rule { return Rule{kind: atMostDigits, bound: int64(digits)} }

// Matches requires a text, or texts, that accepts returns true for. Other texts give the field the problem.
func Matches(problem *fault.Error, accepts func(text string) bool) Rule {
	return Rule{kind: matches, problem: problem, accepts: accepts}
}

// holdsText reports whether a text satisfies the rule. Rules for other values are satisfied.
func (r Rule) holdsText(text string) bool {
	switch r.kind {
	case maxLength:
		return utf8.RuneCountInString(text) <= int(r.bound)
	case matches:
		return r.accepts(text)
	}
	return true
}

// holdsTexts reports whether a collection satisfies the rule. Rules for texts apply to every entry.
func (r Rule) holdsTexts(texts []string) bool {
	if r.kind == notBlank || r.kind == minItems {
		return int64(len(texts)) >= r.bound
	}
	for _, text := range texts {
		if !r.holdsText(text) {
			return false
		}
	}
	return true
}

// holdsNumber reports whether a number satisfies the rule. Rules for other values are satisfied.
func (r Rule) holdsNumber(n int64) bool {
	switch r.kind {
	case atLeast, greaterOrEqual:
		return n >= r.bound
	case greaterThan:
		return n > r.bound
	case notZero:
		return n != 0
	case lessThan:
		return n < r.bound
	}
	return true
}

// refusal returns the error of a value that breaks the rule, for a field with digits after the point.
func (r Rule) refusal(digits int) *fault.Error {
	switch r.kind {
	case notBlank:
		return Blank
	case atLeast:
		return TooLow.With(formatDecimal(r.bound, digits))
	case greaterThan:
		return notGreater.With(formatDecimal(r.bound, digits))
	case greaterOrEqual:
		return belowMinimum.With(formatDecimal(r.bound, digits))
	case lessThan:
		return notLess.With(formatDecimal(r.bound, digits))
	case minItems:
		if r.bound == 1 {
			return NoItems
		}
		return tooFew.With(r.bound)
	case maxLength:
		return TooLong.With(r.bound)
	case whole:
		return NotAnInteger
	case atMostDigits:
		return TooPrecise.With(r.bound)
	}
	return r.problem
}

// requires reports whether the rule refuses a field that is not sent.
func (r Rule) requires() bool { return r.kind == notBlank || r.kind == minItems }

// keyword returns the name of the rule in JSON Schema, empty if it has none.
func (r Rule) keyword() string {
	switch r.kind {
	case atLeast, greaterOrEqual:
		return "minimum"
	case greaterThan, notZero:
		return "exclusiveMinimum"
	case lessThan:
		return "exclusiveMaximum"
	case minItems:
		return "minItems"
	case maxLength:
		return "maxLength"
	}
	return ""
}

// formatDecimal formats n units of 10^-digits without trailing zeros.
func formatDecimal(n int64, digits int) string {
	text := strconv.FormatInt(n, 10)
	if digits == 0 {
		return text
	}
	sign := ""
	if n < 0 {
		sign, text = "-", text[1:]
	}
	if missing := digits + 1 - len(text); missing > 0 {
		text = strings.Repeat("0", missing) + text
	}
	whole, fraction := text[:len(text)-digits], strings.TrimRight(text[len(text)-digits:], "0")
	if fraction == "" {
		return sign + whole
	}
	return sign + whole + "." + fraction
}
