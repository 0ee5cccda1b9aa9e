package auth

import (
	"encoding/base64"
	"errors"
	"mime"
	"net/url"
	"strings"
	"time"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/audit"
	"punchcard/loyalty/identity/apikey"
	"punchcard/platform/db"
	"punchcard/platform/form"
)

// oauthToken is a successful response of RFC 6749, section 5.1.
type oauthToken struct {
	AccessToken string `json:"access_token"`
	TokenType   string `json:"token_type" enum:"Bearer"`
	ExpiresIn   int64  `json:"expires_in"` // seconds
	Scope       string `json:"scope"`      // permissions in force, such as POS:VIEW
}

// oauthError is an error of RFC 6749, section 5.2.
type oauthError struct {
	Code        string `json:"error"`
	Description string `json:"error_description"`
}

func (e *oauthError) Error() string { return e.Description }

// The errors of requests for tokens.
var (
	errOAuthForm   = &oauthError{"invalid_request", "The body must be a form with one grant_type."}
	errOAuthGrant  = &oauthError{"unsupported_grant_type", "The only grant type is client_credentials."}
	errOAuthTwice  = &oauthError{"invalid_request", "The credentials must be sent in one way only."}
	errOAuthClient = &oauthError{"invalid_client", "The client id or the secret is not valid."}
	errOAuthFrom   = &oauthError{"unauthorized_client", "This key cannot be used from your address."}
)

// tokenRequest is the body of a request for a token.
type tokenRequest struct{ grantType, clientID, secret string }

func readTokenRequest(g *form.Group) tokenRequest {
	return tokenRequest{g.Text("grant_type"), g.Text("client_id"), g.Verbatim("client_secret")}
}

func (a *Auth) oauthEndpoint() api.Endpoint {
	request := api.InCall(nil, grantOf).DescribedAs(nil, api.Reads(readTokenRequest))
	return api.Endpoint{Method: "POST", Path: "/oauth/token", Access: access.Public(), Factor: api.NoSession,
		Do: api.Respond(request, a.giveToken).First(uncached), Unkeyed: true,
		Summary: "Exchange the id and the secret of an API key for an access token (RFC 6749, client credentials)",
		Audit:   api.Audited("AuthenticationSuccess", "key"),
		Also:    map[int]any{400: oauthError{}, 401: oauthError{}}, NoDryRun: api.LogsIn}
}

func uncached(c *api.Call) error {
	c.ResponseHeader().Set("Cache-Control", "no-store")
	return nil
}

// giveToken returns a token that stands for an API key: docs/behaviour/keys.md#oauth-20.
func (a *Auth) giveToken(c *api.Call, r tokenRequest) (oauthToken, error) {
	token, err := a.tokenFor(c, r)
	return token, asOAuth(c, err)
}

// asOAuth gives the errors of requests for tokens the responses of RFC 6749.
func asOAuth(c *api.Call, err error) error {
	refused, ok := errors.AsType[*oauthError](err)
	switch {
	case !ok:
		return err
	case refused != errOAuthClient:
		return &api.Reply{Status: 400, Body: refused}
	}
	c.ResponseHeader().Set("Www-Authenticate", `Basic realm="punchcard"`)
	return &api.Reply{Status: 401, Body: refused}
}

// grantOf reads the request, with the credentials of its header Authorization or of its body.
func grantOf(c *api.Call) (tokenRequest, error) {
	r, err := readGrant(c)
	return r, asOAuth(c, err)
}

func readGrant(c *api.Call) (r tokenRequest, err error) {
	media, _, err := mime.ParseMediaType(c.Header.Get("Content-Type"))
	if err != nil || media != "application/x-www-form-urlencoded" {
		return r, errOAuthForm
	}
	body, err := c.Body()
	if err != nil {
		return r, err
	}
	g := form.Read(body)
	r = readTokenRequest(g)
	switch {
	case g.Err() != nil || r.grantType == "":
		return r, errOAuthForm
	case r.grantType != "client_credentials":
		return r, errOAuthGrant
	}
	scheme, basic, found := strings.Cut(c.Header.Get("Authorization"), " ")
	switch {
	case !found:
		return r, nil
	case r.secret != "":
		return r, errOAuthTwice
	case !strings.EqualFold(scheme, "Basic"):
		return r, errOAuthClient
	}
	id, secret, ok := parseBasic(basic)
	if !ok || r.clientID != "" && r.clientID != id {
		return r, errOAuthClient
	}
	r.clientID, r.secret = id, secret
	return r, nil
}

// parseBasic parses credentials of the scheme Basic, which are encoded as forms are (RFC 6749, section 2.3.1).
func parseBasic(text string) (id, secret string, ok bool) {
	decoded, err := base64.StdEncoding.DecodeString(strings.TrimSpace(text))
	id, secret, ok = strings.Cut(string(decoded), ":")
	id, noID := url.QueryUnescape(id)
	secret, noSecret := url.QueryUnescape(secret)
	return id, secret, ok && err == nil && noID == nil && noSecret == nil
}

// tokenFor signs a token for the key of the credentials. It expires with the secret, after keyTokenLife at most.
func (a *Auth) tokenFor(c *api.Call, r tokenRequest) (oauthToken, error) {
	if !apikey.IsSecret(r.secret) {
		return oauthToken{}, errOAuthClient
	}
	now := a.db.Now()
	until := now.Add(min(keyTokenLife, a.config.TokenLife))
	var caller *access.Caller
	var rotations int64
	err := c.Step(func(tx *db.Tx) error { // writes the entry of the audit log
		k, of, found, err := apikey.FindBySecret(tx, r.secret)
		if err == nil && (!found || k.ID != strings.ToLower(r.clientID)) {
			err = errOAuthClient
		}
		if err != nil {
			return err
		}
		var validUntil time.Time
		caller, validUntil, err = callerOfKey(tx, &k, of)
		rotations, until = of, earlier(until, validUntil)
		if err != nil {
			return err
		}
		audit.Of(tx).SetEntity(k.ID)
		audit.Of(tx).SetUser(caller)
		if err := c.TakeKey(caller); err != nil {
			return err
		}
		return a.useKey(c.Request, caller)
	})
	switch {
	case errors.Is(err, errInvalidKey):
		return oauthToken{}, errOAuthClient
	case errors.Is(err, errKeyAddress):
		return oauthToken{}, errOAuthFrom
	case err != nil:
		return oauthToken{}, err
	}
	signing, err := a.keys.signing(c.Context())
	if err != nil {
		return oauthToken{}, err
	}
	signed, err := signing.sign(claims{
		RegisteredClaims: registered(now, until), Username: caller.Username, Roles: []access.Role{caller.Role},
		ID: caller.ID, Permissions: caller.Permissions, Key: true, Rotations: rotations,
	})
	return oauthToken{signed, "Bearer", int64(until.Sub(now) / time.Second), scopeOf(caller)}, err
}

// scopeOf lists the permissions of a caller.
func scopeOf(caller *access.Caller) string {
	var scope []string
	for _, resource := range access.Resources {
		for _, granted := range []string{access.View, access.Modify} {
			if caller.Allowed(resource, granted) {
				scope = append(scope, resource+":"+granted)
			}
		}
	}
	return strings.Join(scope, " ")
}
