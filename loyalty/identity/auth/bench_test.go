package auth

import (
	"context"
	"crypto/sha256"
	"math/rand/v2"
	"net/http/httptest"
	"testing"
	"time"

	"punchcard/core/access"
	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/web"
)

// BenchmarkAuthenticate measures requests whose tokens are cached among many others, and requests
// with new tokens. It reuses a few requests, because the server has just read a real one.
func BenchmarkAuthenticate(b *testing.B) {
	const tokens, warm = 20000, 64
	d := dbtest.Open(b, dbtest.Config(b, "sqlite"), time.Now)
	stores := store.NewDirectory(d)
	var home *store.Store
	err := d.Write(b.Context(), func(tx *db.Tx) (err error) {
		home, err = store.Create(tx, store.New{Code: "DEFAULT", Currency: "EUR", Settings: store.DefaultSettings()})
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	a, err := New(b.Context(), Config{DB: d, Stores: stores})
	if err != nil {
		b.Fatal(err)
	}
	requests := make([]*web.Request, tokens)
	for i := range requests {
		token, err := a.Issue(context.Background(),
			&access.Caller{
				Role: access.Customer, ID: db.NewID(), Username: "user@example.com", StoreKey: home.Key, Session: db.NewID(),
			}, time.Time{})
		if err != nil {
			b.Fatal(err)
		}
		requests[i] = &web.Request{Request: httptest.NewRequest("GET", "/", nil)}
		requests[i].Header.Set("Authorization", "Bearer "+token)
		if _, err := a.Authenticate(requests[i]); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("known", func(b *testing.B) {
		b.ReportAllocs()
		b.RunParallel(func(run *testing.PB) {
			for run.Next() {
				if _, err := a.Authenticate(requests[rand.IntN(warm)]); err != nil {
					b.Fatal(err)
				}
			}
		})
	})
	b.Run("new", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			token := requests[i%tokens].Header.Get("Authorization")[len("Bearer "):]
			sum := sha256.Sum256([]byte(token))
			s := a.verified.shard(&sum)
			delete(s.entries, sum)
			if _, err := a.Authenticate(requests[i%tokens]); err != nil {
				b.Fatal(err)
			}
		}
	})
}
