package demo

import (
	"context"
	"fmt"
	"maps"
	"time"

	"punchcard/loyalty/customer"
	"punchcard/loyalty/earning"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/store"
	"punchcard/loyalty/transaction"
	"punchcard/platform/db"
)

// Operations are those of requests and jobs, with the hooks of other features.
type Operations struct {
	Desk       *purchase.Desk
	Earning    *earning.Service
	Receipts   transaction.Hooks
	Registered func(tx *db.Tx, s *store.Store, c *customer.Customer) error
	Daily      []store.Work // jobs that run at the end of each day of the history
	Weekly     []store.Work // jobs that run once a week and in the end
	Last       []store.Work // jobs that run in the end by the present clock
}

// History is a year that a store of the demonstration looks back on. Loading it goes through the operations that
// requests use, in order of time, by a clock that is behind the server's. The clock is that of a copy of the store, so
// that requests that the server answers meanwhile have the present one.
//
// Each step is one transaction that also counts the step, so that an interrupted load continues without doing anything
// twice.
type History struct {
	db     *db.DB
	store  *store.Store
	does   Operations
	plan   *plan
	people int

	shops   []string       // ids
	sellers []string       // ids, by shop
	ids     map[int]string // of the customers, by guest
}

// NewHistory returns the history of a store that Open has opened.
func NewHistory(d *db.DB, s *store.Store, does Operations) *History {
	return &History{db: d, store: s, does: does, people: historyPeople, ids: map[int]string{}}
}

// BeginHistory records that the history until a moment is to be loaded.
func BeginHistory(tx *db.Tx, until time.Time) error { return beginHistory(tx, until, historyPeople) }

func beginHistory(tx *db.Tx, until time.Time, people int) error {
	zone, err := time.LoadLocation(Zone)
	if err != nil {
		return err
	}
	steps := len(drawPlan(until, zone, people, visitsAtOnce(tx.Engine())).steps) + 1 // in the last one, the last jobs run
	return store.BeginDemoHistory(tx, store.DemoHistory{Until: until, Steps: int64(steps)})
}

// Load runs the remaining steps while holds returns that this node has the lease, and returns whether all are done.
func (h *History) Load(ctx context.Context, holds func(ctx context.Context) (bool, error)) (complete bool, err error) {
	var progress store.DemoHistory
	err = h.db.Read(ctx, func(tx *db.Tx) (err error) {
		progress, err = store.FindDemoHistory(tx)
		return err
	})
	if err != nil || progress.Complete() {
		return err == nil, err
	}
	zone, err := time.LoadLocation(Zone)
	if err != nil {
		return false, err
	}
	h.plan = drawPlan(progress.Until, zone, h.people, visitsAtOnce(h.db.Engine()))
	if err := h.db.Read(ctx, h.find); err != nil {
		return false, err
	}
	for n := progress.Done; n < progress.Steps; n++ {
		if held, err := holds(ctx); err != nil || !held {
			return false, err
		}
		if err := h.step(ctx, int(n)); err != nil {
			return false, fmt.Errorf("step %d of the demonstration's history: %w", n, err)
		}
	}
	return true, nil
}

// step plays a part of a day and runs the jobs that are due at its end. The last step runs the jobs of the last day.
// Jobs that an interruption skipped run at the end of the next day.
func (h *History) step(ctx context.Context, n int) error {
	if n == len(h.plan.steps) {
		if err := h.run(ctx, h.does.Last, h.store); err != nil {
			return err
		}
		return h.db.Write(ctx, func(tx *db.Tx) error { return store.EndDemoStep(tx, int64(n)) })
	}
	var known map[int]string
	err := h.db.Write(ctx, func(tx *db.Tx) error {
		known = map[int]string{}
		if err := store.EndDemoStep(tx, int64(n)); err != nil {
			return err
		}
		return h.play(tx, n, known)
	})
	if err != nil {
		return err
	}
	maps.Copy(h.ids, known)
	part := &h.plan.steps[n]
	if part.evening.IsZero() {
		return nil
	}
	past := *h.store
	past.Ahead = part.evening.Sub(h.db.Now())
	if err := h.run(ctx, h.does.Daily, &past); err != nil || !part.weekly {
		return err
	}
	return h.run(ctx, h.does.Weekly, &past)
}

func (h *History) run(ctx context.Context, jobs []store.Work, s *store.Store) error {
	for _, work := range jobs {
		if _, err := work(ctx, h.db, s); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// find reads the ids of what Open has added.
func (h *History) find(tx *db.Tx) error {
	h.shops, h.sellers = nil, nil
	for n := range len(shops) + len(moreShops) {
		found, _, err := findShop(tx, h.store.Key, shop(n).Identifier)
		if err != nil {
			return err
		}
		h.shops = append(h.shops, found)
		id, err := findSeller(tx, h.store.Key, staff[n].Email)
		if err != nil {
			return err
		}
		h.sellers = append(h.sellers, id)
	}
	return nil
}
