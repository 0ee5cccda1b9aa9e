package sqlite_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/db/sqlite"
)

// A file that cannot grow refuses whole operations and stores those that fit. All succeed once it can grow
// again.
func TestFullFileTakesWritesAgain(t *testing.T) {
	d := dbtest.Open(t, dbtest.Config(t, "sqlite"), time.Now)
	row := func(name string) func(tx *db.Tx) error {
		return func(tx *db.Tx) error { return add(tx, name+strings.Repeat("x", 3000)) }
	}
	if err := d.Write(background, row("t before")); err != nil {
		t.Fatal(err)
	}
	if err := sqlite.LimitPages(d, 0); err != nil { // what it has is what it may have
		t.Fatal(err)
	}
	var stored sync.Map
	var all sync.WaitGroup
	for i := range 200 {
		all.Go(func() {
			name := fmt.Sprintf("t%d", i)
			err := d.Write(background, func(tx *db.Tx) error { return errors.Join(row(name+"a")(tx), row(name+"b")(tx)) })
			switch {
			case err == nil:
				stored.Store(name, true)
			case !errors.Is(err, db.ErrBusy):
				t.Errorf("%d: %v", i, err)
			}
		})
	}
	all.Wait()
	want := int64(1)
	stored.Range(func(any, any) bool { want += 2; return true })
	if n := count(t, d); n != want || want == 401 {
		t.Errorf("%d rows, want %d: the two of each write that was acknowledged", n, want)
	}
	if err := sqlite.LimitPages(d, 1<<20); err != nil {
		t.Fatal(err)
	}
	if err := d.Write(background, row("t after")); err != nil {
		t.Error(err)
	}
}
