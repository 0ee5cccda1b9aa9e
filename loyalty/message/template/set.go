package template

import (
	"slices"
	"strings"

	"punchcard/core/store"
	"punchcard/platform/db"
)

// Render returns the text of an event on a channel, with its values, in the best of these languages that
// has one: the wanted one, its base language (en for en_US), the default language and its base, and English.
// Values of the program, such as program_name, need not be given. ok is false if that template is switched
// off, or if there is none.
func Render(tx *db.Tx, s *store.Store, event, channel, language string, values map[string]string) (
	t Text, ok bool, err error) {
	set, err := Load(tx, s)
	if err != nil {
		return t, false, err
	}
	t, ok = set.Render(event, channel, language, values)
	return t, ok, nil
}

// Set holds the templates of a store, for messages that are rendered together.
type Set struct {
	store     *store.Store
	languages store.Languages
	stored    map[Key]Template
}

// Load reads the store's templates.
func Load(tx *db.Tx, s *store.Store) (*Set, error) {
	stored, err := templates.Of(tx, s.Key)
	if err != nil {
		return nil, err
	}
	languages, err := store.AllLanguages(tx)
	return &Set{s, languages, stored}, err
}

// Render is Render with the templates of the set.
func (set *Set) Render(event, channel, language string, values map[string]string) (t Text, ok bool) {
	found, ok := set.best(event, channel, language)
	if !ok || !found.Enabled {
		return Text{}, false
	}
	return found.fill(set.store, values), true
}

// Fill returns the text as Render does, also if it is switched off.
func (set *Set) Fill(event, channel, language string, values map[string]string) Text {
	found, _ := set.best(event, channel, language)
	return found.fill(set.store, values)
}

// Enabled reports whether the text in the default language is switched on.
func (set *Set) Enabled(event, channel string) bool {
	found, ok := set.best(event, channel, "")
	return ok && found.Enabled
}

// Any reports whether any text of the event is switched on, on some channels or on all.
func (set *Set) Any(event string, channels ...string) bool {
	return slices.ContainsFunc(set.All(), func(t Template) bool {
		return t.Event == event && t.Enabled && (len(channels) == 0 || slices.Contains(channels, t.Channel))
	})
}

// Mentions reports whether the store has a text of the event on the channel, in any language, with the placeholder.
// Built-in texts are not searched.
func (set *Set) Mentions(event, channel, name string) bool {
	for k, t := range set.stored {
		if k.Event == event && k.Channel == channel && mentions(t.Text, name) {
			return true
		}
	}
	return false
}

// best returns the template in the best language that has one.
func (set *Set) best(event, channel, language string) (Template, bool) {
	for _, code := range set.candidates(language) {
		if found, ok := set.find(Key{event, channel, code}); ok {
			return found, true
		}
	}
	return Template{}, false
}

// candidates returns the languages to look for, best first.
func (set *Set) candidates(wanted string) []string {
	usual := set.languages.Default()
	var all []string
	for _, code := range []string{wanted, base(wanted), usual, base(usual), "en"} {
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
func (set *Set) find(k Key) (Template, bool) {
	builtIn, exists := builtIns[k]
	event := Find(k.Event)
	t, stored := set.stored[k]
	if !stored || event != nil && event.Administrators {
		t = Template{}
		t.Key, t.Enabled = k, exists && event.enabled(k.Channel)
	}
	if t.Content == "" {
		t.Text, t.BuiltIn = builtIn, true
	}
	return t, t.Content != ""
}

// All returns all templates by event, channel and language: the stored ones, and the built-in ones in English
// and in the languages of the program.
func (set *Set) All() []Template {
	codes := []string{"en"}
	for _, l := range set.languages {
		codes = append(codes, l.Code)
	}
	for k := range set.stored {
		codes = append(codes, k.Language)
	}
	slices.Sort(codes)
	codes = slices.Compact(codes)
	var all []Template
	for _, e := range Events {
		for _, channel := range e.Channels {
			for _, code := range codes {
				if t, exists := set.find(Key{e.Name, channel, code}); exists {
					all = append(all, t)
				}
			}
		}
	}
	return all
}

// fill replaces the placeholders of the text.
func (t Text) fill(s *store.Store, values map[string]string) Text {
	value := valuesOf(s, values)
	return Text{Subject: oneLine(substitute(t.Subject, value)), Content: substitute(t.Content, value)}
}
