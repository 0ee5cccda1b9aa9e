package tests

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"punchcard/web/webtest"
)

const firstPassword, secondPassword = "Correct-Horse-7", "Battery-Staple-8"

// logInAs returns tokens of an administrator.
func (s *shop) logInAs(t *testing.T, username, password string) tokens {
	t.Helper()
	var got tokens
	s.call(t, "", "POST", "/api/admin/login_check", map[string]string{"username": username, "password": password}, &got)
	return got
}

// addAdministrator adds a role with the permissions and an administrator who has it, and returns the id of the role.
func (s *shop) addAdministrator(t *testing.T, name, email string, permissions ...map[string]string) string {
	t.Helper()
	s.call(t, s.admin, "POST", "/api/admin/acl/role", roleBody(name, permissions...), nil)
	last, err := strconv.Atoi(s.get(t, "/api/admin/acl/role", "total"))
	if err != nil {
		t.Fatal(err)
	}
	role := s.get(t, "/api/admin/acl/role", "roles", last-1, "id")
	s.call(t, s.admin, "POST", "/api/admin/data", map[string]any{"admin": map[string]any{
		"firstName": "Ola", "lastName": "Lis", "email": email, "plainPassword": firstPassword, "isActive": true,
		"roles": []any{role},
	}}, nil)
	return role
}

func roleBody(name string, permissions ...map[string]string) map[string]any {
	return map[string]any{"role": map[string]any{"name": name, "permissions": permissions}}
}

func permission(resource, access string) map[string]string {
	return map[string]string{"resource": resource, "access": access}
}

// Administrators change their own password in the user menu, and what they may do follows their role at once.
func TestOwnAccount(t *testing.T) {
	s := openShop(t)
	role := s.addAdministrator(t, "Shop", "ola@example.org", permission("CUSTOMER", "VIEW"))
	p := s.openWith(t, "cockpit", "/DEFAULT/customers", s.logInAs(t, "ola@example.org", firstPassword), webtest.Options{})
	p.WaitText("All customers")
	p.WaitForNo("link", "Campaigns")
	s.call(t, s.admin, "PUT", "/api/admin/acl/role/"+role,
		roleBody("Shop", permission("CUSTOMER", "VIEW"), permission("REWARD_CAMPAIGN", "VIEW")), nil)
	webtest.Eval[bool](p, "dispatchEvent(new Event('focus'))")
	p.WaitFor("link", "Campaigns")

	p.Click("Your account: Ola Lis")
	p.ClickRole("menuitem", "Change password")
	dialog := p.Within("dialog", "Change password")
	dialog.Type("Present password", "wrong")
	dialog.Type("New password", "short")
	dialog.Type("New password again", "shorter")
	dialog.Click("Change password")
	p.WaitText("The two passwords differ.")
	dialog.Type("New password again", "short")
	dialog.Click("Change password")
	p.WaitText("This is not your present password.")
	p.WaitText("Use at least 8 characters.")
	p.Axe()
	dialog.Type("Present password", firstPassword)
	dialog.Type("New password", secondPassword)
	dialog.Type("New password again", secondPassword)
	dialog.Click("Change password")
	p.WaitText("Your password is changed.")
	s.logInAs(t, "ola@example.org", secondPassword)
	p.Reload()
	p.WaitText("All customers")
}

// A user sees where they are signed in, ends another session and then this one. Scripts of the page see no secret.
func TestSessionsByKeyboard(t *testing.T) {
	s := openShop(t)
	other := s.logIn(t, "till")
	p := s.openAs(t, "till", "/till/DEFAULT", webtest.Options{})
	settle(p)
	if found := webtest.Eval[string](p, "JSON.stringify(localStorage) + document.cookie"); strings.Contains(found, "eyJ") {
		t.Errorf("a script can read %s", found)
	}
	p.Reload()
	settle(p)
	p.WaitFor("button", "Your account: Sam Seller")
	enter(t, p, "Your account: Sam Seller")
	p.Press("ArrowUp") // from the first item around to the last, Sign out
	p.Press("ArrowUp")
	p.Press("Enter")
	p.WaitFor("dialog", "Your sessions")
	p.WaitText("Till · 127.0.0.1")
	p.WaitText("A program, not a web app · 127.0.0.1")
	layouts(p, "sessions")
	p.WaitText("This one")
	p.Within("dialog", "Your sessions").Click("End the session on Go-http-client")
	p.WaitText("The session has ended.")
	response, err := http.Post(s.base+"/api/token/refresh", "application/json",
		strings.NewReader(`{"refresh_token":"`+other.Refresh+`"}`))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != 401 {
		t.Errorf("the session that was ended is renewed: %d", response.StatusCode)
	}
	p.Within("dialog", "Your sessions").ClickRole("button", "End the session on Headless Chrome…")
	p.WaitFor("button", "Sign in")
	p.Reload()
	p.WaitFor("button", "Sign in")
}
