package auth_test

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/identity/auth"
	"punchcard/loyalty/identity/factor"
	"punchcard/loyalty/identity/factor/factortest"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/limit"
)

// TestLogInWithApp logs in with a code of an authenticator app, and with a recovery code. Both count once.
func TestLogInWithApp(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		for _, path := range []string{adminLogin, "/api/seller/login_check"} {
			name := map[bool]string{true: "admin", false: "seller@example.com"}[path == adminLogin]
			p, anyone := s.page(s.logIn(path, name).Token), s.page("")
			secret, recovery := s.addApp(p)
			if len(recovery) != factor.RecoveryCodes {
				t.Fatalf("%d recovery codes", len(recovery))
			}
			code := factortest.Code(secret, s.clock.Now())
			token := anyone.begin(path, name)
			anyone.refuse(401, "wrong_second_factor", "POST", "/api/login/factor",
				object{"login_token": token, "code": code}) // it confirmed the set-up
			s.clock.Advance(factor.TOTPPeriod)
			code = factortest.Code(secret, s.clock.Now())
			pair := anyone.want(200, "POST", "/api/login/factor", object{"login_token": token, "code": code})
			if got := s.who(pair.Token); got.status != 200 {
				t.Errorf("the token of the log-in: %d %s", got.status, got.body)
			}
			anyone.refuse(401, "wrong_second_factor", "POST", "/api/login/factor",
				object{"login_token": token, "recoveryCode": recovery[0]}) // the log-in is finished
			token = anyone.begin(path, name)
			anyone.refuse(401, "wrong_second_factor", "POST", "/api/login/factor",
				object{"login_token": token, "code": code})
			given := strings.ToLower(strings.ReplaceAll(recovery[3], "-", " "))
			anyone.want(200, "POST", "/api/login/factor", object{"login_token": token, "recoveryCode": given})
			anyone.refuse(401, "wrong_second_factor", "POST", "/api/login/factor",
				object{"login_token": anyone.begin(path, name), "recoveryCode": recovery[3]})
		}
	})
}

// TestPasswordFirst shows that responses do not reveal a factor before the password was right, and that an account
// without one logs in as ever.
func TestPasswordFirst(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		s.addApp(s.page(s.logIn(adminLogin, "admin").Token))
		s.post(adminLogin, "_username", "admin", "_password", "wrong").is(t, 401, badCredentials)
		s.post(adminLogin, "_username", "nobody", "_password", "wrong").is(t, 401, badCredentials)
		s.logIn(adminLogin, "reporter@example.com")
		asked := s.post(adminLogin, "_username", "admin", "_password", plain)
		if asked.status != 401 || !strings.HasPrefix(asked.body, `{"code":401,"message":"A second factor is required.",`+
			`"error":"second_factor_required","login_token":"`) {
			t.Errorf("with a factor: %d %s", asked.status, asked.body)
		}
	})
}

// TestTriesAtFactors shows that a log-in allows few tries, that they count against the limits of failed log-ins, and
// that the log-in ends with its time and with the password.
func TestTriesAtFactors(t *testing.T) {
	settings := auth.Config{PairLimit: limit.Rate{Quota: 8, Window: time.Hour}}
	eachWith(t, settings, func(t *testing.T, s *site) {
		p, anyone := s.page(s.logIn(adminLogin, "admin").Token), s.page("")
		_, recovery := s.addApp(p)
		finish := func(token, code string) answer {
			return anyone.call("POST", "/api/login/factor", object{"login_token": token, "recoveryCode": code})
		}
		late := anyone.begin(adminLogin, "admin")
		s.clock.Advance(factor.ChallengeLife)
		if got := finish(late, recovery[0]); got.status != 401 {
			t.Errorf("an expired log-in: %d %s", got.status, got.body)
		}
		token := anyone.begin(adminLogin, "admin")
		for range factor.LoginAttempts {
			if got := finish(token, "WRONG"); got.status != 401 {
				t.Fatalf("a wrong code: %d %s", got.status, got.body)
			}
		}
		if got := finish(token, recovery[0]); got.status != 401 {
			t.Errorf("after %d tries: %d %s", factor.LoginAttempts, got.status, got.body)
		}
		token = anyone.begin(adminLogin, "admin")
		for range 3 {
			finish(token, "WRONG")
		}
		if got := finish(token, recovery[0]); got.status != 429 {
			t.Errorf("beyond the limit of failed log-ins: %d %s", got.status, got.body)
		}
		s.post(adminLogin, "_username", "admin", "_password", plain) // the password is limited as well
		s.clock.Advance(time.Hour)
		token = anyone.begin(adminLogin, "admin")
		s.exec(`UPDATE administrators SET password_hash = 'other' WHERE username = 'admin'`)
		if got := finish(token, recovery[0]); got.status != 401 {
			t.Errorf("with a password that was changed meanwhile: %d %s", got.status, got.body)
		}
	})
}

