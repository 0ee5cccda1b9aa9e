package tests

import (
	"testing"

	"punchcard/web/webtest"
)

// An administrator merges two accounts of a person by keyboard, finds the merged one and its target, and undoes it.
func TestMergingByKeyboard(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	liv := registerActive(t, s, "Liv", "liv.vik@example.org")
	double := registerActive(t, s, "Liva", "liva.vik@example.org")
	s.call(t, s.admin, "POST", "/api/DEFAULT/points/transfer/add",
		map[string]any{"transfer": map[string]any{"customer": double, "points": 70}}, nil)
	p := s.openAs(t, "cockpit", "/customers/"+liv, webtest.Options{Width: 1100, Height: 760})
	p.WaitText("Liv Vik")
	tabTo(t, p, "button", "More actions")
	p.Press("Enter")
	p.WaitFor("menuitem", "Merge with another customer")
	for p.Focused() != "menuitem Merge with another customer" {
		p.Press("ArrowDown")
	}
	p.Press("Enter")
	d := p.Within("dialog", "Merge with another customer")
	d.WaitText("Choose the other account of the same person.")
	tabTo(t, p, "combobox", "The other account")
	p.Press("liva.vik")
	p.WaitFor("option", "Liva Vik…")
	p.Press("ArrowDown")
	p.Press("Enter")
	d.WaitText("70 points, 0 coupons and 0 receipts move.")
	p.Axe()
	enter(t, p, "Merge")
	p.WaitText("The account was merged into Liv Vik.")
	if got := s.get(t, "/api/DEFAULT/admin/customer/"+liv+"/status", "points"); got != "70" {
		t.Errorf("she has %s points", got)
	}

	p.Go("/customers/" + double)
	p.WaitText("This account was merged into another one.")
	p.WaitFor("link", "Open Liv Vik")
	p.Axe()
	enter(t, p, "Undo the merge")
	p.WaitFor("dialog", "Undo the merge?")
	enter(t, p, "Undo the merge")
	p.WaitText("The merge is undone.")
	p.WaitText("Member since")
	if got := s.get(t, "/api/DEFAULT/customer/"+double, "email"); got != "liva.vik@example.org" {
		t.Errorf("the e-mail address is %s", got)
	}

	p.Go("/customers/" + liv + "?tab=record&part=merges")
	p.WaitText("Moved: 70 points, 0 coupons, 0 receipts")
	p.Axe()

	s.call(t, s.admin, "POST", "/api/DEFAULT/admin/customer/"+liv+"/merge",
		map[string]any{"merge": map[string]any{"customerId": double}}, nil)
	p.Reload()
	p.WaitText("liva.vik@example.org")
	p.Click("Free these contacts")
	d = p.Within("dialog", "Free these contacts")
	d.WaitText("This cannot be undone.")
	p.Axe()
	d.Click("Free these contacts")
	p.WaitText("The contacts are free.")
	p.WaitForNo("button", "Free these contacts")
	registerActive(t, s, "Liva", "liva.vik@example.org") // somebody else may have it now
	path := "/api/DEFAULT/customer?strict=1&email=liva.vik@example.org"
	if id := s.get(t, path, "customers", 0, "customerId"); id == liv || id == double {
		t.Errorf("the address leads to %s", id)
	}
}
