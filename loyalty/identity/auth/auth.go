// Package auth tells who is calling: it logs people in, keeps their sessions, signs and verifies their
// tokens, and limits guessing.
package auth

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"punchcard/api/access"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/limit"
)

// The defaults of Config.
const (
	DefaultTokenLife    = 24 * time.Hour
	DefaultRefreshLife  = 30 * 24 * time.Hour
	DefaultRecheck      = 10 * time.Second
	DefaultCachedTokens = 65536
)

// RefreshOverlap is for how long after its first use a refresh token gives further pairs, to clients that
// refresh in parallel. A later use ends the session.
const RefreshOverlap = time.Minute

const (
	// MinMasterKey is how many bytes the master key has at least.
	MinMasterKey = 16

	expiredAtOnce = 1000 // sessions and refresh tokens deleted by one write
)

// Config says how long tokens live and how often one may guess. A zero means the default of its name.
// Failures are counted by each node for itself.
type Config struct {
	DB     *db.DB
	Stores *store.Directory

	TokenLife    time.Duration // of an access token
	RefreshLife  time.Duration // of a refresh token that is not used
	Recheck      time.Duration // after which ended sessions, inactive customers and staff are read again
	CachedTokens int           // verified tokens that are remembered, about 300 bytes each

	MasterKey string // permanent key of the super administrator "api"; empty for none

	// The limits of failed log-ins; none by default.
	PairLimit    limit.Rate // of one account from one IPv4 address or /48 network of IPv6
	AccountLimit limit.Rate // of one account; does not apply to networks from which it was used before
	AddressLimit limit.Rate // from one IPv4 address or /64 network of IPv6
}

func (c *Config) fillIn() {
	c.TokenLife = cmp.Or(c.TokenLife, DefaultTokenLife)
	c.RefreshLife = cmp.Or(c.RefreshLife, DefaultRefreshLife)
	c.Recheck = cmp.Or(c.Recheck, DefaultRecheck)
	c.CachedTokens = cmp.Or(c.CachedTokens, DefaultCachedTokens)
}

// The answers to those who may not come in. None tells which part of it was wrong.
var (
	errBadCredentials = fault.New(fault.Unauthenticated, "bad_credentials", "Bad credentials")
	errInvalidToken   = fault.New(fault.Unauthenticated, "invalid_token", "Invalid JWT Token")
	errExpiredToken   = fault.New(fault.Unauthenticated, "expired_token", "Expired JWT Token")
	errInvalidRefresh = fault.New(fault.Unauthenticated, "invalid_refresh_token", "Invalid refresh token")
	errNotActive      = fault.New(fault.Inactive, "account_not_active", "Your account is not active")
	errUnknownKey     = fault.New(fault.UnknownKey, "unknown_permanent_token", "Username could not be found.")
)

// Auth knows who may come in. It is safe for concurrent use.
type Auth struct {
	db        *db.DB
	stores    *store.Directory
	config    Config
	keys      *keyring
	parser    *jwt.Parser
	verified  *cache
	revoked   revocations
	reused    atomic.Int64
	pairs     *limit.Limiter
	accounts  *limit.Limiter
	addresses *limit.Limiter
	masterSum [sha256.Size]byte
}

// New reads the signing keys, and makes the first one when there is none.
func New(ctx context.Context, config Config) (*Auth, error) {
	config.fillIn()
	if n := len(config.MasterKey); n > 0 && n < MinMasterKey {
		return nil, fmt.Errorf("auth: the master key has %d bytes, less than %d", n, MinMasterKey)
	}
	keys, err := openKeyring(ctx, config.DB, config.TokenLife)
	if err != nil {
		return nil, err
	}
	return &Auth{
		db: config.DB, stores: config.Stores, config: config, keys: keys,
		parser:    newParser(config.DB.Now),
		verified:  newCache(config.CachedTokens),
		pairs:     limit.New("login-account-address", config.PairLimit, limit.DefaultKeys),
		accounts:  limit.New("login-account", config.AccountLimit, limit.DefaultKeys),
		addresses: limit.New("login-address", config.AddressLimit, limit.DefaultKeys),
		masterSum: permanentSum(config.MasterKey),
	}, nil
}

// CacheCounts are how often a token was among the verified ones, and how often it was verified anew.
func (a *Auth) CacheCounts() (hits, misses int64) { return a.verified.counts() }

// Reused is how many sessions this node ended because a used refresh token came again.
func (a *Auth) Reused() int64 { return a.reused.Load() }

// Forget makes the next request of a user be verified anew, so that a change of them counts at once on this
// node; other nodes notice it within Config.Recheck.
func (a *Auth) Forget(userID string) {
	a.revoked.readAgain()
	a.verified.forget(func(c *access.Caller) bool { return c.ID == userID })
}

// DeleteExpired deletes the refresh tokens and the sessions that have expired, and returns how many of both.
func (a *Auth) DeleteExpired(ctx context.Context) (done int64, err error) {
	for _, deleteSome := range []func(*db.Tx, int) (int64, error){deleteExpiredTokens, deleteExpiredSessions} {
		for deleted := int64(expiredAtOnce); deleted == expiredAtOnce; done += deleted {
			err := a.db.Write(ctx, func(tx *db.Tx) (err error) {
				deleted, err = deleteSome(tx, expiredAtOnce)
				return err
			})
			if err != nil {
				return done, err
			}
		}
	}
	return done, nil
}

// user is somebody who may be logged in, as the database has them now.
type user struct {
	access.Caller
	lastLoginAt time.Time // zero for never
}
