package template

import "punchcard/platform/db"

const columns = "store_id, event, channel, language, subject, content, enabled, changed_at"

func (t *Template) row() []any {
	return []any{
		&t.StoreKey, &t.Event, &t.Channel, &t.Language, &t.Subject, &t.Content, &t.Enabled, db.Time(&t.ChangedAt),
	}
}

// readTemplates returns the store's templates of distinct events, or of all events. A store has few of them: at most
// one for each event, channel and language.
func readTemplates(tx *db.Tx, storeKey int64, events []string) ([]Template, error) {
	if len(events) == 0 {
		return db.All(tx, (*Template).row, `SELECT `+columns+` FROM message_templates WHERE store_id = ?`, storeKey)
	}
	return db.All(tx, (*Template).row, `SELECT `+columns+` FROM ? AS v (store, key) CROSS JOIN message_templates t
		WHERE t.store_id = v.store AND t.event = v.key`, tx.Among(storeKey, events...))
}

func upsert(tx *db.Tx, t *Template) error {
	return tx.Insert("message_templates", columns, `ON CONFLICT (store_id, event, channel, language) DO UPDATE
		SET subject = excluded.subject, content = excluded.content, enabled = excluded.enabled,
			changed_at = excluded.changed_at`, t.row())
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
