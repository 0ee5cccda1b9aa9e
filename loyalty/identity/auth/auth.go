// Package auth authenticates callers. It handles log-ins, sessions, access and refresh tokens, permanent keys, and
// limits on password guessing: docs/behaviour/authentication.md.
package auth

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"punchcard/core/access"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/identity/apikey"
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
	// keyRecheck is how often an API key and the rights of its maker are read.
	keyRecheck = time.Second
	// keyTokenLife is the longest lifetime of a token that stands for an API key.
	keyTokenLife = 15 * time.Minute
)

// RefreshOverlap is how long a refresh token can be used again after its first use, for clients that refresh
// concurrently. A later use ends the session.
const RefreshOverlap = time.Minute

// RefreshUses is how often a refresh token can be used within RefreshOverlap, the first use included.
const RefreshUses = 20

var errManyUses = fault.New(fault.Limited, "refresh_token_used_often",
	"This refresh token was used too often. Use the newest one.").After(RefreshOverlap)

const (
	// MinMasterKey is the minimum length of the master key in bytes.
	MinMasterKey = 16

	expiredAtOnce = 1000 // sessions or refresh tokens that one transaction deletes
)

// Config configures log-ins. A zero lifetime or size means the default with the same name. Each node counts failed
// log-ins by itself.
type Config struct {
	DB     *db.DB
	Stores *store.Directory

	TokenLife    time.Duration // lifetime of an access token
	RefreshLife  time.Duration // lifetime of an unused refresh token
	Recheck      time.Duration // how often revocations and the rights of staff are read
	CachedTokens int           // capacity of the cache of verified tokens, about 300 bytes each

	PublicURL string // of the server, where a proxy changes the host of requests; may be empty

	MasterKey string // permanent key of the administrator "api" with all rights; empty for none

	StepUpPoints int64 // from which moving points by hand needs a second factor, in hundredths; 0 for none

	// Limits of failed log-ins. The zero Rate is unlimited.
	PairLimit    limit.Rate // of one account from one IPv4 address or /48 network of IPv6
	AccountLimit limit.Rate // of one account from all networks; networks from which it was used before are exempt
	AddressLimit limit.Rate // from one IPv4 address or /64 network of IPv6
}

func (c *Config) fillIn() {
	c.TokenLife = cmp.Or(c.TokenLife, DefaultTokenLife)
	c.RefreshLife = cmp.Or(c.RefreshLife, DefaultRefreshLife)
	c.Recheck = cmp.Or(c.Recheck, DefaultRecheck)
	c.CachedTokens = cmp.Or(c.CachedTokens, DefaultCachedTokens)
}

// Errors of authentication. None reveals which part of the credentials was wrong.
var (
	errBadCredentials = fault.New(fault.Unauthenticated, "bad_credentials", "Bad credentials")
	errInvalidToken   = fault.New(fault.Unauthenticated, "invalid_token", "Invalid JWT Token")
	errExpiredToken   = fault.New(fault.Unauthenticated, "expired_token", "Expired JWT Token")
	errInvalidRefresh = fault.New(fault.Unauthenticated, "invalid_refresh_token", "Invalid refresh token")
	errNotActive      = fault.New(fault.Inactive, "account_not_active", "Your account is not active")
	errInvalidKey     = fault.New(fault.Unauthenticated, "invalid_api_key", "Invalid API key")
	errKeyAddress     = fault.New(fault.Forbidden, "api_key_address", "This API key cannot be used from your address.")
	errUnknownKey     = fault.New(fault.UnknownKey, "unknown_permanent_token", "Username could not be found.")
)

// Auth authenticates callers. It is safe for concurrent use.
type Auth struct {
	db        *db.DB
	stores    *store.Directory
	config    Config
	keys      *keyring
	parser    *jwt.Parser
	verified  *cache
	uses      *apikey.Uses
	revoked   revocations
	reused    atomic.Int64
	pairs     *limit.Limiter
	accounts  *limit.Limiter
	addresses *limit.Limiter
	passkeys  *limit.Limiter // challenges that an address gets without a log-in
	masterSum [sha256.Size]byte
	warnPlain sync.Once           // that sessions of the web apps travel without encryption
	tell      func(userID string) // tells other nodes of Forget; nil without Share
}

// New reads the signing keys, and creates the first one if there is none.
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
		uses:      apikey.NewUses(config.DB),
		pairs:     limit.New("login-account-address", config.PairLimit, limit.DefaultKeys),
		accounts:  limit.New("login-account", config.AccountLimit, limit.DefaultKeys),
		addresses: limit.New("login-address", config.AddressLimit, limit.DefaultKeys),
		passkeys:  limit.New("passkey-challenge", passkeyLimit, limit.DefaultKeys),
		masterSum: permanentSum(config.MasterKey),
	}, nil
}

// CacheCounts returns the hits and misses of the cache of verified tokens.
func (a *Auth) CacheCounts() (hits, misses int64) { return a.verified.counts() }

// Reused returns how many sessions this node ended because a refresh token was reused.
func (a *Auth) Reused() int64 { return a.reused.Load() }

// Uses notes when keys were used.
func (a *Auth) Uses() *apikey.Uses { return a.uses }

func (a *Auth) sessionsEnded(tx *db.Tx, _ *store.Store, e access.SessionsEnded) error {
	return a.End(tx, e.UserID, e.Keep)
}

func (a *Auth) rightsChanged(tx *db.Tx, _ *store.Store, e access.RightsChanged) error {
	tx.AfterCommit(func() { a.Forget(e.ID) })
	return nil
}

// signal tells nodes that the rights or sessions of a user, or a key, changed.
const signal = "access"

// Signals carries short texts between nodes.
type Signals interface {
	// Tell sends a text to all nodes that can be reached, without waiting.
	Tell(signal, text string)
	// Hear calls the function with each text.
	Hear(signal string, receive func(text string)) error
}

// Share makes changes of rights and sessions count at once on all nodes that the signals reach. It is called before the
// first request.
func (a *Auth) Share(signals Signals) error {
	a.tell = func(userID string) { signals.Tell(signal, userID) }
	return signals.Hear(signal, a.forgetHere)
}

// Forget removes a user and the API keys that they made, or a key, from the cache, so that a change counts at once on
// this node and on those that hear of it. Others notice it within Config.Recheck.
func (a *Auth) Forget(userID string) {
	a.forgetHere(userID)
	if a.tell != nil {
		a.tell(userID)
	}
}

func (a *Auth) forgetHere(userID string) {
	a.revoked.readAgain()
	a.verified.forget(func(c *access.Caller) bool {
		return c.ID == userID || c.Key != nil && c.Key.MakerID == userID
	})
}

// DeleteExpired deletes expired refresh tokens and sessions, and returns their number.
func (a *Auth) DeleteExpired(ctx context.Context) (deleted int64, err error) {
	tokens, err := a.db.WriteSteps(ctx, deleteExpiredTokens)
	if err != nil {
		return tokens, err
	}
	sessions, err := a.db.WriteSteps(ctx, deleteExpiredSessions)
	return tokens + sessions, err
}

func (a *Auth) customerChanged(tx *db.Tx, _ *store.Store, e customer.Changed) error {
	if e.Before.Status != e.After.Status {
		tx.AfterCommit(func() { a.Forget(e.After.ID) })
	}
	return nil
}

// user is a user as stored, with the caller that their tokens stand for.
type user struct {
	access.Caller
	lastLoginAt time.Time // zero if never
	roleID      int64     // of administrators
	createdAt   time.Time // of staff
}
