package tests

import (
	"testing"

	"punchcard/web/webtest"
)

// annaID returns the id of the demonstration's customer who signs in.
func annaID(t *testing.T, s *shop) string {
	t.Helper()
	return s.get(t, "/api/DEFAULT/customer?strict=1&email=user@example.com", "customers", 0, "customerId")
}

var customerScreens = []screen{
	{app: "cockpit", path: "/customers", name: "customers", walk: walkCustomers},
	{app: "cockpit", path: "/customers/new", name: "customer-new", walk: walkRegistration},
	{
		app: "cockpit", path: "/customers/:customer/edit", name: "customer-edit",
		example: func(t *testing.T, s *shop) string { return "/customers/" + annaID(t, s) + "/edit" },
		walk:    walkEditCustomer,
	},
	{
		app: "cockpit", path: "/customers/:customer", name: "customer",
		example: func(t *testing.T, s *shop) string { return "/customers/" + annaID(t, s) },
		walk:    walkCustomer,
	},
}

func walkCustomers(t *testing.T, s *shop, p *webtest.Page) {
	p.WaitText("of 300")
	p.Type("Search", "anna")
	p.WaitGone("of 300")
	p.WaitText("Anna Nowak")
	p.Press("Tab")
	p.Click("Filters")
	p.Select("Any level", "Gold")
	p.WaitText("Clear filters")
	p.Click("Clear filters")
	p.WaitText("of 300")
	p.Click("Next")
	p.WaitText("51–100 of 300")
	p.ClickRole("button", "Name")
	p.WaitText("1–50 of 300")
}

// A registration with its errors; the summary of the errors leads to the fields.
func walkRegistration(t *testing.T, s *shop, p *webtest.Page) {
	p.Type("First name", "Ida")
	p.Type("Last name", "Berg")
	p.Type("E-mail", "user@example.com")
	p.Click("Register")
	p.WaitText("Some fields need another value.")
	p.Click("Agrees to the terms")
	p.Click("Register")
	p.WaitText("Some fields need another value.")
	p.Type("E-mail", "ida.berg@example.org")
	p.Select("Language", "Polski")
	p.Type("Labels (optional)", "coffee:espresso; vip:")
	p.Click("Register")
	p.WaitText("Ida Berg is registered.")
	p.WaitText("Registered")
	const ida = "/api/DEFAULT/customer?strict=1&email=ida.berg@example.org"
	if card := s.get(t, ida, "customers", 0, "loyaltyCardNumber"); len(card) != 16 {
		t.Errorf("the card number is %s", card)
	}
	if locale := s.get(t, ida, "customers", 0, "locale"); locale != "pl" {
		t.Errorf("the language is %s", locale)
	}
	p.Within("region", "Details").WaitText("Polski")
	if value := s.get(t, ida, "customers", 0, "labels", 0, "value"); value != "espresso" {
		t.Errorf("the first label is %s", value)
	}
}

func walkEditCustomer(t *testing.T, s *shop, p *webtest.Page) {
	p.Type("Phone (optional)", "no number")
	p.Click("Save")
	p.WaitText("Some fields need another value.")
	p.Type("Phone (optional)", "+48100200009")
	p.Click("Save")
	p.WaitText("Anna Nowak is saved.")
	if phone := s.get(t, "/api/DEFAULT/customer/"+annaID(t, s), "phone"); phone != "+48100200009" {
		t.Errorf("the phone is %s", phone)
	}
}

// Points are added, spent, blocked, moved and cancelled, a reward is bought and used, and the account is blocked and
// activated again. Others get a level by hand, and are anonymised.
func walkCustomer(t *testing.T, s *shop, p *webtest.Page) {
	id := annaID(t, s)
	p.WaitText("Anna Nowak")
	p.Click("Add points")
	dialog := p.Within("dialog", "Add points")
	dialog.Click("Add points")
	dialog.WaitText("Some fields need another value.")
	dialog.Type("Points", "250")
	dialog.Type("Reason (optional)", "For patience")
	dialog.Click("Add points")
	p.WaitText("Anna Nowak got 250 points.")
	p.WaitText("For patience")

	p.Click("More actions")
	p.Click("Spend points")
	dialog = p.Within("dialog", "Spend points")
	dialog.Type("Points", "999999")
	dialog.Click("Spend points")
	dialog.WaitText("points are there.")
	dialog.WaitText("Some fields need another value.")
	dialog.Type("Points", "10")
	dialog.Click("Spend points")
	p.WaitText("Anna Nowak spent 10 points.")

	walkBlockingPoints(t, s, p)
	walkMovingPoints(t, s, p)
	walkCancelling(t, s, p)

	p.Click("Buy a reward")
	p.Click("Choose Birthday gift")
	p.Click("Buy")
	p.WaitText("Birthday gift was bought.")
	p.ClickRole("tab", "Coupons")
	p.Within("row", "Birthday gift").Click("Use")
	p.Within("dialog", "Use the coupon").Click("Use")
	p.WaitText("is used.")

	p.Click("More actions")
	p.Click("Block")
	p.Within("dialog", "Block Anna Nowak?").Click("Block")
	p.WaitText("Anna Nowak is blocked.")
	p.Click("More actions")
	p.Click("Activate")
	p.Within("dialog", "Activate Anna Nowak?").Click("Activate")
	p.WaitText("Anna Nowak is active.")
	if status := s.get(t, "/api/DEFAULT/customer/"+id, "status", "type"); status != "active" {
		t.Errorf("she is %s", status)
	}
	p.ClickRole("tab", "Record")
	p.WaitText("No notes yet.")
	p.Type("New note", "Likes tea")
	p.Click("Add the note")
	p.WaitText("The note is added.")
	p.WaitText("Likes tea")
	p.Click("Delete the note")
	p.WaitText("No notes yet.")
	p.ClickRole("tab", "Segments")
	p.ClickRole("tab", "Data and privacy")
	p.WaitText("A copy of all data")
	walkMessagesOfCustomer(t, s, p)
	walkLevelByHand(t, s, p)
	walkAnonymising(t, s, p)
}

// A screen holds sixteen customers, and half as many in roomy rows; on a phone the first is near the top.
func TestCustomersOnAScreen(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	const rows = `[...document.querySelectorAll('tbody tr')].filter(
		(row) => row.getBoundingClientRect().bottom <= innerHeight).length`
	p := s.openAs(t, "cockpit", "/customers", webtest.Options{Height: 720})
	p.WaitText("of 300")
	if n := webtest.Eval[int](p, rows); n < 16 {
		t.Errorf("%d customers fit on the screen", n)
	}
	p.Click("Your account: admin")
	p.ClickRole("menuitemradio", "Roomy rows")
	p.WaitUntil("roomy rows", rows+" < 16")
	phone := s.openAs(t, "cockpit", "/customers", webtest.Options{Width: 390, Height: 844})
	phone.WaitText("of 300")
	if top := webtest.Eval[float64](phone, "document.querySelector('tbody tr').getBoundingClientRect().top"); top > 250 {
		t.Errorf("the first customer is %v px below the top", top)
	}
}
