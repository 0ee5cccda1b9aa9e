package sso_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"punchcard/core/access"
	"punchcard/loyalty/identity/admin"
	"punchcard/loyalty/identity/auth"
	"punchcard/loyalty/identity/auth/authtest"
	"punchcard/loyalty/identity/sso"
	"punchcard/platform/db"
)

// link links the account of a token with the user of the provider.
func (b *browser) link(o *office, token string) authtest.Answer {
	b.t.Helper()
	got := b.post(o.Node, token, "/api/me/identities/start", map[string]string{"provider": o.providerID})
	if got.Status != 200 {
		b.t.Fatalf("the start of a link: %d %s", got.Status, got.Body)
	}
	back := o.provider.Visit(b.t, got.Member("url"))
	body := bodyOf(back)
	const expired = "expired, was already used"
	expect(b.t, "a link as a sign-in", b.post(o.Node, "", "/api/session/finish", body), 400, expired)
	expect(b.t, "a link by another user",
		b.post(o.Node, o.Administrator("full"), "/api/me/identities", body), 400, expired)
	return b.post(o.Node, token, "/api/me/identities", body)
}

// An account is linked from its own session, keeps the master role whatever the groups say, and can be unlinked while
// another way to sign in is left.
func TestLink(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		o.provider.SignIn("boss", jwt.MapClaims{"groups": []string{"reporters"}})
		expect(t, "a link", newBrowser(t).link(o, o.super), 204, "")
		expect(t, "the same link", newBrowser(t).link(o, o.super), 204, "")
		expect(t, "the link of another account", newBrowser(t).link(o, o.Administrator("reporter")), 400,
			"Another account is linked")
		signedIn := o.signIn()
		if who := o.me(signedIn.Member("token")); !strings.Contains(who, `"username":"super"`) ||
			!strings.Contains(who, `"master":true`) {
			t.Errorf("signed in as %s", who)
		}
		list := o.Send(o.super, "GET", "/api/me/identities")
		expect(t, "the list", list, 200, `"provider":"Office"`)
		id := strings.Split(strings.SplitAfter(list.Body, `"identityId":"`)[1], `"`)[0]
		expect(t, "unlinking another account's identity",
			o.Send(o.Administrator("full"), "DELETE", "/api/me/identities/"+id), 404, "")
		expect(t, "unlinking", o.Send(o.super, "DELETE", "/api/me/identities/"+id), 204, "")
		o.provider.SignIn("boss", jwt.MapClaims{"groups": []string{"guests"}})
		expect(t, "signing in unlinked", o.signIn(), 400, "None of your groups")

		o.provider.SignIn("anna", jwt.MapClaims{"groups": []string{"reporters"}})
		anna := o.signIn().Member("token")
		list = o.Send(anna, "GET", "/api/me/identities")
		expect(t, "the list of an account without password", list, 200, `"hasPassword":false`)
		id = strings.Split(strings.SplitAfter(list.Body, `"identityId":"`)[1], `"`)[0]
		expect(t, "unlinking the only way in", o.Send(anna, "DELETE", "/api/me/identities/"+id), 400, "only way")
	})
}

