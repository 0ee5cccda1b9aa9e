// Package search finds a store's objects by prefixes of their words. It uses the full-text index of
// the database, which changes in the same transaction as the objects. A kind of objects is one word
// of lower-case letters.
package search

import (
	"cmp"
	"context"
	"slices"

	"punchcard/platform/db"
)

// Limits of the index.
const (
	// ResultLimit is how many matches of a search are counted and ranked. It is the highest total.
	ResultLimit = 10_000
	// QueryBytes is how much of a query is used, in bytes.
	QueryBytes = 256
	// QueryWords is how many words of a query are used. Further ones are ignored.
	QueryWords = 8
	// DocumentWords is the maximum number of distinct words indexed per document.
	DocumentWords = 256
	// WordBytes is how much of a word is indexed, in bytes.
	WordBytes = 64
	// LongNumber is the minimum number of digits of a number whose suffixes are indexed too.
	LongNumber = 6

	shortestEnding = 2  // digits
	partBytes      = 36 // of a part of a word in a script without spaces: 12 Chinese characters
)

// Document holds the searchable texts of an object.
type Document struct {
	ID   string   // of the object
	Name []string // its names; matches here rank before matches in Text
	Text []string // other texts
}

// Put adds documents, or replaces those with the same ids. If an id occurs twice, the last document
// counts.
func Put(tx *db.Tx, storeKey int64, kind string, documents ...Document) error {
	documents = slices.Clone(documents)
	slices.Reverse(documents)
	slices.SortStableFunc(documents, func(a, b Document) int { return cmp.Compare(a.ID, b.ID) })
	documents = slices.CompactFunc(documents, func(a, b Document) bool { return a.ID == b.ID })
	for part := range slices.Chunk(documents, partSize) {
		if err := putDocuments(tx, storeKey, kind, part); err != nil {
			return err
		}
	}
	if tx.Engine() == sqlite {
		return indexWaiting(tx)
	}
	return nil
}

// Remove deletes objects from the index. Unknown ids are ignored.
func Remove(tx *db.Tx, storeKey int64, kind string, ids ...string) error {
	for part := range slices.Chunk(ids, partSize) {
		if err := removeDocuments(tx, storeKey, kind, part); err != nil {
			return err
		}
	}
	return nil
}

// Find returns the ids of the objects that have, for every word of the query, a word with that prefix. In scripts
// without spaces, any part of a word is a word, too. Whole words rank before prefixes, and names before other texts.
// Ties are in the order of ids. total is the number of matches, at most ResultLimit. Beyond that limit the selection is
// arbitrary. A query without a letter or digit finds nothing.
func Find(tx *db.Tx, storeKey int64, kind, query string, limit, offset int) (ids []string, total int64, err error) {
	words := queryWords(query)
	if len(words) == 0 {
		return nil, 0, nil
	}
	return findMatches(tx, storeKey, kind, words, limit, offset)
}

func queryWords(query string) []string {
	var words []string
	for _, word := range fields(query[:min(len(query), QueryBytes)]) {
		for _, piece := range pieces(word) {
			if len(words) < QueryWords && !slices.Contains(words, piece) {
				words = append(words, piece)
			}
		}
	}
	return words
}

// Probe runs a search without matches. It fails when the index is missing or damaged.
func Probe(ctx context.Context, d *db.DB) error {
	return d.Read(ctx, func(tx *db.Tx) error {
		_, _, err := Find(tx, 0, "probe", "probe", 1, 0)
		return err
	})
}
