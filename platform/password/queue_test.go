package password

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A client that waits for many hashes delays another one by one of them at most. A client that gives up delays nobody.
func TestClientsTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(1)
		var order []string
		wait := func(ctx context.Context, client string) {
			go func() {
				if q.enter(WithClient(ctx, client)) == nil {
					order = append(order, client)
				}
			}()
			synctest.Wait()
		}
		if err := q.enter(t.Context()); err != nil {
			t.Fatal(err)
		}
		brief, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		for range 4 {
			wait(t.Context(), "a")
		}
		wait(brief, "gone")
		wait(t.Context(), "b")
		wait(t.Context(), "b")
		wait(t.Context(), "c")
		time.Sleep(2 * time.Second)
		for range 7 {
			q.leave()
			synctest.Wait()
		}
		if got := fmt.Sprint(order); got != "[a b c a b a a]" {
			t.Errorf("served in the order %s", strings.Trim(got, "[]"))
		}
		q.leave()
		if q.free != 1 || len(q.turns) != 0 || len(q.waiting) != 0 {
			t.Errorf("%d cores are free, %v and %v wait", q.free, q.turns, q.waiting)
		}
	})
}
