package auth

import (
	"context"
	"crypto/sha256"
	"errors"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/platform/db"
)

const (
	issuer   = "punchcard"
	audience = "punchcard-api"

	// maxTokenBytes is far more than a token with every permission needs.
	maxTokenBytes = 8 << 10
	// usualTokenBytes is more than a token of a customer or seller needs.
	usualTokenBytes = 1 << 10
)

// claims are the content of an access token. Clients read id, roles, permissions and superAdmin.
type claims struct {
	jwt.RegisteredClaims
	Username    string              `json:"username"`
	Roles       []access.Role       `json:"roles"` // exactly one
	ID          string              `json:"id"`
	LastLoginAt *string             `json:"lastLoginAt"` // of the previous log-in; null if none
	Permissions map[string][]string `json:"permissions"` // empty for the master role
	SuperAdmin  bool                `json:"superAdmin"`
	StoreCode   string              `json:"storeCode,omitempty"` // of customers and sellers
	Session     string              `json:"sid,omitempty"`
	PINIdle     int64               `json:"pinIdle,omitempty"` // seconds of PINIdle, of a session with a PIN

	// Of a token that stands for an API key, whose id is ID.
	Key       bool  `json:"key,omitempty"`
	Rotations int64 `json:"rotations,omitempty"` // of the key before the secret that the token was given for
}

var errNoKey = errors.New("auth: no such signing key")

func newParser(clock func() time.Time) *jwt.Parser {
	return jwt.NewParser(
		jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Alg()}),
		jwt.WithIssuer(issuer), jwt.WithAudience(audience),
		jwt.WithExpirationRequired(), jwt.WithStrictDecoding(), jwt.WithTimeFunc(clock),
	)
}

// Issue signs an access token for the caller without a look at the database. The caller must have a Session.
// lastLoginAt may be zero.
func (a *Auth) Issue(ctx context.Context, caller *access.Caller, lastLoginAt time.Time) (string, error) {
	key, err := a.keys.signing(ctx)
	if err != nil {
		return "", err
	}
	now := a.db.Now()
	life, _ := a.lives(caller.PIN)
	c := claims{
		RegisteredClaims: registered(now, now.Add(life)),
		Username:         caller.Username, Roles: []access.Role{caller.Role}, ID: caller.ID,
		LastLoginAt: api.OptionalTimestamp(lastLoginAt, time.UTC),
		Permissions: caller.Permissions, SuperAdmin: caller.Master, Session: caller.Session,
	}
	if c.Permissions == nil {
		c.Permissions = map[string][]string{}
	}
	if caller.PIN {
		c.PINIdle = int64(PINIdle / time.Second)
	}
	if caller.StoreKey != 0 {
		home, found, err := a.stores.ByKey(ctx, caller.StoreKey)
		if err != nil {
			return "", err
		}
		if !found {
			return "", errors.New("auth: the caller's store does not exist")
		}
		c.StoreCode = home.Code
	}
	return key.sign(c)
}

func registered(issuedAt, expiresAt time.Time) jwt.RegisteredClaims {
	return jwt.RegisteredClaims{
		Issuer: issuer, Audience: jwt.ClaimStrings{audience},
		IssuedAt: jwt.NewNumericDate(issuedAt), ExpiresAt: jwt.NewNumericDate(expiresAt),
	}
}

func (k *signingKey) sign(c claims) (string, error) {
	token := jwt.NewWithClaims(jwt.SigningMethodHS256, c)
	token.Header["kid"] = k.id
	return token.SignedString(k.secret)
}

// bearer finds the caller of an access token.
func (a *Auth) bearer(ctx context.Context, token string) (*access.Caller, error) {
	if len(token) > maxTokenBytes {
		return nil, errInvalidToken
	}
	sum, now := sumOf(token), a.db.Now()
	if err := a.readRevocations(ctx, now); err != nil {
		return nil, err
	}
	if caller := a.verified.get(&sum, now); caller != nil {
		return caller, nil
	}
	forgotten := a.verified.forgotten.Load()
	claimed, err := a.verify(ctx, token)
	if err != nil {
		return nil, err
	}
	if claimed.Key {
		return a.keyOfToken(ctx, &sum, claimed)
	}
	caller, err := a.caller(ctx, claimed)
	if err != nil {
		return nil, err
	}
	if caller.Blocked {
		return caller, nil // not cached, so that an activation counts at once
	}
	until := claimed.ExpiresAt.Time
	if recheck := now.Add(a.config.Recheck); caller.Role != access.Customer && recheck.Before(until) {
		until = recheck
	}
	a.verified.put(&sum, caller, until, forgotten)
	return caller, nil
}

// sumOf is the key of a token in the cache. It does not allocate for tokens of usual length.
func sumOf(token string) [sha256.Size]byte {
	return sha256.Sum256(append(make([]byte, 0, usualTokenBytes), token...))
}

// verify returns the claims of a token, if one of the keys signed it and it has not expired.
func (a *Auth) verify(ctx context.Context, token string) (*claims, error) {
	var claimed claims
	var unread error
	_, err := a.parser.ParseWithClaims(token, &claimed, func(t *jwt.Token) (any, error) {
		id, _ := t.Header["kid"].(string)
		secret, found, err := a.keys.verifying(ctx, id)
		if err != nil || !found {
			unread = err
			return nil, errNoKey
		}
		return secret, nil
	})
	switch {
	case unread != nil:
		return nil, unread
	case errors.Is(err, jwt.ErrTokenExpired):
		return nil, errExpiredToken
	case err != nil || len(claimed.Roles) != 1 || claimed.Session == "" && !claimed.Key:
		return nil, errInvalidToken
	}
	return &claimed, nil
}

// caller reads the user of a token whose session was not ended. Users who are inactive or deleted by now are
// refused, blocked customers may read, and changed permissions count.
func (a *Auth) caller(ctx context.Context, claimed *claims) (*access.Caller, error) {
	if a.revoked.ended(claimed.Session) {
		return nil, errInvalidToken
	}
	role, storeKey := claimed.Roles[0], int64(0)
	if role != access.Administrator {
		// An inactive store is found too; its paths respond with 404.
		home, _, err := a.stores.ByCode(ctx, claimed.StoreCode)
		if err != nil {
			return nil, err
		}
		if home == nil {
			return nil, errInvalidToken
		}
		storeKey = home.Key
	}
	var current user
	err := a.db.Read(ctx, func(tx *db.Tx) (err error) {
		found := false
		if current, found, err = findUser(tx, role, storeKey, claimed.ID); err == nil && !found && !current.Blocked {
			err = errInvalidToken
		}
		current.PIN = claimed.PINIdle > 0
		if err == nil && !current.PIN {
			current.MustEnroll, err = mustEnroll(tx, &current)
		}
		return err
	})
	current.Session = claimed.Session
	return &current.Caller, err
}

// permanentSum is the hash of a permanent key. It differs from the hash of an access token with the same text.
func permanentSum(key string) [sha256.Size]byte { return sha256.Sum256([]byte("permanent " + key)) }
