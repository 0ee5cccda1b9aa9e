package sso_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/golang-jwt/jwt/v5"

	"punchcard/loyalty/identity/auth/authtest"
	"punchcard/loyalty/identity/sso/ssotest"
)

// mixUp is a sign-in or a link for which two providers can be chosen. One belongs to an attacker.
type mixUp struct {
	name          string
	start, finish string            // paths
	body          map[string]string // of the start, besides the provider
	token         string            // of who links an account
	evil, good    string            // ids of providers
	done          int               // status of success
}

// mixUps adds a provider that is not the attacker's to the installation and to NORTH, and one of the attacker to the
// installation.
func (s *shop) mixUps(good *ssotest.Provider) []mixUp {
	s.T.Helper()
	office := func(issuer string) string {
		got := s.Send(s.super, "POST", "/api/admin/identity-provider",
			s.fields("identityProvider[issuer]", issuer, "identityProvider[grants][0][roleId]", "3")...)
		expect(s.T, "a provider of the installation", got, 200, "")
		return got.Member("providerId")
	}
	north := s.save(s.super, "POST", "", 200, s.fields("identityProvider[issuer]", good.URL)...).Member("providerId")
	evilOffice, goodOffice := office(s.provider.URL), office(good.URL)
	_, seller := s.employ("sam@example.org")
	return []mixUp{
		{"into the cockpit", "/api/session/start", "/api/session/finish", nil, "", evilOffice, goodOffice, 200},
		{"into the cockpit, at the provider of a store", "/api/NORTH/session/start", "/api/session/finish",
			map[string]string{"app": "cockpit"}, "", s.providerID, north, 200},
		{"at the till", "/api/NORTH/session/start", "/api/NORTH/session/finish", map[string]string{"app": "till"}, "",
			s.providerID, north, 200},
		{"the link of an administrator", "/api/me/identities/start", "/api/me/identities", nil, s.super, evilOffice,
			goodOffice, 204},
		{"the link of a seller", "/api/NORTH/seller/identities/start", "/api/NORTH/seller/identities", nil, seller,
			s.providerID, north, 204},
	}
}

// begin begins at one of the two providers, and returns the address of its page.
func (m *mixUp) begin(s *shop, b *browser, provider string) string {
	s.T.Helper()
	body := map[string]string{"provider": provider}
	for name, value := range m.body {
		body[name] = value
	}
	got := b.post(s.Node, m.token, m.start, body)
	expect(s.T, m.name+": the start", got, 200, "url")
	return got.Member("url")
}

func (m *mixUp) end(s *shop, b *browser, back url.Values) authtest.Answer {
	s.T.Helper()
	return b.post(s.Node, m.token, m.finish, bodyOf(back))
}

// eachMixUp runs a test for each mixUp. Both providers sign the victim in.
func eachMixUp(t *testing.T, run func(s *shop, good *ssotest.Provider, m *mixUp)) {
	eachShop(t, func(t *testing.T, s *shop) {
		good := ssotest.Start(t, s.Clock.Now)
		for _, m := range s.mixUps(good) {
			victim := jwt.MapClaims{"groups": []string{"clerks", "cashiers"}, "email": "victim@example.org"}
			s.as("victim "+m.name, []string{"clerks", "cashiers"}, jwt.MapClaims{"email": "other@example.org"})
			good.SignIn("victim "+m.name, victim)
			good.Redirect, good.Names = "https://shop.example/sso/"+m.good, false
			run(s, good, &m)
		}
	})
}

const expired = "expired, was already used, or began in another browser"

