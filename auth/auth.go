// Package auth tells who is calling: it logs people in, signs and verifies their tokens, and limits guessing.
package auth

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"punchcard/access"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/limit"
	"punchcard/store"
)

// The defaults of Config.
const (
	DefaultTokenLife       = 24 * time.Hour
	DefaultRefreshLife     = 30 * 24 * time.Hour
	DefaultStaffRecheck    = 10 * time.Second
	DefaultCustomerRecheck = time.Minute
	DefaultCachedTokens    = 65536
)

const (
	// MinMasterKey is how many bytes the master key has at least.
	MinMasterKey = 16

	expiredAtOnce = 1000 // refresh tokens deleted by one write
)

// Config says how long tokens live and how often one may guess. A zero means the default of its name.
// Failures are counted by each node for itself.
type Config struct {
	DB     *db.DB
	Stores *store.Directory

	TokenLife       time.Duration // of an access token
	RefreshLife     time.Duration // of a refresh token that is not used
	StaffRecheck    time.Duration // after which an administrator or seller in use is read again
	CustomerRecheck time.Duration // after which it is asked again which customers became anonymous
	CachedTokens    int           // verified tokens that are remembered, about 300 bytes each

	MasterKey string // permanent key of the super administrator "api"; empty for none

	AccountLimit limit.Rate // of failed log-ins of one account; none by default
	AddressLimit limit.Rate // of failed log-ins from one address, or one /64 network of IPv6; none by default

	// LoggedIn runs in the transaction of a customer's log-in, before his row is locked; nil does nothing.
	LoggedIn func(tx *db.Tx, s *store.Store, customerID string) error
}

func (c *Config) fillIn() {
	c.TokenLife = cmp.Or(c.TokenLife, DefaultTokenLife)
	c.RefreshLife = cmp.Or(c.RefreshLife, DefaultRefreshLife)
	c.StaffRecheck = cmp.Or(c.StaffRecheck, DefaultStaffRecheck)
	c.CustomerRecheck = cmp.Or(c.CustomerRecheck, DefaultCustomerRecheck)
	c.CachedTokens = cmp.Or(c.CachedTokens, DefaultCachedTokens)
}

// The answers to those who may not come in. None tells which part of it was wrong.
var (
	errBadCredentials = fault.New(fault.Unauthenticated, "Bad credentials")
	errInvalidToken   = fault.New(fault.Unauthenticated, "Invalid JWT Token")
	errExpiredToken   = fault.New(fault.Unauthenticated, "Expired JWT Token")
	errInvalidRefresh = fault.New(fault.Unauthenticated, "Invalid refresh token")
	errNotActive      = fault.New(fault.Inactive, "Your account is not active")
	errUnknownKey     = fault.New(fault.UnknownKey, "Username could not be found.")
)

// Auth knows who may come in. It is safe for concurrent use.
type Auth struct {
	db        *db.DB
	stores    *store.Directory
	config    Config
	keys      *keyring
	parser    *jwt.Parser
	verified  *cache
	void      void
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
		accounts:  limit.New("login-account", config.AccountLimit, limit.DefaultKeys),
		addresses: limit.New("login-address", config.AddressLimit, limit.DefaultKeys),
		masterSum: permanentSum(config.MasterKey),
	}, nil
}

// CacheCounts are how often a token was among the verified ones, and how often it was verified anew.
func (a *Auth) CacheCounts() (hits, misses int64) { return a.verified.counts() }

// Rotate makes a new key that signs from now on. Other nodes sign with it within a minute; tokens of
// the older keys stay valid until they expire.
func (a *Auth) Rotate(ctx context.Context) error { return a.keys.rotate(ctx) }

// Forget makes the next request of a user be verified anew, so that a change of an administrator or
// seller counts at once on this node; other nodes see it after Config.StaffRecheck.
func (a *Auth) Forget(userID string) {
	a.void.readAgain()
	a.verified.forget(userID)
}

// Revoke deletes all refresh tokens of a user: the tokens he holds end with their lifetime.
func Revoke(tx *db.Tx, userID string) error { return deleteRefreshTokens(tx, userID) }

// DeleteExpired deletes the refresh tokens that nobody used for their lifetime, and returns how many.
func (a *Auth) DeleteExpired(ctx context.Context) (int64, error) {
	for done := int64(0); ; {
		var deleted int64
		err := a.db.Write(ctx, func(tx *db.Tx) (err error) {
			deleted, err = deleteExpired(tx, expiredAtOnce)
			return err
		})
		done += deleted
		if err != nil || deleted < expiredAtOnce {
			return done, err
		}
	}
}

// user is somebody who may be logged in, as the database knows him now.
type user struct {
	access.Caller
	lastLoginAt time.Time // zero for never
}
