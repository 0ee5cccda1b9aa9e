package verification_test

import (
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/identity/seller"
	"punchcard/loyalty/identity/verification"
	"punchcard/loyalty/level"
	"punchcard/loyalty/level/shoptest"
	"punchcard/loyalty/message"
	"punchcard/loyalty/message/template"
	"punchcard/platform/db"
)

// TestReset shows that administrators, sellers and customers choose a new password by a link that is sent to them.
func TestReset(t *testing.T) {
	each(t, nil, func(s *site) {
		for _, c := range []struct{ request, name, event, id, logIn, link string }{
			{"password/reset/request", "admin", template.AdminPasswordReset, s.admin.ID, "admin/login_check", "/reset/"},
			{"password/reset/request", "ADMIN@example.com", template.AdminPasswordReset, s.admin.ID, "admin/login_check",
				"/reset/"},
			{"DEFAULT/password/reset/request", "till@example.com", template.SellerPasswordReset, s.seller.ID,
				"DEFAULT/seller/login_check", "/till/DEFAULT/reset/"},
			{"DEFAULT/seller/password/reset/request", "till@example.com", template.SellerPasswordReset, s.seller.ID,
				"DEFAULT/seller/login_check", "/till/DEFAULT/reset/"},
			{"DEFAULT/customer/password/reset/request", "ida@example.com", template.CustomerPasswordReset, s.ida.ID,
				customerLogIn, "/me/DEFAULT/reset/"},
			{"DEFAULT/customer/password/reset/request", "%2B4790000001", template.CustomerPasswordReset, s.ida.ID,
				customerLogIn, "/me/DEFAULT/reset/"},
		} {
			name := strings.ReplaceAll(c.name, "%2B", "+")
			if body := s.must(200, "", "POST", c.request, "username="+c.name); body != `{"success":true}` {
				s.Errorf("%s: %s", c.name, body)
			}
			got := s.secrets(c.event, c.id)
			if got["link"] != c.link+got["token"] {
				s.Errorf("%s: the link is %s", c.name, got["link"])
			}
			next := chosen + c.request[:2] + c.name[:1] + "x"
			next = strings.ReplaceAll(next, "%", "p")
			weak, err := http.PostForm(s.url+"/api/password/reset",
				url.Values{"token": {got["token"]}, "reset[plainPassword]": {"short"}})
			if err != nil {
				s.Fatal(err)
			}
			text, _ := io.ReadAll(weak.Body)
			if !strings.HasPrefix(string(text), `{"form":{"children":{"plainPassword":{"errors":[`) {
				s.Errorf("a weak password: %s", text)
			}
			weak.Body.Close()
			s.must(200, "", "POST", "password/reset", "token="+got["token"]+"&reset[plainPassword]="+next)
			if token, _ := s.logIn(c.logIn, name, next); token == "" {
				s.Errorf("%s cannot log in with the new password", c.name)
			}
			used := s.must(404, "", "POST", "password/reset", "token="+got["token"]+"&reset[plainPassword]="+next)
			if !strings.Contains(used, "link_used") {
				s.Errorf("a second use: %s", used)
			}
		}
	})
}

