package auth_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"punchcard/loyalty/customer"
	"punchcard/loyalty/identity/admin"
	"punchcard/loyalty/identity/auth"
	"punchcard/loyalty/identity/seller"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/limit"
	"punchcard/platform/password"
)

func TestEveryoneLogsIn(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		for _, test := range []struct{ path, name, id string }{
			{"/api/admin/login_check", "admin", s.people.super.ID},
			{"/api/admin/login_check", " Admin@Example.COM ", s.people.super.ID},
			{"/api/admin/login_check", s.people.reporter.ID, s.people.reporter.ID},
			{"/api/DEFAULT/admin/login_check", "admin", s.people.super.ID},
			{"/api/DEFAULT/customer/login_check", "User@example.com", s.people.customer.ID},
			{"/api/DEFAULT/customer/login_check", "+48123456789", s.people.customer.ID},
			{"/api/DEFAULT/member/login_check", "CARD-7", s.people.customer.ID},
			{"/api/customer/login_check", "user@example.com", s.people.customer.ID},
			{"/api/DEFAULT/seller/login_check", "Seller@example.com", s.people.seller.ID},
			{"/api/seller/login_check", "seller@example.com", s.people.seller.ID},
		} {
			pair := s.logIn(test.path, test.name)
			if got := s.who(pair.Token); got.status != 200 || !strings.Contains(got.body, `"ID":"`+test.id+`"`) {
				t.Errorf("%s as %s: %d %s", test.path, test.name, got.status, got.body)
			}
			if pair.Error != "" {
				t.Errorf("%s as %s: error %q", test.path, test.name, pair.Error)
			}
		}
		for _, table := range []string{"administrators", "sellers", "customers"} {
			if n := s.number(`SELECT COUNT(*) FROM `+table+` WHERE last_login_at = $1`, s.clock.Now().UnixMicro()); n == 0 {
				t.Errorf("the log-in is not noted in %s", table)
			}
		}
	})
}

func TestCredentialsComeInEveryEncoding(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		const path, form, inJSON = "/api/admin/login_check", "application/x-www-form-urlencoded", "application/json"
		for _, test := range []struct{ contentType, body string }{
			{form, "_username=admin&_password=Secret-1"},
			{form, "username=admin&password=Secret-1"},
			{inJSON, `{"_username":"admin","_password":"Secret-1"}`},
			{inJSON, `{"username":"admin","password":"Secret-1"}`},
		} {
			s.tokens(s.send(path, test.contentType, test.body))
		}
		for _, test := range []struct{ contentType, body string }{
			{form, ""},
			{form, "_username=admin"},
			{form, "_username=admin&_password="},
			{form, "_username=&_password=Secret-1"},
			{form, "_username=+&_password=Secret-1"},
			{form, "_username=admin&_password=secret-1"},
			{form, "_username=admin&_password=Secret-1+"},
			{form, "_username=nobody&_password=Secret-1"},
			{form, "_username=" + strings.Repeat("x", 100_000) + "&_password=Secret-1"},
			{form, "_username=admin&_password=" + strings.Repeat("x", 100_000)},
			{form, "_username[]=admin&_password[]=Secret-1"},
			{inJSON, `{}`},
			{inJSON, `{"_username":{"a":"admin"},"_password":["Secret-1"]}`},
			{inJSON, `{"_username":null,"_password":null}`},
		} {
			s.send(path, test.contentType, test.body).is(t, 401, badCredentials)
		}
		s.post(path+"?_username=admin&_password=Secret-1").is(t, 401, badCredentials)
		if got := s.send(path, inJSON, `{"_username":`); got.status != 400 {
			t.Errorf("half a body: %d %s", got.status, got.body)
		}
	})
}

