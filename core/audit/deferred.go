package audit

import (
	"context"
	"sync"
	"time"

	"punchcard/platform/db"
)

// Limits of deferred entries.
const (
	flushEvery = 2 * time.Second
	flushAt    = 1000 // entries; the call that adds one more writes them
	// ViewsApart is how long after a view of a customer another view by the same user gets an entry of its own.
	ViewsApart = time.Minute
)

// Deferred collects the entries of calls that change nothing: views of customers and failed log-ins. They are written
// together, within two seconds. A crash loses those that wait.
type Deferred struct {
	db *db.DB

	mutex   sync.Mutex
	waiting []*Entry
	seen    map[view]time.Time // the last entry of each view
}

// view identifies the views that share an entry.
type view struct {
	user       User
	customerID string
	ip         string
}

// NewDeferred returns a Deferred that writes to d.
func NewDeferred(d *db.DB) *Deferred { return &Deferred{db: d, seen: map[view]time.Time{}} }

// View adds the view of a customer, unless the user has just seen them.
func (f *Deferred) View(ctx context.Context, e Entry) {
	now := f.db.Now()
	of := view{e.User, e.CustomerID, e.IP}
	f.mutex.Lock()
	last, seen := f.seen[of]
	again := seen && now.Sub(last) < ViewsApart
	if !again {
		f.seen[of] = now
	}
	f.mutex.Unlock()
	if !again {
		f.Add(ctx, e)
	}
}

// Add adds an entry.
func (f *Deferred) Add(ctx context.Context, e Entry) {
	e.ID, e.CreatedAt = db.NewID(), f.db.Now()
	f.mutex.Lock()
	f.waiting = append(f.waiting, &e)
	full := len(f.waiting) >= flushAt
	f.mutex.Unlock()
	if full {
		f.flush(ctx)
	}
}

// Flush writes the entries that wait.
func (f *Deferred) Flush(ctx context.Context) error {
	f.mutex.Lock()
	entries := f.waiting
	f.waiting = nil
	now := f.db.Now()
	for of, at := range f.seen {
		if now.Sub(at) >= ViewsApart {
			delete(f.seen, of)
		}
	}
	f.mutex.Unlock()
	if len(entries) == 0 {
		return nil
	}
	return f.db.Write(ctx, func(tx *db.Tx) error { return Append(tx, entries...) })
}

func (f *Deferred) flush(ctx context.Context) {
	if err := f.Flush(context.WithoutCancel(ctx)); err != nil {
		f.db.Log().Error("audit entries were not written", "error", err)
	}
}

// Run writes what waits every two seconds, and for the last time when ctx ends.
func (f *Deferred) Run(ctx context.Context) {
	tick := time.NewTicker(flushEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			f.flush(ctx)
		case <-ctx.Done():
			f.flush(ctx)
			return
		}
	}
}
