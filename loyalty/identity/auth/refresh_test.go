package auth_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"punchcard/loyalty/identity/auth"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

func (n *node) refresh(token string) answer {
	n.t.Helper()
	return n.post("/api/token/refresh", "refresh_token", token)
}

func TestRefreshTokensRotate(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		for path, name := range map[string]string{
			"/api/admin/login_check": "admin", "/api/customer/login_check": "user@example.com",
			"/api/seller/login_check": "seller@example.com",
		} {
			first := s.logIn(path, name)
			s.clock.Advance(time.Second)
			second := s.tokens(s.refresh(first.Refresh))
			third := s.tokens(s.send("/api/DEFAULT/token/refresh", "application/json", `{"refresh_token":"`+second.Refresh+`"}`))
			if first.Token == second.Token || third.Refresh == second.Refresh {
				t.Errorf("%s: a refresh gives what was there", name)
			}
			for _, token := range []string{first.Token, third.Token} {
				if got := s.who(token); got.status != 200 {
					t.Errorf("%s: %d %s", name, got.status, got.body)
				}
			}
		}
		for table, want := range map[string]int64{"sessions": 3, "refresh_tokens": 9, "refresh_tokens WHERE used_at > 0": 6} {
			if n := s.number(`SELECT COUNT(*) FROM ` + table); n != want {
				t.Errorf("%d %s, want %d", n, table, want)
			}
		}
	})
}

func TestRefreshTokensAreStoredAsHashes(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		pair := s.logIn("/api/admin/login_check", "admin")
		if len(pair.Refresh) != 64 || strings.Trim(pair.Refresh, "0123456789abcdef") != "" {
			t.Errorf("the token is %q", pair.Refresh)
		}
		if n := s.number(`SELECT COUNT(*) FROM refresh_tokens WHERE token_hash = $1`, pair.Refresh); n != 0 {
			t.Error("the token itself is stored")
		}
	})
}

func TestUnknownRefreshTokensAreRefused(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		pair := s.logIn("/api/admin/login_check", "admin")
		for _, token := range []string{
			"", "x", pair.Token, pair.Refresh[1:], strings.ToUpper(pair.Refresh), strings.Repeat("0", 64),
			strings.Repeat("0", 100_000),
		} {
			s.refresh(token).is(t, 401, invalidRefresh)
		}
		s.post("/api/token/refresh").is(t, 401, invalidRefresh)
		s.post("/api/NOWHERE/token/refresh", "refresh_token", pair.Refresh).is(t, 404, notFound)
		s.tokens(s.refresh(pair.Refresh))
	})
}

// Clients that refresh concurrently with one token, on any node, get a pair each, and all pairs work.
func TestParallelRefreshesAllSucceed(t *testing.T) {
	dbtest.Both(t)
	each(t, func(t *testing.T, s *site) {
		nodes := []*node{s.node, s.start(t, auth.Config{})}
		token := s.logIn("/api/customer/login_check", "user@example.com").Refresh
		var next []string
		for range 3 {
			answers := make([]answer, 8)
			var all sync.WaitGroup
			for i := range answers {
				all.Go(func() { answers[i] = nodes[i%len(nodes)].refresh(token) })
			}
			all.Wait()
			next = nil
			for i, got := range answers {
				pair := s.tokens(got)
				next = append(next, pair.Refresh)
				if got := nodes[(i+1)%len(nodes)].who(pair.Token); got.status != 200 {
					t.Errorf("an access token: %d %s", got.status, got.body)
				}
			}
			if slices.Sort(next); len(slices.Compact(slices.Clone(next))) != len(next) {
				t.Error("two clients got the same refresh token")
			}
			token = next[0]
		}
		s.clock.Advance(auth.RefreshOverlap + time.Second) // uses of the new tokens are no uses of the old one
		for _, token := range next {
			s.tokens(s.refresh(token))
		}
		if n := s.number(`SELECT COUNT(*) FROM sessions`); n != 1 {
			t.Errorf("%d sessions, want 1", n)
		}
	})
}