// The attacker's provider sends a victim, who has begun there, on to the other provider, with the parameters of an
// attempt of the attacker. The code that the victim brings back would sign the attacker in, and reaches nobody.
func TestCodesReachTheirProviderAlone(t *testing.T) {
	eachMixUp(t, func(s *shop, good *ssotest.Provider, m *mixUp) {
		victim, attacker := newBrowser(s.T), newBrowser(s.T)
		begun, err := url.Parse(m.begin(s, victim, m.evil))
		if err != nil {
			s.T.Fatal(err)
		}
		trap, err := url.Parse(m.begin(s, attacker, m.good))
		if err != nil {
			s.T.Fatal(err)
		}
		asked := trap.Query()
		own := asked.Get("state")
		asked.Set("state", begun.Query().Get("state"))
		trap.RawQuery = asked.Encode()
		back := good.Visit(s.T, trap.String())
		expect(s.T, m.name+": with the code of another provider", m.end(s, victim, back), 400, expired)
		if sent := s.provider.Sent(); len(sent) > 0 {
			s.T.Errorf("%s: the attacker gets the code", m.name)
		}
		asked.Set("redirect_uri", "https://shop.example/sso/"+m.evil)
		trap.RawQuery = asked.Encode()
		refused, err := http.Get(trap.String())
		if err != nil || refused.StatusCode != http.StatusBadRequest {
			s.T.Errorf("%s: a return to the attacker's address: %v %v", m.name, refused, err)
		}
		back.Set("state", own)
		expect(s.T, m.name+": what the code is worth", m.end(s, attacker, back), m.done, "")
	})
}

// A browser that brings back who has sent it must name the provider, also where the provider does not promise to name
// itself. Where it does promise, the name is required.
func TestIssuerOfAReturn(t *testing.T) {
	eachMixUp(t, func(s *shop, good *ssotest.Provider, m *mixUp) {
		for _, c := range []struct {
			promised bool
			iss      string
			status   int
			part     string
		}{
			{true, "", 400, "not valid"}, {true, s.provider.URL, 400, "not valid"}, {true, good.URL + "/", 400, "not valid"},
			{false, s.provider.URL, 400, "not valid"}, {false, good.URL, m.done, ""}, {true, good.URL, m.done, ""},
		} {
			b, before := newBrowser(s.T), len(good.Sent())
			good.Names = c.promised
			back := good.Visit(s.T, m.begin(s, b, m.good))
			back.Set("iss", c.iss)
			expect(s.T, m.name+" from "+c.iss, m.end(s, b, back), c.status, c.part)
			if used := len(good.Sent()) > before; used != (c.status != 400) {
				s.T.Errorf("%s from %q: the code was used: %v", m.name, c.iss, used)
			}
		}
	})
}

// An attempt ends with the issuer or the client of its provider. The code does not go to the new ones.
func TestProviderIsReplacedMeanwhile(t *testing.T) {
	eachMixUp(t, func(s *shop, good *ssotest.Provider, m *mixUp) {
		path := "/api/admin/identity-provider/"
		if m.evil == s.providerID {
			path = "/api/NORTH/admin/identity-provider/"
		}
		replace := func(fields ...string) {
			expect(s.T, m.name+": another provider", s.Send(s.super, "PUT", path+m.good, s.fields(append(fields,
				"identityProvider[grants][0][roleId]", "3")...)...), 200, "")
		}
		for _, other := range [][]string{
			{"identityProvider[issuer]", s.provider.URL},
			{"identityProvider[issuer]", good.URL, "identityProvider[clientId]", "other"},
		} {
			b := newBrowser(s.T)
			back := good.Visit(s.T, m.begin(s, b, m.good))
			replace(other...)
			expect(s.T, m.name+" at another provider", m.end(s, b, back), 400, expired)
			replace("identityProvider[issuer]", good.URL)
			expect(s.T, m.name+" at the provider again", m.end(s, b, back), m.done, "")
		}
		if sent := s.provider.Sent(); len(sent) > 0 {
			s.T.Errorf("%s: the new issuer gets the code", m.name)
		}
	})
}

// A return without the provider, as pages of an older version send it, ends nothing.
func TestReturnNamesTheProvider(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		b := newBrowser(t)
		back := b.begin(o, o.Node)
		back.Del("provider")
		expect(t, "without the provider", b.finish(o.Node, back), 400, "provider")
	})
}