// Without a store in the path, the store is DEFAULT, or the only one that knows the name.
func TestResetWithoutStore(t *testing.T) {
	each(t, nil, func(s *site) {
		people := map[string]string{"DEFAULT ida": s.ida.ID} // ids
		stores := map[string]int64{"DEFAULT": s.Store.Key}
		for _, code := range []string{"NORTH", "SOUTH"} {
			shop := shoptest.Open(s.TB, s.DB, code, nil, level.Level{Active: true})
			stores[code] = shop.Store.Key
			for _, name := range []string{code, "both", "ida", code + "-sso"} {
				in := seller.New{Email: name + "@till.example.com", PasswordHash: "a hash", Active: true}
				if name == code+"-sso" {
					in.PasswordHash = "" // an identity provider signs them in
				}
				shop.Write(func(tx *db.Tx) error {
					clerk, err := seller.Create(tx, shop.Store.Key, in)
					if err != nil {
						return err
					}
					buyer, err := customer.Register(tx, shop.Store, customer.Registration{
						Email: name + "@example.com", FirstName: "N", LastName: "N", Active: true,
					})
					people[code+" seller "+name] = clerk.ID
					people[code+" "+name] = buyer.ID
					return err
				})
			}
		}
		links := func() (to []string) {
			s.Read(func(tx *db.Tx) error {
				for who, id := range people {
					code, _, _ := strings.Cut(who, " ")
					all, err := message.Of(tx, stores[code], id, "", 100)
					if err != nil {
						return err
					}
					for _, d := range all {
						if d.Event == template.SellerPasswordReset || d.Event == template.CustomerPasswordReset {
							to = append(to, who)
						}
					}
				}
				return nil
			})
			slices.Sort(to)
			return to
		}
		var want []string
		for _, c := range []struct{ path, name, to string }{
			{"", "north@till.example.com", "NORTH seller NORTH"},
			{"seller/", "south@till.example.com", "SOUTH seller SOUTH"},
			{"", "south@example.com", "SOUTH SOUTH"},
			{"customer/", "north@example.com", "NORTH NORTH"},
			{"customer/", "ida@example.com", "DEFAULT ida"},
			{"", "both@till.example.com", ""},
			{"", "both@example.com", ""},
			{"seller/", "north@example.com", ""},
			{"seller/", "north-sso@till.example.com", ""},
		} {
			s.must(200, "", "POST", c.path+"password/reset/request", "username="+c.name)
			if c.to != "" {
				want = append(want, c.to)
			}
			slices.Sort(want)
			if got := links(); !slices.Equal(got, want) {
				s.Errorf("after %s%s links went to %q, want %q", c.path, c.name, got, want)
			}
		}
	})
}

// TestResetEnds shows what a reset ends: sessions, other links, and changes of contacts; and that a message reports it.
func TestResetEnds(t *testing.T) {
	each(t, func(settings *store.Settings) { settings.ConfirmContactChange = true }, func(s *site) {
		session, _ := s.logIn(customerLogIn, "ida@example.com", plain)
		s.must(200, session, "PUT", "DEFAULT/customer/"+s.ida.ID, "customer[email]=thief@example.com")
		change := s.secrets(template.ContactChange, s.ida.ID)
		const request = "DEFAULT/customer/password/reset/request"
		s.must(200, "", "POST", request, "username=ida@example.com")
		first := s.secrets(template.CustomerPasswordReset, s.ida.ID)
		second := s.secrets(template.CustomerPasswordReset, s.ida.ID)
		s.must(200, "", "POST", "DEFAULT/password/reset?token="+second["token"], "reset[plainPassword]="+chosen)
		s.must(404, "", "POST", "password/reset", "token="+first["token"]+"&reset[plainPassword]="+chosen)
		s.must(401, session, "GET", "DEFAULT/customer/"+s.ida.ID, "")
		if token, _ := s.logIn(customerLogIn, "ida@example.com", plain); token != "" {
			s.Error("the former password is still good")
		}
		session, _ = s.logIn(customerLogIn, "ida@example.com", chosen)
		s.must(404, session, "POST", "DEFAULT/customer/confirm-change/"+change["token"], "")
		if s.customer(s.ida.ID).Email != "ida@example.com" {
			s.Error("the contact of the thief was confirmed")
		}
		if n := len(s.messages(template.PasswordChanged, s.ida.ID)); n != 1 {
			s.Errorf("%d messages tell of the change", n)
		}
	})
}

