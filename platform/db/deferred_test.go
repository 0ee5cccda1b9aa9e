package db_test

import (
	"errors"
	"slices"
	"testing"

	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// Deferred updates run in the order of their names after the operation succeeded, and can still fail it.
func TestDeferredUpdates(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		refused := errors.New("refused")
		for _, c := range []struct {
			first, last error
			want        []string
		}{
			{nil, nil, []string{"operation", "a", "b"}}, {nil, refused, []string{"operation", "a", "b"}},
			{refused, nil, []string{"operation"}},
		} {
			var ran []string
			committed := false
			err := d.Write(t.Context(), func(tx *db.Tx) error {
				tx.BeforeCommit("b", func() error { ran = append(ran, "b"); return c.last })
				tx.BeforeCommit("a", func() error { ran = append(ran, "a"); return nil })
				tx.AfterCommit(func() { committed = true })
				ran = append(ran, "operation")
				return c.first
			})
			wrong := errors.Join(c.first, c.last) != nil
			if !slices.Equal(ran, c.want) || errors.Is(err, refused) != wrong || committed == wrong {
				t.Errorf("%v, committed %t: %v", ran, committed, err)
			}
		}
	})
}
