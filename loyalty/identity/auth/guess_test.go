package auth_test

import (
	"fmt"
	"testing"
	"time"

	"punchcard/loyalty/customer"
	"punchcard/loyalty/identity/auth"
	"punchcard/platform/db"
	"punchcard/platform/limit"
)

// guessLimits are small: 3 guesses from one network, 5 from all together.
var guessLimits = auth.Config{
	PairLimit:    limit.Rate{Quota: 3, Window: time.Hour},
	AccountLimit: limit.Rate{Quota: 5, Window: time.Hour},
}

const tooMany = `{"error":{"code":429,"message":"Too Many Requests"}}`

var logIns = map[string]string{
	"/api/admin/login_check": "admin", "/api/customer/login_check": "user@example.com",
	"/api/seller/login_check": "seller@example.com",
}

func TestGuessingLocksOutTheGuesserAndNotTheOwner(t *testing.T) {
	eachWith(t, guessLimits, func(t *testing.T, s *site) {
		for path, name := range logIns {
			for range 3 {
				s.guessFrom("198.51.100.7", path, name, "wrong").is(t, 401, badCredentials)
			}
			s.guessFrom("198.51.100.7", path, name, plain).is(t, 429, tooMany)
			s.tokens(s.guessFrom("203.0.113.1", path, name, plain)) // from a network without a session
		}
	})
}

// One customer of a provider has a whole /48 network of IPv6 addresses.
func TestANetworkOfIPv6GuessesAsOne(t *testing.T) {
	eachWith(t, guessLimits, func(t *testing.T, s *site) {
		const path = "/api/admin/login_check"
		for i := range 3 {
			s.guessFrom(fmt.Sprintf("2001:db8:7:%d::1", i), path, "admin", "wrong").is(t, 401, badCredentials)
		}
		s.guessFrom("2001:db8:7:ffff::1", path, "admin", plain).is(t, 429, tooMany)
		s.tokens(s.guessFrom("2001:db8:8::1", path, "admin", plain))
	})
}

// Guesses from many networks are limited together. That does not lock the user out of networks with a session.
func TestGuessesFromManyNetworks(t *testing.T) {
	eachWith(t, guessLimits, func(t *testing.T, s *site) {
		other := s.start(t, guessLimits)
		for path, name := range logIns {
			pair := s.tokens(s.guessFrom("203.0.113.1", path, name, plain))
			for _, n := range []*node{s.node, other} { // each counts for itself, and both know the network of the session
				for i := range 5 {
					n.guessFrom(fmt.Sprint("198.51.100.", i), path, name, "wrong").is(t, 401, badCredentials)
				}
				for _, tried := range []string{"wrong", plain} {
					got := n.guessFrom("198.51.100.9", path, name, tried)
					got.is(t, 429, tooMany)
					if got.header.Get("Retry-After") != "720" {
						t.Errorf("Retry-After is %q", got.header.Get("Retry-After"))
					}
				}
				for range 2 {
					s.tokens(n.guessFrom("203.0.113.1", path, name, plain))
				}
				for range 3 { // the limit of one network also applies to a known one
					n.guessFrom("203.0.113.1", path, name, "wrong").is(t, 401, badCredentials)
				}
				n.guessFrom("203.0.113.1", path, name, plain).is(t, 429, tooMany)
			}
			// A refresh makes its network known.
			s.tokens(s.sendWith("/api/token/refresh", "refresh_token="+pair.Refresh,
				"Content-Type", "application/x-www-form-urlencoded", "X-Forwarded-For", "203.0.113.2"))
			s.tokens(s.guessFrom("203.0.113.2", path, name, plain))
		}
		// Names without an account are limited, too.
		for i := range 5 {
			s.guessFrom(fmt.Sprint("198.51.100.", i), "/api/admin/login_check", "nobody", "x").is(t, 401, badCredentials)
		}
		s.guessFrom("198.51.100.9", "/api/admin/login_check", "nobody", "x").is(t, 429, tooMany)
		s.clock.Advance(12 * time.Minute)
		s.guessFrom("198.51.100.9", "/api/admin/login_check", "nobody", "x").is(t, 401, badCredentials)
	})
}

// An attempt that a limit refused is no guess: it does not count against the other limits.
func TestRefusedAttemptsDoNotCount(t *testing.T) {
	eachWith(t, guessLimits, func(t *testing.T, s *site) {
		const path = "/api/admin/login_check"
		for i := range 20 {
			status, body := 401, badCredentials
			if i >= 3 {
				status, body = 429, tooMany
			}
			s.guessFrom("198.51.100.7", path, "admin", "wrong").is(t, status, body)
		}
		for range 2 {
			s.guessFrom("198.51.100.8", path, "admin", "wrong").is(t, 401, badCredentials)
		}
		for range 20 {
			s.guessFrom("198.51.100.9", path, "admin", "wrong").is(t, 429, tooMany)
		}
		s.clock.Advance(36 * time.Minute) // three more from all networks together
		for range 3 {
			s.guessFrom("198.51.100.9", path, "admin", "wrong").is(t, 401, badCredentials)
		}
	})
}

// Attempts that the limit of a name refuses do not use up those at the account's other names.
func TestRefusedNamesLeaveAttemptsAtOtherNames(t *testing.T) {
	eachWith(t, guessLimits, func(t *testing.T, s *site) {
		s.write(func(tx *db.Tx) error { _, err := newStore(tx, "NORTH"); return err })
		s.stores.Forget()
		const address = "198.51.100.7"
		for range guessLimits.PairLimit.Quota { // nobody has the name there
			s.guessFrom(address, "/api/NORTH/customer/login_check", "user@example.com", "wrong").is(t, 401, badCredentials)
		}
		for range guessLimits.PairLimit.Quota {
			s.guessFrom(address, "/api/customer/login_check", "user@example.com", plain).is(t, 429, tooMany)
		}
		s.tokens(s.guessFrom(address, "/api/customer/login_check", "+48123456789", plain))
	})
}

// A name is refused after as many guesses whether or not somebody has it, in whatever order of paths and spellings the
// guesses come. Otherwise the limit would tell who has an account.
func TestLimitsRevealNobody(t *testing.T) {
	eachWith(t, guessLimits, func(t *testing.T, s *site) {
		s.write(func(tx *db.Tx) error {
			north, err := newStore(tx, "NORTH")
			if err == nil {
				_, err = customer.Register(tx, north, customer.Registration{
					Email: "north@example.com", Phone: "+48123456780", Active: true,
				})
			}
			return err
		})
		s.stores.Forget()
		client := 0
		for first, second := range map[string]string{"DEFAULT/": "", "": "NORTH/", "NORTH/": "DEFAULT/"} {
			for _, spellings := range [][]string{
				{"user@example.com", "User@Example.com"}, {"north@example.com", "NORTH@example.com"},
				{"nobody@example.com", "nobody@EXAMPLE.com"}, {"+48123456789", "+48 123 456 789"},
				{"+48123456780", "+48 123-456-780"}, {"+48123456799", "+48 123 456 799"},
			} {
				client++
				address := fmt.Sprint("198.51.100.", client)
				for range guessLimits.PairLimit.Quota {
					s.guessFrom(address, "/api/"+first+"customer/login_check", spellings[0], "wrong").is(t, 401, badCredentials)
				}
				for _, name := range spellings {
					got := s.guessFrom(address, "/api/"+second+"customer/login_check", name, "wrong")
					if got.status != 429 {
						t.Errorf("%q, then %q as %s: %d", first, second, name, got.status)
					}
				}
				s.clock.Advance(guessLimits.AccountLimit.Window)
			}
		}
	})
}
