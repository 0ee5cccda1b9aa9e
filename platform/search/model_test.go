package search

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// model is a naive implementation of the index: the words of the name and the other words, by id.
type model map[string][2][]string

func (m model) put(document Document) {
	name, words := document.Columns()
	m[document.ID] = [2][]string{strings.Fields(name), strings.Fields(words)}
}

func (m model) find(query string) []string {
	points := map[string]int{}
	beginnings := queryWords(query)
	for id, document := range m {
		name, words := document[0], document[1]
		if len(beginnings) == 0 || !matches(slices.Concat(name, words), beginnings) {
			continue
		}
		points[id] = 0
		for _, beginning := range beginnings {
			switch {
			case slices.Contains(name, beginning):
				points[id] += 3
			case matches(name, []string{beginning}):
				points[id] += 2
			case slices.Contains(words, beginning):
				points[id]++
			}
		}
	}
	return slices.SortedFunc(maps.Keys(points), func(a, b string) int {
		return cmp.Or(cmp.Compare(points[b], points[a]), cmp.Compare(a, b))
	})
}

// After any sequence of changes the index returns what the model returns, on both databases.
func TestIndexFollowsEveryChange(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		word := rapid.StringMatching(`[abł]{1,3}`)
		text := rapid.OneOf(word, rapid.StringMatching(`[ab]@b\.ł|\+1[12]{6}|[ab] [ab]{2}`))
		document := rapid.Custom(func(t *rapid.T) Document {
			return Document{
				ID:   fmt.Sprint(rapid.IntRange(0, 2*waitingLimit).Draw(t, "id")),
				Name: rapid.SliceOfN(word, 0, 2).Draw(t, "name"), Text: rapid.SliceOfN(text, 0, 2).Draw(t, "text"),
			}
		})
		rapid.Check(t, func(rt *rapid.T) {
			write(t, d, Clear)
			expected := model{}
			rt.Repeat(map[string]func(*rapid.T){
				"put": func(rt *rapid.T) {
					documents := rapid.SliceOfN(document, 1, 40).Draw(rt, "documents")
					add(t, d, 7, "customer", documents...)
					for _, document := range documents {
						expected.put(document)
					}
				},
				"remove": func(rt *rapid.T) {
					var ids []string
					for _, document := range rapid.SliceOfN(document, 1, 20).Draw(rt, "documents") {
						ids = append(ids, document.ID)
						delete(expected, document.ID)
					}
					write(t, d, func(tx *db.Tx) error { return Remove(tx, 7, "customer", ids...) })
				},
				"find": func(rt *rapid.T) {
					query := strings.Join(rapid.SliceOfN(text, 1, 2).Draw(rt, "query"), " ")
					want := expected.find(query)
					ids, total := ask(t, d, 7, "customer", query, ResultLimit, 0)
					if !slices.Equal(ids, want) || total != int64(len(want)) {
						rt.Fatalf("%q found %v, total %d; want %v", query, ids, total, want)
					}
				},
			})
		})
	})
}

// A document of any texts is found by any beginning, of two letters or more, of any of its words.
func TestEveryBeginningFinds(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		number := 0
		rapid.Check(t, func(rt *rapid.T) {
			number++
			id := fmt.Sprint(number)
			document := Document{
				ID: id, Name: []string{rapid.String().Draw(rt, "name")},
				Text: []string{rapid.StringN(0, 40, -1).Draw(rt, "text")},
			}
			add(t, d, 7, "customer", document)
			err := d.Read(context.Background(), func(tx *db.Tx) error {
				for _, word := range append(split(document.Name[0]), split(document.Text[0])...) {
					for end := range len(word) + 1 {
						if !utf8.ValidString(word[:end]) || end < len(word) && utf8.RuneCountInString(word[:end]) < 2 {
							continue
						}
						if found, _, err := Find(tx, 7, "customer", word[:end], ResultLimit, 0); err != nil {
							return err
						} else if !slices.Contains(found, id) {
							rt.Errorf("%q of the word %q found %v", word[:end], word, found)
						}
					}
				}
				return nil
			})
			if err != nil {
				rt.Fatal(err)
			}
		})
	})
}
