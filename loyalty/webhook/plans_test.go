package webhook_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/webhook"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/event"
)

// Every statement on deliveries finds its rows by an index, and reads only those that it needs.
func TestPlans(t *testing.T) {
	dbtest.Both(t)
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		var mutex sync.Mutex
		asked := map[string][]any{}
		recording := false
		s := &site{t: t, config: dbtest.Config(t, engine), clock: dbtest.NewClock(noon)}
		s.config.Trace = func(query string, args []any) {
			mutex.Lock()
			defer mutex.Unlock()
			if recording && strings.Contains(query, "webhook_deliveries") && !strings.HasPrefix(query, "INSERT") {
				asked[query] = slices.Clone(args)
			}
		}
		s.db = dbtest.Open(t, s.config, s.clock.Now)
		s.stores = store.NewDirectory(s.db)
		s.client = s.newClient(nil)
		made := s.grow(t)
		recording = true
		s.useAll(t, made)
		recording = false
		if len(asked) < 12 {
			t.Errorf("only %d statements were seen", len(asked))
		}
		for query, args := range asked {
			for _, line := range s.plan(t, query, args) {
				if readsMuch(line) {
					t.Errorf("%s\n  %s", line, strings.Join(strings.Fields(query), " "))
				}
			}
		}
	})
}

// grow fills the log of one of three subscriptions with many deliveries in every state.
func (s *site) grow(t *testing.T) (made [3]*webhook.Subscription) {
	t.Helper()
	s.write(func(tx *db.Tx) error {
		_, err := store.Create(tx, store.New{Code: "ONE", Name: "One", Currency: "EUR", Settings: store.DefaultSettings()})
		return err
	})
	for i := range made {
		made[i] = s.subscribes("http://127.0.0.1:1", nil)
	}
	s.write(func(tx *db.Tx) error {
		rows := make([][]any, 60_000)
		for i := range rows {
			n := int64(i + 1_000_000)
			state, due, finished := webhook.Delivered, any(nil), any(n)
			switch i % 30 {
			case 0:
				state = webhook.Dead
			case 1:
				state, due, finished = webhook.Pending, s.clock.Now().UnixMicro()+n-1_020_000, nil
			case 2:
				state, finished = webhook.Waiting, nil
			}
			rows[i] = []any{int64(1), made[i%3].ID, n, fmt.Sprint("a", i%5000), "Type", state, 0, n, due, nil, 0, "", finished}
		}
		for len(rows) > 0 {
			err := tx.Insert("webhook_deliveries", "store_id, subscription_id, event_id, aggregate_id, type, state, "+
				"attempts, created_at, due_at, attempted_at, status, error, finished_at", "", rows[:1000]...)
			if err != nil {
				return err
			}
			rows = rows[1000:]
		}
		return nil
	})
	dbtest.Analyze(t, s.db)
	return made
}

// useAll runs every operation.
func (s *site) useAll(t *testing.T, made [3]*webhook.Subscription) {
	t.Helper()
	s.happens(1, numbers("x", 20)...)
	failing := listen(t, status(http.StatusInternalServerError))
	s.subscribes(failing.url, nil)
	s.happens(1, "b 1", "c 2", "c 3")
	if err := s.sender().Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	events, _, err := event.After(t.Context(), s.db, 0, 20)
	if err != nil {
		t.Fatal(err)
	}
	s.write(func(tx *db.Tx) error {
		if _, err := webhook.Replay(tx, 1, made[0].ID, events); err != nil {
			return err
		}
		return webhook.Delete(tx, 1, made[2].ID)
	})
	s.read(func(tx *db.Tx) error {
		for _, state := range append(webhook.States, "") {
			if _, total, err := webhook.Log(tx, made[0], state); err != nil || total == 0 && state != "" {
				return fmt.Errorf("%s: %d, %w", state, total, err)
			}
		}
		troubles, err := webhook.Troubles(tx, 1, time.Unix(0, 0), 100)
		if err != nil || len(troubles) < 2 || troubles[0].Failed != 100 || troubles[1].Since.IsZero() {
			return fmt.Errorf("the troubles are %+v, %w", troubles, err)
		}
		return nil
	})
	if _, err := webhook.Clean(s.db, time.Hour)(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// plan returns the query plan of a statement.
func (s *site) plan(t *testing.T, query string, args []any) (lines []string) {
	t.Helper()
	s.read(func(tx *db.Tx) (err error) {
		lines, err = dbtest.Plan(tx, query, args)
		return err
	})
	return lines
}

// readsMuch reports whether a line of a plan reads deliveries without an index, or all of a store.
func readsMuch(line string) bool {
	sequential := strings.Contains(line, "Seq Scan on webhook_deliveries")
	scan := strings.HasPrefix(line, "SCAN webhook_deliveries") || strings.HasPrefix(line, "SCAN d")
	return sequential || scan || strings.HasSuffix(line, "(store_id=?)")
}
