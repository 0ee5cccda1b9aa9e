package password

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The lengths that the two rules demand, in characters.
const (
	minSimple   = 6
	minAdvanced = 8
)

// Problems tells what is wrong with a new password, in the words of the contract; nothing when it is
// good. The simple rule demands a letter; the advanced one both cases, a digit and a special character.
func Problems(plain string, simple bool) []string {
	var problems []string
	demand := func(held bool, message string) {
		if !held {
			problems = append(problems, message)
		}
	}
	has := func(kind func(rune) bool) bool { return strings.ContainsFunc(plain, kind) }
	minimum := minAdvanced
	if simple {
		minimum = minSimple
	}
	demand(utf8.RuneCountInString(plain) >= minimum,
		fmt.Sprintf("Your password must be at least %d characters long.", minimum))
	demand(len(plain) <= MaxBytes, fmt.Sprintf("Your password must be at most %d bytes long.", MaxBytes))
	if simple {
		demand(has(unicode.IsLetter), "Your password must include at least one letter.")
		return problems
	}
	demand(has(unicode.IsUpper) && has(unicode.IsLower),
		"Your password must include both upper and lower case letters.")
	demand(has(unicode.IsNumber), "Your password must include at least one number.")
	demand(has(isSpecial), "Your password must contain at least one special character.")
	return problems
}

func isSpecial(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsNumber(c) }
