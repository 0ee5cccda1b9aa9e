package password

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"punchcard/platform/fault"
)

// The lengths of the two rules, in characters.
const (
	minSimple   = 6
	minAdvanced = 8
)

// The errors of a new password that breaks a rule. Clients compare the messages.
var (
	errTooShort  = fault.New(fault.Fields, "password_too_short", "Your password must be at least %d characters long.")
	errManyBytes = fault.New(fault.Fields, "password_too_long", "Your password must be at most %d bytes long.")
	errNoLetter  = fault.New(fault.Fields, "password_without_letter", "Your password must include at least one letter.")
	errOneCase   = fault.New(fault.Fields, "password_in_one_case",
		"Your password must include both upper and lower case letters.")
	errNoNumber  = fault.New(fault.Fields, "password_without_number", "Your password must include at least one number.")
	errNoSpecial = fault.New(fault.Fields, "password_without_special_character",
		"Your password must contain at least one special character.")
)

// Problems returns the rules that a new password breaks. The simple rule requires a letter; the other one upper and
// lower case, a digit and a special character.
func Problems(plain string, simple bool) (problems []*fault.Error) {
	require := func(held bool, problem *fault.Error) {
		if !held {
			problems = append(problems, problem)
		}
	}
	has := func(kind func(rune) bool) bool { return strings.ContainsFunc(plain, kind) }
	minimum := minAdvanced
	if simple {
		minimum = minSimple
	}
	require(utf8.RuneCountInString(plain) >= minimum, errTooShort.With(minimum))
	require(len(plain) <= MaxBytes, errManyBytes.With(MaxBytes))
	if simple {
		require(has(unicode.IsLetter), errNoLetter)
		return problems
	}
	require(has(unicode.IsUpper) && has(unicode.IsLower), errOneCase)
	require(has(unicode.IsNumber), errNoNumber)
	require(has(isSpecial), errNoSpecial)
	return problems
}

func isSpecial(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsNumber(c) }
