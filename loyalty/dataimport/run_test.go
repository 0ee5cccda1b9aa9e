package dataimport

import (
	"context"
	"errors"
	"io"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// A run holds an import until its lease ends. A lease of a clock that was ahead holds nothing.
func TestLeases(t *testing.T) {
	now := time.Date(2031, 5, 1, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		owner string
		left  time.Duration
		held  bool
	}{
		{"", leaseTerm, false}, {"a run", leaseTerm, true}, {"a run", time.Second, true}, {"a run", 0, false},
		{"a run", -time.Hour, false}, {"a run", leaseTerm + time.Microsecond, false}, {"a run", 24 * time.Hour, false},
	} {
		i := &Import{owner: c.owner, leaseUntil: now.Add(c.left)}
		if got := i.isHeld(now); got != c.held {
			t.Errorf("the lease of %q with %v left is held: %t", c.owner, c.left, got)
		}
	}
}

// A node that stood still until its lease ended carries out nothing more of an import that another node has taken over.
func TestTwoNodesCarryOutOneImport(t *testing.T) {
	dbtest.Both(t)
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		clock := dbtest.NewClock(time.Date(2031, 5, 1, 12, 0, 0, 0, time.UTC))
		config := dbtest.Config(t, engine)
		slow, fast := dbtest.Open(t, config, clock.Now), dbtest.Open(t, config, clock.Now)
		var applied journal
		s, of := waitingImport(t, slow)
		start := func(d *db.DB, before map[int]func()) <-chan error {
			r := &run{db: d, store: s, kind: applied.kind()}
			var err error
			if r.of, err = claim(t.Context(), d, s, of); err != nil || r.of == nil {
				t.Fatalf("a node could not take the import: %v", err)
			}
			end := make(chan error, 1)
			go func() {
				end <- r.carryOut(t.Context(), func() (decoder, error) { return &numbers{before: before}, nil })
			}()
			return end
		}

		stands, goesOn := make(chan struct{}), make(chan struct{})
		first := start(slow, map[int]func(){4: func() { close(stands); <-goesOn }})
		<-stands
		clock.Advance(leaseTerm + time.Second)
		var firstErr error
		second := start(fast, map[int]func(){6: func() { close(goesOn); firstErr = <-first }})
		if err := <-second; err != nil {
			t.Errorf("the node that took over: %v", err)
		}
		if !errors.Is(firstErr, errStopped) {
			t.Errorf("the node that stood still: %v", firstErr)
		}
		if want := []string{"1", "2", "3", "4", "5", "6"}; !slices.Equal(applied.records, want) {
			t.Errorf("the records %v took effect, want %v", applied.records, want)
		}
	})
}

// numbers is a file with the numbers from 1 to 6. Before it returns a number it calls the function for it, if there is
// one.
type numbers struct {
	last   int
	before map[int]func()
}

func (n *numbers) next() (Record, int64, error) {
	if n.last == 6 {
		return nil, 0, io.EOF
	}
	n.last++
	if call := n.before[n.last]; call != nil {
		call()
	}
	return digit(strconv.Itoa(n.last)), int64(n.last), nil
}

type digit string

func (d digit) Identifier() string { return string(d) }
func (d digit) Columns() []Column  { return nil }

// journal lists records whose transactions were committed.
type journal struct {
	mutex   sync.Mutex
	records []string
}

// kind is a kind whose records only write themselves into the journal.
func (j *journal) kind() *Kind {
	return &Kind{Name: "numbers", New: func() Record { return digit("") }, Batch: 2,
		Apply: func(tx *db.Tx, _ *store.Store, _ *Import, records []Record) ([]Result, error) {
			tx.AfterCommit(func() {
				j.mutex.Lock()
				defer j.mutex.Unlock()
				for _, r := range records {
					j.records = append(j.records, r.Identifier())
				}
			})
			return make([]Result, len(records)), nil
		}}
}

// waitingImport stores an import of six records, which were counted, in a new store.
func waitingImport(t *testing.T, d *db.DB) (s *store.Store, of *Import) {
	t.Helper()
	err := d.Write(context.Background(), func(tx *db.Tx) (err error) {
		s, err = store.Create(tx, store.New{
			Code: "DEFAULT", Name: "Default", Currency: "EUR", Settings: store.DefaultSettings(),
		})
		if err != nil {
			return err
		}
		of = &Import{StoreKey: s.Key, ID: tx.NewID(), Kind: "numbers", State: Waiting, Records: 6, CreatedAt: tx.Now()}
		return insertImport(tx, of)
	})
	if err != nil {
		t.Fatal(err)
	}
	return s, of
}
