package sso_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/golang-jwt/jwt/v5"

	"punchcard/loyalty/identity/auth/authtest"
)

// signInFresh signs in with a browser of its own, and has the provider ask who the user is.
func (o *office) signInFresh() authtest.Answer {
	o.T.Helper()
	b := newBrowser(o.T)
	got := b.post(o.Node, "", "/api/session/start", map[string]any{"provider": o.providerID, "fresh": true})
	return b.finish(o.Node, o.provider.Visit(o.T, got.Member("url")))
}

// Claims that only describe the user are read as far as they have the right type. Others refuse the sign-in.
func TestTypesOfClaims(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		for i, c := range []struct {
			claims  jwt.MapClaims
			email   bool // the account has the address
			name    bool // and the name
			refused bool
		}{
			{claims: jwt.MapClaims{"email_verified": "true"}, email: true, name: true},
			{claims: jwt.MapClaims{"email_verified": true, "given_name": 7, "sid": 3}, email: true},
			{claims: jwt.MapClaims{"email_verified": "false"}, name: true},
			{claims: jwt.MapClaims{"email_verified": 1, "family_name": []string{"B"}, "auth_time": "soon"}, name: true},
			{claims: jwt.MapClaims{"email": []string{"a@example.org"}}, name: true},
			{claims: jwt.MapClaims{"azp": "another"}, refused: true},
			{claims: jwt.MapClaims{"azp": 5}, refused: true},
		} {
			email := fmt.Sprintf("anna%d@example.org", i)
			claims := jwt.MapClaims{"groups": "reporters", "email": email, "given_name": "Berta"}
			for name, value := range c.claims {
				claims[name] = value
			}
			o.provider.SignIn(fmt.Sprint("anna", i), claims)
			got := o.signIn()
			if c.refused {
				expect(t, "refused", got, 400, "not valid")
				continue
			}
			who := o.me(got.Member("token"))
			if strings.Contains(who, email) != c.email || strings.Contains(who, "Berta") != c.name {
				t.Errorf("%v: %s", c.claims, who)
			}
		}
	})
}

// Groups that are not in the ID token are asked for. The rest of what the provider says then counts too, but never in
// place of what it has signed.
func TestGroupsInUserInfo(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		o.provider.InUserInfo = []string{"groups", "email", "email_verified", "azp"}
		o.provider.SignIn("ida", jwt.MapClaims{
			"groups": []string{"reporters"}, "email": "ida@example.org", "email_verified": true, "given_name": "Ida",
			"azp": "another",
		})
		got := o.signIn()
		expect(t, "the sign-in", got, 200, "token")
		if who := o.me(got.Member("token")); !strings.Contains(who, "ida@example.org") || !strings.Contains(who, "Ida") {
			t.Errorf("%s", who)
		}
		o.provider.InUserInfo = []string{"groups", "email_verified"}
		o.provider.SignIn("bo", jwt.MapClaims{
			"groups": "reporters", "email": "bo@example.org", "email_verified": true, "given_name": "Bo",
		})
		got = o.signIn()
		expect(t, "the sign-in", got, 200, "token")
		o.provider.InUserInfo = nil
		o.provider.SignIn("bo", jwt.MapClaims{"email": "bo@example.org"})
		expect(t, "no groups anywhere", o.signIn(), 400, "None of your groups")
		o.provider.SignIn("bo", jwt.MapClaims{"groups": nil, "email": "bo@example.org"})
		expect(t, "groups that are nothing", o.signIn(), 400, "None of your groups")
	})
}
