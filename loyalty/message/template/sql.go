package template

import "punchcard/platform/db"

const columns = "store_id, event, channel, language, subject, content, enabled, changed_at"

func (t *Template) row() []any {
	return []any{
		&t.StoreKey, &t.Event, &t.Channel, &t.Language, &t.Subject, &t.Content, &t.Enabled, db.Time(&t.ChangedAt),
	}
}

// ofEvents returns the store's templates of distinct events.
func ofEvents(tx *db.Tx, storeKey int64, events []string) ([]Template, error) {
	return db.All(tx, (*Template).row, `SELECT `+columns+` FROM ? CROSS JOIN message_templates t
		WHERE t.store_id = v.store AND t.event = v.column1`, tx.Among(storeKey, events...))
}
