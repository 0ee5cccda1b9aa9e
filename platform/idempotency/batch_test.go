package idempotency_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/idempotency"
)

func TestMain(m *testing.M) { dbtest.MainOnBoth(m) }

func request(key, text string) *idempotency.Request { return idempotency.NewRequest(7, key, nil, text) }

// decide claims requests in one batch, and adds a response with the text to those that are new.
func decide(d *db.DB, text string, requests ...*idempotency.Request) (checks []error, err error) {
	err = d.Write(context.Background(), func(tx *db.Tx) error {
		checks = nil
		batch, err := idempotency.Claim(tx, requests...)
		if err != nil {
			return err
		}
		for _, r := range requests {
			check := batch.Check(r)
			checks = append(checks, check)
			if check == nil {
				batch.Add(r, response(text))
			}
		}
		return batch.Save(tx)
	})
	return checks, err
}

func response(text string) idempotency.Response {
	return idempotency.Response{Status: 201, ContentType: "text/plain", Location: "/x", Body: text}
}

func isReplay(err error, text string) bool {
	replay, is := errors.AsType[*idempotency.Replay](err)
	return is && replay.Response == response(text)
}

func TestRequestsOfABatch(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		checks, err := decide(d, "one", request("a", "x"), request("b", "x"), request("a", "x"), request("b", "y"))
		if err != nil || checks[0] != nil || checks[1] != nil || !isReplay(checks[2], "one") ||
			checks[3] != idempotency.ErrReused {
			t.Errorf("%v, %v", checks, err)
		}
		checks, err = decide(d, "two", request("b", "x"), request("c", "x"), request("a", "y"),
			idempotency.NewRequest(7, "a", []string{"somebody"}, "x"))
		if err != nil || !isReplay(checks[0], "one") || checks[1] != nil || checks[2] != idempotency.ErrReused ||
			checks[3] != nil {
			t.Errorf("%v, %v", checks, err)
		}
		if checks, err = decide(d, "other", idempotency.NewRequest(8, "a", nil, "x")); err != nil || checks[0] != nil {
			t.Errorf("another store: %v, %v", checks, err)
		}
	})
}

func TestNoRequests(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		err := d.Write(t.Context(), func(tx *db.Tx) error {
			batch, err := idempotency.Claim(tx)
			if batch != nil || batch.Check(nil) != nil || batch.Check(request("a", "x")) != nil {
				t.Error("a batch without requests knows something")
			}
			return errors.Join(err, batch.Save(tx))
		})
		if err != nil {
			t.Error(err)
		}
	})
}

func TestLongBodiesAreNotStored(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		full := strings.Repeat("x", idempotency.ResponseLimit)
		if _, err := decide(d, full, request("full", "")); err != nil {
			t.Fatal(err)
		}
		if _, err := decide(d, full+"x", request("more", "")); err != nil {
			t.Fatal(err)
		}
		checks, err := decide(d, "", request("full", ""), request("more", ""))
		if err != nil || !isReplay(checks[0], full) {
			t.Errorf("%v", err)
		}
		replay, is := errors.AsType[*idempotency.Replay](checks[1])
		if !is || replay.Response != (idempotency.Response{Status: 201, Location: "/x"}) {
			t.Errorf("%v", checks[1])
		}
	})
}

// Keys that another transaction has claimed are in flight, without waiting for it. After a rollback they are free.
func TestClaimsOfOtherNodes(t *testing.T) {
	config := dbtest.Config(t, "postgres")
	one, two := dbtest.Open(t, config, time.Now), dbtest.Open(t, config, time.Now)
	for _, rollback := range []bool{true, false} {
		claimed, verdict, ended := make(chan struct{}), make(chan error), make(chan error, 1)
		go func() {
			ended <- one.Write(t.Context(), func(tx *db.Tx) error {
				batch, err := idempotency.Claim(tx, request("a", "x"))
				if err == nil && batch.Check(request("a", "x")) == nil {
					batch.Add(request("a", "x"), response("one"))
					err = batch.Save(tx)
				}
				close(claimed)
				return errors.Join(err, <-verdict)
			})
		}()
		<-claimed
		checks, err := decide(two, fmt.Sprint(rollback), request("a", "x"), request(fmt.Sprint("b", rollback), "x"))
		if err != nil || checks[0] != idempotency.ErrInFlight || checks[1] != nil {
			t.Errorf("meanwhile: %v, %v", checks, err)
		}
		var outcome error
		if rollback {
			outcome = errors.New("rolled back")
		}
		verdict <- outcome
		if err := <-ended; !errors.Is(err, outcome) {
			t.Error(err)
		}
	}
	if checks, err := decide(two, "two", request("a", "x")); err != nil || !isReplay(checks[0], "one") {
		t.Errorf("%v, %v", checks, err)
	}
}

func TestExpire(t *testing.T) {
	now := time.Date(2031, 5, 1, 12, 0, 0, 0, time.UTC)
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			at := now
			d := dbtest.Open(t, dbtest.Config(t, engine), func() time.Time { return at })
			const retention = 7 * 24 * time.Hour
			many := make([]*idempotency.Request, 2500)
			for i := range many {
				many[i] = request(fmt.Sprint("old", i), "x")
			}
			if _, err := decide(d, "old", many...); err != nil {
				t.Fatal(err)
			}
			at = now.Add(time.Second)
			if _, err := decide(d, "new", request("new", "x")); err != nil {
				t.Fatal(err)
			}
			for _, step := range []struct {
				after time.Duration
				want  int64
			}{{0, 0}, {retention, 0}, {retention + time.Second, 2500}, {retention + time.Second, 0},
				{retention + 2*time.Second, 1}} {
				at = now.Add(step.after)
				if n, err := idempotency.Expire(d, retention)(t.Context()); n != step.want || err != nil {
					t.Errorf("after %v: %d removed, %v, want %d", step.after, n, err, step.want)
				}
			}
			if checks, err := decide(d, "again", request("old1", "y")); err != nil || checks[0] != nil {
				t.Errorf("an expired key: %v, %v", checks, err)
			}
		})
	}
}

// Cleared responses are still replayed, without their bodies.
func TestForget(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		many := make([]*idempotency.Request, 1200)
		for i := range many {
			many[i] = request(fmt.Sprint("k", i), "")
		}
		for i, r := range many {
			text := `{"email":"ole@example.com"}`
			if i%3 == 0 {
				text = `{"email":"ida@example.com"}`
			}
			if i > 5 {
				break
			}
			if _, err := decide(d, text, r); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := decide(d, "without an address", many...); err != nil {
			t.Fatal(err)
		}
		calls := 0
		for after, more := "", true; more; more = after != "" {
			calls++
			err := d.Write(t.Context(), func(tx *db.Tx) (err error) {
				after, err = idempotency.Forget(tx, 7, after, "ida@", "eva@")
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		checks, err := decide(d, "", many[:7]...)
		if err != nil || calls != 3 {
			t.Fatalf("%d calls, %v", calls, err)
		}
		for i, check := range checks {
			replay, is := errors.AsType[*idempotency.Replay](check)
			cleared := is && replay.Response == idempotency.Response{Status: 201}
			if cleared != (i == 0 || i == 3) || !is {
				t.Errorf("%d: %v", i, check)
			}
		}
	})
}