// TestWrongCodesLockTheCodes tries codes until those of the account are locked, at two nodes at once, whatever the
// limits of addresses say. The person gets one message, and other factors work.
func TestWrongCodesLockTheCodes(t *testing.T) {
	dbtest.Both(t)
	each(t, func(t *testing.T, s *site) {
		var messages atomic.Int64
		s.on = []feature.Reaction{feature.On(func(*db.Tx, *store.Store, auth.CodesLocked) error {
			messages.Add(1)
			return nil
		})}
		nodes := []*node{s.start(t, auth.Config{}), s.start(t, auth.Config{})}
		token := s.logIn(adminLogin, "admin").Token
		p := nodes[0].page(token)
		secret, recovery := s.addApp(p)
		s.clock.Advance(factor.TOTPPeriod)
		use := func(n *node, body object) answer { return n.page(token).call("POST", "/api/me/factors/use", body) }
		right := func() string { // as apps show it
			code := factortest.Code(secret, s.clock.Now())
			return code[:3] + " " + code[3:]
		}
		for range factor.WrongCodes - 1 {
			use(nodes[0], object{"code": "000000x"})
		}
		if got := use(nodes[0], object{"code": right()}); got.status != 204 {
			t.Fatalf("before the lock: %d %s", got.status, got.body)
		}
		s.clock.Advance(factor.TOTPPeriod)
		var wrong, refused atomic.Int64
		var all sync.WaitGroup
		for i := range 2 * factor.WrongCodes {
			all.Go(func() {
				switch got := use(nodes[i%2], object{"code": "000000x"}); {
				case got.status == 400:
					wrong.Add(1)
				case got.status == 429 && strings.Contains(got.body, "too many wrong codes"):
					refused.Add(1)
				default:
					t.Errorf("%d %s", got.status, got.body)
				}
			})
		}
		all.Wait()
		if wrong.Load() != factor.WrongCodes || refused.Load() != factor.WrongCodes || messages.Load() != 1 {
			t.Errorf("%d wrong codes, %d refused, %d messages", wrong.Load(), refused.Load(), messages.Load())
		}
		if got := use(nodes[1], object{"code": right()}); got.status != 429 {
			t.Errorf("a right code: %d %s", got.status, got.body)
		}
		if got := use(nodes[1], object{"recoveryCode": recovery[0]}); got.status != 204 {
			t.Errorf("a recovery code: %d %s", got.status, got.body)
		}
		s.clock.Advance(factor.WrongCodesWindow)
		if got := use(nodes[1], object{"code": right()}); got.status != 204 {
			t.Errorf("after the lock: %d %s", got.status, got.body)
		}
	})
}

// TestRacedFactors uses one code, and one recovery code, at the same time at two nodes: each counts once.
func TestRacedFactors(t *testing.T) {
	dbtest.Both(t)
	each(t, func(t *testing.T, s *site) {
		p := s.page(s.logIn(adminLogin, "admin").Token)
		secret, recovery := s.addApp(p)
		nodes := s.atBoth(t, s.page(""))
		s.clock.Advance(factor.TOTPPeriod)
		for _, proof := range []object{
			{"code": factortest.Code(secret, s.clock.Now())}, {"recoveryCode": recovery[0]},
		} {
			var all sync.WaitGroup
			statuses := make([]int, 6)
			for i := range statuses {
				node := nodes[i%2]
				body := object{"login_token": nodes[0].begin(adminLogin, "admin")}
				for name, value := range proof {
					body[name] = value
				}
				all.Go(func() { statuses[i] = node.call("POST", "/api/login/factor", body).status })
			}
			all.Wait()
			right := 0
			for _, status := range statuses {
				if status == 200 {
					right++
				}
			}
			if right != 1 {
				t.Errorf("%v logged in %d times: %v", proof, right, statuses)
			}
		}
	})
}

