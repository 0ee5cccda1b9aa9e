package template

import (
	"punchcard/core/config"
	"punchcard/platform/db"
)

var table = db.NewConfiguration("message_templates", "store_id, event, channel, language", func(t *Template) db.Row {
	return db.Row{
		"store_id", &t.StoreKey, "event", &t.Event, "channel", &t.Channel, "language", &t.Language, "subject", &t.Subject,
		"content", &t.Content, "enabled", &t.Enabled, "changed_at", db.Time(&t.ChangedAt),
	}
})

// templates are those of a store. There are few: at most one for each event, channel and language.
var templates = config.NewPart(func(tx *db.Tx, storeKey int64) (map[Key]Template, error) {
	byKey := map[Key]Template{}
	return byKey, table.Each(tx, func(t Template) { byKey[t.Key] = t },
		`SELECT * FROM message_templates WHERE store_id = ?`, storeKey)
}, table.Schema)

func upsert(tx *db.Tx, t *Template) error {
	return table.Put(tx, t)
}

func removeTemplate(tx *db.Tx, storeKey int64, k Key) error {
	return table.Delete(tx, &Template{StoreKey: storeKey, Key: k})
}

// DropLocale removes a store's templates in a language.
func DropLocale(tx *db.Tx, storeKey int64, code string) error {
	_, err := table.Exec(tx, storeKey, `DELETE FROM message_templates WHERE store_id = ? AND language = ?`, storeKey, code)
	return err
}
