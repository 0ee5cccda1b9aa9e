package campaign

import (
	"punchcard/platform/db"
	"punchcard/platform/search"
)

// SearchKind is the kind of campaigns in the search index.
const SearchKind = "campaign"

// document returns the search document of a campaign: its names in all languages.
func (c *Campaign) document() search.Document {
	names := make([]string, len(c.Definition.Translations))
	for i, t := range c.Definition.Translations {
		names[i] = t.Name
	}
	return search.Document{ID: c.ID, Name: names}
}

// Reindex adds at most limit campaigns after an id to the search index, and returns the id of the last one, or an empty
// string if there are no more. It locks them, so that no older text replaces a newer one.
func Reindex(tx *db.Tx, storeKey int64, after string, limit int) (last string, done int, err error) {
	found, err := db.All(tx, func(c *Campaign) []any { return []any{&c.ID, db.JSON(&c.Definition)} },
		`SELECT campaign_id, definition FROM campaigns
		WHERE store_id = ? AND campaign_id > ? ORDER BY campaign_id LIMIT ? FOR UPDATE`, storeKey, after, limit)
	if err != nil || len(found) == 0 {
		return "", 0, err
	}
	documents := make([]search.Document, len(found))
	for i := range found {
		documents[i] = found[i].document()
	}
	return found[len(found)-1].ID, len(found), search.Put(tx, storeKey, SearchKind, documents...)
}

// matching returns the page of campaigns that a search finds, best match first.
func (k *Catalogue) matching(tx *db.Tx, storeKey int64, query string, limit, offset int) ([]*Campaign, int64, error) {
	ids, total, err := search.Find(tx, storeKey, SearchKind, query, limit, offset)
	if err != nil {
		return nil, 0, err
	}
	found, err := k.inOrder(tx, storeKey, ids)
	return found, total, err
}
