package event

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

func TestAppendIsPartOfTheTransaction(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		appendMany(t, d, "first", 1, 2)
		refused := fmt.Errorf("refused")
		err := d.Write(t.Context(), func(tx *db.Tx) error {
			if err := Append(tx, 7, Entry{"never", happened{Number: 3}}); err != nil {
				return err
			}
			return refused
		})
		if err == nil {
			t.Fatal("the operation did not fail")
		}
		appendMany(t, d, "second", 3, 1)
		events, total, err := List(t.Context(), d, 1, 100, false)
		if err != nil || total != 3 || len(events) != 3 {
			t.Fatalf("got %d of %d events, %v", len(events), total, err)
		}
		for i, want := range []string{"first", "first", "second"} {
			e := events[i]
			if e.ID != int64(i+1) || e.AggregateID != want || e.StoreKey != 7 || e.Type != (happened{}).EventType() ||
				string(e.Payload) != fmt.Sprintf(`{"number":%d}`, i+1) || d.Now().Sub(e.RecordedAt) > time.Minute {
				t.Errorf("event %d is %+v with %s", i+1, e, e.Payload)
			}
		}
	})
}

func TestListPages(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		if last, err := Last(t.Context(), d); last != 0 || err != nil {
			t.Fatalf("last of none is %d, %v", last, err)
		}
		appendMany(t, d, "a", 1, 30)
		for _, test := range []struct {
			from       int64
			limit      int
			descending bool
			first      int64
			count      int
			total      int64
		}{
			{1, 10, false, 1, 10, 30},
			{-5, 10, false, 1, 10, 30},
			{25, 10, false, 25, 6, 6},
			{25, 3, true, 30, 3, 6},
			{31, 10, false, 0, 0, 0},
			{1 << 62, 10, true, 0, 0, 0},
		} {
			events, total, err := List(t.Context(), d, test.from, test.limit, test.descending)
			if err != nil || total != test.total || len(events) != test.count {
				t.Errorf("%+v: %d of %d events, %v", test, len(events), total, err)
			} else if test.count > 0 && events[0].ID != test.first {
				t.Errorf("%+v: begins with %d", test, events[0].ID)
			}
		}
		one, found, err := Find(t.Context(), d, 30)
		if err != nil || !found || one.ID != 30 || string(one.Payload) != `{"number":30}` {
			t.Errorf("event 30 is %+v, %t, %v", one, found, err)
		}
		if _, found, err := Find(t.Context(), d, 31); found || err != nil {
			t.Errorf("event 31 was found, or failed: %v", err)
		}
		if last, err := Last(t.Context(), d); last != 30 || err != nil {
			t.Errorf("last is %d, %v", last, err)
		}
	})
}

func TestNumberMoreThanOneTransactionTakes(t *testing.T) {
	d := dbtest.Open(t, dbtest.Config(t, "postgres"), time.Now)
	const first, second, count = numberLimit/2 + 1, numberLimit + 1, numberLimit*2 + 3
	appendMany(t, d, "a", 1, first)
	appendMany(t, d, "a", 1+first, second)
	appendMany(t, d, "a", 1+first+second, count-first-second)
	moved, err := Number(t.Context(), d)
	if err != nil || moved != count {
		t.Fatalf("numbered %d, %v", moved, err)
	}
	if again, err := Number(t.Context(), d); again != 0 || err != nil {
		t.Fatalf("numbered %d more, %v", again, err)
	}
	last := int64(0)
	for {
		events, _, err := List(t.Context(), d, last+1, 1000, false)
		if err != nil {
			t.Fatal(err)
		}
		if len(events) == 0 {
			break
		}
		for _, e := range events {
			last++
			if e.ID != last || string(e.Payload) != fmt.Sprintf(`{"number":%d}`, last) {
				t.Fatalf("event %d is %d: %s", last, e.ID, e.Payload)
			}
		}
	}
	if last != count {
		t.Fatalf("there are %d events", last)
	}
}

// Events of a transaction that began first and commits last are numbered after those in between.
func TestReaderSeesLateCommit(t *testing.T) {
	d := dbtest.Open(t, dbtest.Config(t, "postgres"), time.Now)
	for round := range 3 {
		appended, commit, committed := make(chan struct{}), make(chan struct{}), make(chan error, 1)
		go func() {
			committed <- d.Write(context.Background(), func(tx *db.Tx) error {
				err := Append(tx, 7, Entry{"late", happened{}}, Entry{"late", happened{}})
				close(appended)
				<-commit
				return err
			})
		}()
		<-appended
		appendMany(t, d, "early", 1, 1) // does not wait for the open transaction
		id := int64(round*3 + 1)
		events, total, err := List(t.Context(), d, id, 10, false)
		if err != nil || total != 1 || len(events) != 1 || events[0].ID != id || events[0].AggregateID != "early" {
			t.Fatalf("before the late commit: %+v of %d, %v", events, total, err)
		}
		close(commit)
		if err := <-committed; err != nil {
			t.Fatal(err)
		}
		events, total, err = List(t.Context(), d, id+1, 10, false)
		if err != nil || total != 2 || len(events) != 2 || events[0].ID != id+1 || events[0].AggregateID != "late" {
			t.Fatalf("after the late commit: %+v of %d, %v", events, total, err)
		}
	}
}

