package auth_test

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/go-cmp/cmp"

	"punchcard/core/access"
	"punchcard/loyalty/identity/admin"
	"punchcard/loyalty/identity/auth"
	"punchcard/platform/db"
)

// key reads a signing key, the newest when several exist.
func (n *node) key() (id string, secret []byte) {
	n.t.Helper()
	type stored struct{ id, text string }
	var key stored
	err := n.db.Read(context.Background(), func(tx *db.Tx) (err error) {
		key, _, err = db.One(tx, func(s *stored) []any { return []any{&s.id, &s.text} },
			`SELECT kid, secret FROM signing_keys ORDER BY created_at DESC, kid DESC`)
		return err
	})
	if err != nil {
		n.t.Fatal(err)
	}
	if secret, err = base64.StdEncoding.DecodeString(key.text); err != nil || len(secret) != 32 {
		n.t.Fatalf("a secret of %d bytes: %v", len(secret), err)
	}
	return key.id, secret
}

// forge signs claims as a token of the site's customer with the changes; a nil removes a claim.
func (s *site) forge(method jwt.SigningMethod, kid any, key any, changes jwt.MapClaims) string {
	s.t.Helper()
	now := s.clock.Now()
	claims := jwt.MapClaims{
		"iss": "punchcard", "aud": "punchcard-api", "iat": now.Unix(), "exp": now.Add(time.Hour).Unix(),
		"id": s.people.customer.ID, "roles": []string{"ROLE_PARTICIPANT"}, "storeCode": "DEFAULT", "sid": "a session",
	}
	maps.Copy(claims, changes)
	maps.DeleteFunc(claims, func(_ string, value any) bool { return value == nil })
	token := jwt.NewWithClaims(method, claims)
	if kid != nil {
		token.Header["kid"] = kid
	}
	text, err := token.SignedString(key)
	if err != nil {
		s.t.Fatal(err)
	}
	return text
}

func TestForgedTokensAreRefused(t *testing.T) {
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	each(t, func(t *testing.T, s *site) {
		kid, secret := s.key()
		hs := func(changes jwt.MapClaims) string { return s.forge(jwt.SigningMethodHS256, kid, secret, changes) }
		if got := s.who(hs(nil)); got.status != 200 {
			t.Fatalf("the token without a change: %d %s", got.status, got.body)
		}
		valid := hs(jwt.MapClaims{"jti": "not yet seen"})
		part := strings.Split(valid, ".")
		last := valid[len(valid)-1]
		for name, token := range map[string]string{
			"none":               s.forge(jwt.SigningMethodNone, kid, jwt.UnsafeAllowNoneSignatureType, nil),
			"none in capitals":   encode(`{"alg":"NONE","kid":"`+kid+`"}`) + "." + part[1] + ".",
			"other HMAC":         s.forge(jwt.SigningMethodHS512, kid, secret, nil),
			"RSA":                s.forge(jwt.SigningMethodRS256, kid, rsaKey, nil),
			"HMAC said to be RS": encode(`{"alg":"RS256","kid":"`+kid+`"}`) + "." + part[1] + "." + part[2],
			"other key, same id": s.forge(jwt.SigningMethodHS256, kid, []byte(strings.Repeat("k", 32)), nil),
			"empty key":          s.forge(jwt.SigningMethodHS256, kid, []byte{}, nil),
			"unknown id":         s.forge(jwt.SigningMethodHS256, "unknown", secret, nil),
			"id is a number":     s.forge(jwt.SigningMethodHS256, 0, secret, nil),
			"no id":              s.forge(jwt.SigningMethodHS256, nil, secret, nil),
			"no expiry":          hs(jwt.MapClaims{"exp": nil}),
			"expiry is a text":   hs(jwt.MapClaims{"exp": "never"}),
			"not before":         hs(jwt.MapClaims{"nbf": s.clock.Now().Add(time.Minute).Unix()}),
			"other issuer":       hs(jwt.MapClaims{"iss": "somebody"}),
			"no issuer":          hs(jwt.MapClaims{"iss": nil}),
			"other audience":     hs(jwt.MapClaims{"aud": "somebody"}),
			"no audience":        hs(jwt.MapClaims{"aud": nil}),
			"no role":            hs(jwt.MapClaims{"roles": nil}),
			"two roles":          hs(jwt.MapClaims{"roles": []string{"ROLE_PARTICIPANT", "ROLE_ADMIN"}}),
			"unknown role":       hs(jwt.MapClaims{"roles": []string{"ROLE_KING"}}),
			"customer as staff":  hs(jwt.MapClaims{"roles": []string{"ROLE_ADMIN"}, "superAdmin": true}),
			"unknown store":      hs(jwt.MapClaims{"storeCode": "NOWHERE"}),
			"no session":         hs(jwt.MapClaims{"sid": nil}),
			"no store":           hs(jwt.MapClaims{"storeCode": nil}),
			"oversized":          hs(jwt.MapClaims{"more": strings.Repeat("x", 8<<10)}),
			"garbage":            "garbage",
			"empty parts":        "..",
			"four parts":         valid + "." + part[2],
			"no signature":       part[0] + "." + part[1] + ".",
			"truncated":          valid[:len(valid)-1],
			"half":               valid[:len(valid)/2],
			"other last bits":    valid[:len(valid)-1] + string(sibling(last)),
			"padded":             valid + "=",
			"claims exchanged":   part[0] + "." + encode(`{"id":"x"}`) + "." + part[2],
			"with a space":       valid + " x",
		} {
			got := s.who(token)
			if got.status != 401 || got.body != invalidToken || got.header.Get("WWW-Authenticate") != "Bearer" {
				t.Errorf("%s: %d %s", name, got.status, got.body)
			}
		}
		if got := s.who(valid); got.status != 200 {
			t.Errorf("the token itself: %d %s", got.status, got.body)
		}
	})
}