// A logout token ends the sessions that it names, at once on the node that gets it and within the recheck on others.
func TestBackChannelLogout(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		other := o.Start(t)
		path := "/api/session/logout/" + o.providerID
		token := o.signIn().Member("token")
		now := o.Clock.Now()
		for name, claims := range map[string]jwt.MapClaims{
			"issuer":             {"sid": "at-home", "iss": "https://other.example"},
			"audience":           {"sid": "at-home", "aud": "another-client"},
			"a nonce":            {"sid": "at-home", "nonce": "n"},
			"no event":           {"sid": "at-home", "events": nil},
			"no id":              {"sid": "at-home", "jti": nil},
			"nobody":             {},
			"expired":            {"sid": "at-home", "exp": now.Add(-time.Second).Unix()},
			"old":                {"sid": "at-home", "iat": now.Add(-sso.LogoutAge - time.Second).Unix()},
			"without its moment": {"sid": "at-home", "iat": nil},
		} {
			got := o.Send("", "POST", path, "logout_token", o.provider.LogoutToken(t, claims))
			expect(t, name, got, 400, "logout token is not valid")
		}
		expect(t, "another session", o.Send("", "POST", path, "logout_token",
			o.provider.LogoutToken(t, jwt.MapClaims{"sid": "elsewhere"})), 200, "")
		o.me(token)
		used := o.provider.LogoutToken(t, jwt.MapClaims{"sid": "at-home"})
		expect(t, "the session", o.Send("", "POST", path, "logout_token", used), 200, "")
		expect(t, "the ended session", o.Send(token, "GET", "/api/me"), 401, "")
		o.Clock.Advance(auth.DefaultRecheck)
		expect(t, "the ended session on another node", other.Send(token, "GET", "/api/me"), 401, "")

		token = o.signIn().Member("token")
		expect(t, "the same token again", o.Send("", "POST", path, "logout_token", used), 400, "not valid")
		o.me(token)
		expect(t, "all sessions of the user", o.Send("", "POST", path, "logout_token",
			o.provider.LogoutToken(t, jwt.MapClaims{"sub": "anna"})), 200, "")
		expect(t, "an ended session of the user", o.Send(token, "GET", "/api/me"), 401, "")

		named := o.signIn().Member("token")
		o.provider.SignIn("anna", jwt.MapClaims{"groups": "reporters"}) // its ID tokens do not name the session
		token = o.signIn().Member("token")
		expect(t, "a session of another user", o.Send("", "POST", path, "logout_token",
			o.provider.LogoutToken(t, jwt.MapClaims{"sub": "bo", "sid": "elsewhere"})), 200, "")
		o.me(token)
		expect(t, "a session that the ID token did not name", o.Send("", "POST", path, "logout_token",
			o.provider.LogoutToken(t, jwt.MapClaims{"sub": "anna", "sid": "elsewhere"})), 200, "")
		expect(t, "the session without a name", o.Send(token, "GET", "/api/me"), 401, "")
		o.me(named)
	})
}

// A provider that is away, does not answer, or is none gives an error that says so, soon.
func TestProviderAway(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		b := newBrowser(t)
		back := b.begin(o, o.Node)
		test := "/api/admin/identity-provider/" + o.providerID + "/test"
		expect(t, "a test", o.Send(o.super, "POST", test), 200, `{"ok":true}`)
		began, end := time.Now(), o.provider.Hang()
		expect(t, "a start", b.post(o.Node, "", "/api/session/start", map[string]string{"provider": o.providerID}), 400,
			"cannot be reached: no answer in time")
		expect(t, "an end", b.finish(o.Node, back), 400, "cannot be reached: no answer in time")
		expect(t, "a test", o.Send(o.super, "POST", test), 200, "no answer in time")
		if took := time.Since(began); took < patience {
			t.Errorf("the calls took %s, which is no waiting", took)
		}
		end()
		o.save("PUT", "/"+o.providerID, 200, o.fields("identityProvider[issuer]", "http://127.0.0.1:1")...)
		expect(t, "a test of a closed port", o.Send(o.super, "POST", test), 200, "connect")
		o.save("PUT", "/"+o.providerID, 200, o.fields("identityProvider[issuer]", o.URL)...)
		expect(t, "a test of another server", o.Send(o.super, "POST", test), 200, "not as the identity provider")
		o.save("PUT", "/"+o.providerID, 200, o.fields("identityProvider[issuer]", o.provider.URL+"/")...)
		expect(t, "a test of almost the issuer", o.Send(o.super, "POST", test), 200, "not as the identity provider")
	})
}

