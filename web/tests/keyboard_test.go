package tests

import (
	"strings"
	"testing"

	"punchcard/web/webtest"
)

// tabTo presses Tab until the element with the role and the name has the focus. A name that ends with … is a
// beginning. Whatever has the focus on the way must show it.
func tabTo(t *testing.T, p *webtest.Page, role, name string) {
	t.Helper()
	if name != "…" {
		p.WaitFor(role, name)
	}
	wanted, isBeginning := strings.CutSuffix(role+" "+name, "…")
	for range 80 {
		if focused := p.Focused(); focused == wanted || isBeginning && strings.HasPrefix(focused, wanted) {
			return
		}
		p.Press("Tab")
		showsFocus(t, p)
	}
	t.Fatalf("Tab does not reach the %s %q", role, name)
}

// showsFocus checks that what has the focus is drawn with a ring. The ring of a hidden field is drawn around what
// stands for it.
func showsFocus(t *testing.T, p *webtest.Page) {
	t.Helper()
	if !webtest.Eval[bool](p, `(e => e === document.body || e.tabIndex < 0 ||
		[e, e.closest("label, .tokens, .drop"), e.nextElementSibling].some(shown => {
			const style = shown && getComputedStyle(shown);
			return style && (style.boxShadow !== "none" || style.outlineStyle !== "none" &&
				parseFloat(style.outlineWidth) > 0 && !style.outlineColor.endsWith(", 0)"));
		}))(document.activeElement)`) {
		t.Errorf("%q does not show that it has the focus", p.Focused())
	}
}

// enter moves to a button by Tab and presses it.
func enter(t *testing.T, p *webtest.Page, button string) {
	t.Helper()
	tabTo(t, p, "button", button)
	p.Press("Enter")
}

func typeSignIn(t *testing.T, p *webtest.Page, address, password string) {
	t.Helper()
	tabTo(t, p, "textbox", "E-mail")
	p.Press(address)
	p.Press("Tab")
	p.Press(password)
	p.Press("Enter")
}

// A cashier without a mouse signs in, finds a customer, uses a coupon, sells a reward, registers a receipt and a
// customer, and signs out. Whenever a step is done, the next scan arrives in the field.
func TestTillByKeyboard(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	p := webtest.Open(t, webtest.Options{Server: s.base, Width: 1100, Height: 760})
	p.Go("/till/DEFAULT")
	typeSignIn(t, p, "seller@example.com", "open")
	p.WaitText("Ready for the next customer")
	p.WaitUntil("the field has the focus", `document.activeElement?.id === "scan"`)

	scan(p, annasCard)
	enter(t, p, "Use 50 EUR voucher")
	p.WaitText("Used: 50 EUR voucher")

	enter(t, p, "Buy Birthday gift")
	enter(t, p, "Buy")
	p.WaitText("Bought: Birthday gift")

	enter(t, p, "Register receipt")
	tabTo(t, p, "textbox", "Number of the receipt")
	p.Press("K-1")
	p.Press("Tab")
	p.Press("20.5")
	p.WaitText("Earns")
	p.Press("Enter")
	p.WaitText("Receipt K-1 registered")

	scan(p, "kai@example.org")
	enter(t, p, "New customer")
	tabTo(t, p, "textbox", "First name")
	p.Press("Kai")
	p.Press("Tab")
	p.Press("Holm")
	tabTo(t, p, "checkbox", "The customer accepts the terms of the program")
	p.Press("Space")
	enter(t, p, "Register")
	p.WaitText("Registered: Kai Holm")

	scan(p, annasCard)
	p.WaitFor("heading", "Anna Nowak…")
	p.Press("Shift+Tab") // from the field that was scanned into
	enter(t, p, "Your account: Sam Seller")
	p.WaitFor("menuitem", "Sign out")
	p.Press("End")
	p.Press("Enter")
	p.WaitFor("heading", "Till")
}

// Tab goes around the whole till, also at the pace of a person: past the last button it comes to the first, not back to
// the field that is scanned into.
func TestTabGoesAroundTheTill(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	p := s.openAs(t, "till", "/till/DEFAULT", webtest.Options{Width: 1100, Height: 760})
	p.WaitFor("button", "Your account: Sam Seller")
	p.WaitUntil("the field has the focus", `document.activeElement?.id === "scan"`)
	for range 20 {
		p.Press("Tab")
		p.WaitReady() // after the frame in which the field would take the focus back
		if p.Focused() == "button Your account: Sam Seller" {
			return
		}
	}
	t.Errorf("Tab does not reach the menu, but %q", p.Focused())
}

// A cashier with a tablet needs four touches at most for a customer with a card: for the coupon, the receipt, its
// amount, and to confirm it.
func TestTillTouches(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	p := s.openAs(t, "till", "/till/DEFAULT", webtest.Options{Width: 1100, Height: 760})
	p.WaitText("Ready for the next customer")
	webtest.Eval[bool](p, `(window.touches = 0, addEventListener("pointerdown", () => window.touches++, true), true)`)
	scan(p, annasCard)
	p.Click("Use 50 EUR voucher")
	p.WaitText("Used: 50 EUR voucher")
	p.Click("Register receipt")
	p.WaitUntil("the number of the receipt can be typed", `document.activeElement.closest("dialog") !== null`)
	p.Press("T-9")
	p.ClickRole("field", "Amount")
	p.Press("12")
	p.Within("dialog", "Receipt of Anna Nowak").Click("Register receipt")
	p.WaitText("Receipt T-9 registered")
	if touches := webtest.Eval[int](p, "window.touches"); touches > 4 {
		t.Errorf("serving a customer takes %d touches", touches)
	}
	// The next customer can be scanned at once.
	scan(p, "+48100200000")
	p.WaitFor("heading", "Anna Nowak…")
}

// A customer without a mouse signs in, gets a reward, looks at the coupon, the points and the card, changes the
// profile, and signs out.
func TestAppByKeyboard(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	p := webtest.Open(t, webtest.Options{Server: s.base, Width: 375, Height: 740})
	p.Go("/me/DEFAULT/sign-in")
	typeSignIn(t, p, "user@example.com", "loyalty")
	p.WaitText("points to spend")
	tabTo(t, p, "link", "Amber & Oak Free delivery…")
	p.Press("Enter")
	enter(t, p, "Get it")
	p.WaitText("It costs 20 points.")
	p.WaitUntil("the dialog has the focus", `document.activeElement.closest("dialog") !== null`)
	for range 9 { // the buttons of the dialog
		if p.Focused() == "button Get it" {
			break
		}
		p.Press("Tab")
	}
	p.Press("Enter")
	p.WaitFor("img", "QR code: Free delivery")
	enter(t, p, "Close")
	for _, tab := range []struct{ name, shows string }{{"Points", "History"}, {"Me", "Your account"}} {
		tabTo(t, p, "link", tab.name)
		p.Press("Enter")
		p.WaitText(tab.shows)
	}
	tabTo(t, p, "link", "Edit")
	p.Press("Enter")
	tabTo(t, p, "textbox", "Town (optional)")
	p.Press("Control+a")
	p.Press("Gdynia")
	p.Press("Enter")
	p.WaitText("Saved.")
	tabTo(t, p, "link", "Card")
	p.Press("Enter")
	p.WaitFor("img", "QR code: Card")
	enter(t, p, "Close")
	enter(t, p, "Sign out")
	p.WaitText("New here?")
}
