package tests

import (
	"os"
	"strings"
	"testing"

	"punchcard/web/webtest"
)

var mailingScreens = []screen{
	{app: "cockpit", path: "/mailings", name: "mailings", prepare: writeMailing, walk: walkMailings},
	{app: "cockpit", path: "/mailings/new", name: "mailing-new", walk: walkMailingNew},
	{app: "cockpit", path: "/mailings/:mailing", name: "mailing", prepare: writeMailing, example: exampleMailing,
		walk: walkMailing},
	{app: "cockpit", path: "/mailings/:mailing/edit", name: "mailing-edit", prepare: writeMailing,
		example: exampleMailingEdit, walk: walkMailingEdit},
}

// writeMailing adds a draft to the inboxes of all customers.
func writeMailing(t *testing.T, s *shop) {
	t.Helper()
	s.call(t, s.admin, "POST", "/api/DEFAULT/admin/mailing", map[string]any{"mailing": map[string]any{
		"name": "Spring menu", "channels": []any{"email", "inbox"}, "audience": "everybody",
		"link": "https://shop.example/spring",
		"texts": map[string]any{"en": map[string]any{
			"subject": "Spring is here, {{ first_name }}",
			"content": "Hello {{ first_name }},\n\nour spring menu is here. You have {{ points }} points.\n\n{{ link }}",
			"short":   "Our spring menu is here: {{ link }}",
		}},
	}}, nil)
}

func exampleMailing(t *testing.T, s *shop) string {
	return "/mailings/" + s.get(t, "/api/DEFAULT/admin/mailing?perPage=1", "mailings", 0, "mailingId")
}

func exampleMailingEdit(t *testing.T, s *shop) string { return exampleMailing(t, s) + "/edit" }

func walkMailings(t *testing.T, _ *shop, p *webtest.Page) {
	t.Helper()
	p.WaitText("Spring menu")
	p.WaitText("Draft")
}

// walkMailingNew writes a mailing, and looks at whom it reaches and how.
func walkMailingNew(t *testing.T, _ *shop, p *webtest.Page) {
	t.Helper()
	p.WaitText("agree to marketing")
	p.Type("Name", "New beans")
	p.Type("Subject", "New beans for {{ first_name }}")
	p.Type("Text of the e-mail", "Come and taste: {{ link }}")
	p.Type("Short text", "New beans")
	p.Type("Link (optional)", "javascript:alert(1)")
	p.Click("Save")
	p.WaitText("Some fields need another value.")
	p.Type("Link (optional)", "https://shop.example/beans")
	p.WaitText("New beans for Anna")
	p.WaitText("Come and taste: https://shop.example/beans")
	p.Type("E-mail address", "me@example.org")
	p.Click("Send the test")
	p.WaitText("Sent to me@example.org.")
	p.Click("Save")
	p.WaitText("New beans is saved.")
	p.Click("Delete")
	p.Within("dialog", "Delete New beans?").Click("Delete")
	p.WaitPath("/DEFAULT/mailings")
}

// walkMailing sends a mailing, and waits for its results.
func walkMailing(t *testing.T, _ *shop, p *webtest.Page) {
	t.Helper()
	p.WaitText("All active customers")
	p.Click("Send now")
	p.Within("dialog", "Send Spring menu?").Click("Send to …")
	p.WaitText("Customers visited")
	p.WaitText("Followed the link")
	p.WaitText("Messages wait for the quiet hours")
}

func walkMailingEdit(t *testing.T, _ *shop, p *webtest.Page) {
	t.Helper()
	p.WaitText("Spring is here, Anna")
	p.Type("Name", "Spring menu again")
	p.Click("Customers of levels")
	p.Click("Save")
	p.WaitText("Some fields need another value.")
	p.Click("All active customers")
	p.Click("Save")
	p.WaitText("Spring menu again is saved.")
}

// A mailing is written, sent and looked at, and a report is computed, without a mouse.
func TestMailingAndReportByKeyboard(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	p := s.openAs(t, "cockpit", "/DEFAULT/mailings/new", webtest.Options{})
	p.WaitText("agree to marketing")
	tabTo(t, p, "textbox", "Name")
	p.Press("Beans")
	tabTo(t, p, "textbox", "Subject")
	p.Press("New beans")
	tabTo(t, p, "textbox", "Text of the e-mail")
	p.Press("Come")
	tabTo(t, p, "textbox", "Short text")
	p.Press("Come")
	enter(t, p, "Save")
	p.WaitText("Beans is saved.")
	enter(t, p, "Send now")
	p.WaitFor("dialog", "Send Beans?")
	p.WaitFor("button", "Send to …")
	p.WaitText("in the app")
	tabTo(t, p, "button", "Send to …")
	p.Press("Enter")
	p.WaitText("Customers visited")

	p.Go("/DEFAULT/reports")
	p.WaitText("Redemption rate")
	tabTo(t, p, "tab", "Figures")
	p.Press("End")
	p.WaitText("Who buys, and who comes back?")
	enter(t, p, "Compute the report")
	p.WaitText("Customers with the most sales")
}

// An e-mail is put together of blocks, ordered by keyboard, and looked at narrow and wide.
func TestMailOfBlocks(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	p := s.openAs(t, "cockpit", "/DEFAULT/mailings/new", webtest.Options{})
	p.WaitText("agree to marketing")
	p.Type("Name", "Garden")
	p.Type("Subject", "Our garden is open")
	enter(t, p, "Blocks")
	p.Type("Heading", "Hello {{ first_name }}")
	p.Type("Text", "The garden is <open>.")
	p.Type("Text of the button", "See it")
	p.Type("Leads to", "javascript:alert(1)")
	p.Type("Short text", "Our garden is open")
	p.Click("Save")
	p.WaitText("Some fields need another value.")
	p.Type("Leads to", "https://shop.example/garden")
	p.Click("Coupon code")
	p.Type("Code", "GARDEN")
	p.Click("Move up: Coupon code 4")
	p.Press("Enter") // the button has the focus, at its new place
	if focused := webtest.Eval[string](p, "document.activeElement.getAttribute('aria-label')"); focused !=
		"Move up: Coupon code 2" {
		t.Errorf("%q has the focus", focused)
	}
	const frame = "document.querySelector('iframe.mail-frame').contentDocument"
	p.WaitUntil("the e-mail is shown", frame+".body.innerText.includes('Hello Anna')")
	mail := webtest.Eval[string](p, frame+".body.innerText")
	if at, then := strings.Index(mail, "GARDEN"), strings.Index(mail, "The garden is <open>."); at < 0 || then < at {
		t.Errorf("the e-mail is %q", mail)
	}
	if width := webtest.Eval[int](p, frame+".documentElement.clientWidth"); width != 360 {
		t.Errorf("the narrow e-mail is %d pixels wide", width)
	}
	p.Click("Wide")
	p.WaitUntil("the e-mail is shown", frame+".documentElement.clientWidth === 640")
	if of := webtest.Eval[string](p, "getComputedStyle("+frame+".querySelector('h1')).fontSize"); of != "24px" {
		t.Errorf("the heading has %s", of)
	}
	if folder := os.Getenv("REACH_PICTURES"); folder != "" {
		p.Picture(folder + "/blocks-wide.png")
	}
	p.Click("Save")
	p.WaitText("Garden is saved.")
	p.WaitText("https://shop.example/garden")
}
