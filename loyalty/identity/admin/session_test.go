package admin_test

import (
	"testing"

	"punchcard/loyalty/identity/admin"
	"punchcard/loyalty/identity/auth"
	"punchcard/loyalty/identity/auth/authtest"
	"punchcard/platform/db"
)

// status is the status of a request with a token: 401 if the token was revoked.
func status(n *authtest.Node, token string) int { return n.Send(token, "GET", "/api/admin").Status }

// idOf returns the id of an administrator.
func idOf(s *authtest.Site, name string) (id string) {
	s.Write(func(tx *db.Tx) error {
		a, _, err := admin.FindByLogin(tx, name)
		id = a.ID
		return err
	})
	return id
}

// A new password ends all sessions of an administrator except the one that sets it: at once on the same node, and on
// others after the recheck.
func TestNewPasswordEndsTheSessions(t *testing.T) {
	authtest.Each(t, endpoints, func(t *testing.T, s *authtest.Site) {
		other := s.Start(t)
		setPassword := func(by, of string) {
			t.Helper()
			got := s.Send(by, "PUT", "/api/admin/data/"+idOf(s, of), "admin[email]", of+"@example.com",
				"admin[plainPassword]", authtest.Password, "admin[isActive]", "1")
			if got.Status != 200 {
				t.Fatalf("%d %s", got.Status, got.Body)
			}
		}
		expect := func(n *authtest.Node, token string, want int, what string) {
			t.Helper()
			if got := status(n, token); got != want {
				t.Errorf("%s: %d, want %d", what, got, want)
			}
		}
		const logIn = "/api/admin/login_check"
		super := s.Administrator("super")
		first, refresh := s.LogIn(logIn, "reporter")
		for _, n := range []*authtest.Node{s.Node, other} {
			expect(n, first, 200, "before the change")
			expect(n, super, 200, "before the change")
		}
		setPassword(super, "reporter")
		expect(s.Node, first, 401, "changed by another administrator, on the same node")
		s.Clock.Advance(auth.DefaultRecheck)
		expect(other, first, 401, "changed by another administrator, on another node")
		expect(other, super, 200, "who changed it")
		if got := other.Send("", "POST", "/api/token/refresh", "refresh_token", refresh); got.Status != 401 {
			t.Errorf("a refresh: %d %s", got.Status, got.Body)
		}

		again, second := s.Administrator("super"), s.Administrator("super")
		setPassword(again, "super")
		expect(s.Node, again, 200, "the session of the change")
		expect(s.Node, second, 401, "another session of the same administrator")
		s.Clock.Advance(auth.DefaultRecheck)
		expect(other, again, 200, "the session of the change, on another node")
		expect(other, second, 401, "another session of the same administrator, on another node")
	})
}

// Administrators who are deactivated and activated have to log in again.
func TestSwitchingOffEndsTheSessions(t *testing.T) {
	authtest.Each(t, endpoints, func(t *testing.T, s *authtest.Site) {
		super, reporter := s.Administrator("super"), s.Administrator("reporter")
		for _, active := range []string{"0", "1"} {
			got := s.Send(super, "PUT", "/api/admin/data/"+idOf(s, "reporter"), "admin[email]", "reporter@example.com",
				"admin[isActive]", active)
			if got.Status != 200 {
				t.Fatalf("%d %s", got.Status, got.Body)
			}
			if got := status(s.Node, reporter); got != 401 {
				t.Errorf("active %s: %d", active, got)
			}
		}
		if got := status(s.Node, s.Administrator("reporter")); got != 200 {
			t.Errorf("a new session: %d", got)
		}
	})
}

// A change of a role, or of an administrator's role, counts at once on the same node and after the recheck on others.
// Sessions continue.
func TestChangedRolesCount(t *testing.T) {
	authtest.Each(t, endpoints, func(t *testing.T, s *authtest.Site) {
		other := s.Start(t)
		super, full := s.Administrator("super"), s.Administrator("full")
		expect := func(want int) {
			t.Helper()
			if got := status(s.Node, full); got != want {
				t.Errorf("on the same node: %d, want %d", got, want)
			}
			s.Clock.Advance(auth.DefaultRecheck)
			if got := status(other, full); got != want {
				t.Errorf("on another node: %d, want %d", got, want)
			}
		}
		expect(200)
		s.Send(super, "PUT", "/api/admin/acl/role/3", "role[name]", "Full admin",
			"role[permissions][0][resource]", "POS", "role[permissions][0][access]", "VIEW")
		expect(403)
		s.Send(super, "PUT", "/api/admin/data/"+idOf(s, "full"), "admin[email]", "full@example.com",
			"admin[isActive]", "1", "admin[roles][]", "2")
		expect(200)
	})
}
