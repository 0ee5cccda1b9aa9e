package cashback

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/delivery"
	"punchcard/platform/outbound"
)

// Every statement on messages finds its rows by an index, in the order that it needs.
func TestPlans(t *testing.T) {
	dbtest.Both(t)
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		now := time.Date(2031, 5, 1, 12, 0, 0, 0, time.UTC)
		config := dbtest.Config(t, engine)
		var mutex sync.Mutex
		asked := map[string][]any{}
		config.Trace = func(query string, args []any) {
			mutex.Lock()
			defer mutex.Unlock()
			if strings.Contains(query, "cashback_messages") && !strings.HasPrefix(query, "INSERT") &&
				!strings.HasPrefix(query, "EXPLAIN") {
				asked[query] = slices.Clone(args)
			}
		}
		d := dbtest.Open(t, config, func() time.Time { return now })
		fillMessages(t, d, now)
		if err := d.Write(t.Context(), func(tx *db.Tx) error { return useMessages(tx) }); err != nil {
			t.Fatal(err)
		}
		if len(asked) < 11 {
			t.Errorf("only %d statements were seen", len(asked))
		}
		for query, args := range asked {
			for _, line := range planOf(t, d, query, args) {
				if strings.Contains(line, "Seq Scan") || strings.Contains(line, "TEMP B-TREE") || strings.Contains(line, "Sort") ||
					strings.HasPrefix(line, "SCAN cashback_messages") && !strings.Contains(line, "INDEX") {
					t.Errorf("%s\n  %s", line, strings.Join(strings.Fields(query), " "))
				}
			}
		}
	})
}

// fillMessages makes many messages, most of which were sent.
func fillMessages(t *testing.T, d *db.DB, now time.Time) {
	t.Helper()
	err := d.Write(t.Context(), func(tx *db.Tx) error {
		rows := make([]*Message, 30_000)
		for i := range rows {
			m := &Message{
				StoreKey: int64(i%3 + 1), ID: tx.NewID(), CustomerID: tx.NewID(), CouponID: tx.NewID(), Amount: 1,
				Progress: delivery.Progress{State: Sent, CreatedAt: now},
			}
			switch i % 100 {
			case 0:
				m.State, m.DueAt = Waiting, now.Add(time.Duration(i-15_000)*time.Second)
			case 1:
				m.State = Unsent
			}
			rows[i] = m
		}
		for ; len(rows) > 0; rows = rows[1000:] {
			if err := messageTable.Insert(tx, rows[:1000]...); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	dbtest.Analyze(t, d)
}

// useMessages runs every operation on messages.
func useMessages(tx *db.Tx) error {
	if _, err := messageTable.StoresDue(tx); err != nil {
		return err
	}
	first := delivery.Receiver{StoreKey: 1}
	taken, err := messageTable.Claim(tx, first, 8)
	if err != nil {
		return err
	}
	refused := outbound.Outcome{Problem: "refused", Hopeless: true}
	if _, stored, err := messageTable.Settle(tx, &taken[0], refused); err != nil || !stored {
		return fmt.Errorf("stored: %t, %w", stored, err)
	}
	if _, err := Resend(tx, 1, taken[0].ID); err != nil {
		return err
	}
	if err := stopSending(tx, &Cashback{StoreKey: 1, CouponID: taken[1].CouponID}); err != nil {
		return err
	}
	for _, state := range []string{"", Unsent} {
		if _, _, err := messageTable.List(tx, first, state, 10, 0); err != nil {
			return err
		}
	}
	if _, _, err = Unfinished(tx); err != nil {
		return err
	}
	return tx.Run(SelectFailed(1, 100, new(int)))
}

// planOf returns the query plan of a statement.
func planOf(t *testing.T, d *db.DB, query string, args []any) (lines []string) {
	t.Helper()
	err := d.Read(t.Context(), func(tx *db.Tx) (err error) {
		lines, err = dbtest.Plan(tx, query, args)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines
}