func encode(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }

// sibling is the base64 digit that differs in its lowest bit: unused at the end of a signature.
func sibling(digit byte) byte {
	const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	return digits[strings.IndexByte(digits, digit)^1]
}

func TestTokensExpire(t *testing.T) {
	eachWith(t, auth.Config{TokenLife: time.Hour}, func(t *testing.T, s *site) {
		seen, unseen, staff := s.customerToken(), s.customerToken(), s.logIn("/api/admin/login_check", "admin").Token
		for _, token := range []string{seen, staff} {
			if got := s.who(token); got.status != 200 {
				t.Fatal(got)
			}
		}
		s.clock.Advance(time.Hour - time.Microsecond)
		for _, token := range []string{seen, unseen, staff} {
			if got := s.who(token); got.status != 200 {
				t.Errorf("a moment before its end: %d %s", got.status, got.body)
			}
		}
		s.clock.Advance(time.Microsecond)
		for _, token := range []string{seen, unseen, staff} {
			s.who(token).is(t, 401, expiredToken)
		}
	})
}

func TestClaims(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		s.exec(`UPDATE administrators SET last_login_at = $1 WHERE admin_id = $2`,
			s.clock.Now().Add(-24*time.Hour).UnixMicro(), s.people.super.ID)
		for _, test := range []struct{ path, name, want string }{
			{"/api/admin/login_check", "admin", `"username":"admin","roles":["ROLE_ADMIN"],"id":"` +
				s.people.super.ID + `","lastLoginAt":"2031-04-16T12:00:00+0000","permissions":{},"superAdmin":true`},
			{"/api/customer/login_check", "card-7", `"username":"user@example.com","roles":["ROLE_PARTICIPANT"],"id":"` +
				s.people.customer.ID + `","lastLoginAt":null,"permissions":{},"superAdmin":false,"storeCode":"DEFAULT"`},
			{"/api/seller/login_check", "seller@example.com", `"username":"seller@example.com","roles":["ROLE_SELLER"],"id":"` +
				s.people.seller.ID + `","lastLoginAt":null,"permissions":{},"superAdmin":false,"storeCode":"DEFAULT"`},
		} {
			want := `{"iss":"punchcard","aud":["punchcard-api"],"exp":1934280000,"iat":1934193600,` + test.want
			got, _, _ := strings.Cut(payload(t, s.logIn(test.path, test.name).Token), `,"sid":"`)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: %s", test.path, diff)
			}
		}
		var said struct {
			Permissions map[string][]string
			SuperAdmin  bool
		}
		token := payload(t, s.logIn("/api/admin/login_check", "reporter@example.com").Token)
		if err := json.Unmarshal([]byte(token), &said); err != nil {
			t.Fatal(err)
		}
		want := map[string][]string{}
		for _, resource := range access.Resources {
			want[resource] = []string{access.View}
		}
		delete(want, access.Security) // which the built-in roles lack
		if diff := cmp.Diff(want, said.Permissions); diff != "" || said.SuperAdmin {
			t.Errorf("superAdmin %t, permissions %s", said.SuperAdmin, diff)
		}
	})
}