// TestStepUp shows when a session has to use a factor again. Sessions that no web app keeps need not.
func TestStepUp(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		plainPair := s.logIn(adminLogin, "admin")
		cookies := s.browser()
		token := cookies.token(takeOver(s.logIn(adminLogin, "admin").Refresh))
		p, bearer := s.page(token), s.page(plainPair.Token)
		p.want(204, "POST", "/api/danger", object{}) // no factor yet
		secret, recovery := s.addApp(p)
		s.clock.Advance(auth.StepUpLife)
		p.token = cookies.token(cockpitSession)
		p.refuse(403, "second_factor_use_required", "POST", "/api/danger", object{})
		bearer.want(204, "POST", "/api/danger", object{})
		p.refuse(400, "second_factor_refused", "POST", "/api/me/factors/use", object{"code": "000000"})
		p.want(204, "POST", "/api/me/factors/use", object{"code": factortest.Code(secret, s.clock.Now())})
		p.want(204, "POST", "/api/danger", object{})
		s.clock.Advance(auth.StepUpLife)
		p.refuse(403, "second_factor_use_required", "DELETE", "/api/me/factors/totp", object{})
		p.want(204, "POST", "/api/me/factors/use", object{"recoveryCode": recovery[0]})
		p.want(204, "DELETE", "/api/me/factors/totp", object{})
		if n := s.number(`SELECT COUNT(*) FROM factor_recovery_codes`); n != 0 {
			t.Errorf("%d recovery codes are left of no factor", n)
		}
		s.exec(`INSERT INTO factor_rules (store_id, role_id, grace_days, since) VALUES (0, 1, 30, $1)`,
			s.clock.Now().UnixMicro())
		s.addApp(p)
		s.clock.Advance(auth.StepUpLife)
		bearer.refuse(403, "second_factor_use_required", "POST", "/api/danger", object{}) // the role requires a factor
	})
}

// TestPointsOfADay moves points at once on two nodes: no more pass without the factor than the limit lets. They count
// for a day, and those with a factor do not count.
func TestPointsOfADay(t *testing.T) {
	dbtest.Both(t)
	eachWith(t, auth.Config{StepUpPoints: 100}, func(t *testing.T, s *site) {
		settings := s.settings
		other := s.start(t, settings)
		cookies := s.browser()
		p := s.page(cookies.token(takeOver(s.logIn(adminLogin, "admin").Refresh)))
		for range 5 {
			p.want(204, "POST", "/api/move", object{}) // no factor yet
		}
		_, recovery := s.addApp(p)
		for i := range 3 {
			if i > 0 {
				s.clock.Advance(25 * time.Hour)
				p.token = cookies.token(cockpitSession)
			} else {
				p.want(204, "POST", "/api/move", object{}) // the factor is in use
				s.clock.Advance(auth.StepUpLife)
			}
			statuses := [12]int{}
			var all sync.WaitGroup
			for i := range statuses {
				at := p
				if i%2 == 1 {
					at.node = other
				}
				all.Go(func() { statuses[i] = at.call("POST", "/api/move", object{}).status })
			}
			all.Wait()
			passed := 0
			for _, status := range statuses {
				if status == 204 {
					passed++
				}
			}
			if passed != 3 {
				t.Errorf("%d of %d calls with 30 points pass, want 3 below 100: %v", passed, len(statuses), statuses)
			}
			p.refuse(403, "second_factor_use_required", "POST", "/api/move", object{})
			p.want(204, "POST", "/api/me/factors/use", object{"recoveryCode": recovery[i]})
			for range 5 {
				p.want(204, "POST", "/api/move", object{})
			}
			s.clock.Advance(auth.StepUpLife)
			p.token = cookies.token(cockpitSession)
			p.refuse(403, "second_factor_use_required", "POST", "/api/move", object{})
		}
	})
}

// TestGracePeriod shows that an account whose role requires a factor can only add one when the grace period is over.
func TestGracePeriod(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		s.page(s.logIn(adminLogin, "admin").Token).want(204, "PUT", "/api/admin/acl/role/2/factor-rule",
			object{"factorRule": object{"required": true, "graceDays": 7}})
		early := s.page(s.logIn(adminLogin, "reporter@example.com").Token)
		if got := s.who(early.token); got.status != 200 {
			t.Errorf("within the grace period: %d %s", got.status, got.body)
		}
		s.clock.Advance(7 * 24 * time.Hour)
		late := s.page(s.logIn(adminLogin, "reporter@example.com").Token)
		late.refuse(403, "second_factor_enrollment_required", "GET", "/api/who", nil)
		s.page(s.logIn(adminLogin, "admin").Token).want(200, "GET", "/api/who", nil)
		s.addApp(late)
		late.want(200, "GET", "/api/who", nil)
	})
}