// Many writers on two nodes, whose transactions end out of order, and readers on both that follow the ids.
func TestReadersFollowWriters(t *testing.T) {
	const writers, writes, readers = 8, 40, 3
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			config := dbtest.Config(t, engine)
			nodes := []*db.DB{dbtest.Open(t, config, time.Now), dbtest.Open(t, config, time.Now)}
			if engine == "sqlite" {
				nodes = nodes[:1] // one process owns the file
			}
			turns := make(chan chan struct{}, writers) // each transaction lets an earlier one commit
			var writing, reading sync.WaitGroup
			for w := range writers {
				writing.Go(func() {
					node := nodes[w%len(nodes)]
					for i := range writes {
						mine := fmt.Sprintf("writer %d write %d", w, i)
						if err := writeOutOfOrder(node, mine, i%3+1, turns); err != nil {
							t.Errorf("%s: %v", mine, err)
							return
						}
						if err := seesOwn(node, mine, i%3+1); err != nil {
							t.Error(err)
							return
						}
					}
				})
			}
			done := make(chan struct{})
			expected := int64(0)
			for i := range writes {
				expected += int64(writers * (i%3 + 1))
			}
			for r := range readers {
				reading.Go(func() { follow(t, nodes[r%len(nodes)], expected, done) })
			}
			writing.Wait()
			close(done)
			reading.Wait()
		})
	}
}

// writeOutOfOrder appends in a transaction that on PostgreSQL waits for a later one to append too, if
// there is any soon, so that commits come in another order than appends.
func writeOutOfOrder(d *db.DB, aggregate string, count int, turns chan chan struct{}) error {
	return d.Write(context.Background(), func(tx *db.Tx) error {
		for i := range count {
			if err := Append(tx, 7, Entry{aggregate, happened{Number: i}}); err != nil {
				return err
			}
		}
		if tx.NumbersEvents() {
			return nil
		}
		select {
		case earlier := <-turns:
			close(earlier)
		default:
			mine := make(chan struct{})
			turns <- mine
			patience := time.NewTimer(20 * time.Millisecond) // no writer follows the last one
			defer patience.Stop()
			select {
			case <-mine:
			case <-patience.C:
			}
		}
		return nil
	})
}

// seesOwn checks that the events of a finished write are adjacent and in order.
func seesOwn(d *db.DB, aggregate string, count int) error {
	newest, total, err := List(context.Background(), d, 1, 1000, true)
	if err != nil {
		return err
	}
	own := slices.DeleteFunc(newest, func(e Event) bool { return e.AggregateID != aggregate })
	if len(own) != count {
		return fmt.Errorf("%s: sees %d of its %d events among %d", aggregate, len(own), count, total)
	}
	for i, e := range own {
		if want := fmt.Sprintf(`{"number":%d}`, count-1-i); string(e.Payload) != want {
			return fmt.Errorf("%s: event %d is %s, want %s", aggregate, e.ID, e.Payload, want)
		}
	}
	return nil
}

// follow reads on from the last id seen, and fails on every gap, repetition or step back.
func follow(t *testing.T, d *db.DB, expected int64, done <-chan struct{}) {
	seen := int64(0)
	for finished := false; ; {
		select {
		case <-done:
			finished = true
		default:
		}
		events, total, err := List(context.Background(), d, seen+1, 100, false)
		if err != nil {
			t.Error(err)
			return
		}
		if total < int64(len(events)) {
			t.Errorf("%d events, but a total of %d", len(events), total)
		}
		for _, e := range events {
			if e.ID != seen+1 {
				t.Errorf("after event %d comes %d", seen, e.ID)
				return
			}
			seen++
		}
		if finished && len(events) == 0 {
			if seen != expected {
				t.Errorf("saw %d events of %d", seen, expected)
			}
			return
		}
	}
}