func payload(t *testing.T, token string) string {
	t.Helper()
	text, err := base64.RawURLEncoding.DecodeString(strings.Split(token, ".")[1])
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestCallerOfAToken(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		for _, want := range []access.Caller{
			{Role: access.Administrator, ID: s.people.super.ID, Username: "admin", Master: true},
			{Role: access.Seller, ID: s.people.seller.ID, Username: "seller@example.com", StoreKey: s.store.Key},
			{Role: access.Customer, ID: s.people.customer.ID, Username: "user@example.com", StoreKey: s.store.Key},
		} {
			want.Session = "a session"
			token := s.issue(want)
			for range 2 { // the second time it is cached
				got := s.get("/api/DEFAULT/who", "Authorization", "bearer "+token)
				var caller access.Caller
				if err := json.Unmarshal([]byte(got.body), &caller); err != nil {
					t.Fatalf("%d %s: %v", got.status, got.body, err)
				}
				if diff := cmp.Diff(want, caller); diff != "" {
					t.Error(diff)
				}
			}
		}
		none := `{"code":401,"message":"Authentication Required"}`
		s.get("/api/who").is(t, 401, none)
		s.get("/api/who", "Authorization", "Basic eDp5").is(t, 401, none)
		s.get("/api/who?auth_token=%zz").is(t, 401, none)
	})
}

func TestStaffIsReadAgain(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		other := s.start(t, auth.Config{})
		reporter := access.Caller{Role: access.Administrator, ID: s.people.reporter.ID, Session: "one"}
		atSeller := access.Caller{Role: access.Seller, ID: s.people.seller.ID, StoreKey: s.store.Key, Session: "two"}
		tokens := []string{s.issue(reporter), s.issue(atSeller)}
		for _, token := range tokens {
			if here, there := s.who(token), other.who(token); here.status != 200 || there.status != 200 {
				t.Fatal(here, there)
			}
		}
		s.exec(`UPDATE administrators SET active = $1 WHERE admin_id = $2`, false, reporter.ID)
		s.exec(`UPDATE sellers SET active = $1 WHERE store_id = $2 AND seller_id = $3`, false, s.store.Key, atSeller.ID)
		s.auth.Forget(reporter.ID)
		s.auth.Forget(atSeller.ID)
		for _, token := range tokens {
			s.who(token).is(t, 401, invalidToken)
			if got := other.who(token); got.status != 200 {
				t.Errorf("the other node asks the database at every request: %s", got.body)
			}
		}
		s.clock.Advance(auth.DefaultRecheck)
		for _, token := range tokens {
			other.who(token).is(t, 401, invalidToken)
		}
		s.exec(`UPDATE administrators SET active = $1, role_id = $2 WHERE admin_id = $3`, true, admin.SuperAdmin, reporter.ID)
		if got := s.who(tokens[0]); got.status != 200 || !strings.Contains(got.body, `"Master":true`) {
			t.Errorf("the role of now does not count: %d %s", got.status, got.body)
		}
	})
}

// The tokens of a customer follow the status: at once on the node where it changes, soon on the others. An activation
// counts at once everywhere.
func TestTokensFollowTheStatusOfTheirCustomer(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		other, token, id := s.start(t, auth.Config{}), s.customerToken(), s.people.customer.ID
		set := func(status string, anonymizedAt any) {
			t.Helper()
			var since any
			if status != "active" {
				since = s.clock.Now().UnixMicro()
			}
			s.exec(`UPDATE customers SET status = $1, anonymized_at = $2, inactive_since = $3
				WHERE store_id = $4 AND customer_id = $5`, status, anonymizedAt, since, s.store.Key, id)
			s.auth.Forget(id)
		}
		is := func(n *node, token, status string) {
			t.Helper()
			got := n.who(token)
			if status == "out" {
				got.is(t, 401, invalidToken)
				return
			}
			blocked := strings.Contains(got.body, `"Blocked":true`)
			if got.status != 200 || blocked != (status == "blocked") {
				t.Errorf("not %s: %d %s", status, got.status, got.body)
			}
		}
		for i, c := range []struct {
			status       string
			anonymizedAt any
			want         string
		}{
			{"blocked", nil, "blocked"}, {"deleted", nil, "out"}, {"new", nil, "out"}, {"blocked", 1, "out"},
			{"blocked", nil, "blocked"},
		} {
			set("active", nil)
			for _, n := range []*node{s.node, other} {
				is(n, token, "active")
			}
			set(c.status, c.anonymizedAt)
			fresh := s.issue(access.Caller{
				Role: access.Customer, ID: id, StoreKey: s.store.Key, Session: fmt.Sprint("session ", i),
			})
			is(s.node, token, c.want)
			is(s.node, fresh, c.want)
			is(other, fresh, c.want) // not cached
			is(other, token, "active")
			s.clock.Advance(auth.DefaultRecheck)
			is(other, token, c.want)
		}
		s.exec(`DELETE FROM customers WHERE customer_id = $1`, id)
		s.auth.Forget(id)
		is(s.node, token, "out")
	})
}

// The paths of an inactive store respond with 404 to its customers.
func TestCustomersOfAStoreThatIsSwitchedOff(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		token := s.customerToken()
		s.exec(`UPDATE stores SET active = $1`, false)
		s.stores.Forget()
		s.get("/api/DEFAULT/who", "Authorization", "Bearer "+token).is(t, 404, notFound)
	})
}
