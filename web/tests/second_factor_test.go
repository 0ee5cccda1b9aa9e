package tests

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/identity/factor/factortest"
	"punchcard/platform/db"
	"punchcard/web/webtest"
)

// setupKey matches the key of an authenticator app on the page.
var setupKey = regexp.MustCompile(`\b[A-Z2-7]{32}\b`)

// openSignIn opens the page that signs in to an app at a host name, as passkeys need one, with a device for passkeys.
func (s *shop) openSignIn(t *testing.T, path string, options webtest.Options) *webtest.Page {
	t.Helper()
	options.Server = strings.Replace(s.base, "127.0.0.1", "localhost", 1)
	options.Allow = append(options.Allow, "401", "403")
	p := webtest.Open(t, options)
	p.AddAuthenticator()
	p.Go(path)
	return p
}

// capture saves the screen into the folder of the environment variable, to be looked at.
func capture(p *webtest.Page, name string) {
	if folder := os.Getenv("PUNCHCARD_TEST_PICTURES"); folder != "" {
		p.Screenshot(filepath.Join(folder, name+".png"))
	}
}

// TestSecondFactorInCockpit adds a passkey and an authenticator app, and signs in with each and with a recovery code.
func TestSecondFactorInCockpit(t *testing.T) {
	s := openShop(t)
	s.addAdministrator(t, "Shop", "ola@example.org", permission("CUSTOMER", "VIEW"), permission("ACL", "MODIFY"))
	p := s.openSignIn(t, "/DEFAULT/customers", webtest.Options{})
	password := func() {
		p.Type("User name or e-mail", "ola@example.org")
		p.Type("Password", firstPassword)
		p.Click("Sign in")
	}
	out := func() {
		p.Click("Your account: Ola Lis")
		p.ClickRole("menuitem", "Sign out")
		p.WaitFor("button", "Sign in with a passkey")
	}
	password()
	p.WaitText("All customers")
	p.Click("Your account: Ola Lis")
	p.ClickRole("menuitem", "Second factor")
	dialog := p.Within("dialog", "Second factor")
	dialog.WaitFor("button", "Add a passkey")
	capture(p, "cockpit-empty")
	dialog.Click("Add a passkey")
	dialog.Type("Name", "Laptop")
	dialog.Type("Present password", "wrong")
	dialog.Click("Add a passkey")
	dialog.WaitText("This is not your present password.")
	dialog.Type("Present password", firstPassword)
	dialog.Click("Add a passkey")
	dialog.WaitText("Keep these recovery codes in a safe place.")
	codes := regexp.MustCompile(`[A-Z2-7]{4}(?:-[A-Z2-7]{4}){3}`).FindAllString(p.Text(), -1)
	capture(p, "cockpit-codes")
	p.Axe()
	asksBeforeClosing(t, p, "Second factor", codes[0])
	dialog.Click("I have kept them")
	dialog.WaitText("Laptop")
	dialog.Click("Add an authenticator app")
	dialog.Click("Continue")
	dialog.WaitFor("img", "QR code for the authenticator app")
	secret := setupKey.FindString(p.Text())
	capture(p, "cockpit-app")
	p.Axe()
	enrolled := time.Now()
	dialog.Type("Code", factortest.Code(secret, enrolled))
	dialog.Click("Add an authenticator app")
	dialog.WaitText("10 codes are left")
	capture(p, "cockpit-list")
	p.Axe()
	dialog.Click("Close")
	out()
	p.Click("Sign in with a passkey")
	p.WaitText("All customers")
	out()
	password()
	p.WaitText("Your password is right.")
	capture(p, "cockpit-step")
	p.Axe()
	p.Click("Use a passkey")
	p.WaitText("All customers")
	out()
	password()
	p.Click("Use a recovery code")
	p.Type("Recovery code", codes[0])
	p.Click("Continue")
	p.WaitText("All customers")
	out()
	password()
	p.Type("Code", unusedCode(secret, enrolled))
	p.Click("Continue")
	p.WaitText("All customers")
}

// unusedCode returns a code that counts now and is not the one of the time at which the last one was used.
func unusedCode(secret string, last time.Time) string {
	next := last.Add(30 * time.Second)
	if now := time.Now(); now.After(next) {
		next = now
	}
	return factortest.Code(secret, next)
}

