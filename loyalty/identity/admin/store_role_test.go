package admin_test

import (
	"strings"
	"testing"

	"punchcard/core/access"
	"punchcard/loyalty/identity/auth/authtest"
	"punchcard/platform/db"
)

// desk has stores, roles and administrators for a test of roles in stores.
type desk struct {
	*authtest.Site
	super, full   string // tokens
	first, second string // ids of stores
}

const (
	shopsRole   = "4" // may change points of sale
	secretsRole = "5" // may do what a full administrator may not
)

func eachDesk(t *testing.T, run func(t *testing.T, d desk)) {
	authtest.Each(t, endpoints, func(t *testing.T, s *authtest.Site) {
		d := desk{Site: s, super: s.Administrator("super"), full: s.Administrator("full")}
		for _, r := range [][2]string{{"Shops", access.POS}, {"Secrets", access.Security}} {
			s.Send(d.super, "POST", "/api/admin/acl/role", "role[name]", r[0], "role[permissions][0][resource]", r[1],
				"role[permissions][0][access]", access.Modify)
		}
		d.second = s.Send(d.super, "POST", "/api/store", "store[code]", "TWO", "store[name]", "Two",
			"store[currency]", "EUR", "store[active]", "1").Member("storeId")
		d.first = text(t, s, `SELECT id FROM stores WHERE code = 'DEFAULT'`)
		run(t, d)
	})
}

// add adds an administrator.
func (d desk) add(by, email string, fields ...string) authtest.Answer {
	d.T.Helper()
	return d.Send(by, "POST", "/api/admin/data", append([]string{"admin[email]", email, "admin[isActive]", "1",
		"admin[plainPassword]", authtest.Password}, fields...)...)
}

// in gives a role in a store, in the place n of the list.
func in(n, store, role string) []string {
	return []string{"admin[storeRoles][" + n + "][store]", store, "admin[storeRoles][" + n + "][role]", role}
}

// Who gives roles in stores gives no right that they lack, each store once, and no role in all stores beside them.
func TestRolesInStoresThatAreRefused(t *testing.T) {
	eachDesk(t, func(t *testing.T, d desk) {
		for _, c := range []struct {
			name, by, field string
			fields          []string
		}{
			{"master role", d.super, "storeRoles", in("0", d.first, "1")},
			{"role with more rights", d.full, "storeRoles", in("0", d.first, secretsRole)},
			{"two roles in a store", d.super, "storeRoles", append(in("0", d.first, "2"), in("1", d.first, "3")...)},
			{"unknown store", d.super, "storeRoles", in("0", "0190a5c0-0000-7000-8000-000000000000", "2")},
			{"unknown role", d.super, "storeRoles", in("0", d.first, "77")},
			{"no role", d.super, "storeRoles", in("0", d.first, "")},
			{"both", d.super, "roles", append(in("0", d.first, "2"), "admin[roles][]", "3")},
			{"none of both", d.super, "roles", []string{"admin[storeRoles]", ""}},
		} {
			got := d.add(c.by, "refused@example.com", c.fields...)
			if got.Status != 400 || !strings.Contains(got.Body, `"`+c.field+`":{"`) {
				t.Errorf("%s: %d %s", c.name, got.Status, got.Body)
			}
		}
		super := "/api/admin/data/" + text(t, d.Site, `SELECT admin_id FROM administrators WHERE username = 'super'`)
		own := d.Send(d.super, "PUT", super, append(in("0", d.first, "3"), "admin[email]", "super@example.com")...)
		if own.Status != 400 {
			t.Errorf("one's own role: %d %s", own.Status, own.Body)
		}
	})
}

// A role in a store counts there, and changes only by those who may.
func TestRolesInStores(t *testing.T) {
	eachDesk(t, func(t *testing.T, d desk) {
		id := d.add(d.full, "w@example.com", append(in("0", d.first, shopsRole), in("1", d.second, "2")...)...).
			Member("adminId")
		path, token := "/api/admin/data/"+id, d.Administrator("w@example.com")
		older := []string{"admin[email]", "w@example.com", "admin[isActive]", "1"}
		expect := func(what string, want int, got authtest.Answer) {
			t.Helper()
			if got.Status != want {
				t.Errorf("%s: %d %s, want %d", what, got.Status, got.Body, want)
			}
		}
		for path, want := range map[string]int{
			"/api/DEFAULT/pos": 200, "/api/TWO/pos": 200, "/api/TWO/seller": 200, "/api/DEFAULT/seller": 403,
			"/api/admin": 403, "/api/admin/acl/role": 403, path: 200, "/api/DEFAULT/unknown": 404,
		} {
			expect(path, want, d.Send(token, "GET", path))
		}
		expect("removing a role in use", 400, d.Send(d.super, "DELETE", "/api/admin/acl/role/"+shopsRole))
		expect("an older client", 200, d.Send(d.super, "PUT", path, older...))
		expect("their own names", 200, d.Send(token, "PUT", path, append(older, in("0", d.first, "3")...)...))
		if got := d.Send(d.super, "GET", path); strings.Count(got.Body, `"storeCode"`) != 2 ||
			strings.Contains(got.Body, "Full admin") {
			t.Errorf("the roles have changed: %s", got.Body)
		}
		expect("more rights", 200, d.Send(d.super, "PUT", path, append(older, in("0", d.second, secretsRole)...)...))
		expect("by somebody with less", 403, d.Send(d.full, "PUT", path, older...))
		expect("no role is left", 400, d.Send(d.super, "PUT", path, append(older, "admin[storeRoles]", "")...))
		expect("a role in all stores", 200,
			d.Send(d.super, "PUT", path, append(older, "admin[storeRoles]", "", "admin[roles][]", "2")...))
		expect("outside of stores", 200, d.Send(token, "GET", "/api/admin"))
	})
}

func text(t *testing.T, s *authtest.Site, query string) (found string) {
	t.Helper()
	err := s.DB.Read(t.Context(), func(tx *db.Tx) (err error) {
		found, err = db.Value[string](tx, query)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