func TestWhoMayNotLogIn(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		s.write(func(tx *db.Tx) error {
			_, err := admin.Create(tx, admin.New{
				Username: "till", APIKey: "key-of-the-first-till", Active: true, RoleID: admin.FullAdmin,
			})
			return err
		})
		refuse := func(path, name string, status int, body string) {
			t.Helper()
			s.post(path, "_username", name, "_password", plain).is(t, status, body)
		}
		refuse("/api/admin/login_check", "till", 401, badCredentials)
		refuse("/api/admin/login_check", "user@example.com", 401, badCredentials)
		refuse("/api/customer/login_check", "admin", 401, badCredentials)
		refuse("/api/seller/login_check", "user@example.com", 401, badCredentials)
		refuse("/api/NOWHERE/customer/login_check", "user@example.com", 404, notFound)
		refuse("/api/NOWHERE/seller/login_check", "seller@example.com", 404, notFound)

		s.exec(`UPDATE administrators SET active = $1`, false)
		refuse("/api/admin/login_check", "admin", 401, badCredentials)
		for _, status := range []string{"new", "blocked", "deleted"} {
			s.exec(`UPDATE customers SET status = $1 WHERE store_id = $2`, status, s.store.Key)
			refuse("/api/customer/login_check", "user@example.com", 401, badCredentials)
		}
		s.exec(`UPDATE sellers SET active = $1 WHERE store_id = $2`, false, s.store.Key)
		refuse("/api/seller/login_check", "seller@example.com", 400, `{"message":"Your account is not active"}`)
		s.post("/api/seller/login_check", "_username", "seller@example.com", "_password", "wrong").
			is(t, 401, badCredentials)
		s.exec(`UPDATE sellers SET deleted = $1 WHERE store_id = $2`, true, s.store.Key)
		refuse("/api/seller/login_check", "seller@example.com", 401, badCredentials)
	})
}

func TestTemporaryPasswordAsksForAChange(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		s.exec(`UPDATE customers SET password_temporary = $1 WHERE store_id = $2`, true, s.store.Key)
		if got := s.logIn("/api/customer/login_check", "user@example.com"); got.Error != "password change needed" {
			t.Errorf("error is %q", got.Error)
		}
	})
}

// Without a store in the path a name is looked up in DEFAULT, then in the only store that has it.
func TestLogInWithoutAStore(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		hash, err := hashed()
		if err != nil {
			t.Fatal(err)
		}
		join := func(code string, names ...string) {
			s.write(func(tx *db.Tx) error {
				shop, err := newStore(tx, code)
				for _, name := range names {
					if err == nil {
						_, err = customer.Register(tx, shop, customer.Registration{Email: name, PasswordHash: hash, Active: true})
					}
					if err == nil {
						_, err = seller.Create(tx, shop.Key, seller.New{Email: name, PasswordHash: hash, Active: true})
					}
				}
				return err
			})
		}
		join("NORTH", "user@example.com", "seller@example.com", "north@example.com", "both@example.com")
		join("SOUTH", "both@example.com", "gone@example.com")
		join("CLOSED", "north@example.com", "closed@example.com")
		s.exec(`UPDATE stores SET active = $1 WHERE code = 'CLOSED'`, false)
		s.stores.Forget()
		storeOf := func(path, name string) string {
			var said struct{ StoreCode string }
			if err := json.Unmarshal([]byte(payload(t, s.logIn(path, name).Token)), &said); err != nil {
				t.Fatal(err)
			}
			return said.StoreCode
		}
		for _, role := range []string{"customer", "seller"} {
			path := "/api/" + role + "/login_check"
			own := map[string]string{"customer": "user@example.com", "seller": "seller@example.com"}[role]
			for name, want := range map[string]string{
				own: "DEFAULT", "north@example.com": "NORTH", "gone@example.com": "SOUTH",
			} {
				if got := storeOf(path, name); got != want {
					t.Errorf("%s %s logs in to %s, want %s", role, name, got, want)
				}
			}
			if got := storeOf("/api/NORTH/"+role+"/login_check", own); got != "NORTH" {
				t.Errorf("%s logs in to %s", role, got)
			}
			for _, name := range []string{"both@example.com", "closed@example.com", "nobody@example.com"} {
				s.post(path, "_username", name, "_password", plain).is(t, 401, badCredentials)
			}
			s.post("/api/CLOSED/"+role+"/login_check", "_username", "closed@example.com", "_password", plain).
				is(t, 401, badCredentials)
		}
	})
}

// A hash is computed for each attempt, as costly for unknown names as package password tests.
func TestUnknownNamesCostAsMuchAsKnownOnes(t *testing.T) {
	s := newSite(t, "sqlite", auth.Config{})
	for _, path := range []string{
		"/api/admin/login_check", "/api/customer/login_check", "/api/DEFAULT/seller/login_check",
	} {
		for _, name := range []string{"nobody@example.com", "user@example.com", "seller@example.com", "admin"} {
			before := password.Computed()
			s.post(path, "_username", name, "_password", "wrong").is(t, 401, badCredentials)
			if computed := password.Computed() - before; computed != 1 {
				t.Errorf("%s for %s computed %d hashes", path, name, computed)
			}
		}
	}
}

