package tests

import (
	"strings"
	"testing"

	"punchcard/web/webtest"
)

// A customer deletes their account, by their password, which ends the session. The cockpit says so, and signing in
// brings the account back.
func TestLeavingAndComingBack(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	id, email := s.register(t, "", "customer/self_register")
	s.call(t, s.admin, "POST", "/api/DEFAULT/admin/customer/"+id+"/activate", nil, nil)
	var login tokens
	s.call(t, "", "POST", "/api/DEFAULT/customer/login_check",
		map[string]string{"username": email, "password": "Correct-Horse-7"}, &login)
	p := s.openWith(t, "me", "/me/DEFAULT/account", login, webtest.Options{Width: 375, Height: 740})
	p.Click("Delete my account …")
	dialog := p.Within("dialog", "Delete your account?")
	dialog.WaitText("After 14 days your data, points and coupons are erased for good.")
	dialog.Click("Delete my account")
	dialog.WaitText("This is needed.")
	dialog.Type("Present password", "Wrong-Horse-7")
	dialog.Click("Delete my account")
	dialog.WaitText("This is not your present password.")
	p.Axe()
	account := "/api/DEFAULT/admin/customer/" + id + "/account"
	leaves := func() bool {
		var is map[string]any
		s.call(t, s.admin, "GET", account, nil, &is)
		return is["deletionAt"] != nil
	}
	if leaves() {
		t.Error("a wrong password deletes the account")
	}
	dialog.Type("Present password", "Correct-Horse-7")
	dialog.Click("Delete my account")
	p.WaitText("Your account will be deleted on")
	p.WaitFor("button", "Sign in")
	if !leaves() {
		t.Error("the account stays")
	}
	if left := webtest.Eval[string](p, "JSON.stringify(localStorage)"); strings.Contains(left, "Olaf") {
		t.Errorf("the device still knows %s", left)
	}
	cockpit := s.openAs(t, "cockpit", "/DEFAULT/customers/"+id, webtest.Options{})
	cockpit.WaitText("The customer deleted this account")

	p.Type("E-mail", email)
	p.Type("Password", "Correct-Horse-7")
	p.ClickRole("button", "Sign in")
	p.WaitFor("link", "Card")
	if leaves() {
		t.Error("the account is deleted although the customer came back")
	}
	cockpit.Reload()
	cockpit.WaitText("Olaf Lie")
	cockpit.WaitGone("The customer deleted this account")
}
