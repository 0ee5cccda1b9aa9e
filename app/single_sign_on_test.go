package app_test

import (
	"strings"
	"testing"

	"punchcard/app"
	"punchcard/app/servertest"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// addProvider adds an identity provider with texts that should be JSON, and returns its id.
func (h *hand) addProvider(grants, scopes, inStores string) string {
	h.exec(`INSERT INTO sso_providers (provider_id, name, issuer, client_id, client_secret, scopes, group_claim, grants,
		store_grants, enabled, created_at) VALUES ('office', '', '', '', '', $1, '', $2, $3, TRUE, 0)`, scopes, grants,
		inStores)
	return "office"
}

// Where nobody may sign in with a password, the right password is refused with its own code, and a wrong one as ever.
// The command gives passwords back while the server runs.
func TestPasswordLoginIsOff(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		config := servertest.PlainConfig(servertest.Database(t, engine))
		base := servertest.Run(t, config)
		d := dbtest.Open(t, db.Config{URL: config.Database.Database, File: config.Data + "/punchcard.db"},
			servertest.FixedClock)
		if err := d.Write(t.Context(), func(tx *db.Tx) error {
			return tx.Insert("sso_password_login", "id, allowed", "", []any{1, "nobody"})
		}); err != nil {
			t.Fatal(err)
		}
		c := &client{T: t, Base: base}
		for plain, want := range map[string]string{"open": "Sign in with single sign-on.", "wrong": "Bad credentials"} {
			if r := c.Form("/api/admin/login_check", "username=admin&password="+plain); r.Status != 401 ||
				!strings.Contains(string(r.Body), want) {
				t.Errorf("with %q: %d %s", plain, r.Status, r.Body)
			}
		}
		if err := app.AllowPasswords(t.Context(), config.Database, "", servertest.Log(t)); err != nil {
			t.Fatal(err)
		}
		servertest.LogIn(t, base, "/api/admin/login_check", "admin", "open")
	})
}
