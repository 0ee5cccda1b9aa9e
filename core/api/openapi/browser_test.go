package openapi_test

import (
	"strings"
	"testing"

	"punchcard/web/webtest"
)

func TestMain(m *testing.M) { webtest.Main(m) }

// A reader searches, opens an endpoint and sees its request and responses. The page stays within its own server and
// its content policy, and stores nothing.
func TestReferenceInABrowser(t *testing.T) {
	p := webtest.Open(t, webtest.Options{
		Server: serve(t), Allow: []string{"Could not find component"}, // Swagger UI asks for fields by format first
	})
	p.Go("/docs")
	p.WaitText("Send a letter")
	p.WaitText("Describe every endpoint")
	if webtest.Eval[bool](p, `performance.getEntriesByType("resource").some(of => of.name.includes("swagger"))`) {
		t.Error("Swagger UI was loaded before an endpoint was opened")
	}
	p.Type("Search endpoints", "receipts")
	p.WaitText("1 of 8 endpoints")
	p.WaitText("Show a letter about a transaction")
	p.Type("Search endpoints", "seal colour")
	p.WaitGone("Describe every endpoint")
	p.WaitText("Send a letter")
	p.Type("Search endpoints", "seal colour LEVEL")
	p.WaitGone("POST /api/letter")
	p.Click("POST /api /{storeCode} /letter…")
	p.WaitText("For administrator (LEVEL MODIFY).")
	shown := p.Text()
	for _, want := range []string{"storeCode", "Code of the store.", "seal[kind]=round", `"round"`, "404", "Try it out"} {
		if !strings.Contains(shown, want) {
			t.Errorf("%q is not shown in:\n%s", want, shown)
		}
	}
	p.Click("Try it out")
	p.WaitFor("button", "Execute")
	p.WaitUntil("the request is filled in with the example", `
		document.querySelector(".operation textarea").value.includes("round") &&
		document.querySelector(".operation input[placeholder=storeCode]").value === "DEFAULT"`)
	if stored := webtest.Eval[int](p, "localStorage.length + sessionStorage.length"); stored != 0 {
		t.Errorf("the page stores %d values", stored)
	}
}

// Nothing is wider than a phone's screen but what scrolls by itself.
func TestReferenceOnAPhone(t *testing.T) {
	p := webtest.Open(t, webtest.Options{Server: serve(t), Width: 360, Height: 740, Dark: true})
	p.Go("/docs")
	p.WaitFor("field", "Search endpoints")
	if wide := webtest.Eval[int](p, "document.querySelector('#search').offsetWidth"); wide < 300 {
		t.Errorf("the search field is %d pixels wide", wide)
	}
	p.Click("POST /api /{storeCode} /letter…")
	p.WaitText("Code of the store.")
	if wide := webtest.Eval[int](p, "document.documentElement.scrollWidth"); wide > 360 {
		t.Errorf("the page is %d pixels wide", wide)
	}
}
