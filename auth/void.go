package auth

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"punchcard/customer"
	"punchcard/platform/db"
)

// void are the customers whose access tokens hold no longer, because nobody knows any more who they were. All of them
// are read together, once for each Config.CustomerRecheck, so that looking at a token costs nothing.
type void struct {
	until atomic.Int64 // microseconds since 1970, when they are read again

	mutex sync.Mutex
	ids   map[string]bool
}

// readVoid makes sure that the void customers are known, and forgets the tokens of new ones.
func (a *Auth) readVoid(ctx context.Context, now time.Time) error {
	v := &a.void
	if now.UnixMicro() < v.until.Load() {
		return nil
	}
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if now.UnixMicro() < v.until.Load() {
		return nil
	}
	var found []string
	err := a.db.Read(ctx, func(tx *db.Tx) (err error) {
		// Older tokens have expired. A second more covers clocks of nodes that differ.
		found, err = customer.AnonymizedSince(tx, now.Add(-a.config.TokenLife-time.Second))
		return err
	})
	if err != nil {
		return err
	}
	ids := make(map[string]bool, len(found))
	for _, id := range found {
		if ids[id] = true; !v.ids[id] {
			a.verified.forget(id)
		}
	}
	v.ids = ids
	v.until.Store(now.Add(a.config.CustomerRecheck).UnixMicro())
	return nil
}

// readAgain makes the next request read them, whoever is reading them now.
func (v *void) readAgain() {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	v.until.Store(0)
}

func (v *void) has(customerID string) bool {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	return v.ids[customerID]
}
