package points_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"punchcard/loyalty/points"
	"punchcard/platform/check"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/event"
)

// holding is a reservation of the model.
type holding struct {
	id     string
	endsAt time.Time
	left   points.Amount
}

// holder changes an account at random, and knows what reservations hold in it.
type holder struct {
	clock *dbtest.Clock
	db    *db.DB
	owner points.Owner
	open  []holding
	lots  []string
}

// Whatever happens to an account and its lots, a reservation can spend what it holds until its very end, and not after;
// then the points are where a cancelled block would have put them, and no point is lost.
func TestHeldPointsStayUntilTheEnd(t *testing.T) {
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			c := newClock()
			d := dbtest.Open(t, dbtest.Config(t, engine), c.Now)
			rapid.Check(t, func(r *rapid.T) {
				h := &holder{clock: c, db: d, owner: owner(t, d, rapid.IntRange(0, 1).Draw(r, "days locked"))}
				for range rapid.IntRange(1, 25).Draw(r, "steps") {
					h.step(t, r)
					h.compare(t, r)
				}
			})
		})
	}
}

func (h *holder) step(t *testing.T, r *rapid.T) {
	amount := points.Amount(rapid.Int64Range(1, 3000).Draw(r, "amount"))
	var err error
	switch rapid.IntRange(0, 9).Draw(r, "action") {
	case 0, 1:
		id, failed := grant(h.db, h.owner, amount, rapid.IntRange(0, 3).Draw(r, "days"))
		h.lots, err = append(h.lots, id), failed
	case 2:
		_, err = spend(h.db, h.owner, amount)
	case 3, 4:
		err = h.hold(r, amount)
	case 5, 6:
		err = h.spendHeld(r, amount)
	case 7:
		err = h.release(r)
	case 8:
		err = h.expire(r)
	case 9:
		h.clock.Advance(time.Duration(rapid.IntRange(1, 60*36).Draw(r, "minutes")) * time.Minute)
	}
	if err != nil && !errors.Is(err, points.ErrNotEnough) && !errors.Is(err, points.ErrNotActive) {
		t.Fatal(err)
	}
}

func (h *holder) change(decide func(w *points.Wallet) ([]event.Entry, error)) error {
	return h.db.Write(background, func(tx *db.Tx) error {
		_, err := points.Change(tx, h.owner, decide)
		return err
	})
}

func (h *holder) hold(r *rapid.T, amount points.Amount) error {
	amount = points.Amount(rapid.SampledFrom([]int64{0, int64(amount)}).Draw(r, "held"))
	one := holding{id: db.NewID(), left: amount, endsAt: h.clock.Now().Add(
		time.Duration(rapid.IntRange(1, 60*48).Draw(r, "minutes")) * time.Minute)}
	err := h.change(func(w *points.Wallet) ([]event.Entry, error) {
		return nil, w.Hold(one.id, one.endsAt, amount, map[string]int64{"of a campaign": 1})
	})
	if err == nil {
		h.open = append(h.open, one)
	}
	return err
}

func (h *holder) spendHeld(r *rapid.T, amount points.Amount) error {
	if len(h.open) == 0 {
		return nil
	}
	one := &h.open[rapid.IntRange(0, len(h.open)-1).Draw(r, "reservation")]
	err := h.change(func(w *points.Wallet) ([]event.Entry, error) {
		_, entry, err := w.SpendHeld(one.id, amount, "held", points.BySystem)
		return []event.Entry{entry}, err
	})
	switch can := amount <= one.left && one.endsAt.After(h.clock.Now()); {
	case can && err == nil:
		one.left -= amount
	case can || err == nil:
		return fmt.Errorf("spending %v of the held %v until %v at %v: %w", amount, one.left, one.endsAt, h.clock.Now(), err)
	case errors.Is(err, points.ErrNotHeld):
		return nil
	}
	return err
}

