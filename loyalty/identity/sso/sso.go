// Package sso signs administrators and sellers in by the identity providers of their organization, with OpenID Connect:
// docs/behaviour/single-sign-on.md.
package sso

import (
	"crypto/sha256"
	"encoding/hex"
	"time"

	"punchcard/core/access"
	"punchcard/loyalty/identity/auth"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/limit"
	"punchcard/platform/outbound"
)

// The limits of single sign-on.
const (
	ProviderLimit = 20               // providers of an installation, and of a store
	GrantLimit    = 200              // groups in each list of a provider
	IdentityLimit = 10               // identities of an administrator or seller
	AttemptLife   = 10 * time.Minute // from the start of a log-in to its end
	TalkTimeout   = 20 * time.Second // all calls to the provider for one request

	// LogoutAge is the age of a logout token from which it is refused, and the time for which used ones are remembered
	// is at least that.
	LogoutAge = 10 * time.Minute

	expiredAtOnce = 1000 // attempts or logout tokens that one transaction deletes
)

// Errors of single sign-on.
var (
	ErrTooMany = fault.New(fault.Refused, "too_many_identity_providers", "There are too many identity providers.")
	ErrAway    = fault.New(fault.Refused, "identity_provider_away", "The identity provider cannot be reached: %s.")
	ErrNotOIDC = fault.New(fault.Refused, "identity_provider_wrong",
		"The address answers, but not as the identity provider with this issuer.")
	ErrAttempt = fault.New(fault.Refused, "sign_in_expired",
		"This sign-in has expired, was already used, or began in another browser.")
	ErrToken    = fault.New(fault.Refused, "identity_refused", "The answer of the identity provider is not valid.")
	ErrNoRights = fault.New(fault.Refused, "no_rights_by_groups", "None of your groups has rights here.")
	ErrExists   = fault.New(fault.Refused, "account_not_linked",
		"There is an account with your e-mail address. Sign in to it, and link it.")
	ErrDisabled  = fault.New(fault.Refused, "account_disabled", "Your account is not active.")
	ErrTaken     = fault.New(fault.Refused, "identity_linked_elsewhere", "Another account is linked with this identity.")
	ErrManyLinks = fault.New(fault.Refused, "too_many_identities", "The account has too many identities.")
	ErrLastWay   = fault.New(fault.Refused, "last_way_to_sign_in",
		"This is the only way to sign in to the account: set a password first.")
	ErrNotLinked = fault.New(fault.Refused, "not_linked",
		"Link your own account with an identity provider that is switched on first.")
	ErrNoAddress = fault.New(fault.Refused, "public_address_unknown",
		"The server does not know its own address: set --public-url.")
	ErrLogout = fault.New(fault.Refused, "logout_token_refused", "The logout token is not valid.")
	ErrNoMail = fault.New(fault.Refused, "no_verified_email",
		"The identity provider does not name a verified e-mail address, which a new seller needs.")
	ErrOnlyStore = fault.New(fault.Refused, "account_of_one_store",
		"The identity provider of a store made this account: it cannot be linked with another one.")
	ErrNoSellerProvider = fault.New(fault.Refused, "no_provider_for_sellers",
		"Switch a provider on that lets sellers in first.")
)

// Config configures single sign-on. Auth, Client and Base are required.
type Config struct {
	Auth     *auth.Auth
	Client   *outbound.Client
	Base     func() string  // where browsers reach the server, without a slash at its end; empty if unknown
	Attempts *limit.Limiter // of one client address; nil for no limit
	Timeout  time.Duration  // TalkTimeout when 0
}

// Service signs administrators and sellers in.
type Service struct{ Config }

// New returns the service.
func New(c Config) *Service {
	if c.Timeout == 0 {
		c.Timeout = TalkTimeout
	}
	return &Service{c}
}

// Provider is an identity provider.
type Provider struct {
	StoreKey     int64 // 0 for one of the installation
	ID           string
	Name         string
	Issuer       string
	ClientID     string
	clientSecret string
	Scopes       []string // besides openid
	GroupClaim   string
	Grants       []Grant       // of roles in all stores, or in the store of the provider
	StoreGrants  []StoreGrant  // of a provider of the installation
	SellerGrants []SellerGrant // of a provider of a store
	Enabled      bool
	CreatedAt    time.Time
}

// Grant gives the users of a group a role. Of several grants that match, the first counts.
type Grant struct {
	Group  string `json:"group"` // exactly as the provider writes it
	RoleID int64  `json:"roleId"`
}

// StoreGrant gives the users of a group a role in one store. Of several for a store that match, the first counts.
type StoreGrant struct {
	Group   string `json:"group"`
	StoreID string `json:"storeId"`
	RoleID  int64  `json:"roleId"`
}

// SellerGrant lets the users of a group be sellers. Of several that match, the first counts.
type SellerGrant struct {
	Group string `json:"group"`
	POSID string `json:"posId,omitempty"` // where they sell; empty leaves it to administrators
}

// identity is a user of a provider. What a provider of a store says never meets what others say of the same user.
type identity struct {
	storeKey        int64       // of the provider; 0 for one of the installation
	role            access.Role // of the account
	issuer, subject string
	id              string
	userID          string
	linkedAt        time.Time
	lastUsedAt      time.Time // zero if never
}

// attempt is a log-in or a link that a browser has begun.
type attempt struct {
	stateHash   string
	browserHash string
	storeKey    int64 // of the provider; 0 for one of the installation
	providerID  string
	role        access.Role // of who signs in or links
	userID      string      // who links an identity; empty for a log-in
	expiresAt   time.Time
}

// hash is the hash of a random secret.
func hash(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// deleteExpired deletes expired attempts and logout tokens, and returns their number.
func deleteExpired(tx *db.Tx) (int64, error) {
	attempts, err := deleteExpiredAttempts(tx)
	if err != nil {
		return attempts, err
	}
	logouts, err := deleteExpiredLogouts(tx)
	return attempts + logouts, err
}
