package auth

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"punchcard/api/access"
	"punchcard/loyalty/customer"
	"punchcard/platform/db"
)

// endedSessions are the sessions that were ended, and the customers who were blocked or deleted, while access
// tokens of them may still be unexpired. All of them are read together, once in Config.Recheck, so that checking
// a token costs nothing.
type endedSessions struct {
	until atomic.Int64 // microseconds since 1970, when they are read again

	mutex    sync.Mutex
	ids      map[string]bool
	inactive map[string]time.Time // since when, by the ids of customers
}

// readEnded makes sure that the ended sessions and inactive customers are known, and forgets the verified tokens
// of new ones.
func (a *Auth) readEnded(ctx context.Context, now time.Time) error {
	e := &a.ended
	if e.fresh(now, a.config.Recheck) {
		return nil
	}
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if e.fresh(now, a.config.Recheck) {
		return nil
	}
	if now.Add(a.config.Recheck).UnixMicro() < e.until.Load() { // the clock was set back: tokens are kept too long
		a.verified.forget(func(*access.Caller) bool { return true })
	}
	known, ids := e.ids, map[string]bool{}
	knownInactive, inactive := e.inactive, map[string]time.Time{}
	more := false
	err := a.db.Read(ctx, func(tx *db.Tx) error {
		err := eachEnded(tx, now, func(id string) { ids[id], more = true, more || !known[id] })
		if err != nil {
			return err
		}
		from := now.Add(-a.config.TokenLife - accessMargin) // older tokens have expired
		return customer.EachInactiveSince(tx, from, func(id string, since time.Time) {
			inactive[id], more = since, more || !since.Equal(knownInactive[id])
		})
	})
	if err != nil {
		return err
	}
	if e.ids, e.inactive = ids, inactive; more {
		a.verified.forget(func(c *access.Caller) bool {
			since, is := inactive[c.ID]
			return ids[c.Session] && !known[c.Session] || is && !since.Equal(knownInactive[c.ID])
		})
	}
	e.until.Store(now.Add(a.config.Recheck).UnixMicro())
	return nil
}

// fresh tells whether they were read less than recheck ago. After the clock was set back they were not.
func (e *endedSessions) fresh(now time.Time, recheck time.Duration) bool {
	until := e.until.Load()
	return now.UnixMicro() < until && until <= now.Add(recheck).UnixMicro()
}

// readAgain makes the next request read them again, even if they are being read at the moment.
func (e *endedSessions) readAgain() {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	e.until.Store(0)
}

func (e *endedSessions) has(id string) bool {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	return e.ids[id]
}
