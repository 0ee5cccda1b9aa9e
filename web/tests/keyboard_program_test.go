package tests

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"punchcard/core/access"
	"punchcard/loyalty/message"
	"punchcard/loyalty/message/template"
	"punchcard/web/webtest"
)

// rowTo moves into a list by Tab, and to the row that begins with a text by the arrow keys. A list that still loads
// would be drawn again, without the focus.
func rowTo(t *testing.T, p *webtest.Page, beginning string) {
	t.Helper()
	p.WaitFor("cell", beginning+"…")
	settle(p)
	row := func() string {
		return webtest.Eval[string](p, `(e => e.matches(".opener") ? e.closest("tr").innerText : "")(document.activeElement)`)
	}
	for range 120 {
		switch text := row(); {
		case strings.HasPrefix(text, beginning):
			return
		case text == "":
			p.Press("Tab")
			showsFocus(t, p)
		default:
			p.Press("ArrowDown")
		}
	}
	t.Fatalf("no row that begins with %q is reached", beginning)
}

// openRowByKey opens the dialog of a row.
func openRowByKey(t *testing.T, p *webtest.Page, beginning string) {
	t.Helper()
	rowTo(t, p, beginning)
	p.Press("Enter")
	p.WaitUntil("the row opens", `document.querySelector("dialog[open]") !== null`)
}

// fileTo moves to the field for a file by Tab, and chooses one. The browser's own dialog cannot be driven.
func fileTo(t *testing.T, p *webtest.Page, label, file string) {
	t.Helper()
	p.WaitFor("field", label)
	for range 60 {
		if webtest.Eval[bool](p, "document.activeElement.type === 'file'") {
			p.Upload(label, file)
			return
		}
		p.Press("Tab")
		showsFocus(t, p)
	}
	t.Fatalf("Tab does not reach %q", label)
}

// inDialog waits until a dialog has the focus.
func inDialog(p *webtest.Page) {
	p.WaitUntil("the dialog has the focus", `document.activeElement.closest("dialog") !== null`)
}

// onPage waits until something of the page has the focus, no dialog, after what had it may have gone away.
func onPage(p *webtest.Page) {
	p.WaitUntil("the focus is on the page",
		`document.activeElement !== document.body && !document.querySelector("dialog")`)
}

// focusIs waits until an element has the focus, as after a dialog.
func focusIs(p *webtest.Page, element string) {
	p.WaitUntil("the focus is on the "+element, fmt.Sprintf(
		`(e => e.computedRole + " " + e.computedName === %q)(document.activeElement)`, element))
}

// replace replaces the content of the text field that has the focus.
func replace(p *webtest.Page, text string) {
	p.Press("Control+a")
	p.Press(text)
}

// A text is changed, tried and restored, a sent message is read, and the way of sending is set.
func TestMessagesByKeyboard(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	s.call(t, s.admin, "POST", "/api/DEFAULT/customer/password/reset/request",
		map[string]any{"username": "user@example.com"}, nil)
	p := s.openAs(t, "cockpit", "/DEFAULT/messages", webtest.Options{})
	rowTo(t, p, "A customer invites somebody")
	p.Press("Enter")
	p.WaitPath("/DEFAULT/messages/oloy.customer.invitation")
	tabTo(t, p, "textbox", "Subject")
	replace(p, "From {{ referrer }}")
	p.Press("Enter")
	p.WaitText("contains a placeholder that this event does not have.")
	tabTo(t, p, "textbox", "Subject")
	replace(p, "From {{ referrer_name }}")
	enter(t, p, "Who invites")
	focusIs(p, "textbox Text")
	tabTo(t, p, "textbox", "Your password")
	p.Press("open")
	p.Press("Enter")
	p.WaitText("The texts are saved.")
	focusIs(p, "button Save")

	enter(t, p, "Send the saved text as a test")
	inDialog(p)
	tabTo(t, p, "textbox", "E-mail")
	p.Press("shop@example.com")
	p.Press("Enter")
	p.WaitText("It was accepted")
	enter(t, p, "Done")
	focusIs(p, "button Send the saved text as a test")
	enter(t, p, "Restore the original text")
	inDialog(p)
	enter(t, p, "Restore the original text")
	p.WaitText("The original text is back.")
	p.WaitForNo("button", "Restore the original text")
	onPage(p)

	p.Go("/DEFAULT/messages")
	tabTo(t, p, "tab", "Texts")
	p.Press("ArrowRight")
	openRowByKey(t, p, "Choose a new password")
	p.WaitText("somebody asked for a new password")
	inDialog(p)
	p.Press("Escape")
	p.WaitUntil("the row has the focus again", `document.activeElement.matches("tbody .opener")`)
	tabTo(t, p, "link", "Overview") // around the page
	tabTo(t, p, "tab", "Sent messages")
	p.Press("ArrowRight")
	tabTo(t, p, "tab", "Refused addresses")
	p.Press("ArrowRight")
	tabTo(t, p, "textbox", "Address of the sender (optional)")
	replace(p, "shop@example.com")
	p.Press("Enter")
	p.WaitText("The settings of delivery are saved.")
	focusIs(p, "textbox Address of the sender (optional)")
}

