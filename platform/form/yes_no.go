package form

import (
	"strings"

	"golang.org/x/text/unicode/norm"

	"punchcard/platform/fault"
)

// NotYesOrNo is the error of YesNo.
var NotYesOrNo = fault.New(fault.Fields, "not_yes_or_no", "This value should be yes or no.")

// yesWords and noWords are words of English, Polish, German, French and Spanish, and what spreadsheets and databases
// write in these languages. No word is in both lists.
var (
	yesWords = wordSet("1 true t yes y on active tak prawda aktywny aktywna ja j wahr ein an aktiv " +
		"oui o vrai actif active sí si s verdadero v activo activa")
	noWords = wordSet("0 false f no n off inactive nie fałsz falsz nieaktywny nieaktywna nein falsch aus inaktiv " +
		"non faux inactif falso inactivo inactiva")
)

func wordSet(text string) map[string]bool {
	words := map[string]bool{}
	for _, word := range strings.Fields(text) {
		words[word] = true
	}
	return words
}

// ParseYesNo parses a switch that a person or a program wrote into a file: a word for yes or no in any of the built-in
// languages, in any case, with or without quotes around it.
func ParseYesNo(text string) (yes, ok bool) {
	word := norm.NFC.String(switchWord(text))
	return yesWords[word], yesWords[word] || noWords[word]
}

// YesNo reads a switch of a file like ParseYesNo. A switch that is missing or blank is unanswered. Forms use Checkbox,
// which takes unknown words for true.
func (g *Group) YesNo(name string) (yes, answered bool) {
	f, text, ok := g.scalar(name, note{kind: KindCheckbox})
	if !ok || trim(text) == "" {
		return false, false
	}
	if yes, ok = ParseYesNo(text); !ok {
		g.fail(f, NotYesOrNo)
	}
	return yes, ok
}
