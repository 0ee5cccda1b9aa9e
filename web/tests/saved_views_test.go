package tests

import (
	"strings"
	"testing"

	"punchcard/web/webtest"
)

// An administrator saves a view of the list of customers by keyboard, opens it by its address alone, renames and
// deletes it.
func TestSavedViewsByKeyboard(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	p := s.openAs(t, "cockpit", "/customers?status=blocked&sort=spent.desc", webtest.Options{Width: 1100, Height: 760})
	p.WaitText("Save as a view")
	enter(t, p, "Save as a view")
	p.WaitFor("dialog", "Save as a view")
	tabTo(t, p, "textbox", "Name")
	p.Press("Blocked ones")
	p.Axe()
	enter(t, p, "Save")
	p.WaitText("The view Blocked ones is saved.")
	p.WaitFor("combobox", "Saved views")
	address := webtest.Eval[string](p, "location.search")
	if !strings.Contains(address, "view=") || !strings.Contains(address, "status=blocked") {
		t.Fatalf("the address is %s", address)
	}
	id := address[strings.Index(address, "view=")+len("view="):]

	p.Go("/customers?view=" + id)
	p.WaitFor("button", "View Blocked ones: actions")
	p.WaitUntil("the filters of the view",
		"location.search.includes('status=blocked') && location.search.includes('sort=spent.desc')")
	p.Axe()

	tabTo(t, p, "button", "View Blocked ones: actions")
	p.Press("Enter")
	p.WaitFor("menuitem", "Rename or share")
	for p.Focused() != "menuitem Rename or share" {
		p.Press("ArrowDown")
	}
	p.Press("Enter")
	p.WaitFor("dialog", "Rename or share")
	tabTo(t, p, "checkbox", "Share with all who see customers")
	p.Press(" ")
	enter(t, p, "Save")
	p.WaitText("Blocked ones (shared)")

	tabTo(t, p, "button", "View Blocked ones: actions")
	p.Press("Enter")
	p.WaitFor("menuitem", "Delete the view")
	for p.Focused() != "menuitem Delete the view" {
		p.Press("ArrowDown")
	}
	p.Press("Enter")
	p.WaitFor("dialog", "Delete the view Blocked ones?")
	enter(t, p, "Delete the view")
	p.WaitForNo("combobox", "Saved views")
	p.Go("/customers?view=" + id)
	p.WaitText("This view was deleted, or it is not shared.")
}