// A file is checked and imported, its errors can be saved, and a long import is cancelled and goes on.
func TestImportsByKeyboard(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	p := s.openAs(t, "cockpit", "/DEFAULT/imports", webtest.Options{})
	tabTo(t, p, "link", "Import a file")
	p.Press("Enter")
	tabTo(t, p, "combobox", "What")
	p.Press("Points")
	p.WaitText("Each line gives points to a customer")
	enter(t, p, "Check the file")
	p.WaitText("This is needed.")
	file := filepath.Join(t.TempDir(), "points.csv")
	if err := os.WriteFile(file, []byte(someTransfers), 0o600); err != nil {
		t.Fatal(err)
	}
	fileTo(t, p, "File…", file)
	enter(t, p, "Check the file")
	p.WaitText("1 record can be imported, 2 would be refused.")
	enter(t, p, "Import now")
	p.WaitText("1 record was imported, 2 were refused.")
	onPage(p)
	tabTo(t, p, "button", "Download")

	many := strings.Builder{}
	many.WriteString("firstName,lastName,gender,email\n")
	for i := range 20_000 {
		fmt.Fprintf(&many, "Eva,Lund,female,eva.%d@example.org\n", i)
	}
	if err := os.WriteFile(file, []byte(many.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	p.Go("/DEFAULT/imports/new")
	fileTo(t, p, "File…", file)
	enter(t, p, "Import now")
	enter(t, p, "Cancel the import")
	inDialog(p)
	enter(t, p, "Cancel it")
	p.WaitFor("button", "Resume")
	onPage(p)
	enter(t, p, "Resume")
	enter(t, p, "Cancel the import")
	inDialog(p)
	p.Press("Escape")
	onPage(p)
}

// The log is filtered, an entry is read, and entries are archived.
func TestAuditByKeyboard(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	changeLevel(t, s)
	p := s.openAs(t, "cockpit", "/DEFAULT/audit", webtest.Options{})
	enter(t, p, "Filters")
	tabTo(t, p, "combobox", "Any event")
	p.Press("Customer ch")
	p.WaitUntil("the list is filtered", listHolds("Customer changed"))
	openRowByKey(t, p, "Customer changed")
	p.WaitText("Usha")
	inDialog(p)
	tabTo(t, p, "group", "What changed")
	p.Press("Escape")
	p.WaitUntil("the row has the focus again", `document.activeElement.matches("tbody .opener")`)
	enter(t, p, "Archive")
	inDialog(p)
	p.WaitText("There are no archives yet.")
	tabTo(t, p, "button", "Close")
	enter(t, p, "Archive")
	p.WaitText("There is nothing to archive before this day.")
	p.Press("Escape")
	focusIs(p, "button Archive")
}

// Staff find an invitation and the customer who was invited; a customer invites a friend and shows the own link.
func TestInvitationsByKeyboard(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	inviteSome(t, s)
	p := s.openAs(t, "cockpit", "/DEFAULT/invitations", webtest.Options{})
	tabTo(t, p, "searchbox", "E-mail of the invited")
	p.Press("leon")
	p.WaitGone("zoe.lis@example.org")
	tabTo(t, p, "link", "Leon Mazur")
	p.Press("Enter")
	p.WaitFor("heading", "Leon Mazur…")
	onPage(p)

	p = s.openAs(t, "me", "/me/DEFAULT/invite", webtest.Options{Width: 375, Height: 740})
	tabTo(t, p, "textbox", "E-mail of your friend")
	p.Press("user@example.com")
	p.Press("Enter")
	p.WaitText("This person was invited before or is a member already.")
	tabTo(t, p, "textbox", "E-mail of your friend")
	replace(p, "maja.sowa@example.org")
	p.Press("Enter")
	p.WaitText("Invitation sent.")
	focusIs(p, "textbox E-mail of your friend")
	enter(t, p, "Show my link")
	p.WaitText("/me/DEFAULT/register?invitation=")
	onPage(p)
	tabTo(t, p, "button", "Share")
}

// In each app, somebody who forgot the password asks for a link, and sets a new password by it.
func TestForgottenPasswordsByKeyboard(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	for _, app := range []struct{ start, field, reset string }{
		{"/me/DEFAULT/sign-in", "Phone or e-mail", "/me/DEFAULT" + exampleReset(t, s)},
		{"/till/DEFAULT", "E-mail", "/till/DEFAULT" + exampleSellerReset(t, s)},
		{"/", "User name or e-mail", exampleAdminReset(t, s)},
	} {
		p := webtest.Open(t, webtest.Options{Server: s.base})
		p.Go(app.start)
		tabTo(t, p, "link", "Forgotten password")
		p.Press("Enter")
		tabTo(t, p, "textbox", app.field)
		p.Press("nobody@example.org")
		p.Press("Enter")
		p.WaitText("Look into your messages.")
		onPage(p)
		enter(t, p, "Send again")
		p.WaitText("If it is not there in a few minutes")

		p.Go(app.reset)
		tabTo(t, p, "textbox", "New password")
		p.Press("short")
		p.Press("Enter")
		p.WaitText("Use at least 8 characters.")
		tabTo(t, p, "textbox", "New password")
		replace(p, "Other-Horse-8")
		p.Press("Enter")
		p.WaitText("Your new password is set.")
		onPage(p)
		tabTo(t, p, "link", "Sign in")
		p.Press("Enter")
		p.WaitFor("link", "Forgotten password")
	}
}

// A customer activates the account by the code of an SMS, signs in and out; another one confirms a new phone, and one
// wants no more news.
func TestAccountsByKeyboard(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	unsubscribe := exampleUnsubscribe(t, s)
	const phone = "+48600100301"
	s.call(t, s.admin, "POST", "/api/DEFAULT/settings", map[string]any{"settings": map[string]any{
		"preferredCommunicationMethod": "sms", "accountActivationRequired": true, "allTimeNotLocked": true,
	}}, nil)
	var made struct{ CustomerID string }
	s.call(t, "", "POST", "/api/DEFAULT/customer/self_register", map[string]any{"customer": map[string]any{
		"firstName": "Olaf", "lastName": "Lie", "phone": phone, "agreement1": true, "plainPassword": "Correct-Horse-7",
	}}, &made)
	code := s.secret(t, "code", message.Message{
		Event: template.CustomerActivation, Role: access.Customer, RecipientID: made.CustomerID, Phone: phone,
	})
	p := webtest.Open(t, webtest.Options{Server: s.base, Width: 375, Height: 740})
	p.Go("/me/DEFAULT/activate")
	tabTo(t, p, "textbox", "Phone")
	p.Press(phone)
	p.Press("Tab")
	p.Press("none")
	p.Press("Enter")
	p.WaitText("This code is not valid or has expired.")
	tabTo(t, p, "textbox", "Code")
	replace(p, code)
	p.Press("Enter")
	p.WaitText("Your account is active.")
	onPage(p)
	tabTo(t, p, "link", "Sign in")
	p.Press("Enter")
	p.WaitText("New here?")

	p.Go("/me/DEFAULT" + unsubscribe)
	enter(t, p, "Send me no more of them")
	p.WaitText("You get no more news and offers.")
	onPage(p)

	p = s.openAs(t, "me", "/me/DEFAULT"+exampleConfirm(t, s), webtest.Options{Width: 375, Height: 740})
	enter(t, p, "Confirm")
	p.WaitText("Your new contact is confirmed.")
	p.WaitPath("/me/DEFAULT/account")
	onPage(p)
}

// The picture of a customer, and that of a level, are chosen and removed.
func TestPicturesByKeyboard(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	p := s.openAs(t, "me", "/me/DEFAULT/account/profile", webtest.Options{Width: 375, Height: 740})
	change := func(label string) {
		fileTo(t, p, label+":…", picture(t))
		p.WaitText("Saved: " + label + ".")
		enter(t, p, "Remove "+label)
		inDialog(p)
		enter(t, p, "Remove")
		p.WaitForNo("button", "Remove "+label)
		onPage(p)
	}
	change("Profile picture")
	level := s.get(t, "/api/DEFAULT/level", "levels", 0, "levelId")
	p = s.openAs(t, "cockpit", "/DEFAULT/levels/"+level+"/edit", webtest.Options{})
	change("Picture")
}
