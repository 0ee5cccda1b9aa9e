package search

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// people draws customers as they are: few first names, some thousand surnames, one mail provider for many.
type people struct {
	random      *rand.Rand
	first, last []string
	count       int
	ids         []string // of all documents
}

func newPeople() *people {
	p := &people{random: rand.New(rand.NewPCG(1, 2)), first: make([]string, 300), last: make([]string, 5000)}
	for _, names := range [][]string{p.first, p.last} {
		for i := range names {
			var name strings.Builder
			for range 2 + p.random.IntN(3) {
				name.WriteByte("bcdfghjklmnprstwz"[p.random.IntN(17)])
				name.WriteByte("aeiouy"[p.random.IntN(6)])
			}
			names[i] = name.String()
		}
	}
	return p
}

func (p *people) next() Document {
	p.count++
	first, last := p.first[p.random.IntN(len(p.first))], p.last[p.random.IntN(len(p.last))]
	p.ids = append(p.ids, db.NewID())
	return Document{
		ID: p.ids[len(p.ids)-1], Name: []string{first, last},
		Text: []string{fmt.Sprintf("%s.%s%d@gmail.com", first, last, p.random.IntN(1000)),
			fmt.Sprintf("+48%09d", p.random.IntN(1e9)), fmt.Sprintf("%010d", p.count)},
	}
}

func fill(b *testing.B, d *db.DB, p *people, count int) {
	b.Helper()
	for done := 0; done < count; done += 1000 {
		documents := make([]Document, min(1000, count-done))
		for i := range documents {
			documents[i] = p.next()
		}
		err := d.Write(b.Context(), func(tx *db.Tx) error { return Put(tx, 1, "customer", documents...) })
		if err != nil {
			b.Fatal(err)
		}
	}
}

const full = 100_000 // documents in the index

func eachFull(b *testing.B, run func(b *testing.B, d *db.DB, p *people)) {
	for _, engine := range dbtest.EnginesOf(b) {
		b.Run(engine, func(b *testing.B) {
			d, p := dbtest.Open(b, dbtest.Config(b, engine), time.Now), newPeople()
			began := time.Now()
			fill(b, d, p, full)
			b.Logf("filled: %v a document", time.Since(began)/full)
			run(b, d, p)
		})
	}
}

// BenchmarkPut adds documents to 100,000, or replaces some of these, each in an operation of its own, 64 at once.
func BenchmarkPut(b *testing.B) {
	eachFull(b, func(b *testing.B, d *db.DB, p *people) {
		for _, kind := range []string{"none", "added", "replaced"} {
			b.Run(kind, func(b *testing.B) {
				documents := make(chan Document, b.N)
				for i := range b.N {
					document := p.next()
					if kind == "replaced" {
						document.ID = p.ids[i%full]
					}
					documents <- document
				}
				close(documents)
				b.ResetTimer()
				var all sync.WaitGroup
				for range 64 {
					all.Go(func() {
						for document := range documents {
							err := d.Write(b.Context(), func(tx *db.Tx) error {
								if err := tx.Insert("event_cursors", "name, last_id", "", []any{db.NewID(), 1}); err != nil || kind == "none" {
									return err
								}
								return Put(tx, 1, "customer", document)
							})
							if err != nil {
								b.Error(err)
							}
						}
					})
				}
				all.Wait()
			})
		}
	})
}

// BenchmarkFind searches 100,000 customers: everybody, many, few and one.
func BenchmarkFind(b *testing.B) {
	eachFull(b, func(b *testing.B, d *db.DB, p *people) {
		for _, query := range []string{"gmail", "4860", p.first[0][:2], p.first[0], p.last[0], p.first[0] + " gm",
			p.first[0] + " " + p.last[0], "4860012", "0000000777", "nobody", "b"} {
			b.Run(query, func(b *testing.B) {
				var total int64
				for b.Loop() {
					err := d.Read(b.Context(), func(tx *db.Tx) (err error) {
						_, total, err = Find(tx, 1, "customer", query, 10, 0)
						return err
					})
					if err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(total), "matches")
			})
		}
	})
}
