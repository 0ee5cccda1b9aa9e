package seller_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"punchcard/core/api"
	"punchcard/loyalty/identity/auth"
	"punchcard/loyalty/identity/auth/authtest"
	"punchcard/loyalty/identity/seller"
	"punchcard/loyalty/pos"
	"punchcard/platform/db/dbtest"
)

func endpoints(a *auth.Auth) []api.Endpoint {
	return append(pos.Endpoints(), seller.Endpoints()...)
}

// addTill adds a point of sale through the API and returns its id.
func addTill(s *authtest.Site, token string) string {
	return s.Send(token, "POST", "/api/DEFAULT/pos", "pos[name]", "Till", "pos[identifier]", "T-1",
		"pos[location][street]", "Kai", "pos[location][address1]", "1", "pos[location][postal]", "0150",
		"pos[location][city]", "Oslo", "pos[location][province]", "Oslo", "pos[location][country]", "NO").Member("posId")
}

func form(till, email string) []string {
	return []string{
		"seller[firstName]", "Sam", "seller[lastName]", "Seller", "seller[email]", email,
		"seller[plainPassword]", authtest.Password, "seller[posId]", till, "seller[active]", "1",
	}
}

// TestOneAddressWinsOverHTTP registers sellers with one address concurrently: one succeeds, and the others get an error
// of the field.
func TestOneAddressWinsOverHTTP(t *testing.T) {
	dbtest.Both(t)
	authtest.Each(t, endpoints, func(t *testing.T, s *authtest.Site) {
		token := s.Administrator("full")
		till := addTill(s, token)
		answers := make([]authtest.Answer, 6)
		var all sync.WaitGroup
		for i := range answers {
			all.Go(func() {
				answers[i] = s.Send(token, "POST", "/api/DEFAULT/seller/register", form(till, "sam@example.com")...)
			})
		}
		all.Wait()
		won := 0
		for _, a := range answers {
			switch {
			case a.Status == 200:
				won++
			case a.Status != 400 || !strings.Contains(a.Body, `"email":{"errors":["This value is already used."]}`):
				t.Errorf("%d %s", a.Status, a.Body)
			}
		}
		if won != 1 {
			t.Errorf("%d were registered", won)
		}
	})
}

// TestSwitchedOffSellersAreOutEverywhere deactivates a seller, or sets their password, on one node. That revokes the
// token there at once, on another node after the recheck, and the refresh token everywhere.
func TestSwitchedOffSellersAreOutEverywhere(t *testing.T) {
	authtest.Each(t, endpoints, func(t *testing.T, s *authtest.Site) {
		other := s.Start(t)
		token := s.Administrator("full")
		till := addTill(s, token)
		for name, end := range map[string]func(id string) authtest.Answer{
			"deactivate": func(id string) authtest.Answer {
				return s.Send(token, "POST", "/api/DEFAULT/seller/"+id+"/deactivate")
			},
			"delete": func(id string) authtest.Answer {
				return s.Send(token, "POST", "/api/DEFAULT/seller/"+id+"/delete")
			},
			"password": func(id string) authtest.Answer {
				return s.Send(token, "PUT", "/api/DEFAULT/seller/"+id, form(till, "password@example.com")...)
			},
			"change": func(id string) authtest.Answer {
				in := form(till, "change@example.com")
				return s.Send(token, "PUT", "/api/DEFAULT/seller/"+id, in[:len(in)-2]...)
			},
		} {
			email := name + "@example.com"
			id := s.Send(token, "POST", "/api/DEFAULT/seller/register", form(till, email)...).Member("sellerId")
			sellerToken, refresh := s.LogIn("/api/DEFAULT/seller/login_check", email)
			for _, n := range []*authtest.Node{s.Node, other} {
				if got := n.Send(sellerToken, "GET", "/api/DEFAULT/seller/pos"); got.Status != 200 {
					t.Errorf("%s, before: %d %s", name, got.Status, got.Body)
				}
			}
			if got := end(id); got.Status != 200 {
				t.Errorf("%s: %d %s", name, got.Status, got.Body)
			}
			if got := s.Send(sellerToken, "GET", "/api/DEFAULT/seller/pos"); got.Status != 401 {
				t.Errorf("%s, on the same node: %d %s", name, got.Status, got.Body)
			}
			for _, n := range []*authtest.Node{s.Node, other} {
				if got := n.Send("", "POST", "/api/token/refresh", "refresh_token", refresh); got.Status != 401 {
					t.Errorf("%s, a new token: %d %s", name, got.Status, got.Body)
				}
			}
			s.Clock.Advance(auth.DefaultRecheck + time.Microsecond)
			if got := other.Send(sellerToken, "GET", "/api/DEFAULT/seller/pos"); got.Status != 401 {
				t.Errorf("%s, on another node: %d %s", name, got.Status, got.Body)
			}
		}
	})
}
