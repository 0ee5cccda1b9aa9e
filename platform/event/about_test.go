package event

import (
	"fmt"
	"slices"
	"testing"

	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// noted is a fact with a note, of a frequent type.
type noted struct {
	Note string `json:"note"`
	Sum  int64  `json:"sum"`
	Many bool   `json:"many"`
}

func (noted) EventType() string { return "Platform.Test.Event.Noted" }

func (n noted) Frequent() bool { return n.Many }

// plainFact is a fact without personal members.
type plainFact struct {
	Note string `json:"note"`
}

func (plainFact) EventType() string { return "Platform.Test.Event.Kept" }

func about(t *testing.T, d *db.DB, storeKey, after int64, limit int, ids ...string) (found []string) {
	t.Helper()
	err := d.Read(t.Context(), func(tx *db.Tx) error {
		events, err := About(tx, storeKey, after, limit, ids...)
		for _, e := range events {
			found = append(found, fmt.Sprintf("%d %s", e.ID, e.Payload))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// Events are found by aggregate, except frequent ones. A rewrite changes only the payloads of its
// types and aggregates.
func TestEventsAreFoundAndRewritten(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		a, b := db.NewID(), db.NewID()
		expect := func(got []string, want ...string) {
			t.Helper()
			if !slices.Equal(got, want) {
				t.Errorf("found %q, want %q", got, want)
			}
		}
		err := d.Write(t.Context(), func(tx *db.Tx) error {
			err := Append(tx, 1, Entry{a, noted{"Ida", 1, false}}, Entry{a, noted{"Ida", 2, true}}, Entry{a, plainFact{"Ida"}},
				Entry{b, noted{"Ida", 4, false}})
			if err != nil {
				return err
			}
			return Append(tx, 2, Entry{a, noted{"Ida", 5, false}})
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Number(t.Context(), d); err != nil {
			t.Fatal(err)
		}
		const one, three = `1 {"note":"Ida","sum":1,"many":false}`, `3 {"note":"Ida"}`
		const four = `4 {"note":"Ida","sum":4,"many":false}`
		expect(about(t, d, 1, 0, 10, a), one, three)
		expect(about(t, d, 1, 0, 10, a, b), one, three, four)
		expect(about(t, d, 1, 1, 1, a, b), three)
		expect(about(t, d, 3, 0, 10, a, b))
		err = d.Write(t.Context(), func(tx *db.Tx) error {
			return Rewrite(tx, 1, map[string]Edit{noted{}.EventType(): Editing(func(n *noted) { n.Note = "" })}, a)
		})
		if err != nil {
			t.Fatal(err)
		}
		expect(about(t, d, 1, 0, 10, a, b), `1 {"note":"","sum":1,"many":false}`, three, four)
		expect(about(t, d, 2, 0, 10, a), `5 {"note":"Ida","sum":5,"many":false}`)
	})
}

// More events than are read at once are rewritten too.
func TestManyEventsAreRewritten(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		a := db.NewID()
		entries := make([]Entry, 2*editedAtOnce+1)
		for i := range entries {
			entries[i] = Entry{a, noted{Note: "Ida", Sum: int64(i)}}
		}
		if err := d.Write(t.Context(), func(tx *db.Tx) error { return Append(tx, 1, entries...) }); err != nil {
			t.Fatal(err)
		}
		if _, err := Number(t.Context(), d); err != nil {
			t.Fatal(err)
		}
		err := d.Write(t.Context(), func(tx *db.Tx) error {
			return Rewrite(tx, 1, map[string]Edit{noted{}.EventType(): Editing(func(n *noted) { n.Note = "" })}, a)
		})
		if err != nil {
			t.Fatal(err)
		}
		for i, got := range about(t, d, 1, 0, len(entries)+1, a) {
			if want := fmt.Sprintf(`%d {"note":"","sum":%d,"many":false}`, i+1, i); got != want {
				t.Fatalf("%s, want %s", got, want)
			}
		}
	})
}
