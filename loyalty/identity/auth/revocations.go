package auth

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"punchcard/core/access"
	"punchcard/loyalty/customer"
	"punchcard/platform/db"
)

// revocations are the ended sessions, and the blocked and deleted customers, whose access tokens may not have
// expired yet. They are read together every Config.Recheck, so that a request only compares the time.
type revocations struct {
	until atomic.Int64 // when they are read again, in microseconds since 1970

	mutex sync.Mutex
	since map[string]time.Time // by id: of customers the time of the change, of sessions the zero time
}

// readRevocations reads the revocations if they are older than Config.Recheck, and removes the verified tokens of
// new ones from the cache.
func (a *Auth) readRevocations(ctx context.Context, now time.Time) error {
	r := &a.revoked
	if r.fresh(now, a.config.Recheck) {
		return nil
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.fresh(now, a.config.Recheck) {
		return nil
	}
	if now.Add(a.config.Recheck).UnixMicro() < r.until.Load() { // the clock was set back, so tokens stay cached too long
		a.verified.forget(func(*access.Caller) bool { return true })
	}
	since, more := map[string]time.Time{}, false
	isNew := func(id string) bool {
		at, is := since[id]
		known, was := r.since[id]
		return is && !(was && at.Equal(known))
	}
	add := func(id string, at time.Time) {
		since[id] = at
		more = more || isNew(id)
	}
	err := a.db.Read(ctx, func(tx *db.Tx) error {
		if err := eachEnded(tx, now, func(sessionID string) { add(sessionID, time.Time{}) }); err != nil {
			return err
		}
		from := now.Add(-a.config.TokenLife - accessMargin) // older tokens have expired
		return customer.EachInactiveSince(tx, from, add)
	})
	if err != nil {
		return err
	}
	if more {
		a.verified.forget(func(c *access.Caller) bool { return isNew(c.Session) || isNew(c.ID) })
	}
	r.since = since
	r.until.Store(now.Add(a.config.Recheck).UnixMicro())
	return nil
}

// fresh returns whether the revocations were read less than recheck ago, which is unknown after the clock was set
// back.
func (r *revocations) fresh(now time.Time, recheck time.Duration) bool {
	until := r.until.Load()
	return now.UnixMicro() < until && until <= now.Add(recheck).UnixMicro()
}

// readAgain makes the next request read the revocations, even if another one is reading them now.
func (r *revocations) readAgain() {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.until.Store(0)
}

// ended returns whether a session was ended.
func (r *revocations) ended(sessionID string) bool {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	_, is := r.since[sessionID]
	return is
}
