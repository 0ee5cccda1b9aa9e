// Package template holds the texts of messages: built-in ones in English and Polish, and those that stores
// write instead: docs/behaviour/messages.md.
package template

import (
	"slices"
	"strings"
	"time"

	"punchcard/loyalty/store"
	"punchcard/platform/db"
)

// Text is what a message says, with or without placeholders. The subject of a push message is its title; a
// message by SMS or in the inbox has none.
type Text struct {
	Subject, Content string
}

// Template is the text of an event on a channel in a language.
type Template struct {
	StoreKey  int64
	Event     string
	Channel   string
	Language  string
	Text      // empty in a row that only switches the built-in text on or off
	Enabled   bool
	ChangedAt time.Time // zero for a built-in text that the store did not change
}

// Render returns the text of an event on a channel, with its values, in the best of these languages that
// has one: the wanted one, its base language (en for en_US), the default language and its base, and English.
// Values of the program, such as program_name, need not be given. ok is false if that template is switched
// off, or if there is none.
func Render(tx *db.Tx, s *store.Store, event, channel, language string, values map[string]string) (
	t Text, ok bool, err error) {
	set, err := Load(tx, s, event)
	if err != nil {
		return t, false, err
	}
	t, ok = set.Render(event, channel, language, values)
	return t, ok, nil
}

// Set holds the templates of some events, for messages that are rendered together.
type Set struct {
	store           *store.Store
	stored          map[key]Template
	defaultLanguage string
}

type key struct{ event, channel, language string }

// Load reads the store's templates of events.
func Load(tx *db.Tx, s *store.Store, events ...string) (*Set, error) {
	languages, err := store.AllLanguages(tx)
	if err != nil {
		return nil, err
	}
	set := &Set{store: s, stored: map[key]Template{}, defaultLanguage: languages.Default()}
	found, err := ofEvents(tx, s.Key, events)
	for _, t := range found {
		set.stored[key{t.Event, t.Channel, t.Language}] = t
	}
	return set, err
}

// Render is Render with the templates of the set.
func (set *Set) Render(event, channel, language string, values map[string]string) (t Text, ok bool) {
	for _, code := range set.languages(language) {
		if found, ok := set.find(key{event, channel, code}); ok {
			return found.fill(set.store, values), found.Enabled
		}
	}
	return Text{}, false
}

// languages returns the languages to look for, best first.
func (set *Set) languages(wanted string) []string {
	var all []string
	for _, code := range []string{wanted, base(wanted), set.defaultLanguage, base(set.defaultLanguage), "en"} {
		if code != "" && !slices.Contains(all, code) {
			all = append(all, code)
		}
	}
	return all
}

// base returns the language of a regional one, such as en for en_US.
func base(code string) string {
	if end := strings.IndexAny(code, "_-"); end > 0 {
		return code[:end]
	}
	return code
}

// find returns the stored template, or the built-in one.
func (set *Set) find(k key) (Template, bool) {
	builtIn, exists := builtIns[k]
	t, stored := set.stored[k]
	switch {
	case !stored && !exists:
		return t, false
	case !stored:
		return Template{
			Event: k.event, Channel: k.channel, Language: k.language, Text: builtIn, Enabled: Find(k.event).enabled(k.channel),
		}, true
	case t.Content == "":
		t.Text = builtIn
	}
	return t, t.Content != ""
}

// fill replaces the placeholders of the text.
func (t Text) fill(s *store.Store, values map[string]string) Text {
	value := valuesOf(s, values)
	return Text{Subject: oneLine(substitute(t.Subject, value)), Content: substitute(t.Content, value)}
}
