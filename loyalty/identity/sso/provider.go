package sso

import (
	"net/url"
	"slices"
	"strings"

	"punchcard/api/access"
	"punchcard/loyalty/identity/admin"
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
	errRole       = form.Invalid("unknown_role")
	errTwice      = form.Invalid("group_twice")
	errManyGroups = form.Invalid("too_many_groups")
	errManyScopes = form.Invalid("too_many_scopes")
	errScope      = form.Invalid("not_a_scope")
)

// draft is the submitted data of a provider.
type draft struct {
	Provider
	secret string // empty keeps the present one
}

// readDraft reads a provider.
func readDraft(g *form.Group, client *outbound.Client) draft {
	d := draft{
		Provider: Provider{
			Name: g.Text("name", form.NotBlank, form.MaxLength(nameLimit)),
			Issuer: g.Text("issuer", client.URLRules(form.NotBlank,
				form.Matches(errNotHTTPS, isProtected))...),
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
	return d
}

func readGrants(g *form.Group) []Grant {
	entries, grants := g.Groups("grants"), []Grant{}
	if len(entries) > GrantLimit {
		g.AddError("grants", errManyGroups)
		return grants
	}
	for _, entry := range entries {
		one := Grant{
			Group:  entry.Text("group", form.NotBlank, form.MaxLength(nameLimit)),
			RoleID: entry.Integer("roleId", form.NotBlank, form.AtLeast(1)),
		}
		if slices.ContainsFunc(grants, func(o Grant) bool { return o.Group == one.Group }) {
			entry.AddError("group", errTwice)
		}
		grants = append(grants, one)
	}
	return grants
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

// checkGrants adds an error for each role that does not exist, that has rights that the caller lacks, or that is the
// master role, which no group gives. The caller holds admin.LockRoles.
func checkGrants(tx *db.Tx, g *form.Group, grants []Grant, by *access.Caller) error {
	entries := g.Groups("grants")
	for i, grant := range grants {
		role, found, err := admin.FindRole(tx, grant.RoleID)
		if err != nil {
			return err
		}
		if !found || role.Master || !role.Within(by) {
			entries[i].AddError("roleId", errRole)
		}
	}
	return g.Err()
}

// add adds a provider.
func add(tx *db.Tx, g *form.Group, d draft, by *access.Caller) (Provider, error) {
	if err := admin.LockRoles(tx); err != nil {
		return Provider{}, err
	}
	all, err := allProviders(tx)
	if err == nil && len(all) >= ProviderLimit {
		err = ErrTooMany
	}
	if err != nil {
		return Provider{}, err
	}
	if err := checkGrants(tx, g, d.Grants, by); err != nil {
		return Provider{}, err
	}
	p := d.Provider
	p.ID, p.clientSecret, p.CreatedAt = tx.NewID(), d.secret, tx.Now()
	return p, insertProvider(tx, &p)
}

// change replaces a provider. A blank secret keeps the present one, but it is never sent to another issuer.
func change(tx *db.Tx, g *form.Group, id string, d draft, by *access.Caller) (Provider, error) {
	if err := admin.LockRoles(tx); err != nil {
		return Provider{}, err
	}
	former, err := lockProvider(tx, id)
	if err != nil {
		return Provider{}, err
	}
	if d.secret == "" && d.Issuer != former.Issuer && former.clientSecret != "" {
		g.AddError("clientSecret", errSecretGone)
	}
	if err := checkGrants(tx, g, d.Grants, by); err != nil {
		return Provider{}, err
	}
	p := d.Provider
	p.ID, p.clientSecret, p.CreatedAt = former.ID, former.clientSecret, former.CreatedAt
	if d.secret != "" {
		p.clientSecret = d.secret
	}
	return p, updateProvider(tx, &p)
}
