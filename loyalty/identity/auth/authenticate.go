package auth

import (
	"context"
	"crypto/subtle"
	"strings"

	"punchcard/core/access"
	"punchcard/loyalty/identity/admin"
	"punchcard/loyalty/identity/apikey"
	"punchcard/platform/db"
	"punchcard/platform/web"
)

// master is the caller of the master key.
var master = access.Caller{Role: access.Administrator, Username: "api", Master: true, Permanent: true}

// Authenticate returns the caller of a request, or nil if there are no credentials. The caller must not be modified.
// An access token takes precedence over a permanent key.
func (a *Auth) Authenticate(r *web.Request) (*access.Caller, error) {
	caller, err := a.identify(r)
	if err == nil && caller != nil && caller.Key != nil {
		err = a.useKey(r, caller)
	}
	return caller, err
}

func (a *Auth) identify(r *web.Request) (*access.Caller, error) {
	scheme, token, found := strings.Cut(r.Header.Get("Authorization"), " ")
	if found && strings.EqualFold(scheme, "Bearer") {
		if token = strings.TrimLeft(token, " "); apikey.IsSecret(token) {
			return a.keyOfSecret(r.Context(), token)
		}
		return a.bearer(r.Context(), token)
	}
	key := r.Header.Get("X-Auth-Token")
	if apikey.IsSecret(key) {
		return a.keyOfSecret(r.Context(), key)
	}
	if key == "" && r.URL.RawQuery != "" {
		query, _ := r.Query() // the endpoint refuses a malformed query
		key = query.Child("auth_token").Text()
	}
	if key == "" {
		return nil, nil
	}
	return a.permanent(r.Context(), key)
}

// permanent finds the caller of a permanent key, which is the master key or that of an active integration.
func (a *Auth) permanent(ctx context.Context, key string) (*access.Caller, error) {
	sum, now := permanentSum(key), a.db.Now()
	if a.config.MasterKey != "" && subtle.ConstantTimeCompare(sum[:], a.masterSum[:]) == 1 {
		return &master, nil
	}
	if caller := a.verified.get(&sum, now); caller != nil {
		return caller, nil
	}
	forgotten := a.verified.forgotten.Load()
	var caller access.Caller
	err := a.db.Read(ctx, func(tx *db.Tx) error {
		found, known, err := admin.FindByAPIKey(tx, key)
		if err != nil {
			return err
		}
		if !known || !found.External || !found.Active {
			return errUnknownKey
		}
		caller, err = found.Caller(tx)
		return err
	})
	if err != nil {
		return nil, err
	}
	a.verified.put(&sum, &caller, now.Add(a.config.Recheck), forgotten)
	return &caller, nil
}
