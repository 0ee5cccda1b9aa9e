// Package search finds a store's objects by the beginnings of their words, in the full-text index of the
// database, which changes in the same transaction as the objects. A kind of objects is named by one word
// of small letters.
package search

import (
	"cmp"
	"context"
	"slices"

	"punchcard/platform/db"
)

// Limits of the index.
const (
	// ResultLimit is how many matches of one search are counted and ranked; more are not told apart from it.
	ResultLimit = 10_000
	// QueryBytes is the length up to which a query is read.
	QueryBytes = 256
	// QueryWords is how many words of a query are looked for; further ones are passed over.
	QueryWords = 8
	// DocumentWords is how many different words of a document can be found.
	DocumentWords = 256
	// WordBytes is the length up to which words are told apart.
	WordBytes = 64
	// LongNumber is the number of digits from which a number is also found by the digits inside it.
	LongNumber = 6

	shortestEnding = 2 // digits
)

// Document is what an object can be found by.
type Document struct {
	ID   string   // of the object
	Name []string // what it is called; a match here ranks before one in Text
	Text []string // other texts
}

// Put adds the documents, or replaces those with the same ids. Of two with one id the last counts.
func Put(tx *db.Tx, storeKey int64, kind string, documents ...Document) error {
	documents = slices.Clone(documents)
	slices.Reverse(documents)
	slices.SortStableFunc(documents, func(a, b Document) int { return cmp.Compare(a.ID, b.ID) })
	documents = slices.CompactFunc(documents, func(a, b Document) bool { return a.ID == b.ID })
	for part := range slices.Chunk(documents, partSize) {
		if err := put(tx, storeKey, kind, part); err != nil {
			return err
		}
	}
	if tx.Engine() == sqlite {
		return indexWaiting(tx)
	}
	return nil
}

// Remove takes objects out of the index. An unknown id changes nothing.
func Remove(tx *db.Tx, storeKey int64, kind string, ids ...string) error {
	for part := range slices.Chunk(ids, partSize) {
		if err := remove(tx, storeKey, kind, part); err != nil {
			return err
		}
	}
	return nil
}

// Find returns the ids of the objects that have, for every word of the query, a word that begins with
// it. Whole words rank before beginnings and names before other texts; equal ones follow in the order of
// their ids. total counts all of them; of more than ResultLimit the database takes as many as it meets
// first. A query without a letter or digit finds nothing.
func Find(tx *db.Tx, storeKey int64, kind, query string, limit, offset int) (ids []string, total int64, err error) {
	words := queryWords(query)
	if len(words) == 0 {
		return nil, 0, nil
	}
	return find(tx, storeKey, kind, words, limit, offset)
}

func queryWords(query string) []string {
	var words []string
	for _, word := range split(query[:min(len(query), QueryBytes)]) {
		if len(words) < QueryWords && !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	return words
}

// Probe asks the index a question that has no answer. It fails when the index is missing or damaged.
func Probe(ctx context.Context, d *db.DB) error {
	return d.Read(ctx, func(tx *db.Tx) error {
		_, _, err := Find(tx, 0, "probe", "probe", 1, 0)
		return err
	})
}
