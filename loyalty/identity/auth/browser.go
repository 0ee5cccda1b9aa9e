package auth

import (
	"cmp"
	"errors"
	"regexp"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/platform/db"
	"punchcard/platform/form"
)

// apps are the web apps. Each keeps its sessions in cookies of its own.
var apps = []string{"cockpit", "till", "me"}

// cookieStore matches codes of stores, so that they can be in names of cookies.
var cookieStore = regexp.MustCompile(`^[A-Za-z0-9_]{0,64}$`)

// browserSession is the body of the endpoint of the web apps.
type browserSession struct {
	app          string
	store        string // code; empty for the cockpit, whose users work in all stores
	refreshToken string // of a new session, which the cookie takes over; empty to go on with that of the cookie
	end          bool   // end the session of the cookie
}

func readBrowserSession(g *form.Group) browserSession {
	return browserSession{
		app:          g.Choice("app", apps, form.NotBlank),
		store:        g.Key("store", form.Matches(form.Invalid("not_a_store_code"), cookieStore.MatchString)),
		refreshToken: readRefresh(g),
		end:          g.Checkbox("end"),
	}
}

func (b *browserSession) cookie() string {
	if b.store == "" {
		return "pc-" + b.app
	}
	return "pc-" + b.app + "-" + b.store
}

// browserPair is the response to a web app. The refresh token is in the cookie alone.
type browserPair struct {
	Token string `json:"token,omitempty"` // access token, which the page keeps in memory; none after the end
}

// inBrowser keeps the session of a web app in a cookie that scripts cannot read:
// docs/behaviour/authentication.md#sessions-of-the-web-apps.
func (a *Auth) inBrowser(c *api.Call, wanted browserSession) (response browserPair, err error) {
	cookie := wanted.cookie()
	token := cmp.Or(wanted.refreshToken, c.SecretCookie(cookie))
	if wanted.end {
		c.SetSecretCookie(cookie, "", 0)
		return response, a.endOfToken(c, token, "")
	}
	from := clientOf(c)
	from.browser = true
	done, err := a.use(c, token, from)
	if err != nil {
		if errors.Is(err, errInvalidRefresh) && wanted.refreshToken == "" {
			c.SetSecretCookie(cookie, "", 0)
		}
		return response, err
	}
	if former := c.SecretCookie(cookie); former != "" && wanted.refreshToken != "" {
		// Nobody else has the session of the cookie, which is replaced.
		if err := a.endOfToken(c, former, done.user.Session); err != nil {
			return response, err
		}
	}
	response.Token, err = a.tokenInBrowser(c, cookie, &done.user, done.next)
	return response, err
}

// tokenInBrowser returns an access token, and sends the refresh token in a cookie.
func (a *Auth) tokenInBrowser(c *api.Call, cookie string, u *user, refresh string) (string, error) {
	if !c.IsSecure() {
		a.warnPlain.Do(func() {
			a.db.Log().Warn("sessions of the web apps are not protected from the network: serve them by HTTPS")
		})
	}
	signed, err := a.Issue(c.Context(), &u.Caller, u.lastLoginAt)
	if err == nil {
		c.SetSecretCookie(cookie, refresh, a.config.RefreshLife)
	}
	return signed, err
}

// endOfToken ends the session of a refresh token, unless it is the one to keep. A token of nobody has none.
func (a *Auth) endOfToken(c *api.Call, token, keep string) error {
	return c.Step(func(tx *db.Tx) error { return a.endByToken(tx, token, keep) })
}

func (a *Auth) endByToken(tx *db.Tx, token, keep string) error {
	s, found, err := sessionOfToken(tx, hashRefreshToken(token))
	if err != nil || !found || s.id == keep {
		return err
	}
	if s, found, err = lockSession(tx, s.id); err != nil || !found {
		return err
	}
	return a.endOne(tx, &s)
}

func (a *Auth) browserEndpoint() api.Endpoint {
	return api.Endpoint{Method: "POST", Path: "/api/session", Access: access.Public(), Factor: api.NoSession,
		Do:      api.Respond(api.Body("", readBrowserSession), a.inBrowser).First((*api.Call).SameOrigin),
		Summary: "Renew or end the session of a web app, which is kept in a cookie",
		Audit:   api.Audited("RefreshToken", "token"), Unkeyed: true, NoDryRun: api.LogsIn}
}
