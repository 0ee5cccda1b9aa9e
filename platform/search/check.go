package search

import (
	"punchcard/platform/check"
	"punchcard/platform/db"
)

// DocumentsOf returns a query for store_id, object_id, name and words of the documents of a kind.
func DocumentsOf(kind string) string {
	return `SELECT store_id, object_id, name, words FROM search_documents WHERE kind = '` + kind + `'`
}

// Documents returns the documents of a kind as a table of package check.
func Documents(kind string) check.Table {
	return check.Table{Name: "search_documents", ID: "object_id", Only: "kind = '" + kind + "'"}
}

// Rules returns the consistency rules of the index itself.
func Rules() []check.Rule {
	return []check.Rule{check.Fold("search.words", func(tx *db.Tx, found func(int64, string, string, string)) error {
		if tx.Engine() != sqlite {
			return nil // a generated column there
		}
		type row struct {
			store     int64
			id, state string
		}
		return db.Each(tx, func(r *row) []any { return []any{&r.store, db.Text(&r.id), &r.state} },
			func(r row) { found(r.store, r.id, r.state, "both or none") },
			`SELECT store_id, object_id, 'a document without words in the index' FROM search_documents
				WHERE number <= `+newest+` AND NOT EXISTS (SELECT 1 FROM search_words WHERE rowid = number)
			UNION ALL SELECT 0, rowid, 'words in the index without a document' FROM search_words w
				WHERE NOT EXISTS (SELECT 1 FROM search_documents WHERE number = w.rowid)`)
	})}
}
