package tests

import (
	"testing"

	"punchcard/web/webtest"
)

// A row that leads to a screen has a link, so that the browser's own ways to follow one work: the middle button, also
// beside the link, and a press of Enter. Tab goes from row to row.
func TestRowsAreLinks(t *testing.T) {
	s := openShop(t)
	p := s.openAs(t, "cockpit", "/DEFAULT/customers?sort=lastName.asc", webtest.Options{})
	anna := "/DEFAULT/customers/" + annaID(t, s)
	p.Type("Search", "anna")
	p.WaitPath("/DEFAULT/customers?sort=lastName.asc&q=anna")
	row := p.Within("row", "user@example.com")
	if opened := row.MiddleClick("link", "Anna…"); opened != anna {
		t.Errorf("the middle button opens %s on the link, want %s", opened, anna)
	}
	if opened := row.MiddleClick("cell", "Gold"); opened != anna {
		t.Errorf("the middle button opens %s beside the link, want %s", opened, anna)
	}
	p.WaitPath("/DEFAULT/customers?sort=lastName.asc&q=anna")
	row.ClickRole("cell", "Gold")
	p.WaitPath(anna)

	p.Go("/DEFAULT/campaigns")
	settle(p)
	linked := webtest.Eval[[]string](p, `[...document.querySelectorAll("tbody tr")].map(row =>
		row.querySelectorAll("td > a[href]").length + (row.hasAttribute("tabindex") ? " and the row" : ""))`)
	for i, links := range linked {
		if links != "1" {
			t.Errorf("row %d takes the focus with %s links, want 1", i, links)
		}
	}
	focused := func() (name string) { return webtest.Eval[string](p, "document.activeElement.innerText") }
	rowTo(t, p, "Birthday gift")
	first := focused()
	p.Press("Tab") // to the switch of the row
	p.Press("Tab")
	if second := focused(); second == "" || second == first {
		t.Errorf("after the row of %s, Tab goes to %q", first, second)
	}
	p.Press("ArrowUp")
	if back := focused(); back != first {
		t.Errorf("the arrow key goes to %q, want %q", back, first)
	}
	p.Press("Enter")
	p.WaitText("Birthday gift")
	p.WaitPath("/DEFAULT/campaigns/…")
}

// A row that opens a dialog has a button, which has the focus again when the dialog closes.
func TestRowsAreButtons(t *testing.T) {
	s := openShop(t)
	p := s.openAs(t, "cockpit", "/DEFAULT/audit", webtest.Options{})
	settle(p)
	webtest.Eval[bool](p, "(document.querySelector('tbody td:last-child').click(), true)")
	p.WaitUntil("the row opens", "document.querySelector('dialog[open]') !== null")
	p.Press("Escape")
	p.WaitUntil("the button has the focus again", "document.activeElement.matches('td > button.opener')")
	p.Press("Enter")
	p.WaitUntil("the row opens", "document.querySelector('dialog[open]') !== null")
}