// Providers are kept by those who may change security settings. Their secret is never shown, and stays with its issuer.
func TestProviders(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		const path = "/api/admin/identity-provider"
		shown := o.Send(o.super, "GET", path+"/"+o.providerID)
		expect(t, "a provider", shown, 200, `"hasSecret":true`)
		expect(t, "its addresses", shown, 200, `"redirectUri":"https://shop.example/sso/`+o.providerID+`"`)
		if strings.Contains(shown.Body, "secret-of") {
			t.Errorf("the secret is shown: %s", shown.Body)
		}
		o.save("PUT", "/"+o.providerID, 200, o.fields("identityProvider[clientSecret]", "")...)
		expect(t, "with the kept secret", o.signIn(), 200, "token")
		for _, bad := range []struct{ field, value, part string }{
			{"[issuer]", "http://shop.example", "issuer"}, {"[issuer]", "https://10.0.0.1", "not allowed"},
			{"[grants][1][roleId]", "1", "roleId"}, {"[grants][1][roleId]", "99", "roleId"},
			{"[grants][1][group]", "managers", "group"}, {"[scopes][]", "two words", "scopes"},
		} {
			got := o.save("PUT", "/"+o.providerID, 400, o.fields("identityProvider"+bad.field, bad.value)...)
			expect(t, bad.field+" "+bad.value, got, 400, bad.part)
		}
		got := o.save("PUT", "/"+o.providerID, 400, o.fields("identityProvider[issuer]", "https://shop.example",
			"identityProvider[clientSecret]", "")...)
		expect(t, "another issuer without the secret", got, 400, "clientSecret")
		full := o.Administrator("full")
		for _, method := range []string{"POST", "GET"} {
			expect(t, method+" without the right", o.Send(full, method, path), 403, "")
		}
		expect(t, "the buttons", o.Send("", "GET", "/api/session/providers"), 200,
			`{"providers":[{"providerId":"`+o.providerID+`","name":"Office"}]}`)
		for i := 1; i < sso.ProviderLimit; i++ {
			o.save("POST", "", 200, o.fields()...)
		}
		expect(t, "one more", o.save("POST", "", 400, o.fields()...), 400, "too many identity providers")
		expect(t, "removing", o.Send(o.super, "DELETE", path+"/"+o.providerID), 204, "")
		expect(t, "removing again", o.Send(o.super, "DELETE", path+"/"+o.providerID), 404, "")
	})
}

// Who takes passwords away must have another way in; a command gives them back.
func TestPasswordLogin(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		may := func(name string) bool {
			var err error
			o.Write(func(tx *db.Tx) error {
				a, _, missing := admin.FindByLogin(tx, name)
				who := &access.Caller{Role: access.Administrator, ID: a.ID}
				err = sso.MayUsePassword(tx, nil, auth.PasswordUsed{Caller: who})
				return missing
			})
			return err == nil
		}
		set := func(allowed string, status int, part string) {
			t.Helper()
			expect(t, allowed, o.Send(o.super, "PUT", "/api/admin/password-login", "allowed", allowed), status, part)
		}
		set(sso.Nobody, 400, "Link your own account")
		expect(t, "a link", newBrowser(t).link(o, o.super), 204, "")
		set(sso.Unlinked, 204, "")
		if may("super") || !may("full") {
			t.Errorf("unlinked: super %t, full %t", may("super"), may("full"))
		}
		set(sso.Nobody, 204, "")
		if may("super") || may("full") {
			t.Errorf("nobody: super %t, full %t", may("super"), may("full"))
		}
		expect(t, "the setting", o.Send(o.super, "GET", "/api/admin/password-login"), http.StatusOK, `"nobody"`)
		o.Write(func(tx *db.Tx) error { return sso.AllowPasswords(tx, 0) })
		if !may("super") || !may("full") {
			t.Errorf("everybody: super %t, full %t", may("super"), may("full"))
		}
	})
}

