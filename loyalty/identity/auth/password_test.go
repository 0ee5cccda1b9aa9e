package auth_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/identity/auth"
	"punchcard/loyalty/identity/auth/authtest"
	"punchcard/loyalty/identity/seller"
	"punchcard/loyalty/level"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

const (
	next         = "Secret-2"
	changed      = `{"success":true}`
	wrongCurrent = `{"form":{"children":{"currentPassword":{"errors":[` +
		`"This value should be the user's current password."]},"plainPassword":{}}},"errors":[]}`
)

// noEndpoints is for sites that serve the endpoints of this package alone.
func noEndpoints(*auth.Auth) []api.Endpoint { return nil }

// somebody is a user who changes their password, with the paths of their role.
type somebody struct{ login, change, name string }

func everybody(s *authtest.Site) []somebody {
	s.Write(func(tx *db.Tx) error {
		hash, err := authtest.Hash()
		if err != nil {
			return err
		}
		home, _, err := store.ByCode(tx, store.DefaultCode)
		if err != nil {
			return err
		}
		_, err = seller.Create(tx, home.Key, seller.New{Email: "sam@example.com", PasswordHash: hash, Active: true})
		if err != nil {
			return err
		}
		_, err = level.Create(tx, home, level.Level{
			Active: true, Translations: []level.Translation{{Locale: "en", Name: "Start"}},
		})
		if err != nil {
			return err
		}
		_, err = customer.Register(tx, home, customer.Registration{
			Email: "ida@example.com", PasswordHash: hash, PasswordTemporary: true, Active: true,
		})
		return err
	})
	return []somebody{
		{"/api/admin/login_check", "/api/admin/password/change", "full"},
		{"/api/admin/login_check", "/api/DEFAULT/admin/password/change", "reporter"},
		{"/api/DEFAULT/seller/login_check", "/api/DEFAULT/seller/password/change", "sam@example.com"},
		{"/api/DEFAULT/customer/login_check", "/api/DEFAULT/customer/password/change", "ida@example.com"},
	}
}

func TestPasswordsAreChangedByThoseWhoKnowThem(t *testing.T) {
	authtest.Each(t, noEndpoints, func(t *testing.T, s *authtest.Site) {
		for _, who := range everybody(s) {
			token, refresh := s.LogIn(who.login, who.name)
			expect := func(got authtest.Answer, status int, body string) {
				t.Helper()
				if got.Status != status || body != "" && got.Body != body {
					t.Errorf("%s: %d %s", who.name, got.Status, got.Body)
				}
			}
			change := func(current string) authtest.Answer {
				return s.Send(token, "POST", who.change, "currentPassword", current, "plainPassword", next)
			}
			renew := func() authtest.Answer { return s.Send("", "POST", "/api/token/refresh", "refresh_token", refresh) }
			logIn := func(plain string) authtest.Answer {
				return s.Send("", "POST", who.login, "_username", who.name, "_password", plain)
			}
			expect(change(next), 400, wrongCurrent)
			expect(renew(), 200, "")
			_, refresh = s.LogIn(who.login, who.name)
			expect(change(authtest.Password), 200, changed)
			expect(renew(), 401, invalidRefresh)
			expect(logIn(authtest.Password), 401, badCredentials)
			again := logIn(next)
			expect(again, 200, "")
			if strings.Contains(again.Body, "password change needed") {
				t.Errorf("%s must change the password again", who.name)
			}
			expect(change(authtest.Password), 400, wrongCurrent)
		}
	})
}

// TestGuessesOfThePresentPasswordAreLimited shows that a stolen token offers no way around the limits
// of log-ins.
func TestGuessesOfThePresentPasswordAreLimited(t *testing.T) {
	authtest.Each(t, noEndpoints, func(t *testing.T, s *authtest.Site) {
		token := s.Administrator("full")
		change := func(current string, status int) {
			t.Helper()
			got := s.Send(token, "POST", "/api/admin/password/change", "currentPassword", current, "plainPassword", next)
			if got.Status != status {
				t.Errorf("%d %s", got.Status, got.Body)
			}
		}
		for range authtest.PairLimit.Quota {
			change("guess", 400)
		}
		change(authtest.Password, 429)
		s.Clock.Advance(authtest.PairLimit.Window / time.Duration(authtest.PairLimit.Quota))
		change(authtest.Password, 200)
	})
}

// TestOnePasswordIsChangedOnce changes a password from several clients at once.
func TestOnePasswordIsChangedOnce(t *testing.T) {
	dbtest.Both(t)
	authtest.Each(t, noEndpoints, func(t *testing.T, s *authtest.Site) {
		token := s.Administrator("full")
		answers := make([]authtest.Answer, 4)
		var all sync.WaitGroup
		for i := range answers {
			all.Go(func() {
				answers[i] = s.Send(token, "POST", "/api/admin/password/change",
					"currentPassword", authtest.Password, "plainPassword", next)
			})
		}
		all.Wait()
		won := 0
		for _, a := range answers {
			switch {
			case a.Status == 200:
				won++
			case a.Status != 400 || a.Body != wrongCurrent:
				t.Errorf("%d %s", a.Status, a.Body)
			}
		}
		if won != 1 {
			t.Errorf("%d changes of one password", won)
		}
	})
}

// A blocked customer, whose token still reads, cannot change the password.
func TestBlockedCustomersChangeNoPassword(t *testing.T) {
	authtest.Each(t, noEndpoints, func(t *testing.T, s *authtest.Site) {
		who := everybody(s)[3]
		token, _ := s.LogIn(who.login, who.name)
		s.Write(func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE customers SET status = 'blocked'`)
			return err
		})
		got := s.Send(token, "POST", who.change,
			"currentPassword", authtest.Password, "plainPassword", next)
		if got.Status != 403 || got.Body != `{"error":{"code":403,"message":"Forbidden"}}` {
			t.Errorf("%d %s", got.Status, got.Body)
		}
	})
}
