package event

import (
	"testing"

	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

func TestMain(m *testing.M) { dbtest.MainOnBoth(m) }

type happened struct {
	Number int    `json:"number"`
	Note   string `json:"note,omitempty"`
}

func (happened) EventType() string { return "Platform.Domain.Test.Event.Happened" }

// appendMany stores events with the numbers from first on, in one transaction.
func appendMany(t testing.TB, d *db.DB, aggregate string, first, count int) {
	t.Helper()
	entries := make([]Entry, count)
	for i := range entries {
		entries[i] = Entry{AggregateID: aggregate, Fact: happened{Number: first + i}}
	}
	err := d.Write(t.Context(), func(tx *db.Tx) error { return Append(tx, 7, entries...) })
	if err != nil {
		t.Fatal(err)
	}
}
