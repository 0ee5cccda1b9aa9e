package auth_test

import (
	"context"
	"maps"
	"slices"
	"testing"
	"time"

	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/identity/auth"
	"punchcard/loyalty/identity/auth/authtest"
	"punchcard/platform/db"
	"punchcard/platform/password"
)

// The end of a user's sessions ends their access tokens: at once on the node where it happens, soon on the
// others.
func TestEndedSessions(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		other := s.start(t, auth.Config{})
		for id, as := range map[string][2]string{
			s.people.super.ID:    {"/api/admin/login_check", "admin"},
			s.people.seller.ID:   {"/api/seller/login_check", "seller@example.com"},
			s.people.customer.ID: {"/api/customer/login_check", "user@example.com"},
		} {
			var tokens []string
			for range 3 { // the last one is first used after its session ended
				tokens = append(tokens, s.logIn(as[0], as[1]).Token)
			}
			for _, token := range tokens[:2] {
				if here, there := s.who(token), other.who(token); here.status != 200 || there.status != 200 {
					t.Fatal(here, there)
				}
			}
			s.write(func(tx *db.Tx) error { return s.auth.End(tx, id, "") })
			for _, token := range tokens {
				s.who(token).is(t, 401, invalidToken)
			}
			if got := other.who(tokens[0]); got.status != 200 {
				t.Errorf("the other node asks the database at every request: %s", got.body)
			}
			again := s.logIn(as[0], as[1]).Token // at the same moment
			s.clock.Advance(auth.DefaultRecheck)
			for _, token := range tokens {
				other.who(token).is(t, 401, invalidToken)
			}
			for _, n := range []*node{s.node, other} {
				if got := n.who(again); got.status != 200 {
					t.Errorf("a later session: %d %s", got.status, got.body)
				}
			}
		}
		late := s.start(t, auth.Config{}) // its first request reads the sessions that ended before it started
		pair := s.logIn("/api/admin/login_check", "admin")
		s.write(func(tx *db.Tx) error { return s.auth.End(tx, s.people.super.ID, "") })
		late.who(pair.Token).is(t, 401, invalidToken)
	})
}

// Users who change their password keep the session until its access token expires. Their other sessions end.
func TestOwnPasswordChangeEndsTheOtherSessions(t *testing.T) {
	authtest.Each(t, noEndpoints, func(t *testing.T, s *authtest.Site) {
		other := s.Start(t)
		for _, who := range everybody(s) {
			// With a valid token, a wrong current password is a 400.
			use := func(n *authtest.Node, token string) int {
				t.Helper()
				return n.Send(token, "POST", who.change, "currentPassword", "x", "plainPassword", next).Status
			}
			own, ownRefresh := s.LogIn(who.login, who.name)
			stolen, stolenRefresh := s.LogIn(who.login, who.name)
			for _, token := range []string{own, stolen} {
				if here, there := use(s.Node, token), use(other, token); here != 400 || there != 400 {
					t.Fatalf("%s: %d here and %d there", who.name, here, there)
				}
			}
			got := s.Send(own, "POST", who.change, "currentPassword", authtest.Password, "plainPassword", next)
			if got.Status != 200 {
				t.Fatalf("%s: %d %s", who.name, got.Status, got.Body)
			}
			if mine, theirs := use(s.Node, own), use(s.Node, stolen); mine != 400 || theirs != 401 {
				t.Errorf("%s: %d with the own token, %d with the other one", who.name, mine, theirs)
			}
			s.Clock.Advance(auth.DefaultRecheck)
			if mine, theirs := use(other, own), use(other, stolen); mine != 400 || theirs != 401 {
				t.Errorf("%s, other node: %d with the own token, %d with the other one", who.name, mine, theirs)
			}
			for _, refresh := range []string{ownRefresh, stolenRefresh} {
				if got := other.Send("", "POST", "/api/token/refresh", "refresh_token", refresh); got.Status != 401 {
					t.Errorf("%s refreshes: %d %s", who.name, got.Status, got.Body)
				}
			}
		}
	})
}

// A log-in whose password is changed between its check and its end fails, because its session would not
// have been ended.
func TestLogInRacesWithAChangeOfThePassword(t *testing.T) {
	hash, err := password.Hash(context.Background(), next)
	if err != nil {
		t.Fatal(err)
	}
	change := feature.On(func(tx *db.Tx, s *store.Store, e auth.LoggedIn) error {
		_, err := tx.Exec(`UPDATE customers SET password_hash = $1 WHERE store_id = $2 AND customer_id = $3`,
			hash, s.Key, e.CustomerID)
		return err
	})
	eachReacting(t, auth.Config{}, []feature.Reaction{change}, func(t *testing.T, s *site) {
		const path = "/api/customer/login_check"
		s.post(path, "_username", "user@example.com", "_password", plain).is(t, 401, badCredentials)
		if n := s.number(`SELECT COUNT(*) FROM sessions`); n != 0 {
			t.Errorf("%d sessions", n)
		}
	})
}

// A clock that was days ahead for a while does not make a node miss later revocations.
func TestEndedSessionsAfterTheClockWasSetBack(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		other := s.start(t, auth.Config{})
		const ahead = 20 * time.Hour
		logIns := map[string]string{
			s.people.super.ID:    s.logIn("/api/admin/login_check", "admin").Token,
			s.people.customer.ID: s.logIn("/api/customer/login_check", "user@example.com").Token,
		}
		staff := s.logIn("/api/admin/login_check", s.people.reporter.ID).Token
		s.clock.Advance(ahead)
		for _, token := range append(slices.Collect(maps.Values(logIns)), staff) {
			if got := other.who(token); got.status != 200 {
				t.Fatal(got)
			}
		}
		s.clock.Advance(-ahead)
		for id, token := range logIns {
			s.write(func(tx *db.Tx) error { return s.auth.End(tx, id, "") })
			s.clock.Advance(auth.DefaultRecheck)
			other.who(token).is(t, 401, invalidToken)
		}
		s.exec(`UPDATE administrators SET active = $1`, false)
		s.clock.Advance(auth.DefaultRecheck)
		other.who(staff).is(t, 401, invalidToken)
	})
}