// TestProviderConfirms adds a second factor without a password, for a while after a sign-in at the provider. A log-in
// by the password needs it.
func TestProviderConfirms(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		const path = "/api/me/factors/totp"
		token := o.signIn().Member("token")
		until := o.Clock.Now().Add(auth.StepUpLife).UTC().Format("2006-01-02T15:04:05")
		expect(t, "the factors", o.Send(token, "GET", "/api/me/factors"), 200, `"confirmedUntil":"`+until)
		expect(t, "without a password", o.Send(token, "POST", path), 200, `"secret"`)
		expect(t, "with a wrong password", o.Send(token, "POST", path, "currentPassword", "wrong"), 400, "current password")
		expect(t, "by the password", o.Send(o.Administrator("super"), "POST", path), 400, "current password")
		o.Clock.Advance(auth.StepUpLife)
		expect(t, "later", o.Send(token, "POST", path), 400, "current password")

		// The provider knows the user and asks nothing, until the page wishes it.
		o.Clock.Advance(10 * time.Hour)
		token = o.signIn().Member("token")
		expect(t, "after a silent sign-in", o.Send(token, "POST", path), 400, "current password")
		token = o.signInFresh().Member("token")
		expect(t, "asked again", o.Send(token, "POST", path), 200, `"secret"`)
		o.provider.Silent = true
		token = o.signIn().Member("token")
		expect(t, "if the provider does not say", o.Send(token, "POST", path), 400, "current password")
		until = o.Clock.Now().UTC().Format("2006-01-02T15:04:05")
		expect(t, "its factors", o.Send(token, "GET", "/api/me/factors"), 200, `"confirmedUntil":"`+until)
		token = o.signInFresh().Member("token")
		expect(t, "if it has to say", o.Send(token, "POST", path), 200, `"secret"`)
		o.provider.SignIn("anna", jwt.MapClaims{"groups": "reporters", "auth_time": o.Clock.Now().Add(time.Hour).Unix()})
		token = o.signIn().Member("token")
		until = o.Clock.Now().Add(auth.StepUpLife).UTC().Format("2006-01-02T15:04:05")
		expect(t, "by a clock that is ahead", o.Send(token, "GET", "/api/me/factors"), 200, `"confirmedUntil":"`+until)
	})
}

// The issuer of a provider can be tested, and its addresses registered, before it is added.
func TestProviderBeforeItIsAdded(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		const path = "/api/admin/identity-provider"
		expect(t, "its issuer", o.Send(o.super, "POST", path+"/test", "issuer", o.provider.URL), 200, `{"ok":true}`)
		expect(t, "another server", o.Send(o.super, "POST", path+"/test", "issuer", o.URL), 200,
			"not as the identity provider")
		expect(t, "a network of others", o.Send(o.super, "POST", path+"/test", "issuer", "https://10.0.0.1"), 400,
			"not allowed")
		expect(t, "no issuer", o.Send(o.super, "POST", path+"/test"), 400, "issuer")
		expect(t, "nobody", o.Send("", "POST", path+"/test", "issuer", o.provider.URL), 401, "")

		list := o.Send(o.super, "GET", path)
		expect(t, "the list", list, 200, `"redirectBase":"https://shop.example/sso/"`)
		expect(t, "the list", list, 200, `"logoutBase":"https://shop.example/api/session/logout/"`)
		id := db.NewID()
		added := o.save("POST", "", 200, o.fields("identityProvider[providerId]", strings.ToUpper(id))...)
		expect(t, "its address", added, 200, `"redirectUri":"https://shop.example/sso/`+id+`"`)
		expect(t, "the same id", o.save("POST", "", 400, o.fields("identityProvider[providerId]", id)...), 400, "providerId")
		expect(t, "no id", o.save("POST", "", 400, o.fields("identityProvider[providerId]", "../x")...), 400, "providerId")
		expect(t, "the same id in a store", o.Send(o.super, "POST", "/api/DEFAULT/admin/identity-provider",
			o.fields("identityProvider[providerId]", id)...), 400, "providerId")
	})
}