// TestStepUpInCockpit saves a role when the second factor was used long ago.
func TestStepUpInCockpit(t *testing.T) {
	s := openShop(t)
	role := s.addAdministrator(t, "Shop", "ola@example.org", permission("ACL", "MODIFY"))
	p := s.openSignIn(t, "/DEFAULT/roles/"+role, webtest.Options{})
	p.Type("User name or e-mail", "ola@example.org")
	p.Type("Password", firstPassword)
	p.Click("Sign in")
	p.WaitFor("textbox", "Name")
	s.addOldPasskey(t, p)
	p.Type("Name", "Shop and roles")
	p.Click("Save")
	asked := p.Within("dialog", "Confirm that it is you")
	asked.WaitText("This change needs your second factor.")
	capture(p, "cockpit-prove")
	p.Axe()
	asked.Click("Use a passkey")
	p.WaitForNo("dialog", "Confirm that it is you")
	p.WaitText("Shop and roles")
}

// addOldPasskey adds a passkey to the account of Ola Lis, which was used long ago.
func (s *shop) addOldPasskey(t *testing.T, p *webtest.Page) {
	t.Helper()
	p.Click("Your account: Ola Lis")
	p.ClickRole("menuitem", "Second factor")
	dialog := p.Within("dialog", "Second factor")
	dialog.Click("Add a passkey")
	dialog.Type("Name", "Laptop")
	dialog.Type("Present password", firstPassword)
	dialog.Click("Add a passkey")
	dialog.Click("I have kept them")
	dialog.Click("Close")
	s.beside(t, func(tx *db.Tx, _ *store.Store) error {
		_, err := tx.Exec(`UPDATE sessions SET factor_at = $1 WHERE factor_at IS NOT NULL`,
			time.Now().Add(-time.Hour).UnixMicro())
		return err
	})
}

// TestStepUpForAKey makes an API key when the second factor was used long ago.
func TestStepUpForAKey(t *testing.T) {
	s := openShop(t)
	s.addAdministrator(t, "Keys", "ola@example.org", permission("API_KEY", "MODIFY"), permission("POS", "VIEW"))
	p := s.openSignIn(t, "/keys/new", webtest.Options{})
	p.Type("User name or e-mail", "ola@example.org")
	p.Type("Password", firstPassword)
	p.Click("Sign in")
	p.WaitFor("textbox", "Name")
	s.addOldPasskey(t, p)
	p.Type("Name", "Shop sync")
	p.Click("Points of sale: See")
	p.Click("Create key")
	asked := p.Within("dialog", "Confirm that it is you")
	asked.WaitText("This change needs your second factor.")
	asked.Click("Use a passkey")
	p.WaitForNo("dialog", "Confirm that it is you")
	p.Within("dialog", "The secret of the key").WaitText("Copy it now")
}

// TestSecondFactorInTheOtherApps adds passkeys at the till and in the app of customers, and signs in with them.
func TestSecondFactorInTheOtherApps(t *testing.T) {
	s := openShop(t)
	for _, who := range []struct{ path, name, password, shown string }{
		{"/till/DEFAULT", "seller@example.com", "open", "Ready for the next customer"},
		{"/me/DEFAULT/account", "user@example.com", "loyalty", "Your account"},
	} {
		p := s.openSignIn(t, who.path, webtest.Options{Width: 390, Dark: true})
		p.Type("E-mail", who.name)
		p.Type("Password", who.password)
		p.Click("Sign in")
		p.WaitText(who.shown)
		if who.name[0] == 's' {
			p.Click("Your account: Sam Seller")
			p.ClickRole("menuitem", "Second factor")
		} else {
			p.Click("Second factor")
		}
		dialog := p.Within("dialog", "Second factor")
		dialog.Click("Add a passkey")
		dialog.Type("Name", "Phone")
		dialog.Type("Present password", who.password)
		dialog.Click("Add a passkey")
		dialog.Click("I have kept them")
		dialog.WaitText("Phone")
		capture(p, "phone-"+who.name[:4])
		p.Axe()
		dialog.Click("Close")
		if who.name[0] == 's' {
			p.Click("Your account: Sam Seller")
			p.ClickRole("menuitem", "Sign out")
		} else {
			p.Click("Sign out")
		}
		capture(p, "signin-"+who.name[:4])
		p.Click("Sign in with a passkey")
		p.WaitText(who.shown)
	}
}
