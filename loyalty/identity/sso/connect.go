package sso

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"punchcard/core/api"
	"punchcard/loyalty/identity/auth"
	"punchcard/platform/db"
	"punchcard/platform/outbound"
)

// conversation is one exchange with a provider. Its document and keys are read anew each time, so that changed ones
// count at once on all nodes.
type conversation struct {
	of       *Provider
	keys     *keySet
	names    bool // the provider names itself to the browser: RFC 9207
	document *oidc.Provider
	verifier *oidc.IDTokenVerifier
	oauth    oauth2.Config
}

// keySet are the keys of a provider. It keeps why they could not be read, which the library only describes.
type keySet struct {
	oidc.KeySet
	address string
	err     error
}

// VerifySignature returns the payload of a signed token.
func (k *keySet) VerifySignature(ctx context.Context, token string) (payload []byte, err error) {
	payload, k.err = k.KeySet.VerifySignature(ctx, token)
	return payload, k.err
}

// algorithms are those that sign with a private key. Tokens with another one, such as none, are refused.
var algorithms = []string{
	oidc.RS256, oidc.RS384, oidc.RS512, oidc.ES256, oidc.ES384, oidc.ES512, oidc.PS256, oidc.PS384, oidc.PS512, oidc.EdDSA,
}

// converse reads the document of a provider, and talks to it. All calls end within the timeout of the service.
func (s *Service) converse(c *api.Call, p *Provider, talk func(context.Context, *conversation) error) error {
	ctx, stop := context.WithTimeout(oidc.ClientContext(c.Context(), s.Client.Standard()), s.Timeout)
	defer stop()
	provider, err := s.connect(ctx, p, c.DB())
	if err != nil {
		return err
	}
	return talk(ctx, provider)
}

// connect reads the document of a provider.
func (s *Service) connect(ctx context.Context, p *Provider, clock *db.DB) (*conversation, error) {
	document, err := oidc.NewProvider(ctx, p.Issuer)
	if err != nil {
		return nil, explain(err)
	}
	var more struct {
		Keys        string   `json:"jwks_uri"`
		AuthMethods []string `json:"token_endpoint_auth_methods_supported"`
		Names       bool     `json:"authorization_response_iss_parameter_supported"`
	}
	endpoint := document.Endpoint()
	if document.Claims(&more) != nil || !isPage(endpoint.AuthURL) || !isPage(endpoint.TokenURL) || !isPage(more.Keys) {
		return nil, ErrNotOIDC
	}
	endpoint.AuthStyle = oauth2.AuthStyleInHeader // the default of OpenID Connect
	if len(more.AuthMethods) > 0 && !slices.Contains(more.AuthMethods, "client_secret_basic") {
		endpoint.AuthStyle = oauth2.AuthStyleInParams
	}
	keys := &keySet{KeySet: oidc.NewRemoteKeySet(ctx, more.Keys), address: more.Keys}
	return &conversation{
		of: p, keys: keys, names: more.Names, document: document,
		verifier: oidc.NewVerifier(p.Issuer, keys, &oidc.Config{
			ClientID: p.ClientID, SupportedSigningAlgs: algorithms, Now: clock.Now,
		}),
		oauth: oauth2.Config{
			ClientID: p.ClientID, ClientSecret: p.clientSecret, Endpoint: endpoint,
			RedirectURL: s.returnTo(p), Scopes: append([]string{oidc.ScopeOpenID}, p.Scopes...),
		},
	}, nil
}

// returnTo returns the address to which a provider sends browsers back. Each has its own, so that a code never reaches
// another provider than the one that made it.
func (s *Service) returnTo(p *Provider) string { return s.Base() + ReturnPath + p.ID }

// isPage reports whether a text is the address of a web page.
func isPage(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != ""
}

// try reads the document of a provider and its keys.
func (s *Service) try(c *api.Call, p *Provider) error {
	return s.converse(c, p, func(ctx context.Context, provider *conversation) error {
		response, err := s.Client.Do(ctx, outbound.Call{Method: "GET", URL: provider.keys.address})
		var set struct {
			Keys []json.RawMessage `json:"keys"`
		}
		switch {
		case err != nil:
			return ErrAway.With(err)
		case !response.OK() || json.Unmarshal(response.Body, &set) != nil || len(set.Keys) == 0:
			return ErrNotOIDC
		}
		return nil
	})
}

// explain tells a provider that does not answer from one that answers something else. What it answered is not shown.
func explain(err error) error {
	if _, is := errors.AsType[*url.Error](err); is {
		return ErrAway.With(outbound.Cause(err)).WithCause(outbound.Cause(err))
	}
	if _, is := errors.AsType[net.Error](err); is || errors.Is(err, context.DeadlineExceeded) {
		return ErrAway.With("no answer in time")
	}
	return ErrNotOIDC
}

// bind returns the secret of an attempt at the provider. It differs for each provider, issuer and client, even if the
// cookie is the same.
func (p *Provider) bind(cookie string) string {
	return derive("provider "+p.ID+"\x00"+p.Issuer+"\x00"+p.ClientID+"\x00", cookie)
}

// The secret of an attempt makes its nonce and its PKCE verifier, so that the database holds neither.
func nonceOf(secret string) string    { return derive("nonce ", secret) }
func verifierOf(secret string) string { return derive("verifier ", secret) }

func derive(use, secret string) string {
	sum := sha256.Sum256([]byte(use + secret))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// pageFor returns the address of the page of the provider where the user signs in. If fresh, the provider asks again
// who the user is, even if it knows them, and says when it did.
func (c *conversation) pageFor(state, secret string, fresh bool) string {
	options := []oauth2.AuthCodeOption{oidc.Nonce(nonceOf(secret)), oauth2.S256ChallengeOption(verifierOf(secret))}
	if fresh {
		seconds := strconv.Itoa(int(auth.StepUpLife / time.Second))
		options = append(options, oauth2.SetAuthURLParam("prompt", "login"), oauth2.SetAuthURLParam("max_age", seconds))
	}
	return c.oauth.AuthCodeURL(state, options...)
}

// identify exchanges a code for the person whom the provider has signed in.
func (c *conversation) identify(ctx context.Context, given returned, secret string) (*person, error) {
	if given.issuer != c.of.Issuer && (c.names || given.issuer != "") {
		return nil, ErrToken
	}
	token, err := c.oauth.Exchange(ctx, given.code, oauth2.VerifierOption(verifierOf(secret)))
	if err != nil {
		if _, is := errors.AsType[*oauth2.RetrieveError](err); is {
			return nil, ErrToken
		}
		return nil, explain(err)
	}
	raw, _ := token.Extra("id_token").(string)
	verified, err := c.verifier.Verify(ctx, raw)
	if err != nil {
		return nil, c.refused()
	}
	if verified.Subject == "" || verified.Nonce != nonceOf(secret) {
		return nil, ErrToken
	}
	return c.read(ctx, verified, token)
}

// refused is the error of a token that did not pass, or whose keys could not be read.
func (c *conversation) refused() error {
	if err := explain(c.keys.err); errors.Is(err, ErrAway) {
		return err
	}
	return ErrToken
}
