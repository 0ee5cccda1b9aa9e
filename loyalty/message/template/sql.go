package template

import "punchcard/platform/db"

var table = db.NewConfiguration("message_templates", "store_id, event, channel, language", func(t *Template) db.Row {
	return db.Row{
		"store_id", &t.StoreKey, "event", &t.Event, "channel", &t.Channel, "language", &t.Language, "subject", &t.Subject,
		"content", &t.Content, "enabled", &t.Enabled, "changed_at", db.Time(&t.ChangedAt),
	}
})

// readTemplates returns the store's templates of distinct events, or of all events. A store has few of them: at most
// one for each event, channel and language.
func readTemplates(tx *db.Tx, storeKey int64, events []string) ([]Template, error) {
	if len(events) == 0 {
		return table.All(tx, `SELECT * FROM message_templates WHERE store_id = ?`, storeKey)
	}
	return table.All(tx, `SELECT t.* FROM ? AS v (store, key) CROSS JOIN message_templates t
		WHERE t.store_id = v.store AND t.event = v.key`, tx.Among(storeKey, events...))
}

func upsert(tx *db.Tx, t *Template) error {
	return table.Put(tx, t)
}

func removeTemplate(tx *db.Tx, storeKey int64, k Key) error {
	_, err := tx.Exec(`DELETE FROM message_templates
		WHERE store_id = ? AND event = ? AND channel = ? AND language = ?`, storeKey, k.Event, k.Channel, k.Language)
	return err
}

// DropLocale removes a store's templates in a language.
func DropLocale(tx *db.Tx, storeKey int64, code string) error {
	_, err := tx.Exec(`DELETE FROM message_templates WHERE store_id = ? AND language = ?`, storeKey, code)
	return err
}
