package tests

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"punchcard/loyalty/identity/factor/factortest"
	"punchcard/web/webtest"
)

// capturePair saves the screen wide and light, and narrow and dark.
func capturePair(p *webtest.Page, name string) {
	width, height := p.Width(), 900
	capture(p, name+"-wide-light")
	p.SetTheme(true)
	capture(p, name+"-wide-dark")
	p.Resize(390, 844)
	capture(p, name+"-narrow-dark")
	p.SetTheme(false)
	capture(p, name+"-narrow-light")
	p.Resize(width, height)
}

// TestRequiredFactor requires a second factor of a role. An administrator of the role can do nothing but add one, sees
// the recovery codes, and is let in.
func TestRequiredFactor(t *testing.T) {
	s := openShop(t)
	role := s.addAdministrator(t, "Shop", "ola@example.org", permission("CUSTOMER", "VIEW"))
	p := s.openAs(t, "cockpit", "/DEFAULT/roles/"+role, webtest.Options{})
	p.WaitText("A second factor is not required.")
	p.Click("Change requirement")
	dialog := p.Within("dialog", "Second factor")
	tabTo(t, p, "checkbox", "Require a second factor")
	p.Press(" ")
	dialog.Type("Days to add one", "366")
	enter(t, p, "Save")
	dialog.WaitFor("alert", "")
	dialog.Type("Days to add one", "0")
	capturePair(p, "rule")
	p.Axe()
	dialog.Click("Save")
	p.WaitText("The requirement is saved.")
	p.WaitText("A second factor is required.")
	capturePair(p, "role")
	p.Axe()

	ola := s.openSignIn(t, "/DEFAULT/customers", webtest.Options{})
	ola.Type("User name or e-mail", "ola@example.org")
	ola.Type("Password", firstPassword)
	ola.Click("Sign in")
	dialog = ola.Within("dialog", "Second factor")
	dialog.WaitText("Your role requires a second factor.")
	capturePair(ola, "forced")
	ola.Axe()
	enter(t, ola, "Add a passkey")
	dialog.Type("Name", "Laptop")
	dialog.Type("Present password", firstPassword)
	enter(t, ola, "Add a passkey")
	dialog.WaitText("Keep these recovery codes in a safe place.")
	capturePair(ola, "codes")
	code := regexp.MustCompile(`[A-Z2-7]{4}(?:-[A-Z2-7]{4}){3}`)
	ola.SetPrint(true)
	text := ola.Text()
	capture(ola, "codes-on-paper")
	if n := len(code.FindAllString(text, -1)); n != 10 {
		t.Errorf("%d codes are printed", n)
	}
	if rest := strings.TrimSpace(code.ReplaceAllString(text, "")); rest != "" {
		t.Errorf("printed beside the codes: %q", rest)
	}
	ola.SetPrint(false)
	enter(t, ola, "I have kept them")
	ola.WaitForNo("dialog", "Second factor")
	ola.WaitText("All customers")
}

// TestFactorsOfSellers requires a second factor of the sellers of the store, with the proposed days.
func TestFactorsOfSellers(t *testing.T) {
	s := openShop(t)
	p := s.openAs(t, "cockpit", "/DEFAULT/settings", webtest.Options{})
	p.WaitText("A second factor is not required.")
	p.Click("Change requirement")
	dialog := p.Within("dialog", "Second factor")
	tabTo(t, p, "checkbox", "Require a second factor")
	p.Press(" ")
	dialog.Click("Save")
	p.WaitText("A second factor is required, with 14 days to add it.")
	p.ClickRole("button", "Sellers")
	capturePair(p, "settings")
	p.Axe()
	if days := s.get(t, "/api/DEFAULT/seller/factor-rule", "graceDays"); days != "14" {
		t.Errorf("%s days", days)
	}
}

// addApp adds an authenticator app to the account of a token.
func (s *shop) addApp(t *testing.T, token, password string) {
	t.Helper()
	var made struct{ Secret string }
	s.call(t, token, "POST", "/api/me/factors/totp", map[string]string{"currentPassword": password}, &made)
	code := factortest.Code(made.Secret, time.Now())
	s.call(t, token, "POST", "/api/me/factors/totp/confirm", map[string]string{"code": code}, nil)
}

// TestResetFactors lets in an administrator, a seller and a customer who have lost their devices.
func TestResetFactors(t *testing.T) {
	s := openShop(t)
	for _, who := range []struct{ path, name, app, user, password string }{
		{"/administrators/" + s.administrator(t, "eva@example.org"), "Eva Holm", "admin", "eva@example.org", firstPassword},
		{"/sellers/" + s.get(t, "/api/DEFAULT/seller", "sellers", 0, "sellerId"), "Sam Seller", "seller",
			"seller@example.com", "open"},
		{"/customers/" + annaID(t, s), "Anna Nowak", "customer", "user@example.com", "loyalty"},
	} {
		credentials := map[string]string{"username": who.user, "password": who.password}
		logIn := "/api/" + who.app + "/login_check"
		var got tokens
		s.call(t, "", "POST", logIn, credentials, &got)
		s.addApp(t, got.Token, who.password)
		p := s.openAs(t, "cockpit", "/DEFAULT"+who.path, webtest.Options{})
		if who.app == "customer" {
			enter(t, p, "More actions")
			choose(t, p, "Reset second factors")
		} else {
			enter(t, p, "Reset second factors")
		}
		title := "Reset the second factors of " + who.name + "?"
		p.Within("dialog", title).WaitText(who.name + " then signs in by the password alone")
		capturePair(p, "reset-"+who.app)
		p.Axe()
		p.Within("dialog", title).Click("Reset second factors")
		p.WaitText("The second factors of " + who.name + " are removed.")
		s.call(t, "", "POST", logIn, credentials, &got)
	}
}
