package verification_test

import (
	"fmt"
	"io"
	"net/http"
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
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/password"
)

// work is the cost of a request without its time, which depends on the machine.
type work struct{ hashes, statements, writes int64 }

// seen is the response to a stranger, with its cost.
type seen struct {
	status int
	body   string
	header string
	work   work
}

// look sends a form as a stranger.
func (s *site) look(path, form string) seen {
	s.Helper()
	hashes, before := password.Computed(), s.DB.Stats()
	response, err := http.Post(s.url+"/api/"+path, "application/x-www-form-urlencoded", strings.NewReader(form))
	if err != nil {
		s.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		s.Fatal(err)
	}
	after := s.DB.Stats()
	var header []string
	for name, values := range response.Header {
		if name != "Date" && name != "X-Request-Id" {
			header = append(header, name+": "+strings.Join(values, ", "))
		}
	}
	slices.Sort(header)
	return seen{response.StatusCode, string(body), strings.Join(header, "\n"), work{
		password.Computed() - hashes, after.Statements - before.Statements, after.Writes - before.Writes,
	}}
}

// eachAlone runs a test on a site of every engine, one after the other, because hashes are counted for the process.
func eachAlone(t *testing.T, run func(s *site)) {
	t.Helper()
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			clock := dbtest.NewClock(time.Date(2031, 4, 17, 12, 0, 0, 0, time.UTC))
			d := dbtest.Open(t, dbtest.Config(t, engine), clock.Now)
			s := &site{Shop: shoptest.Open(t, d, "DEFAULT", nil, level.Level{Active: true}), clock: clock}
			s.people()
			s.elsewhere()
			s.serve(verification.Config{})
			run(s)
		})
	}
}

// elsewhere adds a store with a seller and a customer that DEFAULT does not know, a customer who was blocked, and an
// account that waits for activation.
func (s *site) elsewhere() {
	s.Helper()
	hash, err := password.Hash(s.Context(), plain)
	if err != nil {
		s.Fatal(err)
	}
	north := shoptest.Open(s.TB, s.DB, "NORTH", nil, level.Level{Active: true})
	join := func(shop *store.Store, email, phone string, active bool) error {
		return store.Write(s.Context(), s.DB, shop, func(tx *db.Tx) error {
			_, err := customer.Register(tx, shop, customer.Registration{
				Email: email, Phone: phone, FirstName: "N", LastName: "N", PasswordHash: hash, Active: active,
			})
			return err
		})
	}
	for _, err := range []error{
		join(north.Store, "north@example.com", "+4790000002", true),
		join(s.Store, "new@example.com", "+4790000003", false),
		join(s.Store, "blocked@example.com", "+4790000004", true),
	} {
		if err != nil {
			s.Fatal(err)
		}
	}
	north.Write(func(tx *db.Tx) error {
		_, err := tx.Exec(`UPDATE customers SET status = 'blocked' WHERE email = 'blocked@example.com'`)
		if err != nil {
			return err
		}
		_, err = seller.Create(tx, north.Store.Key, seller.New{
			Email: "clerk@example.com", PasswordHash: hash, Active: true,
		})
		return err
	})
}

// Names that somebody has, in one of the two stores.
var (
	administrators = []string{"admin@example.com"}
	sellers        = []string{"till@example.com", "clerk@example.com"}
	customers      = []string{"ida@example.com", "north@example.com", "new@example.com", "blocked@example.com"}
	phones         = []string{"%2B4790000001", "%2B4790000002", "%2B4790000003", "%2B4790000004"}
)

const (
	nobody       = "nobody@example.com"
	nobodysPhone = "%2B4790000009"
)

