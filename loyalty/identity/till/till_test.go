package till_test

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/identity/auth"
	"punchcard/loyalty/identity/auth/authtest"
	"punchcard/loyalty/identity/seller"
	"punchcard/loyalty/identity/till"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/password"
)

func TestMain(m *testing.M) {
	password.Cheapen()
	m.Run()
}

func endpoints(a *auth.Auth) []api.Endpoint {
	return append(till.Endpoints(a), seller.Endpoints()...)
}

const pin = "2580"

// device is a browser, which keeps cookies.
type device struct {
	t       *testing.T
	cookies map[string]string
}

func newDevice(t *testing.T) *device { return &device{t, map[string]string{}} }

// send sends what a page of a node sends.
func (d *device) send(n *authtest.Node, token, method, path, body string) authtest.Answer {
	d.t.Helper()
	request, err := http.NewRequest(method, n.URL+path, strings.NewReader(body))
	if err != nil {
		d.t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Sec-Fetch-Site", "same-origin")
	request.Header.Set("Accept", "application/problem+json, application/json")
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	for name, value := range d.cookies {
		request.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		d.t.Error(err)
		return authtest.Answer{}
	}
	defer func() { _ = response.Body.Close() }() // read to the end
	text, err := io.ReadAll(response.Body)
	if err != nil {
		d.t.Error(err)
	}
	for _, c := range response.Cookies() {
		if !c.HttpOnly || c.SameSite != http.SameSiteStrictMode {
			d.t.Errorf("scripts or other sites can use the cookie %s", c.Name)
		}
		d.cookies[c.Name] = c.Value
	}
	return authtest.Answer{Status: response.StatusCode, Body: string(text)}
}

// is fails the test unless an answer has a status, and the code of an error if that is not empty.
func is(t *testing.T, what string, got authtest.Answer, status int, code string) {
	t.Helper()
	if got.Status != status || !strings.Contains(got.Body, code) {
		t.Errorf("%s: %d %s, want %d %s", what, got.Status, got.Body, status, code)
	}
}

// addSeller adds a seller with a PIN to a store, and returns the id and a token.
func addSeller(t *testing.T, s *authtest.Site, code, name string) (id, token string) {
	t.Helper()
	s.Write(func(tx *db.Tx) error {
		all, err := store.All(tx)
		if err != nil {
			return err
		}
		of := all[slices.IndexFunc(all, func(one store.Store) bool { return one.Code == code })]
		hash, err := authtest.Hash()
		if err != nil {
			return err
		}
		made, err := seller.Create(tx, of.Key, seller.New{
			Email: name + "@example.com", FirstName: name, LastName: "Seller", PasswordHash: hash, Active: true,
		})
		id = made.ID
		return err
	})
	token = logIn(s.Node, code, name)
	is(t, "the PIN of "+name, newDevice(t).send(s.Node, token, "PUT", "/api/"+code+"/seller/pin", pinForm(pin)), 204, "")
	return id, token
}

func logIn(n *authtest.Node, code, name string) string {
	n.T.Helper()
	token, _ := n.LogIn("/api/"+code+"/seller/login_check", name+"@example.com")
	return token
}

func pinForm(pin string) string {
	return fmt.Sprintf(`{"pin":%q,"currentPassword":%q}`, pin, authtest.Password)
}

// enrolled returns an enrolled till.
func enrolled(t *testing.T, n *authtest.Node, token string) *device {
	t.Helper()
	d := newDevice(t)
	got := d.send(n, token, "POST", "/api/DEFAULT/till", `{"name":"Front","currentPassword":"`+authtest.Password+`"}`)
	is(t, "enrolment", got, 200, "tillId")
	return d
}

func (d *device) enter(n *authtest.Node, sellerID, pin string) authtest.Answer {
	d.t.Helper()
	return d.send(n, "", "POST", "/api/DEFAULT/till/session", fmt.Sprintf(`{"seller":%q,"pin":%q}`, sellerID, pin))
}

func (d *device) renew(n *authtest.Node) authtest.Answer {
	d.t.Helper()
	return d.send(n, "", "POST", "/api/session", `{"app":"till","store":"DEFAULT"}`)
}

const ofSelf = "/api/DEFAULT/seller/me"

// Sellers switch on an enrolled till. With a PIN they may not do what needs the password.
func TestSwitchByPIN(t *testing.T) {
	authtest.Each(t, endpoints, func(t *testing.T, s *authtest.Site) {
		sam, token := addSeller(t, s, "DEFAULT", "sam")
		ann, _ := addSeller(t, s, "DEFAULT", "ann")
		other := newDevice(t)
		is(t, "a wrong password", other.send(s.Node, token, "POST", "/api/DEFAULT/till",
			`{"name":"Front","currentPassword":"no"}`), 400, "wrong_password")
		is(t, "another device", other.send(s.Node, "", "POST", "/api/DEFAULT/till/device", `{}`), 200, `"enrolled":false`)
		is(t, "a PIN on another device", other.enter(s.Node, sam, pin), 403, "till_not_enrolled")

		d := enrolled(t, s.Node, token)
		shown := d.send(s.Node, "", "POST", "/api/DEFAULT/till/device", `{}`)
		is(t, "the till", shown, 200, `"enrolled":true,"name":"Front","sellers":[{"sellerId":"`+ann+`"`)
		first := d.enter(s.Node, ann, pin)
		is(t, "the PIN", first, 200, "token")
		byPIN := first.Member("token")
		is(t, "oneself", d.send(s.Node, byPIN, "GET", ofSelf, ""), 200, ann)
		for _, call := range [][2]string{
			{"PUT", "/api/DEFAULT/seller/pin"}, {"POST", "/api/DEFAULT/till"}, {"GET", "/api/DEFAULT/till"},
			{"GET", "/api/me/sessions"}, {"POST", "/api/DEFAULT/seller/password/change"}, {"GET", "/api/me/factors"},
		} {
			is(t, call[1], d.send(s.Node, byPIN, call[0], call[1], "{}"), 403, "pin_session")
		}
		renewed := d.renew(s.Node)
		is(t, "renewal", renewed, 200, "token")
		is(t, "after it", d.send(s.Node, renewed.Member("token"), "GET", "/api/me/sessions", ""), 403, "pin_session")

		second := d.enter(s.Node, sam, pin)
		is(t, "a switch", d.send(s.Node, second.Member("token"), "GET", ofSelf, ""), 200, sam)
		is(t, "the session before it", d.send(s.Node, byPIN, "GET", ofSelf, ""), 401, "invalid_token")
	})
}

func TestRulesOfPINs(t *testing.T) {
	authtest.Each(t, endpoints, func(t *testing.T, s *authtest.Site) {
		_, token := addSeller(t, s, "DEFAULT", "sam")
		set := func(body string) authtest.Answer {
			return newDevice(t).send(s.Node, token, "PUT", "/api/DEFAULT/seller/pin", body)
		}
		for pin, code := range map[string]string{
			"": "blank", "123": "pin_digits", "123456789": "pin_digits", "12a4": "pin_digits", "0000": "pin_too_simple",
			"1234": "pin_too_simple", "9876": "pin_too_simple", "13579": "pin_too_simple",
		} {
			is(t, pin, set(pinForm(pin)), 400, code)
		}
		is(t, "a wrong password", set(`{"pin":"2580","currentPassword":"no"}`), 400, "wrong_password")
		is(t, "8 digits", set(pinForm("19283746")), 204, "")
	})
}

// Of wrong tries that are sent to two nodes at once, five are checked. The PIN is locked until a log-in by password.
func TestWrongTriesLockThePIN(t *testing.T) {
	dbtest.Both(t)
	authtest.Each(t, endpoints, func(t *testing.T, s *authtest.Site) {
		second := s.Start(t)
		sam, token := addSeller(t, s, "DEFAULT", "sam")
		d := enrolled(t, s.Node, token)
		wrong := d.enter(s.Node, sam, "1111")
		is(t, "a wrong PIN", wrong, 401, "wrong_pin")
		is(t, "the right one, which forgives", d.enter(second, sam, pin), 200, "token")
		answers := make([]authtest.Answer, 16)
		var all sync.WaitGroup
		for i := range answers {
			all.Go(func() {
				one := &device{t, map[string]string{"pc-device-DEFAULT": d.cookies["pc-device-DEFAULT"]}}
				answers[i] = one.enter([]*authtest.Node{s.Node, second}[i%2], sam, "1111")
			})
		}
		all.Wait()
		count := map[int]int{}
		for _, a := range answers {
			count[a.Status]++
		}
		if count[401] != seller.MaxPINTries || count[403] != len(answers)-seller.MaxPINTries {
			t.Errorf("statuses %v", count)
		}
		is(t, "the right PIN", d.enter(s.Node, sam, pin), 403, "pin_locked")
		bad := s.Send("", "POST", "/api/DEFAULT/seller/login_check", "_username", "sam@example.com", "_password", "no")
		is(t, "a wrong password", bad, 401, "")
		is(t, "after it", d.enter(s.Node, sam, pin), 403, "pin_locked")
		logIn(second, "DEFAULT", "sam")
		is(t, "after a log-in", d.enter(s.Node, sam, pin), 200, "token")
	})
}

// A till that is revoked on one node is no till on any.
func TestRevokedTill(t *testing.T) {
	authtest.Each(t, endpoints, func(t *testing.T, s *authtest.Site) {
		second := s.Start(t)
		sam, token := addSeller(t, s, "DEFAULT", "sam")
		d := enrolled(t, s.Node, token)
		byPIN := d.enter(s.Node, sam, pin).Member("token")
		is(t, "before", d.send(s.Node, byPIN, "GET", ofSelf, ""), 200, sam)
		admin := s.Administrator("full")
		list := s.Send(admin, "GET", "/api/DEFAULT/till")
		is(t, "the list", list, 200, `"name":"Front","enrolledBy":"`+sam+`","enrolledByName":"sam Seller"`)
		_, rest, _ := strings.Cut(list.Body, `"tillId":"`)
		path := "/api/DEFAULT/till/" + strings.Split(rest, `"`)[0]
		is(t, "a reporter", s.Send(s.Administrator("reporter"), "DELETE", path), 403, "")
		is(t, "revoke", second.Send(admin, "DELETE", path), 204, "")
		is(t, "again", second.Send(admin, "DELETE", path), 404, "")
		s.Clock.Advance(auth.DefaultRecheck)
		is(t, "the session", d.send(s.Node, byPIN, "GET", ofSelf, ""), 401, "invalid_token")
		is(t, "its renewal", d.renew(s.Node), 401, "invalid_refresh_token")
		is(t, "the PIN", d.enter(s.Node, sam, pin), 403, "till_not_enrolled")
		is(t, "the till", d.send(s.Node, "", "POST", "/api/DEFAULT/till/device", `{}`), 200, `"enrolled":false`)
		is(t, "the session with the password", s.Send(token, "GET", ofSelf), 200, sam)
	})
}

// A session with a PIN lasts while it is used, and ends when it is not.
func TestIdleSessionEnds(t *testing.T) {
	authtest.Each(t, endpoints, func(t *testing.T, s *authtest.Site) {
		sam, token := addSeller(t, s, "DEFAULT", "sam")
		d := enrolled(t, s.Node, token)
		byPIN := d.enter(s.Node, sam, pin).Member("token")
		for range 3 {
			s.Clock.Advance(auth.PINIdle)
			is(t, "the access token", d.send(s.Node, byPIN, "GET", ofSelf, ""), 401, "expired_token")
			got := d.renew(s.Node)
			is(t, "renewal", got, 200, "token")
			byPIN = got.Member("token")
			is(t, "after it", d.send(s.Node, byPIN, "GET", ofSelf, ""), 200, sam)
		}
		s.Clock.Advance(auth.PINIdle + 2*time.Minute)
		is(t, "too late", d.renew(s.Node), 401, "invalid_refresh_token")
		is(t, "the PIN", d.enter(s.Node, sam, pin), 200, "token")
	})
}

// The secret of a till opens no other store, and sellers of other stores are not known there.
func TestTillOfAnotherStore(t *testing.T) {
	authtest.Each(t, endpoints, func(t *testing.T, s *authtest.Site) {
		s.Write(func(tx *db.Tx) error {
			_, err := store.Create(tx, store.New{Code: "OTHER", Name: "Other", Currency: "EUR",
				Settings: store.DefaultSettings()})
			return err
		})
		s.Clock.Advance(time.Minute) // so that the directory of stores is read again
		_, token := addSeller(t, s, "DEFAULT", "sam")
		eve, evesToken := addSeller(t, s, "OTHER", "eve")
		d := enrolled(t, s.Node, token)
		is(t, "a seller of another store", d.enter(s.Node, eve, pin), 401, "wrong_pin")
		d.cookies["pc-device-OTHER"] = d.cookies["pc-device-DEFAULT"]
		is(t, "the till", d.send(s.Node, "", "POST", "/api/OTHER/till/device", `{}`), 200, `"enrolled":false`)
		is(t, "the PIN", d.send(s.Node, "", "POST", "/api/OTHER/till/session",
			fmt.Sprintf(`{"seller":%q,"pin":%q}`, eve, pin)), 403, "till_not_enrolled")
		is(t, "the list", d.send(s.Node, evesToken, "GET", "/api/DEFAULT/till", ""), 403, "")
	})
}

// Inactive and deleted sellers have no PIN.
func TestSwitchedOffSellersHaveNoPIN(t *testing.T) {
	authtest.Each(t, endpoints, func(t *testing.T, s *authtest.Site) {
		sam, token := addSeller(t, s, "DEFAULT", "sam")
		ann, _ := addSeller(t, s, "DEFAULT", "ann")
		d, admin := enrolled(t, s.Node, token), s.Administrator("full")
		byPIN := d.enter(s.Node, ann, pin).Member("token")
		is(t, "switch off", s.Send(admin, "POST", "/api/DEFAULT/seller/"+ann+"/deactivate"), 200, "")
		is(t, "the session", d.send(s.Node, byPIN, "GET", ofSelf, ""), 401, "")
		is(t, "the PIN", d.enter(s.Node, ann, pin), 401, "wrong_pin")
		is(t, "delete", s.Send(admin, "DELETE", "/api/DEFAULT/seller/"+ann), 204, "")
		is(t, "the PIN of a deleted one", d.enter(s.Node, ann, pin), 401, "wrong_pin")
		shown := d.send(s.Node, "", "POST", "/api/DEFAULT/till/device", `{}`)
		is(t, "the till", shown, 200, `"sellers":[{"sellerId":"`+sam+`","name":"sam Seller"}]}`)
	})
}