func (h *holder) release(r *rapid.T) error {
	if len(h.open) == 0 {
		return nil
	}
	i := rapid.IntRange(0, len(h.open)-1).Draw(r, "reservation")
	id := h.open[i].id
	h.open = slices.Delete(h.open, i, i+1)
	return h.change(func(w *points.Wallet) ([]event.Entry, error) {
		w.Release(id)
		return nil, nil
	})
}

// expire expires a lot by hand, or all of them.
func (h *holder) expire(r *rapid.T) error {
	if len(h.lots) == 0 {
		return nil
	}
	id := rapid.SampledFrom(h.lots).Draw(r, "lot")
	return h.change(func(w *points.Wallet) ([]event.Entry, error) {
		if rapid.IntRange(0, 9).Draw(r, "all") == 0 {
			return []event.Entry{w.Reset()}, nil
		}
		lot, err := w.Transfer(id)
		if err != nil {
			return nil, err
		}
		entry, err := w.Expire(lot)
		return []event.Entry{entry}, err
	})
}

// compare compares the account with the model, before and after it is settled, and with its transfers.
func (h *holder) compare(t *testing.T, r *rapid.T) {
	t.Helper()
	var held points.Amount
	count := int64(0)
	for _, one := range h.open {
		if one.endsAt.After(h.clock.Now()) {
			held += one.left
			count++
		}
	}
	look := func(when string) points.Account {
		a := balance(t, h.db, h.owner)
		if a.Blocked != held || a.Held("of a campaign") != count {
			t.Fatalf("%s: blocked %v and %d purchases, want %v and %d", when, a.Blocked, a.Held("of a campaign"), held, count)
		}
		if sum := a.Points + a.Used + a.Expired + a.Locked + a.Blocked; a.Earned != sum || a.Points < 0 {
			t.Fatalf("%s: earned %v, in all %v: %+v", when, a.Earned, sum, a)
		}
		return a
	}
	before := look("before settling")
	expectLedger(t, h.db)
	if rapid.Bool().Draw(r, "settle") {
		settle(t, h.db, h.owner)
		if after := look("after settling"); after.Points != before.Points || after.Expired != before.Expired {
			t.Fatalf("settling changes %+v to %+v", before, after)
		}
		expectLedger(t, h.db)
	}
}

func expectLedger(t *testing.T, d *db.DB) {
	t.Helper()
	_, err := check.Run(background, d, points.Rules(), check.Report{
		Begin:   func(string, int, int) {},
		Finding: func(f check.Finding) { t.Error(f) },
		More:    func(string, int64) {},
	})
	if err != nil {
		t.Fatal(err)
	}
	if t.Failed() {
		t.FailNow()
	}
}

// A lot that is cancelled while a part of it is held keeps the part for the reservation, and drops it afterwards.
func TestHeldPartsOfACancelledLot(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := &holder{db: d, owner: owner(t, d, 0)}
		lot, err := grant(d, h.owner, 1000, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range []string{"one", "two"} {
			if err := h.change(func(w *points.Wallet) ([]event.Entry, error) {
				return nil, w.Hold(id, d.Now().Add(time.Hour), 400, nil)
			}); err != nil {
				t.Fatal(err)
			}
		}
		err = h.change(func(w *points.Wallet) ([]event.Entry, error) {
			of, err := w.Transfer(lot)
			if err != nil {
				return nil, err
			}
			entry, err := w.Cancel(of)
			return []event.Entry{entry}, err
		})
		if err != nil {
			t.Fatal(err)
		}
		expectLedger(t, d)
		err = h.change(func(w *points.Wallet) ([]event.Entry, error) {
			w.Release("two")
			_, entry, err := w.SpendHeld("one", 400, "held", points.BySystem)
			return []event.Entry{entry}, err
		})
		if err != nil {
			t.Fatal(err)
		}
		expectLedger(t, d)
		if a := balance(t, d, h.owner); a.Points != 0 || a.Blocked != 0 || a.Used != 400 || a.Earned != 0 {
			t.Errorf("%+v", a)
		}
	})
}