// The reuse of a token after the overlap ends its session, on whichever node it happens, and no other session.
func TestLateReuseEndsTheSession(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		other := s.start(t, auth.Config{})
		for path, name := range map[string]string{
			"/api/admin/login_check": "admin", "/api/customer/login_check": "user@example.com",
			"/api/seller/login_check": "seller@example.com",
		} {
			unrelated, first := s.logIn(path, name), s.logIn(path, name)
			second := s.tokens(s.refresh(first.Refresh))
			s.clock.Advance(auth.RefreshOverlap)
			parallel := s.tokens(other.refresh(first.Refresh)) // at the last moment, which does not extend the overlap
			for _, token := range []string{second.Token, parallel.Token} {
				if got := other.who(token); got.status != 200 {
					t.Errorf("%s: %d %s", name, got.status, got.body)
				}
			}
			s.clock.Advance(time.Microsecond)
			s.refresh(first.Refresh).is(t, 401, invalidRefresh)

			for _, token := range []string{first.Refresh, second.Refresh, parallel.Refresh} {
				s.refresh(token).is(t, 401, invalidRefresh)
				other.refresh(token).is(t, 401, invalidRefresh)
			}
			for _, token := range []string{first.Token, second.Token, parallel.Token} {
				s.who(token).is(t, 401, invalidToken)
			}
			s.clock.Advance(auth.DefaultRecheck)
			other.who(second.Token).is(t, 401, invalidToken)
			if got := other.who(unrelated.Token); got.status != 200 {
				t.Errorf("the other session of %s: %d %s", name, got.status, got.body)
			}
			s.tokens(other.refresh(unrelated.Refresh))
			for _, secret := range []string{first.Refresh, second.Refresh, parallel.Token, "@example.com"} {
				if strings.Contains(s.log.String(), secret) {
					t.Errorf("the log holds %s", secret)
				}
			}
		}
		if n := strings.Count(s.log.String(), `"msg":"refresh token reused, session ended"`); n != 3 {
			t.Errorf("the log tells of %d ended sessions, want 3", n)
		}
		if n := s.auth.Reused(); n != 3 {
			t.Errorf("%d sessions were ended because of reuse, want 3", n)
		}
	})
}

// A token gives a limited number of pairs within the overlap, on all nodes together. Its session goes on.
func TestUsesOfARefreshTokenAreLimited(t *testing.T) {
	dbtest.Both(t)
	each(t, func(t *testing.T, s *site) {
		nodes := []*node{s.node, s.start(t, auth.Config{})}
		first := s.logIn("/api/admin/login_check", "admin")
		var given, refused atomic.Int64
		var all sync.WaitGroup
		var newest sync.Map
		for i := range 2 * auth.RefreshUses {
			all.Go(func() {
				switch got := nodes[i%2].refresh(first.Refresh); got.status {
				case 200:
					given.Add(1)
					newest.Store(0, s.tokens(got))
				case 429:
					refused.Add(1)
				default:
					t.Errorf("%d %s", got.status, got.body)
				}
			})
		}
		all.Wait()
		if given.Load() != auth.RefreshUses || refused.Load() != auth.RefreshUses {
			t.Errorf("%d pairs were given and %d refused", given.Load(), refused.Load())
		}
		last, _ := newest.Load(0)
		s.tokens(s.refresh(last.(tokens).Refresh))
	})
}

// An unused token is valid until it expires, however long other tokens of its session have been used.
func TestEachSuccessorHasItsOwnFirstUse(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		first := s.logIn("/api/admin/login_check", "admin")
		one, two := s.tokens(s.refresh(first.Refresh)), s.tokens(s.refresh(first.Refresh))
		s.tokens(s.refresh(one.Refresh))
		s.clock.Advance(time.Hour)
		next := s.tokens(s.refresh(two.Refresh))
		s.refresh(one.Refresh).is(t, 401, invalidRefresh)
		s.refresh(next.Refresh).is(t, 401, invalidRefresh)
	})
}

// Refreshes that race with the end of a session leave no valid token behind.
func TestRefreshesRaceWithTheEndOfASession(t *testing.T) {
	dbtest.Both(t)
	each(t, func(t *testing.T, s *site) {
		nodes := []*node{s.node, s.start(t, auth.Config{})}
		for range 5 {
			pair := s.logIn("/api/customer/login_check", "user@example.com")
			answers := make([]answer, 6)
			var all sync.WaitGroup
			for i := range answers {
				all.Go(func() { answers[i] = nodes[i%len(nodes)].refresh(pair.Refresh) })
			}
			all.Go(func() { s.write(func(tx *db.Tx) error { return s.auth.End(tx, s.people.customer.ID, "") }) })
			all.Wait()
			s.clock.Advance(auth.DefaultRecheck)
			for _, got := range answers {
				if got.status == 401 {
					got.is(t, 401, invalidRefresh)
					continue
				}
				next := s.tokens(got)
				s.refresh(next.Refresh).is(t, 401, invalidRefresh)
				nodes[1].who(next.Token).is(t, 401, invalidToken)
			}
			if n := s.number(`SELECT COUNT(*) FROM refresh_tokens`); n != 0 {
				t.Fatalf("%d refresh tokens are left", n)
			}
		}
	})
}

