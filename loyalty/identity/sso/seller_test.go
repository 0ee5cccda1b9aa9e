package sso_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/golang-jwt/jwt/v5"

	"punchcard/core/access"
	"punchcard/loyalty/identity/auth"
	"punchcard/loyalty/identity/auth/authtest"
	"punchcard/loyalty/identity/seller"
	"punchcard/loyalty/identity/sso"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// employ adds a seller of NORTH with a password, and returns the id and an access token.
func (s *shop) employ(email string) (id, token string) {
	s.T.Helper()
	s.Write(func(tx *db.Tx) error {
		hash, err := authtest.Hash()
		if err != nil {
			return err
		}
		added, err := seller.Create(tx, s.northKey, seller.New{Email: email, PasswordHash: hash, Active: true})
		id = added.ID
		return err
	})
	token, _ = s.LogIn("/api/NORTH/seller/login_check", email)
	return id, token
}

// me shows the seller of an access token.
func (s *shop) me(token string) string { return s.Send(token, "GET", "/api/NORTH/seller/me").Body }

// linkSeller links the seller of a token with the user of the provider.
func (s *shop) linkSeller(token string) authtest.Answer {
	s.T.Helper()
	b := newBrowser(s.T)
	got := b.post(s.Node, token, "/api/NORTH/seller/identities/start", map[string]string{"provider": s.providerID})
	if got.Status != 200 {
		s.T.Fatalf("the start of a link: %d %s", got.Status, got.Body)
	}
	back := s.provider.Visit(s.T, got.Member("url"))
	if state := back.Get("state"); !strings.HasPrefix(state, "till.NORTH.link.") {
		s.T.Errorf("the page cannot tell where %s belongs", state)
	}
	expect(s.T, "a link as a sign-in", b.post(s.Node, "", "/api/NORTH/session/finish", bodyOf(back)), 400, "expired")
	return b.post(s.Node, token, "/api/NORTH/seller/identities", bodyOf(back))
}

// Members of a group become sellers at its point of sale, and sign in to the till. Who leaves the group is refused.
func TestSellersSignIn(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		ola := jwt.MapClaims{"email": "ola@example.org", "given_name": "Ola", "sid": "at-home"}
		s.as("ola", []string{"clerks"}, ola)
		expect(t, "without a group of sellers", s.atTill(), 400, "None of your groups")
		s.as("ola", []string{"cashiers"}, nil)
		expect(t, "without an address", s.atTill(), 400, "verified e-mail address")
		s.as("ola", []string{"cashiers"}, jwt.MapClaims{"email": "ola@example.org", "email_verified": false})
		expect(t, "with an address that is not verified", s.atTill(), 400, "verified e-mail address")
		s.as("ola", []string{"cashiers"}, ola)
		other, b := s.Start(t), newBrowser(t)
		first := b.post(other, "", "/api/NORTH/session/finish", bodyOf(s.begin(b, s.Node, "till")))
		expect(t, "the first sign-in, ended on another node", first, 200, "token")
		token := first.Member("token")
		for _, part := range []string{`"email":"ola@example.org"`, `"firstName":"Ola"`, `"posName":"Square"`,
			`"allowPointTransfer":false`} {
			if who := s.me(token); !strings.Contains(who, part) {
				t.Errorf("%s has no %s", who, part)
			}
		}
		expect(t, "a renewal", b.post(s.Node, "", "/api/session", map[string]string{"app": "till", "store": "NORTH"}), 200,
			"token")
		s.save(s.editor, "PUT", "/"+s.providerID, 200, s.fields("identityProvider[sellerGrants][0][posId]", s.mall)...)
		again := s.atTill()
		if who := s.me(again.Member("token")); !strings.Contains(who, `"posName":"Mall"`) || idOf(t, token) !=
			idOf(t, again.Member("token")) {
			t.Errorf("signed in again as %s", who)
		}
		logout := "/api/NORTH/session/logout/" + s.providerID
		expect(t, "a log-out at the provider", s.Send("", "POST", logout, "logout_token",
			s.provider.LogoutToken(t, jwt.MapClaims{"sid": "at-home"})), 200, "")
		expect(t, "the ended session", s.Send(token, "GET", "/api/NORTH/seller/me"), 401, "")
		s.Clock.Advance(auth.DefaultRecheck)
		expect(t, "on another node", other.Send(token, "GET", "/api/NORTH/seller/me"), 401, "")
		still := s.atTill().Member("token")
		s.as("ola", []string{"guests"}, ola)
		expect(t, "having left", s.atTill(), 400, "None of your groups")
		expect(t, "the session from before", s.Send(still, "GET", "/api/NORTH/seller/me"), 401, "")
		s.as("ola", []string{"cashiers"}, ola)
		path := "/api/NORTH/seller/" + idOf(t, token)
		s.Send(s.super, "POST", path+"/deactivate")
		expect(t, "deactivated", s.atTill(), 400, "not active")
		s.Send(s.super, "DELETE", path)
		expect(t, "deleted", s.atTill(), 400, "not active")
		_, own := s.employ("ola@example.org")
		expect(t, "employed again, and linked", s.linkSeller(own), 204, "")
		if got := s.atTill(); idOf(t, got.Member("token")) != idOf(t, own) {
			t.Error("the link leads to another seller")
		}
	})
}