// Numbering reads each row of the queue once, also by a plan that PostgreSQL made when the queue was
// empty.
func TestNumberingReadsTheQueueOnce(t *testing.T) {
	d := dbtest.Open(t, dbtest.Config(t, "postgres"), time.Now)
	appendMany(t, d, "a", 1, 100)
	if _, err := Number(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	err := d.Read(t.Context(), func(tx *db.Tx) error {
		if _, err := tx.Exec("VACUUM ANALYZE event_queue"); err != nil {
			return err
		}
		plan, err := db.AllValues[string](tx,
			"EXPLAIN (COSTS OFF) "+moveFirst, numberLimit, numberLimit)
		if text := strings.Join(plan, "\n"); strings.Contains(text, "Nested Loop") {
			t.Error(text)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// queued returns how many events wait for a number, and numbered how many have one.
func queued(t *testing.T, d *db.DB) (waiting, numbered int64) {
	t.Helper()
	err := d.Read(t.Context(), func(tx *db.Tx) (err error) {
		if waiting, err = db.Value[int64](tx, `SELECT CAST(COALESCE(SUM(size), 0) AS BIGINT) FROM event_queue`); err != nil {
			return err
		}
		numbered, err = db.Value[int64](tx, `SELECT COUNT(*) FROM events`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return waiting, numbered
}

// While nobody reads, events are in the queue only. Those that nobody reads are numbered together at the next tick.
func TestNothingIsNumberedWhileNobodyReads(t *testing.T) {
	d := dbtest.Open(t, dbtest.Config(t, "postgres"), time.Now)
	expect := func(waiting, numbered int64) {
		t.Helper()
		if w, n := queued(t, d); w != waiting || n != numbered {
			t.Fatalf("%d events wait, %d are numbered; want %d and %d", w, n, waiting, numbered)
		}
	}
	for i := range 10 {
		appendMany(t, d, "a", 1+3*i, 3)
	}
	expect(30, 0)

	ticks := make(chan time.Time)
	ctx, cancel := context.WithCancel(t.Context())
	var keeping sync.WaitGroup
	keeping.Go(func() { numberAt(ctx, d, ticks) })
	for range 2 { // the second is taken after the first is done
		ticks <- time.Time{}
	}
	expect(0, 30)
	cancel()
	keeping.Wait()

	appendMany(t, d, "a", 31, 3)
	expect(3, 30)
	events, _, err := List(t.Context(), d, 1, 100, false)
	if err != nil {
		t.Fatal(err)
	}
	expect(0, 33)
	for i, e := range events {
		if e.ID != int64(i+1) || string(e.Payload) != fmt.Sprintf(`{"number":%d}`, i+1) {
			t.Errorf("event %d is %d: %s", i+1, e.ID, e.Payload)
		}
	}
}

// A node that is killed while it numbers changes nothing. Meanwhile others write, and wait to number.
func TestKilledWhileNumbering(t *testing.T) {
	config := dbtest.Config(t, "postgres")
	killed, other := dbtest.Open(t, config, time.Now), dbtest.Open(t, config, time.Now)
	appendMany(t, killed, "a", 1, 5)
	numbering, kill, ended := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		ended <- killed.Write(context.Background(), func(tx *db.Tx) error {
			moved, err := lockAndMove(tx)
			if err != nil || moved != 5 {
				return fmt.Errorf("moved %d events: %w", moved, err)
			}
			close(numbering)
			<-kill
			_, err = tx.Exec("SELECT pg_terminate_backend(pg_backend_pid())")
			return err
		})
	}()
	<-numbering
	appendMany(t, other, "b", 6, 5) // does not wait
	type result struct {
		events []Event
		err    error
	}
	read := make(chan result, 1)
	go func() {
		events, _, err := List(context.Background(), other, 1, 100, false)
		read <- result{events, err}
	}()
	close(kill)
	if err := <-ended; err == nil {
		t.Error("the transaction of a killed node succeeded")
	}
	got := <-read
	if got.err != nil || len(got.events) != 10 {
		t.Fatalf("read %d events, %v", len(got.events), got.err)
	}
	for i, e := range got.events {
		if e.ID != int64(i+1) || string(e.Payload) != fmt.Sprintf(`{"number":%d}`, i+1) {
			t.Errorf("event %d is %d: %s", i+1, e.ID, e.Payload)
		}
	}
}

// Events keep their order and content however they are divided among rows of the queue: several calls of
// Append in a transaction, several stores, long payloads, and more events than a row holds.
func TestQueueKeepsTheOrder(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		var want []string
		n := 0
		for _, sizes := range [][]int{{1}, {2, 1}, {100, 1, 0, 3}, {numberLimit + 1, 2}, {1}} {
			err := d.Write(t.Context(), func(tx *db.Tx) error {
				for store, size := range sizes {
					entries := make([]Entry, size)
					for i := range entries {
						n++
						entries[i] = Entry{fmt.Sprint("about ", n), noted{strings.Repeat("é{}\",\\ ", n%200), int64(n), n%2 == 0}}
						want = append(want, fmt.Sprintf("%d %s %d", store, entries[i].AggregateID, n))
					}
					if err := Append(tx, int64(store), entries...); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if _, err := Number(t.Context(), d); err != nil {
			t.Fatal(err)
		}
		events, _, err := List(t.Context(), d, 1, len(want)+1, false)
		if err != nil || len(events) != len(want) {
			t.Fatalf("%d events, want %d: %v", len(events), len(want), err)
		}
		for i, e := range events {
			var fact noted
			if err := json.Unmarshal(e.Payload, &fact); err != nil {
				t.Fatal(err)
			}
			got := fmt.Sprintf("%d %s %d", e.StoreKey, e.AggregateID, fact.Sum)
			if got != want[i] || e.ID != int64(i+1) || e.Type != fact.EventType() ||
				fact.Note != strings.Repeat("é{}\",\\ ", (i+1)%200) || fact.Many != (i%2 == 1) {
				t.Fatalf("event %d is %s (%d), want %s", i+1, got, e.ID, want[i])
			}
		}
	})
}
