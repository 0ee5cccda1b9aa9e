package verification_test

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/customerapi"
	"punchcard/loyalty/identity/admin"
	"punchcard/loyalty/identity/auth"
	"punchcard/loyalty/identity/seller"
	"punchcard/loyalty/identity/verification"
	"punchcard/loyalty/level"
	"punchcard/loyalty/level/shoptest"
	"punchcard/loyalty/message"
	"punchcard/loyalty/message/template"
	"punchcard/loyalty/pos"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/limit"
	"punchcard/platform/password"
	"punchcard/platform/web"
)

func TestMain(m *testing.M) {
	password.Cheapen()
	dbtest.Main(m)
}

const (
	plain  = "Correct-Horse-7"
	chosen = "Other-Horse-8"
)

// site is a server with a store DEFAULT, an administrator, a seller and a customer, who all have the password plain.
type site struct {
	*shoptest.Shop
	clock  *dbtest.Clock
	url    string
	admin  admin.Administrator
	seller seller.Seller
	ida    *customer.Customer
}

// each runs a test on a site of every engine.
func each(t *testing.T, edit func(*store.Settings), run func(s *site)) {
	t.Helper()
	eachLimited(t, edit, func() (config verification.Config) { return config }, run)
}

func eachLimited(
	t *testing.T, edit func(*store.Settings), config func() verification.Config, run func(s *site),
) {
	t.Helper()
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		clock := dbtest.NewClock(time.Date(2031, 4, 17, 12, 0, 0, 0, time.UTC))
		d := dbtest.Open(t, dbtest.Config(t, engine), clock.Now)
		s := &site{Shop: shoptest.Open(t, d, "DEFAULT", edit, level.Level{Active: true}), clock: clock}
		s.people()
		s.serve(config())
		run(s)
	})
}

func (s *site) people() {
	s.Helper()
	hash, err := password.Hash(s.Context(), plain)
	if err != nil {
		s.Fatal(err)
	}
	s.Write(func(tx *db.Tx) (err error) {
		if err = admin.CreateRoles(tx); err != nil {
			return err
		}
		if s.admin, err = admin.Create(tx, admin.New{
			Username: "admin", Email: "admin@example.com", PasswordHash: hash, Active: true, RoleID: admin.SuperAdmin,
		}); err != nil {
			return err
		}
		if s.seller, err = seller.Create(tx, s.Store.Key, seller.New{
			Email: "till@example.com", PasswordHash: hash, Active: true,
		}); err != nil {
			return err
		}
		s.ida, err = customer.Register(tx, s.Store, customer.Registration{
			Email: "ida@example.com", Phone: "+4790000001", FirstName: "Ida", LastName: "Berg", PasswordHash: hash, Active: true,
		})
		return err
	})
}

func (s *site) serve(config verification.Config) {
	s.Helper()
	stores := store.NewDirectory(s.DB)
	a, err := auth.New(s.Context(), auth.Config{DB: s.DB, Stores: stores})
	if err != nil {
		s.Fatal(err)
	}
	v := &verification.Verifier{Config: config}
	feature.Connect(s.DB, append(a.Feature().On, v.Feature(s.DB).On...)...)
	endpoints := append(a.Endpoints(), v.Endpoints()...)
	endpoints = append(endpoints, pos.Endpoints()...)
	endpoints = append(endpoints, seller.Endpoints()...)
	endpoints = append(endpoints, admin.Endpoints()...)
	server := &api.Server{DB: s.DB, Stores: stores, ResultWindow: 100, Authenticate: a.Authenticate}
	handler, err := web.NewHandler(web.Config{
		Routes: server.Routes(api.Complete(append(endpoints, customerapi.Endpoints(s.DB, customerapi.Limits{})...))),
		Log:    slog.New(slog.DiscardHandler),
		NewID:  db.NewID, Clock: s.clock.Now,
	})
	if err != nil {
		s.Fatal(err)
	}
	running := httptest.NewServer(handler)
	s.Cleanup(running.Close)
	s.url = running.URL
}

// ask sends a form as the user of a token, and returns the status and the body.
func (s *site) ask(token, method, path, form string) (status int, body string) {
	s.Helper()
	request, err := http.NewRequestWithContext(s.Context(), method, s.url+"/api/"+path, strings.NewReader(form))
	if err != nil {
		s.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Accept", "application/json, application/problem+json")
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		s.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		s.Fatal(err)
	}
	return response.StatusCode, string(text)
}

// must is ask for a request that gets the status.
func (s *site) must(want int, token, method, path, form string) string {
	s.Helper()
	status, body := s.ask(token, method, path, form)
	if status != want {
		s.Errorf("%s %s %s: %d %s, want %d", method, path, form, status, body, want)
	}
	return body
}

// logIn returns a token, or an empty text if the log-in is refused, and the member error of the response.
func (s *site) logIn(path, name, plain string) (token, hint string) {
	s.Helper()
	_, body := s.ask("", "POST", path, "username="+strings.ReplaceAll(name, "+", "%2B")+"&password="+plain)
	var pair struct{ Token, Error string }
	if err := json.Unmarshal([]byte(body), &pair); err != nil {
		s.Fatal(err)
	}
	return pair.Token, pair.Error
}

const customerLogIn = "DEFAULT/customer/login_check"

// messages lists the messages of an event to a user, newest first.
func (s *site) messages(event, id string) (found []message.Message) {
	s.Helper()
	s.Read(func(tx *db.Tx) error {
		all, err := message.Of(tx, s.Store.Key, id, "", 100)
		for _, d := range all {
			if d.Event != event || d.Queue == template.Push {
				continue
			}
			m := message.Message{Event: d.Event, Role: access.Role(d.Role), RecipientID: d.RecipientID, Values: d.Values}
			if d.Queue == template.SMS {
				m.Phone = d.Address
			} else {
				m.Email = d.Address
			}
			found = append(found, m)
		}
		return err
	})
	return found
}

// secrets makes the secrets of the newest message of an event to a user.
func (s *site) secrets(event, id string) map[string]string {
	s.Helper()
	all := s.messages(event, id)
	if len(all) == 0 {
		s.Fatalf("there is no message %s", event)
	}
	values, ok := s.attempt(&all[0])
	if !ok {
		s.Fatalf("the message %s is pointless", event)
	}
	return values
}

// attempt makes the secrets of a message.
func (s *site) attempt(m *message.Message) (values map[string]string, ok bool) {
	s.Helper()
	s.Write(func(tx *db.Tx) (err error) {
		values, ok, err = verification.Secrets[m.Event](tx, s.Store, m)
		return err
	})
	return values, ok
}

func (s *site) customer(id string) *customer.Customer {
	s.Helper()
	var who *customer.Customer
	s.Read(func(tx *db.Tx) (err error) {
		who, err = customer.Find(tx, s.Store.Key, id)
		return err
	})
	return who
}

// tight is a limiter of few uses.
func tight(quota int) *limit.Limiter {
	return limit.New("test", limit.Rate{Quota: quota, Window: time.Hour}, limit.DefaultKeys)
}
