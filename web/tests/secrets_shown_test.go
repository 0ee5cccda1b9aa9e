package tests

import (
	"fmt"
	"testing"

	"punchcard/web/webtest"
)

// asksBeforeClosing checks that a dialog stays whose content nobody can show again: Escape, also several times, a click
// outside and the button of its corner ask first, and so does the way back.
func asksBeforeClosing(t *testing.T, p *webtest.Page, title, text string) {
	t.Helper()
	const question = "Have you kept it?"
	dialog := p.Within("dialog", title)
	dialog.WaitText(text)
	for _, attempt := range []struct {
		name string
		do   func()
	}{
		{"Escape", func() { p.Press("Escape") }},
		{"a click outside", func() {
			webtest.Eval[bool](p, `(document.querySelector("dialog[open]").dispatchEvent(
				new MouseEvent("mousedown", { bubbles: true })), true)`)
		}},
		{"the corner", func() { dialog.ClickRole("button", "Close") }},
	} {
		attempt.do()
		p.Within("dialog", question).WaitText("This is shown only now.")
		p.Press("Escape") // the question
		p.WaitForNo("dialog", question)
		dialog.WaitText(text)
		t.Logf("asked after %s", attempt.name)
	}
	for range 4 { // the browser closes the second time by itself
		p.Press("Escape")
	}
	asked := webtest.Eval[string](p, `(() => {
		let asked = ""
		const ask = globalThis.confirm
		globalThis.confirm = question => { asked = question; return false }
		return new Promise(resolve => {
			addEventListener("popstate", () => setTimeout(() => { globalThis.confirm = ask; resolve(asked) }), { once: true })
			history.pushState(null, "", location.href) // an entry of this page to leave
			history.back()
		})
	})()`)
	if want := "This is shown only now. Leave without having kept it?"; asked != want {
		t.Errorf("the way back asks %q, want %q", asked, want)
	}
	p.WaitUntil("the dialog is still open", fmt.Sprintf(
		`[...document.querySelectorAll("dialog[open]")].some(d => d.innerText.includes(%q))`, text))
	if p.Count("dialog", question) > 0 {
		p.Within("dialog", question).Click("Cancel")
	}
}
