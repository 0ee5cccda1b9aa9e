package tests

import (
	"net/url"
	"strings"
	"testing"

	"punchcard/web/webtest"
)

var tryItScreens = []screen{{
	app: "cockpit", path: "/try-it", name: "try-it", walk: walkTryIt, prepare: prepareTryIt, example: exampleTry,
}}

// exampleTry tries a basket of two lines for Anna, with her coupon and a reward that she cannot afford.
func exampleTry(t *testing.T, s *shop) string {
	t.Helper()
	campaign := s.get(t, "/api/DEFAULT/campaign?name=Weekend+by+the+sea", "campaigns", 0, "campaignId")
	items := `[["BEANS","coffee","","2","38"],["CUP","things","","1","64.5"]]`
	return "/try-it?" + url.Values{
		"customer": {annaID(t, s)}, "items": {items}, "coupons": {couponOf(t, s)}, "rewards": {campaign},
	}.Encode()
}

func prepareTryIt(t *testing.T, s *shop) {
	t.Helper()
	offerReward(t, s, "Weekend by the sea", map[string]any{"costInPoints": 9000})
}

// The link from a campaign brings the reward; choosing a customer shows why it can be bought.
func walkTryIt(t *testing.T, s *shop, p *webtest.Page) {
	p.WaitText("Nothing is reserved or changed.")
	p.WaitText("Coupon: 50 EUR voucher")
	p.Click("Amount only")
	p.Type("Amount", "40")
	p.WaitText("€40.00")
	if query := webtest.Eval[string](p, "location.search"); !strings.Contains(query, "%2240%22") {
		t.Errorf("the address does not hold the basket: %s", query)
	}
	p.Go("/DEFAULT/try-it")
	p.WaitText("What is in the basket?")
	p.Go("/DEFAULT/campaigns/" + s.get(t, "/api/DEFAULT/campaign?name=Free+delivery", "campaigns", 0, "campaignId"))
	p.Within("main", "").ClickRole("link", "Try it") // the navigation has one, too
	p.WaitText("They count once a customer is chosen.")
}

// TestTryItByKeyboard tries a basket for a customer by the keyboard alone: a customer is searched, two lines, a code
// that nobody has and a reward out of reach are entered. A link brings the same page, and nothing has changed.
func TestTryItByKeyboard(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	prepareTryIt(t, s)
	code := couponOf(t, s)
	p := s.openAs(t, "cockpit", "/DEFAULT/try-it", webtest.Options{Width: 1280, Height: 1400})
	tabTo(t, p, "combobox", "Customer (optional)")
	p.Press("nowak")
	p.WaitFor("option", "Anna Nowak…")
	p.Press("Enter")
	p.WaitFor("button", "Customer (optional)") // to choose another
	enter(t, p, "Enter lines")
	tabTo(t, p, "textbox", "Article number")
	p.Press("BEANS")
	p.Press("Tab")
	p.Press("coffee")
	p.Press("Tab")
	p.Press("origin:Peru")
	p.Press("Tab")
	p.Press("Tab")
	p.Press("80")
	enter(t, p, "Add an item")
	p.WaitUntil("the new line has the focus", `document.activeElement.closest('[data-path="items.1.sku"]')`)
	tabTo(t, p, "textbox", "Value")
	p.Press("12.5")
	tabTo(t, p, "textbox", "Codes of coupons (optional)")
	for _, typed := range []string{code, "NOBODY-HAS-THIS"} {
		p.Press(typed)
		p.Press("Enter")
	}
	tabTo(t, p, "combobox", "Wanted rewards (optional)")
	p.Press("weekend")
	p.WaitFor("option", "Weekend by the sea")
	p.Press("Enter")
	result := p.Within("status", "Result")
	check := func() {
		t.Helper()
		for _, text := range []string{
			"BEANS", "Coupon: 50 EUR voucher", "To pay", "Applied", "There is no such coupon.", "Not applied",
			"points missing", "Needed: 9,000", "Earned", "Points to spend",
		} {
			result.WaitText(text)
		}
	}
	check()
	p.Reload()
	check()
	captureTall(p, "try-it")
	if n := bought(t, s, anna(t, s), "50 EUR voucher", true); n != 0 {
		t.Errorf("trying has used %d coupons", n)
	}
}

// Without the permission to see customers, the basket has no customer.
func TestTryItWithoutCustomers(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	s.addAdministrator(t, "Marketing", "marketing@example.org", permission("REWARD_CAMPAIGN", "VIEW"))
	p := webtest.Open(t, webtest.Options{Server: s.base})
	s.logInAs(t, "marketing@example.org", firstPassword).goTo(p, "cockpit", "/DEFAULT/try-it")
	p.WaitText("so the basket is that of somebody unknown")
	p.WaitForNo("textbox", "Codes of coupons (optional)")
	p.Type("Amount", "40")
	p.WaitText("To pay")
	p.Axe()
}
