package auth

import (
	"context"
	"crypto/sha256"
	"errors"
	"time"

	"punchcard/core/access"
	"punchcard/loyalty/identity/admin"
	"punchcard/loyalty/identity/apikey"
	"punchcard/platform/db"
	"punchcard/platform/web"
)

// useKey refuses a request from an address from which its key cannot be used, and notes the use otherwise.
func (a *Auth) useKey(r *web.Request, caller *access.Caller) error {
	address, _ := r.ClientIP() // no network contains an unknown address
	if !caller.Key.AcceptsFrom(address) {
		return errKeyAddress
	}
	a.uses.Note(caller.ID, r.ClientAddress(), a.db.Now())
	return nil
}

// keyOfSecret finds the caller of the secret of an API key.
func (a *Auth) keyOfSecret(ctx context.Context, secret string) (*access.Caller, error) {
	sum, now := sumOf(secret), a.db.Now()
	if caller := a.verified.get(&sum, now); caller != nil {
		return caller, nil
	}
	return a.readKey(ctx, &sum, now.Add(keyRecheck), func(tx *db.Tx) (apikey.Key, int64, bool, error) {
		return apikey.FindBySecret(tx, secret)
	})
}

// keyOfToken finds the caller of an access token that stands for an API key.
func (a *Auth) keyOfToken(ctx context.Context, sum *[sha256.Size]byte, claimed *claims) (*access.Caller, error) {
	until := earlier(a.db.Now().Add(keyRecheck), claimed.ExpiresAt.Time)
	return a.readKey(ctx, sum, until, func(tx *db.Tx) (apikey.Key, int64, bool, error) {
		k, found, err := apikey.Find(tx, claimed.ID)
		return k, claimed.Rotations, found, err
	})
}

// readKey reads the caller of a key, and caches them until then at most.
func (a *Auth) readKey(ctx context.Context, sum *[sha256.Size]byte, until time.Time,
	find func(tx *db.Tx) (k apikey.Key, rotations int64, found bool, err error)) (caller *access.Caller, err error) {
	forgotten := a.verified.forgotten.Load()
	err = a.db.Read(ctx, func(tx *db.Tx) error {
		k, rotations, found, err := find(tx)
		if err != nil || !found {
			return orInvalid(err)
		}
		var validUntil time.Time
		caller, validUntil, err = callerOfKey(tx, &k, rotations)
		until = earlier(until, validUntil)
		return err
	})
	if err != nil {
		return nil, err
	}
	a.verified.put(sum, caller, until, forgotten)
	return caller, nil
}

// callerOfKey returns the caller of a key by a secret that came after so many rotations, and until when that is valid:
// zero for ever. The maker must be active. If their role requires a second factor that they lack, the key may do as
// little as they may.
func callerOfKey(tx *db.Tx, k *apikey.Key, rotations int64) (*access.Caller, time.Time, error) {
	until, valid := k.ValidUntil(rotations, tx.ServerNow())
	if !valid {
		return nil, until, errInvalidKey
	}
	maker, _, err := admin.FindByID(tx, k.MakerID)
	if err != nil || !maker.Active {
		return nil, until, orInvalid(err)
	}
	rights, err := maker.Caller(tx)
	if err != nil {
		return nil, until, err
	}
	caller := k.Caller(&rights, maker.Name())
	caller.MustEnroll, err = mustEnroll(tx, &user{Caller: rights, roleID: maker.RoleID, createdAt: maker.CreatedAt})
	return caller, until, err
}

// FindCaller returns what an administrator or an API key may do now, by their id, and nil if they may not call: gone,
// switched off, expired, or without the second factor that their role requires.
func FindCaller(tx *db.Tx, id string) (*access.Caller, error) {
	a, found, err := admin.FindByID(tx, id)
	switch {
	case err != nil || found && !a.Active:
		return nil, err
	case found:
		caller, err := a.Caller(tx)
		return &caller, err
	}
	k, found, err := apikey.Find(tx, id)
	if err != nil || !found {
		return nil, err
	}
	caller, _, err := callerOfKey(tx, &k, k.Rotations())
	if errors.Is(err, errInvalidKey) || err == nil && caller.MustEnroll {
		return nil, nil
	}
	return caller, err
}

// orInvalid returns err, or the error of a key that is not valid.
func orInvalid(err error) error {
	if err != nil {
		return err
	}
	return errInvalidKey
}

// earlier returns the earlier of two times, of which the zero time is never.
func earlier(one, other time.Time) time.Time {
	if one.IsZero() || !other.IsZero() && other.Before(one) {
		return other
	}
	return one
}
