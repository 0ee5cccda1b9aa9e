package template

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"punchcard/core/store"
	"punchcard/platform/plaintext"
)

// common lists the placeholders of all events.
var common = []string{"first_name", "last_name", "program_name", "points_name", "help_email", "program_url"}

// multiLine lists the placeholders whose values keep their line breaks. In all others a line break becomes
// a blank, so that a name cannot add lines to a message.
var multiLine = []string{"campaign_text", "mailing_text", "mailing_short"}

// names lists the placeholders that customers fill by their own names.
var names = []string{"first_name", "last_name", "referrer_name"}

// NameLimit is how much of a name a message shows, in characters.
const NameLimit = 40

// placeholder matches {{ name }}. The blanks are optional.
var placeholder = regexp.MustCompile(`\{\{[ \t]*([a-z][a-z0-9_]*)[ \t]*\}\}`)

// unknown returns the first part of a text that looks like a placeholder and is not one of the names,
// empty if there is none.
func unknown(text string, names []string) string {
	for {
		start := strings.Index(text, "{{")
		if start < 0 {
			return ""
		}
		text = text[start:]
		at := placeholder.FindStringSubmatchIndex(text)
		if at == nil || at[0] != 0 {
			return opening(text)
		}
		if !slices.Contains(names, text[at[2]:at[3]]) {
			return text[:at[1]]
		}
		text = text[at[1]:]
	}
}

// shownLength is the maximum length of a part of a text that an error shows, in characters.
const shownLength = 40

// opening returns the beginning of a text that begins with braces: up to the closing braces, or shownLength
// characters of the line.
func opening(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	if end := strings.Index(line, "}}"); end >= 0 {
		line = line[:end+len("}}")]
	}
	if runes := []rune(line); len(runes) > shownLength {
		line = string(runes[:shownLength])
	}
	return strings.TrimSpace(line)
}

// substitute replaces the placeholders of a text by their values. A name without a value becomes empty.
func substitute(text string, value func(name string) string) string {
	return placeholder.ReplaceAllStringFunc(text, func(match string) string {
		return value(strings.Trim(match, "{} \t"))
	})
}

// Unknown returns the first part of a text that looks like a placeholder and is none of names, nor one that all events
// have. It is empty if there is none.
func Unknown(text string, names ...string) string { return unknown(text, slices.Concat(common, names)) }

// Fill returns a text that a store wrote with values for its placeholders. Values of the program need not be given.
func Fill(s *store.Store, text string, values map[string]string) string {
	return substitute(text, valuesOf(s, values))
}

// mentions reports whether a text has the placeholder.
func mentions(t Text, name string) bool {
	found := false
	substitute(t.Subject+" "+t.Content, func(of string) string {
		found = found || of == name
		return ""
	})
	return found
}

// valuesOf returns the values of placeholders: those given, then those of the store. No name becomes a link.
func valuesOf(s *store.Store, given map[string]string) func(name string) string {
	return func(name string) string {
		value, found := given[name]
		if !found {
			value = ofStore(s, name)
		}
		switch {
		case slices.Contains(multiLine, name):
			return value
		case slices.Contains(names, name):
			return plaintext.Unlinked(value, NameLimit)
		}
		return oneLine(value)
	}
}

func ofStore(s *store.Store, name string) string {
	switch name {
	case "program_name":
		return s.Settings.ProgramName
	case "points_name":
		return s.Settings.ProgramPointsPlural
	case "help_email":
		return s.Settings.HelpEmailAddress
	case "program_url":
		return s.Settings.ProgramURL
	}
	return ""
}

// oneLine replaces each control character, such as a line break, by a blank.
func oneLine(value string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, value)
}

// WithoutNames returns values without the names of customers.
func WithoutNames(values map[string]string) map[string]string {
	rest := maps.Clone(values)
	for _, name := range names {
		rest[name] = ""
	}
	return rest
}