// Concurrent first sign-ins of a user make one seller.
func TestOneSellerForAUser(t *testing.T) {
	dbtest.Both(t)
	eachShop(t, func(t *testing.T, s *shop) {
		s.as("ola", []string{"cashiers"}, jwt.MapClaims{"email": "ola@example.org"})
		answers, all := [6]authtest.Answer{}, sync.WaitGroup{}
		nodes := []*authtest.Node{s.Node, s.Start(t)}
		for i := range answers {
			b := newBrowser(t)
			back := s.begin(b, s.Node, "till")
			all.Go(func() { answers[i] = b.post(nodes[i%2], "", "/api/NORTH/session/finish", bodyOf(back)) })
		}
		all.Wait()
		for _, got := range answers {
			if got.Status != 200 || idOf(t, got.Member("token")) != idOf(t, answers[0].Member("token")) {
				t.Errorf("one of the sign-ins: %d %s", got.Status, got.Body)
			}
		}
	})
}

// A seller who has a password links the account from its own session. Nobody gets it by its e-mail address.
func TestSellersLink(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		id, token := s.employ("ola@example.org")
		s.as("eve", []string{"cashiers"}, jwt.MapClaims{"email": "Ola@example.org"})
		expect(t, "with the address of another", s.atTill(), 400, "account with your e-mail address")
		s.as("ola", []string{"cashiers"}, nil)
		expect(t, "a link", s.linkSeller(token), 204, "")
		_, other := s.employ("eve@example.org")
		expect(t, "the link of another seller", s.linkSeller(other), 400, "Another account is linked")
		if got := s.atTill(); idOf(t, got.Member("token")) != id {
			t.Errorf("signed in as another: %s", got.Body)
		}
		list := s.Send(token, "GET", "/api/NORTH/seller/identities")
		expect(t, "the list", list, 200, `"provider":"North"`)
		identity := strings.Split(strings.SplitAfter(list.Body, `"identityId":"`)[1], `"`)[0]
		expect(t, "unlinking that of another", s.Send(other, "DELETE", "/api/NORTH/seller/identities/"+identity), 404, "")
		expect(t, "an administrator", s.Send(s.super, "GET", "/api/NORTH/seller/identities"), 403, "")
		expect(t, "at another store", s.Send(token, "GET", "/api/DEFAULT/seller/identities"), 403, "")
		expect(t, "unlinking", s.Send(token, "DELETE", "/api/NORTH/seller/identities/"+identity), 204, "")
		s.as("new", []string{"cashiers"}, jwt.MapClaims{"email": "new@example.org"})
		token = s.atTill().Member("token")
		list = s.Send(token, "GET", "/api/NORTH/seller/identities")
		expect(t, "the list of a seller without a password", list, 200, `"hasPassword":false`)
		identity = strings.Split(strings.SplitAfter(list.Body, `"identityId":"`)[1], `"`)[0]
		expect(t, "unlinking the only way in", s.Send(token, "DELETE", "/api/NORTH/seller/identities/"+identity), 400,
			"only way")
	})
}

// The passwords of sellers can be switched off in one store, while a provider lets sellers in.
func TestSellersWithoutPasswords(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		id, token := s.employ("ola@example.org")
		other, _ := s.employ("eve@example.org")
		may := func(id string) (is bool) {
			s.Write(func(tx *db.Tx) error {
				who := &access.Caller{Role: access.Seller, StoreKey: s.northKey, ID: id}
				is = sso.MayUsePassword(tx, nil, auth.PasswordUsed{Caller: who}) == nil
				return nil
			})
			return is
		}
		set := func(allowed string, status int, part string) {
			t.Helper()
			expect(t, allowed, s.Send(s.editor, "PUT", "/api/NORTH/admin/password-login", "allowed", allowed), status, part)
		}
		s.as("ola", []string{"cashiers"}, nil)
		expect(t, "a link", s.linkSeller(token), 204, "")
		set(sso.Unlinked, 204, "")
		if may(id) || !may(other) {
			t.Errorf("unlinked: the linked one %t, the other %t", may(id), may(other))
		}
		set(sso.Nobody, 204, "")
		if may(id) || may(other) {
			t.Errorf("nobody: %t, %t", may(id), may(other))
		}
		expect(t, "at another store", s.Send(s.editor, "PUT", "/api/DEFAULT/admin/password-login", "allowed", "nobody"),
			403, "")
		expect(t, "the setting of administrators", s.Send(s.super, "GET", "/api/admin/password-login"), 200, `"everybody"`)
		s.Write(func(tx *db.Tx) error { return sso.AllowPasswords(tx, s.northKey) })
		if !may(id) {
			t.Error("passwords are not allowed again")
		}
		s.save(s.editor, "PUT", "/"+s.providerID, 200, s.fields("identityProvider[enabled]", "0")...)
		set(sso.Nobody, 400, "lets sellers in first")
	})
}
