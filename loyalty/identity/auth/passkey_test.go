package auth_test

import (
	"sync"
	"testing"
	"time"

	"punchcard/loyalty/identity/factor"
	"punchcard/platform/db/dbtest"
)

// TestLogInWithPasskeyAlone logs in everybody with a passkey, with a challenge of one node at another one.
func TestLogInWithPasskeyAlone(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		nodes := s.atBoth(t, s.page(""))
		for _, who := range []struct{ app, path, name string }{
			{"cockpit", adminLogin, "admin"}, {"till", "/api/seller/login_check", "seller@example.com"},
			{"me", "/api/customer/login_check", "user@example.com"},
		} {
			d := s.page(s.logIn(who.path, who.name).Token).addPasskey()
			challenge := nodes[0].want(200, "POST", "/api/login/passkey/challenge", object{}).Challenge
			body := object{"app": who.app, "store": "DEFAULT", "credential": d.Use(challenge)}
			pair := nodes[1].want(200, "POST", "/api/login/passkey", body)
			if got := s.who(pair.Token); got.status != 200 {
				t.Errorf("%s: %d %s", who.app, got.status, got.body)
			}
			nodes[0].refuse(401, "wrong_second_factor", "POST", "/api/login/passkey", body) // replayed
			for _, other := range []string{"cockpit", "till", "me"} {
				if got := s.page("").enter(d, other); (got.status == 200) != (other == who.app) {
					t.Errorf("the passkey of %s at %s: %d %s", who.app, other, got.status, got.body)
				}
			}
		}
	})
}

// TestPasskeyAsSecondFactor completes a log-in and steps up with a passkey whose device does not verify its user.
func TestPasskeyAsSecondFactor(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		p, anyone := s.page(s.logIn(adminLogin, "admin").Token), s.page("")
		d := p.addPasskey()
		d.Verified = false
		if got := anyone.enter(d, "cockpit"); got.status != 401 {
			t.Errorf("alone, without verification: %d %s", got.status, got.body)
		}
		token := anyone.begin(adminLogin, "admin")
		asked := anyone.want(200, "POST", "/api/login/factor/challenge", object{"login_token": token})
		if len(asked.AllowCredentials) != 1 {
			t.Errorf("%d passkeys are allowed", len(asked.AllowCredentials))
		}
		anyone.want(200, "POST", "/api/login/factor",
			object{"login_token": token, "credential": d.Use(asked.Challenge)})
		asked = p.want(200, "POST", "/api/me/factors/challenge", object{})
		p.want(204, "POST", "/api/me/factors/use", object{"credential": d.Use(asked.Challenge)})
		p.refuse(400, "second_factor_refused", "POST", "/api/me/factors/use",
			object{"credential": d.Use(asked.Challenge)})
	})
}

