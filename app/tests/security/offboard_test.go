package security_test

import (
	"path"
	"testing"

	"punchcard/app/servertest"
	"punchcard/platform/db/dbtest"
)

// TestLinksEndWithAccess switches off a seller and an administrator who have links by which they could choose a
// password, and deletes a seller. The links stay dead when the account is switched on again.
func TestLinksEndWithAccess(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		base := servertest.StartServer(t, engine, nil)
		who, somebody := servertest.LogInAdmin(t, base), &client{T: t, Base: base}
		pos := who.JSON("POST", "/api/DEFAULT/pos", object{"pos": object{"name": "Corner"}})["posId"]
		seller := func(email string) (path string) {
			made := who.JSON("POST", "/api/DEFAULT/seller/register", object{"seller": object{"firstName": "Sam",
				"lastName": "Seller", "email": email, "plainPassword": setUpPassword, "posId": pos, "active": true}})
			return "/api/DEFAULT/seller/" + made["sellerId"].(string)
		}
		link := func(made object) (token string) { return path.Base(made["path"].(string)) }
		expect := func(what, token string, want int) {
			t.Helper()
			body := object{"token": token, "reset": object{"plainPassword": "Other-Horse-8"}}
			if r := jsonReply(somebody, "/api/password/reset", body); r.Status != want {
				t.Errorf("%s: %d %s, want %d", what, r.Status, r.Body, want)
			}
		}
		links := func(of string, want float64) {
			t.Helper()
			if got := who.Get(of + "/access")["links"]; got != want {
				t.Errorf("%s has %v links, want %v", of, got, want)
			}
		}

		sam := seller("sam@example.org")
		token := link(who.JSON("POST", sam+"/link", object{}))
		links(sam, 1)
		who.Form(sam+"/deactivate", "").Must(t)
		links(sam, 0)
		who.Form(sam+"/activate", "").Must(t)
		expect("of a seller who was switched off", token, 404)
		token = link(who.JSON("POST", sam+"/link", object{}))
		who.Send("DELETE", sam, "", "").Must(t)
		expect("of a deleted seller", token, 404)
		expect("of another seller", link(who.JSON("POST", seller("tom@example.org")+"/link", object{})), 200)

		eva := object{"firstName": "Eva", "lastName": "Holm", "email": "eva@example.org"}
		invited := who.JSON("POST", "/api/admin/invitation", object{"admin": eva})
		token, of := link(invited), "/api/admin/data/"+invited["adminId"].(string)
		links(of, 1)
		for _, active := range []bool{false, true} {
			eva["isActive"] = active
			who.JSON("PUT", of, object{"admin": eva})
			links(of, 0)
		}
		expect("of an administrator who was switched off", token, 404)
	})
}
