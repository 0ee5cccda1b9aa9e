package auth_test

import (
	"testing"

	"punchcard/loyalty/identity/auth"
)

const revokePath = "/api/token/revoke"

// revoke calls token/revoke with a form.
func (n *node) revoke(token, form string) answer {
	return n.sendWith(revokePath, form, "Content-Type", "application/x-www-form-urlencoded",
		"Authorization", "Bearer "+token)
}

// A refresh token names one session, whose tokens end: at once on this node, soon on the others. Other sessions of the
// user go on.
func TestRevokeOfOneSession(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		other := s.start(t, auth.Config{})
		for path, name := range map[string]string{
			"/api/admin/login_check": "admin", "/api/customer/login_check": "user@example.com",
			"/api/seller/login_check": "seller@example.com",
		} {
			unrelated, first := s.logIn(path, name), s.logIn(path, name)
			next := s.tokens(s.refresh(first.Refresh))
			for _, token := range []string{first.Token, next.Token, unrelated.Token} {
				if here, there := s.who(token), other.who(token); here.status != 200 || there.status != 200 {
					t.Fatalf("%s: %d here, %d there", name, here.status, there.status)
				}
			}
			s.revoke(next.Token, "refresh_token="+first.Refresh).is(t, 200, "") // a used one names the session, too
			for _, token := range []string{first.Token, next.Token} {
				s.who(token).is(t, 401, invalidToken)
			}
			s.clock.Advance(auth.DefaultRecheck)
			other.who(next.Token).is(t, 401, invalidToken)
			for _, token := range []string{first.Refresh, next.Refresh} {
				other.refresh(token).is(t, 401, invalidRefresh)
			}
			if got := other.who(unrelated.Token); got.status != 200 {
				t.Errorf("the other session of %s: %d %s", name, got.status, got.body)
			}
			s.tokens(other.refresh(unrelated.Refresh))
		}
	})
}

// A refresh token of nobody, or of another user, ends nothing.
func TestRevokeOfForeignSessions(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		mine, theirs := s.logIn("/api/customer/login_check", "user@example.com"), s.logIn("/api/admin/login_check", "admin")
		unknown := `{"form":{"children":{"refresh_token":{"errors":["This value is not valid."]},` +
			`"everywhere":{}}},"errors":[]}`
		for _, token := range []string{"none", theirs.Refresh} {
			s.revoke(mine.Token, "refresh_token="+token).is(t, 400, unknown)
		}
		s.tokens(s.refresh(mine.Refresh))
		s.tokens(s.refresh(theirs.Refresh))
		for _, token := range []string{mine.Token, theirs.Token} {
			if got := s.who(token); got.status != 200 {
				t.Errorf("%d %s", got.status, got.body)
			}
		}
	})
}

func TestRevokeEverywhere(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		one, two := s.logIn("/api/customer/login_check", "user@example.com"), s.logIn("/api/customer/login_check", "card-7")
		others := s.logIn("/api/admin/login_check", "admin")
		s.revoke(one.Token, "everywhere=1").is(t, 200, "")
		for _, pair := range []tokens{one, two} {
			s.who(pair.Token).is(t, 401, invalidToken)
			s.refresh(pair.Refresh).is(t, 401, invalidRefresh)
		}
		s.tokens(s.refresh(others.Refresh))
	})
}