// TestRefusedPasskeys shows what a server refuses: another origin or site, an answer that is late, of another challenge
// or of another account, and a counter that goes back.
func TestRefusedPasskeys(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		p, anyone := s.page(s.logIn(adminLogin, "admin").Token), s.page("")
		d := p.addPasskey()
		d.Count = 5
		if got := anyone.enter(d, "cockpit"); got.status != 200 {
			t.Fatalf("the passkey: %d %s", got.status, got.body)
		}
		refuse := func(what string, got answer) {
			t.Helper()
			if got.status == 200 {
				t.Errorf("%s is accepted", what)
			}
		}
		refuse("a counter that stays", anyone.enter(d, "cockpit"))
		d.Count = 3
		refuse("a counter that goes back", anyone.enter(d, "cockpit"))
		d.Count = 100
		d.Origin = "https://evil.example"
		refuse("another origin", anyone.enter(d, "cockpit"))
		d.Origin, d.RPID = publicOrigin, "evil.example"
		refuse("another site", anyone.enter(d, "cockpit"))
		d.RPID = publicHost
		evil := anyone
		evil.origin, evil.host = "https://evil.example", "evil.example"
		d.Origin, d.RPID = evil.origin, evil.host
		refuse("a passkey of another site than the page's", evil.enter(d, "cockpit"))
		evil.host = publicHost
		if got := evil.call("POST", "/api/login/passkey/challenge", object{}); got.status != 403 {
			t.Errorf("a page of another origin: %d %s", got.status, got.body)
		}
		d.Origin, d.RPID = publicOrigin, publicHost
		challenge := anyone.want(200, "POST", "/api/login/passkey/challenge", object{}).Challenge
		s.clock.Advance(factor.ChallengeLife)
		refuse("a late answer", anyone.call("POST", "/api/login/passkey",
			object{"app": "cockpit", "credential": d.Use(challenge)}))
		asked := p.want(200, "POST", "/api/me/factors/challenge", object{})
		refuse("an answer to a challenge for something else", anyone.call("POST", "/api/login/passkey",
			object{"app": "cockpit", "credential": d.Use(asked.Challenge)}))
		other := s.page(s.logIn(adminLogin, "reporter@example.com").Token)
		other.addPasskey()
		asked = other.want(200, "POST", "/api/me/factors/challenge", object{})
		other.refuse(400, "second_factor_refused", "POST", "/api/me/factors/use",
			object{"credential": d.Use(asked.Challenge)})
		s.clock.Advance(time.Minute)
		if got := anyone.enter(d, "cockpit"); got.status != 200 {
			t.Errorf("the right passkey at last: %d %s", got.status, got.body)
		}
	})
}

// TestOwnPasskeys lists, renames and removes passkeys. Those of others are unknown.
func TestOwnPasskeys(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		p := s.page(s.logIn(adminLogin, "admin").Token)
		other := s.page(s.logIn(adminLogin, "reporter@example.com").Token)
		p.refuse(400, "invalid_fields", "POST", "/api/me/factors/passkeys/challenge", object{})
		p.addPasskey()
		other.addPasskey()
		list := func() (passkeys []struct{ PasskeyID, Name string }) {
			var all struct {
				Passkeys []struct{ PasskeyID, Name string }
			}
			decode(t, p.call("GET", "/api/me/factors", nil).body, &all)
			return all.Passkeys
		}
		path := "/api/me/factors/passkeys/" + list()[0].PasskeyID
		other.want(404, "PUT", path, object{"name": "Mine"})
		other.want(404, "DELETE", path, object{})
		p.want(204, "PUT", path, object{"name": "Laptop"})
		if got := list(); len(got) != 1 || got[0].Name != "Laptop" {
			t.Errorf("the passkeys are %v", got)
		}
		s.page(s.logIn("/api/seller/login_check", "seller@example.com").Token).
			want(403, "DELETE", "/api/admin/data/"+s.people.reporter.ID+"/factors", object{})
		p.want(204, "DELETE", "/api/admin/data/"+s.people.reporter.ID+"/factors", object{})
		other.want(401, "GET", "/api/me/factors", nil) // the sessions ended
		s.logIn(adminLogin, "reporter@example.com")
		p.want(204, "DELETE", path, object{})
		s.logIn(adminLogin, "admin")
	})
}

// TestReplayRaced answers one challenge at the same time at two nodes: it counts once.
func TestReplayRaced(t *testing.T) {
	dbtest.Both(t)
	each(t, func(t *testing.T, s *site) {
		d := s.page(s.logIn(adminLogin, "admin").Token).addPasskey()
		nodes := s.atBoth(t, s.page(""))
		challenge := nodes[0].want(200, "POST", "/api/login/passkey/challenge", object{}).Challenge
		body := object{"app": "cockpit", "credential": d.Use(challenge)}
		var all sync.WaitGroup
		statuses := make([]int, 6)
		for i := range statuses {
			all.Go(func() { statuses[i] = nodes[i%2].call("POST", "/api/login/passkey", body).status })
		}
		all.Wait()
		right := 0
		for _, status := range statuses {
			if status == 200 {
				right++
			}
		}
		if right != 1 {
			t.Errorf("accepted %d times: %v", right, statuses)
		}
	})
}
