package app_test

import (
	"encoding/json"
	"errors"
	"io"
	"testing"

	"punchcard/app"
	"punchcard/loyalty/identity/factor/factortest"
	"punchcard/platform/db/dbtest"
)

// TestResetFactors lets in an administrator who has lost their authenticator app.
func TestResetFactors(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		config := database(t, engine)
		base := startServer(t, engine, func(c *app.Config) { c.Database = config })
		who := logInAdmin(t, base)
		var made struct{ Secret string }
		begun := who.form("/api/me/factors/totp", "currentPassword=open")
		if err := json.Unmarshal(begun.body, &made); err != nil {
			t.Fatalf("%s: %v", begun.body, err)
		}
		who.form("/api/me/factors/totp/confirm", "code="+factortest.Code(made.Secret, startOfTests))
		logIn := func() int { return who.form("/api/admin/login_check", "_username=admin&_password=open").status }
		if got := logIn(); got != 401 {
			t.Errorf("with an authenticator app: %d", got)
		}
		if err := app.ResetFactors(t.Context(), config, "administrator", "", "nobody", io.Discard); !errors.Is(err,
			app.ErrNoAccount) {
			t.Errorf("of nobody: %v", err)
		}
		if err := app.ResetFactors(t.Context(), config, "administrator", "", "admin", io.Discard); err != nil {
			t.Fatal(err)
		}
		if got := logIn(); got != 200 {
			t.Errorf("without the app: %d", got)
		}
	})
}
