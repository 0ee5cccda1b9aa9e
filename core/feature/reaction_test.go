package feature_test

import (
	"errors"
	"slices"
	"testing"

	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

type opened struct{ names *[]string }

type closed struct{ names *[]string }

// Reactions to a type run in the order in which they are connected, in the transaction, until one fails.
func TestReactions(t *testing.T) {
	d := dbtest.Open(t, dbtest.Config(t, "sqlite"), nil)
	refused := errors.New("refused")
	opens := func(name string, err error) feature.Reaction {
		return feature.On(func(_ *db.Tx, _ *store.Store, e opened) error {
			*e.names = append(*e.names, name)
			return err
		})
	}
	closes := feature.On(func(_ *db.Tx, _ *store.Store, e closed) error {
		*e.names = append(*e.names, "closes")
		return nil
	})
	for _, c := range []struct {
		connected []feature.Reaction
		names     []string
		err       error
	}{
		{nil, nil, nil},
		{[]feature.Reaction{closes}, nil, nil},
		{[]feature.Reaction{opens("first", nil), closes, opens("second", nil)}, []string{"first", "second"}, nil},
		{[]feature.Reaction{opens("first", refused), opens("second", nil)}, []string{"first"}, refused},
	} {
		feature.Connect(d, c.connected...)
		var names []string
		err := d.Write(t.Context(), func(tx *db.Tx) error { return feature.React(tx, nil, opened{&names}) })
		if !errors.Is(err, c.err) || !slices.Equal(names, c.names) {
			t.Errorf("%v, %v; want %v, %v", names, err, c.names, c.err)
		}
	}
}
