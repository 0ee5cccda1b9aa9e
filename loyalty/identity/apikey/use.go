package apikey

import (
	"context"
	"sync"
	"time"

	"punchcard/platform/db"
)

const (
	// usesApart is how long after the stored use of a key the next one is stored.
	usesApart = time.Minute
	// flushEvery is how often uses are stored, so that no request waits for it.
	flushEvery = 5 * time.Second
)

// Uses collects when keys were last used, and from where. A crash loses those of the last seconds.
type Uses struct {
	db    *db.DB
	mutex sync.Mutex
	last  map[string]use // by key
}

type use struct {
	at     time.Time
	from   string
	stored bool
}

// NewUses returns a Uses that stores in d.
func NewUses(d *db.DB) *Uses { return &Uses{db: d, last: map[string]use{}} }

// Note notes a use of a key, unless one was noted less than a minute ago.
func (u *Uses) Note(keyID, from string, now time.Time) {
	u.mutex.Lock()
	defer u.mutex.Unlock()
	if last, known := u.last[keyID]; !known || now.Sub(last.at).Abs() >= usesApart {
		u.last[keyID] = use{at: now, from: from}
	}
}

// Flush stores the uses that wait. What cannot be stored is tried again at the next use after a minute.
func (u *Uses) Flush(ctx context.Context) error {
	waiting := u.take()
	if len(waiting) == 0 {
		return nil
	}
	return u.db.Write(ctx, func(tx *db.Tx) error {
		for id, one := range waiting {
			if err := noteUse(tx, id, one.at, one.from, usesApart); err != nil {
				return err
			}
		}
		return nil
	})
}

// take returns the uses that wait, by key, and forgets those of more than a minute ago.
func (u *Uses) take() map[string]use {
	u.mutex.Lock()
	defer u.mutex.Unlock()
	waiting, now := map[string]use{}, u.db.Now()
	for id, one := range u.last {
		switch {
		case !one.stored:
			waiting[id] = one
			one.stored = true
			u.last[id] = one
		case now.Sub(one.at).Abs() >= usesApart:
			delete(u.last, id)
		}
	}
	return waiting
}

func (u *Uses) flush(ctx context.Context) {
	if err := u.Flush(context.WithoutCancel(ctx)); err != nil {
		u.db.Log().Error("uses of API keys were not stored", "error", err)
	}
}

// Run stores uses until ctx ends, and those that wait for the last time.
func (u *Uses) Run(ctx context.Context) {
	tick := time.NewTicker(flushEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			u.flush(ctx)
		case <-ctx.Done():
			u.flush(ctx)
			return
		}
	}
}
