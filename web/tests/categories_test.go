package tests

import (
	"fmt"
	"testing"

	"punchcard/web/webtest"
)

var categoryScreens = []screen{
	{app: "cockpit", path: "/categories", name: "categories", walk: walkCategories},
}

// A category is created after an error, named in another language, and one in use is switched off after a question.
func walkCategories(t *testing.T, s *shop, p *webtest.Page) {
	p.Click("Create a category")
	dialog := p.Within("dialog", "Create a category")
	dialog.Type("Order", "9")
	dialog.Click("Create")
	dialog.WaitText("Some fields need another value.")
	dialog.Type("Name (English)", "Tea and cake")
	dialog.Type("Name (Polski) (optional)", "Herbata i ciasto")
	dialog.Click("Create")
	p.WaitText("Tea and cake is saved.")
	const list = "/api/DEFAULT/campaignCategory?strict=1&name=Tea%20and%20cake"
	if order := s.get(t, list, "categories", 0, "sortOrder"); order != "9" {
		t.Errorf("its order is %s", order)
	}
	p.Click("Tea and cake is in menus")
	p.WaitText("Tea and cake is off.")
	openRow(p, "Tea and cake")
	dialog = p.Within("dialog", "Edit the category")
	dialog.Type("Name (English)", "Tea")
	dialog.Click("In menus")
	dialog.Click("Save")
	p.WaitText("Tea is saved.")

	// The first category of the demonstration has campaigns.
	name := s.get(t, "/api/DEFAULT/campaignCategory?perPage=1", "categories", 0, "name")
	p.Click(name + " is in menus")
	question := p.Within("dialog", "Switch off "+name+"?")
	question.WaitText("stay on sale and keep the category")
	question.Click("Cancel")
	p.Click(name + " is in menus")
	p.Within("dialog", "Switch off "+name+"?").Click("Switch off")
	p.WaitText(name + " is off.")
	const first = "/api/DEFAULT/campaignCategory?perPage=1"
	if active := s.get(t, first, "categories", 0, "active"); active != "false" {
		t.Errorf("it is in menus: %s", active)
	}
	p.Click(name + " is in menus")
	p.WaitText(name + " is on.")
}

// openRow clicks the first row of a list that contains a text.
func openRow(p *webtest.Page, text string) {
	p.WaitText(text)
	const click = "([...document.querySelectorAll('tbody tr')].find(row => row.innerText.includes(%q)).click(), true)"
	webtest.Eval[bool](p, fmt.Sprintf(click, text))
}
