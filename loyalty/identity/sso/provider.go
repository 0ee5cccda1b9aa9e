package sso

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"punchcard/core/access"
	"punchcard/platform/db"
	"punchcard/platform/form"
	"punchcard/platform/outbound"
)

// The maximum lengths of texts, in characters, and of lists.
const (
	nameLimit   = 255
	secretLimit = 1000
	scopeLimit  = 20
)

// DefaultGroupClaim is the claim with the groups of a user, unless the provider has another one.
const DefaultGroupClaim = "groups"

// Errors of the fields of a provider.
var (
	errNotHTTPS   = form.Invalid("not_https")
	errSecretGone = form.Invalid("secret_needed")
	errManyScopes = form.Invalid("too_many_scopes")
	errScope      = form.Invalid("not_a_scope")
	errTaken      = form.Invalid("provider_id_taken")
)

// draft is the submitted data of a provider. A new one may have an id, so that its redirect URI is known before.
type draft struct {
	Provider
	secret string // empty keeps the present one
}

// readIssuer reads the address of a provider.
func readIssuer(g *form.Group, client *outbound.Client) string {
	return g.Text("issuer", client.URLRules(form.NotBlank, form.Matches(errNotHTTPS, isProtected))...)
}

// readNew reads a new provider of a store, or of the installation for 0.
func readNew(g *form.Group, client *outbound.Client, storeKey int64) draft {
	d := readDraft(g, client, storeKey)
	d.ID = g.UUID("providerId")
	return d
}

// readDraft reads a provider of a store, or of the installation for 0.
func readDraft(g *form.Group, client *outbound.Client, storeKey int64) draft {
	d := draft{
		Provider: Provider{
			StoreKey:   storeKey,
			Name:       g.Text("name", form.NotBlank, form.MaxLength(nameLimit)),
			Issuer:     readIssuer(g, client),
			ClientID:   g.Text("clientId", form.NotBlank, form.MaxLength(nameLimit)),
			Scopes:     g.Texts("scopes", form.MaxLength(nameLimit), form.Matches(errScope, isScope)),
			GroupClaim: g.Text("groupClaim", form.MaxLength(nameLimit)),
			Enabled:    g.Checkbox("enabled"),
		},
		secret: g.Verbatim("clientSecret", form.MaxLength(secretLimit)),
	}
	d.Scopes = slices.DeleteFunc(append([]string{}, d.Scopes...), func(scope string) bool { return scope == "openid" })
	if len(d.Scopes) > scopeLimit {
		g.AddError("scopes", errManyScopes)
	}
	if d.GroupClaim == "" {
		d.GroupClaim = DefaultGroupClaim
	}
	d.Grants = readGrants(g)
	if storeKey == 0 {
		d.StoreGrants = readStoreGrants(g)
	} else {
		d.SellerGrants = readSellerGrants(g)
	}
	return d
}

// isScope reports whether a text is a scope of OAuth 2.0. Blank ones are left out.
func isScope(text string) bool {
	return !strings.ContainsFunc(text, func(c rune) bool { return c <= ' ' || c > '~' || c == '"' || c == '\\' })
}

// isProtected reports whether what is sent to an address can neither be read nor changed on the way.
func isProtected(text string) bool {
	u, err := url.Parse(text)
	if err != nil || u.Scheme == "https" {
		return true // other rules refuse what is no address
	}
	host := u.Hostname()
	return host == "localhost" || host == "127.0.0.1" || host == "::1"
}

// add adds a provider.
func add(tx *db.Tx, g *form.Group, d draft, by *access.Caller) (Provider, error) {
	if err := lockAccounts(tx, access.Administrator, d.StoreKey); err != nil {
		return Provider{}, err
	}
	all, err := allProviders(tx, d.StoreKey)
	if err == nil && len(all) >= ProviderLimit {
		err = ErrTooMany
	}
	if err != nil {
		return Provider{}, err
	}
	if err := d.checkGrants(tx, g, by); err != nil {
		return Provider{}, err
	}
	p := d.Provider
	if p.ID == "" {
		p.ID = tx.NewID()
	} else if taken, err := isTaken(tx, p.ID); taken || err != nil {
		g.AddError("providerId", errTaken)
		return Provider{}, cmp.Or(err, g.Err())
	}
	p.clientSecret, p.CreatedAt = d.secret, tx.Now()
	return p, insertProvider(tx, &p)
}

// change replaces a provider. A blank secret keeps the present one, but it is never sent to another issuer.
func change(tx *db.Tx, g *form.Group, id string, d draft, by *access.Caller) (Provider, error) {
	if err := lockAccounts(tx, access.Administrator, d.StoreKey); err != nil {
		return Provider{}, err
	}
	former, err := findProvider(tx, d.StoreKey, id)
	if err != nil {
		return Provider{}, err
	}
	if d.secret == "" && d.Issuer != former.Issuer && former.clientSecret != "" {
		g.AddError("clientSecret", errSecretGone)
	}
	if err := d.checkGrants(tx, g, by); err != nil {
		return Provider{}, err
	}
	p := d.Provider
	p.ID, p.clientSecret, p.CreatedAt = former.ID, former.clientSecret, former.CreatedAt
	if d.secret != "" {
		p.clientSecret = d.secret
	}
	if err := deleteProvider(tx, p.StoreKey, p.ID); err != nil {
		return Provider{}, err
	}
	return p, insertProvider(tx, &p)
}