func TestFailuresOfAnAccountFromOneNetworkAreLimited(t *testing.T) {
	eachWith(t, auth.Config{PairLimit: limit.Rate{Quota: 3, Window: 90 * time.Second}}, func(t *testing.T, s *site) {
		const path = "/api/DEFAULT/customer/login_check"
		wrong := func(path, name string) answer { return s.post(path, "_username", name, "_password", "wrong") }
		limited := func(name, pause string) {
			t.Helper()
			for _, password := range []string{"wrong", plain} {
				got := s.post(path, "_username", name, "_password", password)
				got.is(t, 429, `{"error":{"code":429,"message":"Too Many Requests"}}`)
				if after := got.header.Get("Retry-After"); after != pause {
					t.Errorf("Retry-After is %q, want %s", after, pause)
				}
			}
		}
		for range 5 { // successes do not count
			s.logIn(path, "user@example.com")
		}
		wrong(path, "user@example.com").is(t, 401, badCredentials)
		wrong(path, "CARD-7").is(t, 401, badCredentials)
		wrong("/api/customer/login_check", "+48123456789").is(t, 401, badCredentials)
		limited("user@example.com", "30")
		limited("card-7", "30")
		s.clock.Advance(10*time.Second + time.Millisecond)
		limited("user@example.com", "20")
		s.clock.Advance(20 * time.Second)
		s.logIn(path, "user@example.com")

		for _, name := range []string{"nobody@example.com", "Nobody@example.com", "NOBODY@example.com"} {
			wrong(path, name).is(t, 401, badCredentials)
		}
		limited("nobody@Example.com", "30")
		s.logIn("/api/seller/login_check", "seller@example.com")
		s.logIn("/api/admin/login_check", "admin")
	})
}

// Concurrent attempts must not exceed the limit.
func TestParallelGuessesAreLimited(t *testing.T) {
	dbtest.Both(t)
	eachWith(t, auth.Config{PairLimit: limit.Rate{Quota: 3, Window: 90 * time.Second}}, func(t *testing.T, s *site) {
		var all sync.WaitGroup
		var mutex sync.Mutex
		statuses := map[int]int{}
		for i := range 20 {
			all.Go(func() {
				got := s.post("/api/admin/login_check", "_username", "admin", "_password", fmt.Sprint("guess", i))
				mutex.Lock()
				defer mutex.Unlock()
				statuses[got.status]++
			})
		}
		all.Wait()
		if statuses[401] != 3 || statuses[429] != 17 {
			t.Errorf("answers by status: %v", statuses)
		}
	})
}

func TestFailuresFromAnAddressAreLimited(t *testing.T) {
	eachWith(t, auth.Config{AddressLimit: limit.Rate{Quota: 3, Window: 3 * time.Second}}, func(t *testing.T, s *site) {
		for i := range 3 {
			s.post("/api/admin/login_check", "_username", fmt.Sprint("name", i), "_password", "x").is(t, 401, badCredentials)
		}
		for _, path := range []string{
			"/api/admin/login_check", "/api/customer/login_check", "/api/DEFAULT/seller/login_check",
		} {
			got := s.post(path, "_username", "admin", "_password", plain)
			if got.status != 429 || got.header.Get("Retry-After") != "1" {
				t.Errorf("%s: %d, Retry-After %q", path, got.status, got.header.Get("Retry-After"))
			}
		}
		s.clock.Advance(time.Second)
		s.logIn("/api/admin/login_check", "admin")
	})
}

func TestTheLogHasNoSecrets(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		pair := s.logIn("/api/customer/login_check", "user@example.com")
		s.post("/api/customer/login_check", "_username", "user@example.com", "_password", "wrong-password")
		s.who(pair.Token)
		s.who(pair.Token + "x")
		s.post("/api/token/refresh", "refresh_token", pair.Refresh)
		s.post("/api/token/refresh", "refresh_token", pair.Refresh)
		s.get("/api/who?auth_token=" + masterKey)
		s.get("/api/who", "X-AUTH-TOKEN", "wrong-master-key")
		log := s.log.String()
		if strings.Count(log, `"msg":"request"`) != 8 {
			t.Fatalf("the log does not hold the requests: %s", log)
		}
		for _, secret := range []string{
			pair.Token, pair.Refresh, plain, "wrong-password", masterKey, "wrong-master-key", "user@example.com",
		} {
			if strings.Contains(log, secret) {
				t.Errorf("the log holds %s", secret)
			}
		}
	})
}