func TestRefreshExtendsTheLifetime(t *testing.T) {
	eachWith(t, auth.Config{RefreshLife: 24 * time.Hour}, func(t *testing.T, s *site) {
		pair, unused := s.logIn("/api/admin/login_check", "admin"), s.logIn("/api/admin/login_check", "admin")
		for range 3 {
			s.clock.Advance(24*time.Hour - time.Microsecond)
			pair = s.tokens(s.refresh(pair.Refresh))
		}
		s.refresh(unused.Refresh).is(t, 401, invalidRefresh)
		s.clock.Advance(24 * time.Hour)
		s.refresh(pair.Refresh).is(t, 401, invalidRefresh)
	})
}

func TestExpiredRefreshTokensAreDeleted(t *testing.T) {
	eachWith(t, auth.Config{RefreshLife: time.Hour}, func(t *testing.T, s *site) {
		for range 3 {
			s.logIn("/api/admin/login_check", "admin")
		}
		s.clock.Advance(time.Minute)
		stored := s.logIn("/api/admin/login_check", "admin")
		expect := func(want, tokens, sessions int64) {
			t.Helper()
			if n, err := s.auth.DeleteExpired(context.Background()); n != want || err != nil {
				t.Errorf("deleted %d, want %d: %v", n, want, err)
			}
			if n := s.number(`SELECT COUNT(*) FROM refresh_tokens`); n != tokens {
				t.Errorf("%d refresh tokens are left, want %d", n, tokens)
			}
			if n := s.number(`SELECT COUNT(*) FROM sessions`); n != sessions {
				t.Errorf("%d sessions are left, want %d", n, sessions)
			}
		}
		s.clock.Advance(59 * time.Minute)
		expect(3, 1, 4) // a session is stored as long as its access tokens are valid
		expect(0, 1, 4)
		s.tokens(s.refresh(stored.Refresh))
		s.clock.Advance(auth.DefaultTokenLife)
		expect(2+3, 0, 1)
		s.clock.Advance(time.Hour)
		expect(1, 0, 0)
	})
}

func TestThoseSwitchedOffCannotRefresh(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		anAdmin := s.logIn("/api/admin/login_check", "admin")
		aSeller := s.logIn("/api/seller/login_check", "seller@example.com")
		aCustomer := s.logIn("/api/customer/login_check", "user@example.com")
		off := []string{
			`UPDATE stores SET active = $1 WHERE store_id = $2`,
			`UPDATE administrators SET active = $1 WHERE $2 > 0`,
			`UPDATE sellers SET active = $1 WHERE store_id = $2`,
		}
		change := func(statement string, active bool) {
			s.exec(statement, active, s.store.Key)
			s.stores.Forget()
		}
		change(off[0], false)
		s.refresh(aSeller.Refresh).is(t, 401, invalidRefresh)
		s.refresh(aCustomer.Refresh).is(t, 401, invalidRefresh)
		change(off[0], true)
		change(off[1], false)
		s.refresh(anAdmin.Refresh).is(t, 401, invalidRefresh)
		change(off[2], false)
		s.refresh(aSeller.Refresh).is(t, 401, invalidRefresh)
		s.exec(`UPDATE customers SET status = 'blocked' WHERE store_id = $1`, s.store.Key)
		s.refresh(aCustomer.Refresh).is(t, 401, invalidRefresh)

		change(off[1], true) // a refused token is not used up
		change(off[2], true)
		s.exec(`UPDATE customers SET status = 'active' WHERE store_id = $1`, s.store.Key)
		for _, pair := range []tokens{anAdmin, aSeller, aCustomer} {
			s.tokens(s.refresh(pair.Refresh))
		}
	})
}

func TestRevokeEndsTheRefreshTokensOfTheCaller(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		others := s.logIn("/api/admin/login_check", "admin")
		for _, method := range []string{"GET", "POST"} {
			one, two := s.logIn("/api/customer/login_check", "user@example.com"), s.logIn("/api/customer/login_check", "card-7")
			revoke := func(headers ...string) answer {
				if method == "GET" {
					return s.get("/api/token/revoke", headers...)
				}
				return s.postWith("/api/token/revoke", headers...)
			}
			revoke().is(t, 401, `{"code":401,"message":"Authentication Required"}`)
			revoke("Authorization", "Bearer "+one.Token).is(t, 200, "")
			s.refresh(one.Refresh).is(t, 401, invalidRefresh)
			s.refresh(two.Refresh).is(t, 401, invalidRefresh)
			if got := s.who(one.Token); got.status != 200 {
				t.Errorf("the access token ends before its time: %d %s", got.status, got.body)
			}
		}
		s.get("/api/token/revoke", "X-AUTH-TOKEN", masterKey).is(t, 200, "")
		s.tokens(s.refresh(others.Refresh))
	})
}
