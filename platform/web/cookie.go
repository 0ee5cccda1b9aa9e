package web

import (
	"mime"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"punchcard/platform/fault"
)

// errCrossOrigin answers requests that pages of other origins may have sent.
var errCrossOrigin = fault.New(fault.Forbidden, "cross_origin", "Forbidden")

// origins refuses what browsers send for pages of other origins.
var origins http.CrossOriginProtection

// SameOrigin refuses a request unless a page of this server sent it, as a script that sends JSON. Endpoints that read
// cookies must call it first.
func (r *Request) SameOrigin() error {
	r.ResponseHeader().Del("Access-Control-Allow-Origin") // pages of other origins cannot read the response
	contentType, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || contentType != "application/json" {
		return errCrossOrigin
	}
	if r.Header.Get("Sec-Fetch-Site") == "" && r.Header.Get("Origin") == "" { // no browser
		return errCrossOrigin
	}
	if origins.Check(r.Request) != nil {
		return errCrossOrigin
	}
	return nil
}

// IsSecure reports whether the browser keeps cookies of the page that sent the request from networks: the page came by
// HTTPS or from this machine. The connection tells, or a trusted proxy that ended the encryption. Behind another proxy
// only the browser knows.
func (r *Request) IsSecure() bool {
	if r.TLS != nil || r.proxyHasTLS() {
		return true
	}
	page, err := url.Parse(r.Header.Get("Origin"))
	if err != nil {
		return false
	}
	address, err := netip.ParseAddr(page.Hostname())
	return page.Scheme == "https" || page.Hostname() == "localhost" || err == nil && address.IsLoopback()
}

// proxyHasTLS reports whether a trusted proxy says that the client has used HTTPS.
func (r *Request) proxyHasTLS() bool {
	peer, known := parsePeer(r.RemoteAddr)
	scheme, _, _ := strings.Cut(r.Header.Get("X-Forwarded-Proto"), ",")
	return known && strings.EqualFold(strings.TrimSpace(scheme), "https") && contains(r.handler.TrustedProxies, peer)
}

// cookieName is the name of a cookie in the browser, which accepts __Host- only for a secure cookie of this very host.
func (r *Request) cookieName(name string) string {
	if r.IsSecure() {
		return "__Host-" + name
	}
	return name
}

// SecretCookie returns the value of a cookie, empty if there is none.
func (r *Request) SecretCookie(name string) string {
	cookie, err := r.Cookie(r.cookieName(name))
	if err != nil {
		return ""
	}
	return cookie.Value
}

// SetSecretCookie stores a cookie that neither scripts nor pages of other sites can use. An empty value deletes it.
func (r *Request) SetSecretCookie(name, value string, life time.Duration) {
	cookie := http.Cookie{
		Name: r.cookieName(name), Value: value, Path: "/", MaxAge: int(life / time.Second),
		HttpOnly: true, Secure: r.IsSecure(), SameSite: http.SameSiteStrictMode,
	}
	if value == "" {
		cookie.MaxAge = -1
	}
	r.ResponseHeader().Add("Set-Cookie", cookie.String())
}
