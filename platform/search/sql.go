package search

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"punchcard/platform/db"
)

const (
	sqlite   = "sqlite"
	partSize = 64 // documents in one statement
	// waitingLimit is how many documents may wait before they are added to SQLite's full-text table.
	// That table creates a new tree for every write, so it is written in batches. Searches scan the
	// waiting documents.
	waitingLimit = 128
)

// newest is the number of the last document in SQLite's full-text table. Documents with higher
// numbers wait.
const newest = `COALESCE((SELECT rowid FROM search_words ORDER BY rowid DESC LIMIT 1), 0)`

// row is a row of search_documents.
type row struct {
	storeKey              int64
	kind, id, name, words string
}

// table lacks the columns that only one database has, and fills by itself.
var table = db.NewTable("search_documents", "store_id, kind, object_id", func(r *row) db.Row {
	return db.Row{
		"store_id", &r.storeKey, "kind", &r.kind, "object_id", &r.id, "name", &r.name, "words", &r.words,
	}
})

func putDocuments(tx *db.Tx, storeKey int64, kind string, documents []Document) error {
	rows, ids := make([]*row, len(documents)), make([]string, len(documents))
	for i, document := range documents {
		name, words := document.Columns()
		rows[i], ids[i] = &row{storeKey, kind, document.ID, name, words}, document.ID
	}
	if tx.Engine() == sqlite { // replaced documents get a new number
		if err := removeDocuments(tx, storeKey, kind, ids); err != nil {
			return err
		}
	}
	return table.Put(tx, rows...)
}

// indexWaiting adds all waiting documents to SQLite's full-text table once there are waitingLimit of
// them.
func indexWaiting(tx *db.Tx) error {
	_, err := tx.Exec(`INSERT INTO search_words (rowid, tokens)
		SELECT number, replace(name || words, ' ', ' ' || store_id || kind || '_') FROM search_documents
		WHERE number > `+newest+` AND (SELECT MAX(number) FROM search_documents) >= `+newest+` + ?
		ORDER BY number`, waitingLimit)
	return err
}

func removeDocuments(tx *db.Tx, storeKey int64, kind string, ids []string) error {
	if tx.Engine() == sqlite {
		if _, err := tx.Exec(`DELETE FROM search_words WHERE rowid IN (
			SELECT d.number FROM ? AS v (store, id) CROSS JOIN search_documents d
				WHERE d.store_id = v.store AND d.kind = ? AND d.object_id = v.id)`,
			tx.Among(storeKey, ids...), kind); err != nil {
			return err
		}
	}
	rows := make([]*row, len(ids))
	for i, id := range ids {
		rows[i] = &row{storeKey: storeKey, kind: kind, id: id}
	}
	return table.Delete(tx, rows...)
}

// Clear empties the index of all stores quickly, even if it is damaged. Searches find nothing until
// it is filled again.
func Clear(tx *db.Tx) error {
	texts := []string{`TRUNCATE TABLE search_documents`}
	if tx.Engine() == sqlite {
		texts = []string{`INSERT INTO search_words (search_words) VALUES ('delete-all')`, `DELETE FROM search_documents`}
	}
	for _, text := range texts {
		if _, err := tx.Exec(text); err != nil {
			return err
		}
	}
	return nil
}

// mergePages is how many pages of SQLite's full-text table are merged in one transaction.
const mergePages = 256

// Merge removes the words of documents that were removed or replaced from SQLite's full-text table, which keeps them
// in trees until these are merged. It does nothing when no document has changed since the last call.
func Merge(ctx context.Context, d *db.DB) (int64, error) {
	if d.Engine() != sqlite {
		return 0, nil // a vacuum does
	}
	pages := -mergePages // a negative number begins to merge all trees into one
	for steps := int64(0); ; steps++ {
		more := false
		err := d.Write(ctx, func(tx *db.Tx) error {
			const changes = `SELECT total_changes()`
			before, err := db.Value[int64](tx, changes)
			if err != nil {
				return err
			}
			if _, err := tx.Exec(`INSERT INTO search_words (search_words, rank) VALUES ('merge', ?)`, pages); err != nil {
				return err
			}
			after, err := db.Value[int64](tx, changes)
			more = after-before >= 2 // the statement itself counts as one
			return err
		})
		if err != nil || !more {
			return steps, err
		}
		pages = mergePages
	}
}

// Matches are found by the words alone, which start with the store. With another condition a planner
// may choose the table's key instead. On SQLite, CROSS JOIN and the unary + prevent that.
const (
	postgresMatches = `SELECT store_id, kind, object_id, name, words
		FROM search_documents WHERE tokens @@ CAST(? AS TSQUERY)`
	sqliteMatches = `SELECT d.store_id, d.kind, d.object_id, d.name, d.words
		FROM search_words w CROSS JOIN search_documents d ON d.number = w.rowid WHERE w.tokens MATCH ?
		UNION ALL SELECT store_id, kind, object_id, name, words
		FROM search_documents WHERE number > ` + newest + ` AND +store_id = ? AND +kind = ?`
)

type match struct {
	id    string
	total int64
}

func findMatches(tx *db.Tx, storeKey int64, kind string, words []string, limit, offset int) (
	ids []string, total int64, err error) {
	scope := strconv.FormatInt(storeKey, 10) + kind + "_"
	q := db.NewSQL(`WITH matches AS MATERIALIZED (`)
	if tx.Engine() == sqlite {
		q.Add(sqliteMatches, `"`+scope+strings.Join(words, `"* "`+scope)+`"*`, storeKey, kind)
	} else {
		q.Add(postgresMatches, scope+strings.Join(words, ":* & "+scope)+":*")
	}
	var ranks []string
	for _, word := range words { // contains neither % nor _
		whole, beginning := q.Arg("% "+word+" %"), q.Arg("% "+word+"%")
		ranks = append(ranks, fmt.Sprintf(rank, whole, beginning))
		if tx.Engine() == sqlite {
			q.And(`name || words LIKE ` + beginning)
		}
	}
	q.Add(` LIMIT `+strconv.Itoa(ResultLimit)+`) SELECT object_id, COUNT(*) OVER () FROM matches
		WHERE store_id = ? AND kind = ? ORDER BY `+strings.Join(ranks, " + ")+` DESC, object_id LIMIT ? OFFSET ?`,
		storeKey, kind, limit, offset)
	found, err := db.All(tx, func(m *match) []any { return []any{&m.id, &m.total} }, q.Text(), q.Args()...)
	if err != nil {
		return nil, 0, err
	}
	for _, m := range found {
		ids, total = append(ids, m.id), m.total
	}
	if len(found) == 0 && (offset > 0 || limit == 0) { // the total comes with a row
		_, total, err = findMatches(tx, storeKey, kind, words, 1, 0)
	}
	return ids, total, err
}

// rank is the score of one query word: 3 for a whole word of the name, 2 for a prefix of one, 1 for
// a whole word elsewhere.
const rank = `CASE WHEN name || ' ' LIKE %[1]s THEN 3 WHEN name LIKE %[2]s THEN 2
	WHEN words || ' ' LIKE %[1]s THEN 1 ELSE 0 END`
