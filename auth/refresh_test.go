package auth_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"punchcard/auth"
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
			s.refresh(first.Refresh).is(t, 401, invalidRefresh)
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
		if n := s.number(`SELECT COUNT(*) FROM refresh_tokens`); n != 3 {
			t.Errorf("%d refresh tokens are kept, want 3", n)
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

// Of requests that race with one token exactly one may win, on whichever node they arrive.
func TestParallelRefreshesHaveOneWinner(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		nodes := []*node{s.node, s.start(t, auth.Config{})}
		token := s.logIn("/api/customer/login_check", "user@example.com").Refresh
		for range 5 {
			answers := make([]answer, 8)
			var all sync.WaitGroup
			for i := range answers {
				all.Go(func() { answers[i] = nodes[i%len(nodes)].refresh(token) })
			}
			all.Wait()
			winners := 0
			for _, got := range answers {
				if got.status == 200 {
					winners++
					token = s.tokens(got).Refresh
				} else {
					got.is(t, 401, invalidRefresh)
				}
			}
			if winners != 1 {
				t.Fatalf("%d requests won", winners)
			}
		}
		if n := s.number(`SELECT COUNT(*) FROM refresh_tokens`); n != 1 {
			t.Errorf("%d refresh tokens are kept, want 1", n)
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
		kept := s.logIn("/api/admin/login_check", "admin")
		s.clock.Advance(59 * time.Minute)
		for _, want := range []int64{3, 0} {
			if n, err := s.auth.DeleteExpired(context.Background()); n != want || err != nil {
				t.Errorf("deleted %d, want %d: %v", n, want, err)
			}
		}
		s.tokens(s.refresh(kept.Refresh))
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
