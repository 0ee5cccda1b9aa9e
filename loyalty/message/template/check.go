package template

import (
	"slices"

	"punchcard/platform/check"
	"punchcard/platform/db"
)

// Rules returns the invariants of templates.
func Rules() []check.Rule {
	return []check.Rule{check.Fold("template.text", checkTexts)}
}

// checkTexts finds templates of unknown events or channels, and texts with unknown placeholders.
func checkTexts(tx *db.Tx, found func(store int64, id, is, want string)) error {
	return table.Each(tx, func(t Template) {
		id := t.Event + " " + t.Channel + " " + t.Language
		e := Find(t.Event)
		if e == nil || e.Administrators || !slices.Contains(e.Channels, t.Channel) {
			found(t.StoreKey, id, "of an unknown event or channel", "a text that stores can have")
			return
		}
		for _, text := range []string{t.Subject, t.Content} {
			if name := unknown(text, e.names()); name != "" {
				found(t.StoreKey, id, name, "a placeholder of the event")
			}
		}
		if _, exists := builtIns[t.Key]; t.Content == "" && !exists {
			found(t.StoreKey, id, "without a text", "a text")
		}
	}, `SELECT * FROM message_templates`)
}
