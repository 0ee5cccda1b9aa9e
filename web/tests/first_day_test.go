package tests

import (
	"testing"

	"punchcard/web/webtest"
)

// The first day of a shop, across the three apps: an empty store gets a level and a reward in the cockpit, a customer
// registers and takes the reward in the app, and the cashier uses the coupon at the till.
func TestFirstDay(t *testing.T) {
	s := openShopWith(t)
	owner := webtest.Open(t, webtest.Options{Server: s.base})
	owner.Go("/")
	owner.Type("User name or e-mail", "admin")
	owner.Type("Password", "open")
	owner.Click("Sign in")
	owner.WaitText("First steps")
	owner.Type("Name of the level", "Friends")
	owner.Click("Create the level")
	owner.WaitText("Friends is saved.")
	owner.Go("/DEFAULT/campaigns/new")
	owner.ClickRole("link", "Welcome coupon…")
	owner.WaitText("Reaches 0 of 0 members")
	owner.Click("Save and activate")
	owner.WaitText("Welcome coupon is live.")

	ida := webtest.Open(t, webtest.Options{Server: s.base, Width: 375, Height: 740})
	ida.Go("/me/DEFAULT")
	ida.Click("Join")
	id := joinProgram(t, s, ida, "ida@example.org")
	owner.Go("/DEFAULT/customers/" + id)
	owner.WaitText("Ida Berg")
	s.call(t, s.admin, "POST", "/api/DEFAULT/admin/customer/"+id+"/activate", nil, nil)
	ida.ClickRole("link", "Sign in")
	ida.WaitText("New here?") // the page to sign in, which has fields of the same names
	ida.Type("E-mail", "ida@example.org")
	ida.Type("Password", "Correct-Horse-7")
	ida.ClickRole("button", "Sign in")
	ida.Click("Welcome coupon…")
	ida.Click("Get it")
	ida.Within("dialog", "Get Welcome coupon?").Click("Get it")
	ida.WaitText("This page changes by itself")
	code := webtest.Eval[string](ida, "document.querySelector('.code').textContent")

	addSeller(t, s)
	till := webtest.Open(t, webtest.Options{Server: s.base, Width: 1100, Height: 760})
	till.Go("/till/DEFAULT")
	till.Type("E-mail", "sam@example.org")
	till.Type("Password", "Correct-Horse-7")
	till.Click("Sign in")
	till.WaitText("Ready for the next customer")
	till.WaitUntil("the field has the focus", "document.activeElement?.id === 'scan'")
	scan(till, code)
	till.ClickRole("button", "Use…")
	till.WaitText("Used: Welcome coupon")
	ida.WaitGone("This page changes by itself")
	ida.WaitText("Used")
}

// addSeller adds a point of sale and a seller who works there.
func addSeller(t *testing.T, s *shop) {
	t.Helper()
	var pos struct {
		ID string `json:"posId"`
	}
	s.call(t, s.admin, "POST", "/api/DEFAULT/pos", map[string]any{"pos": map[string]any{
		"name": "Harbour", "identifier": "HARBOUR", "location": map[string]any{
			"street": "Quay", "address1": "1", "postal": "5003", "city": "Bergen", "province": "Vestland", "country": "NO",
		},
	}}, &pos)
	s.call(t, s.admin, "POST", "/api/DEFAULT/seller/register", map[string]any{"seller": map[string]any{
		"firstName": "Sam", "lastName": "Seller", "email": "sam@example.org", "phone": "+4790000001", "posId": pos.ID,
		"active": true, "plainPassword": "Correct-Horse-7",
	}}, nil)
}
