package tests

import (
	"fmt"
	"strings"
	"testing"

	"punchcard/web/webtest"
)

// The demonstration has latest events from the beginning. An import has one line among them, however many records it
// has, and leads to its page; so has a bulk action.
func TestLatestEvents(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	lines := func(p *webtest.Page) []string {
		return webtest.Eval[[]string](p,
			`[...document.querySelectorAll(".latest li > :first-child")].map(e => e.textContent)`)
	}
	p := s.openAs(t, "cockpit", "/DEFAULT", webtest.Options{Width: 1280, Height: 1600})
	p.WaitUntil("the demonstration has events", `document.querySelectorAll(".latest li").length === 11`)
	var file strings.Builder
	file.WriteString("firstName,lastName,email\n")
	for n := range 150 {
		fmt.Fprintf(&file, "Kim,No %d,kim%d@example.org\n", n, n)
	}
	s.importFile(t, "admin/customer/import", "many.csv", file.String())
	p.WaitText("Import: Customers, 150 (many.csv)")
	p.Reload()
	p.WaitText("Import: Customers, 150 (many.csv)")
	p.WaitUntil("there are other events", `document.querySelectorAll(".latest li").length === 11`)
	for _, line := range lines(p)[1:] {
		if strings.Contains(line, "Kim") || strings.Contains(line, "many.csv") {
			t.Errorf("the import has another line: %q", lines(p))
		}
	}
	p.Axe()
	p.Click("Import: Customers, 150 (many.csv)")
	p.WaitText("150 records were imported, 0 were refused.")
}