// TestLinksExpire shows that links end after an hour, with the address they were sent to, and with the account.
func TestLinksExpire(t *testing.T) {
	each(t, nil, func(s *site) {
		token := func() string {
			s.must(200, "", "POST", "DEFAULT/customer/password/reset/request", "username=ida@example.com")
			return s.secrets(template.CustomerPasswordReset, s.ida.ID)["token"]
		}
		refused := func(token, code string) {
			s.Helper()
			body := s.must(404, "", "POST", "password/reset", "token="+token+"&reset[plainPassword]="+chosen)
			if !strings.Contains(body, code) {
				s.Errorf("%s, want %s", body, code)
			}
		}
		refused("unknown", "link_unknown")
		refused("", "link_unknown")
		late := token()
		s.clock.Advance(verification.TokenLife)
		refused(late, "link_expired")
		moved := token()
		admin, _ := s.logIn("admin/login_check", "admin", plain)
		s.must(200, admin, "PUT", "DEFAULT/customer/"+s.ida.ID, "customer[email]=new@example.com&customer[phone]=")
		refused(moved, "link_unknown")
		pending := s.messages(template.CustomerPasswordReset, s.ida.ID)
		if _, ok := s.attempt(&pending[0]); ok {
			s.Error("a link is sent to the former address")
		}
		s.must(200, admin, "PUT", "DEFAULT/customer/"+s.ida.ID, "customer[email]=ida@example.com")
		blocked := token()
		s.must(200, admin, "POST", "DEFAULT/admin/customer/"+s.ida.ID+"/deactivate", "")
		refused(blocked, "link_unknown")
	})
}

// TestNothingIsRevealed shows that unknown names, repeated requests and those beyond a limit get the same response,
// and that only few messages are sent.
func TestNothingIsRevealed(t *testing.T) {
	each(t, nil, func(s *site) {
		const request = "DEFAULT/customer/password/reset/request"
		for range verification.MessagesPerHour + 2 {
			for _, name := range []string{"ida@example.com", "nobody@example.com", "%2B4790000001"} {
				if body := s.must(200, "", "POST", request, "username="+name); body != `{"success":true}` {
					s.Errorf("%s: %s", name, body)
				}
			}
		}
		if n := len(s.messages(template.CustomerPasswordReset, s.ida.ID)); n != verification.MessagesPerHour {
			s.Errorf("%d messages", n)
		}
		s.clock.Advance(verification.RequestWindow)
		s.must(200, "", "POST", request, "username=ida@example.com")
		if n := len(s.messages(template.CustomerPasswordReset, s.ida.ID)); n != verification.MessagesPerHour+1 {
			s.Errorf("%d messages an hour later", n)
		}
		body := s.must(400, "", "POST", request, "username=")
		if !strings.Contains(body, `field \"username\" should not be empty`) {
			s.Errorf("no name: %s", body)
		}
	})
}

// TestRequestsOfAnAddress shows that beyond the limit of an address nothing is sent, and nothing tells so.
func TestRequestsOfAnAddress(t *testing.T) {
	limited := func() verification.Config { return verification.Config{Requests: tight(2)} }
	eachLimited(t, nil, limited, func(s *site) {
		for range 4 {
			s.must(200, "", "POST", "password/reset/request", "username=admin")
		}
		if n := len(s.messages(template.AdminPasswordReset, s.admin.ID)); n != 2 {
			s.Errorf("%d messages", n)
		}
	})
}

// TestRevealAccounts shows the responses of a store that tells which accounts exist.
func TestRevealAccounts(t *testing.T) {
	each(t, func(settings *store.Settings) { settings.RevealAccounts = true }, func(s *site) {
		const request = "DEFAULT/customer/password/reset/request"
		s.must(404, "", "POST", request, "username=nobody@example.com")
		s.must(200, "", "POST", request, "username=ida@example.com")
		if body := s.must(400, "", "POST", request, "username=ida@example.com"); !strings.Contains(body,
			"resetting password already requested") {
			s.Errorf("a second request: %s", body)
		}
		s.clock.Advance(time.Hour)
		s.must(200, "", "POST", request, "username=ida@example.com")
	})
}
