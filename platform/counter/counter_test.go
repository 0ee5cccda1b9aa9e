package counter

import (
	"errors"
	"sync"
	"testing"

	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

func TestMain(m *testing.M) { dbtest.MainOnBoth(m) }

// Concurrent transactions are counted when they commit, and not when they roll back.
func TestConcurrentCounting(t *testing.T) {
	const writers, writes = 16, 20
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		refused := errors.New("refused")
		var writing sync.WaitGroup
		for w := range writers {
			writing.Go(func() {
				for i := range writes {
					fails := (w+i)%4 == 0
					err := d.Write(t.Context(), func(tx *db.Tx) error {
						Add(tx, int64(w%2), "boxes", 1)
						Add(tx, int64(w%2), "apples", 10)
						if !fails {
							return nil
						}
						return refused
					})
					if fails != errors.Is(err, refused) || !fails && err != nil {
						t.Error(err)
					}
				}
			})
		}
		writing.Wait()
		const committed = writers / 2 * writes * 3 / 4
		for store := range int64(3) {
			for _, of := range []struct {
				names []string
				want  int64
			}{
				{[]string{"boxes"}, committed}, {[]string{"apples"}, 10 * committed},
				{[]string{"apples", "boxes"}, 11 * committed}, {[]string{"pears"}, 0},
			} {
				if store == 2 {
					of.want = 0
				}
				err := d.Read(t.Context(), func(tx *db.Tx) error {
					n, err := Total(tx, store, of.names...)
					if n != of.want {
						t.Errorf("store %d has %d of %v, want %d", store, n, of.names, of.want)
					}
					return err
				})
				if err != nil {
					t.Error(err)
				}
			}
		}
	})
}