// compare sends a form with each name, and then the same with a name that nobody has. Nothing may differ.
func (s *site) compare(path, form, stranger string, names ...string) {
	s.Helper()
	for _, name := range names {
		s.look(path, fmt.Sprintf(form, stranger)) // fills the cache of stores
		known, unknown := s.look(path, fmt.Sprintf(form, name)), s.look(path, fmt.Sprintf(form, stranger))
		if known != unknown {
			s.Errorf("%s differs:\n%s: %+v\n%s: %+v", path, name, known, stranger, unknown)
		}
		s.clock.Advance(24 * time.Hour) // no limit is reached
	}
}

// TestLogInsRevealNobody shows that a log-in with a wrong password costs and says the same for every name. In
// particular, a password is hashed if nobody has the name.
func TestLogInsRevealNobody(t *testing.T) {
	eachAlone(t, func(s *site) {
		const form = "username=%s&password=wrong"
		everybody := slices.Concat(administrators, sellers, customers)
		for _, path := range []string{"admin", "DEFAULT/admin"} {
			s.compare(path+"/login_check", form, nobody, everybody...)
		}
		for _, role := range []string{"seller", "customer", "member"} {
			for _, in := range []string{"", "DEFAULT/", "NORTH/"} {
				if role == "member" && in == "" {
					continue
				}
				s.compare(in+role+"/login_check", form, nobody, everybody...)
				s.compare(in+role+"/login_check", form, nobodysPhone, phones...)
			}
		}
		if got := s.look("customer/login_check", "username="+nobody+"&password=wrong"); got.work.hashes != 1 {
			s.Errorf("%d hashes are computed if nobody has the name", got.work.hashes)
		}
	})
}

// TestRequestsForMessagesRevealNobody shows that a request for a message costs and says the same for every name, but
// for the rows of the message itself, which are written with the count of requests that every name has.
func TestRequestsForMessagesRevealNobody(t *testing.T) {
	eachAlone(t, func(s *site) {
		compare := func(path, form, stranger string, names ...string) {
			s.Helper()
			for _, name := range names {
				s.look(path, fmt.Sprintf(form, stranger)) // fills the cache of stores
				unknown := s.look(path, fmt.Sprintf(form, stranger))
				for range verification.MessagesPerHour + 2 {
					known := s.look(path, fmt.Sprintf(form, name))
					if more := known.work.statements - unknown.work.statements; more == 1 {
						known.work.statements--
					}
					if known != unknown {
						s.Errorf("%s differs:\n%s: %+v\n%s: %+v", path, name, known, stranger, unknown)
					}
				}
				s.clock.Advance(verification.RequestWindow)
			}
		}
		everybody := slices.Concat(administrators, sellers, customers)
		for _, path := range []string{"", "seller/", "customer/", "DEFAULT/", "DEFAULT/seller/", "DEFAULT/customer/"} {
			compare(path+"password/reset/request", "username=%s", nobody, everybody...)
			compare(path+"password/reset/request", "username=%s", nobodysPhone, phones...)
		}
		compare("DEFAULT/customer/activation/request", "username=%s", nobody, everybody...)
		compare("DEFAULT/customer/activation/request", "username=%s", nobodysPhone, phones...)
		compare("DEFAULT/customer/customer-phone/send-sms-code", "phone=%s", nobodysPhone, phones...)
	})
}

// TestSecretsRevealNobody shows that secrets that were never sent get one response, whomever they are for.
func TestSecretsRevealNobody(t *testing.T) {
	eachAlone(t, func(s *site) {
		s.compare("DEFAULT/customer/activate-sms/000000", "phone=%s", nobodysPhone, phones...)
		for _, path := range []string{"password/reset", "DEFAULT/password/reset"} {
			got := s.look(path, "token=unknown&reset[plainPassword]="+chosen)
			if got.status != 404 || got.work.hashes != 0 {
				s.Errorf("%s: %+v", path, got)
			}
		}
		refused := s.look("token/refresh", "refresh_token=unknown")
		if refused.status != 401 || refused != s.look("DEFAULT/token/refresh", "refresh_token=unknown") {
			s.Errorf("a refresh token of nobody: %+v", refused)
		}
	})
}
