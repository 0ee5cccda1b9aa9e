package openapi_test

import (
	"strings"
	"testing"

	"punchcard/web/webtest"
)

func TestMain(m *testing.M) { webtest.Main(m) }

// A reader searches with the keyboard, opens an endpoint and sees its request and response. The page stays within
// its own server and its content policy.
func TestPageInABrowser(t *testing.T) {
	p := webtest.Open(t, webtest.Options{Server: serve(t)})
	p.Go("/docs")
	p.WaitText("8 endpoints")
	p.Press("/")
	p.Press("Escape")
	p.Press("seal colour")
	p.WaitText("2 endpoints")
	p.Press(" LEVEL")
	p.WaitText("1 endpoint")
	p.WaitGone("2 endpoints")
	webtest.Eval[bool](p, `document.querySelector("details:not([hidden]) > summary").focus() === undefined`)
	p.Press("Enter")
	p.WaitText("letterId")
	shown := p.Text()
	for _, want := range []string{
		"storeCode", "colour", "one of red, green", "Required when kind is round", "letterId", "404", "seal[kind]=round",
	} {
		if !strings.Contains(shown, want) {
			t.Errorf("%q is not shown in:\n%s", want, shown)
		}
	}
	p.Go("/docs#getLetterByLetter")
	p.Reload()
	p.WaitText("404")
}

// Nothing is wider than a phone's screen but what scrolls by itself.
func TestPageOnAPhone(t *testing.T) {
	p := webtest.Open(t, webtest.Options{Server: serve(t), Width: 360, Height: 740})
	p.Go("/docs#postLetter")
	p.WaitText("letterId")
	if wide := webtest.Eval[int](p, "document.documentElement.scrollWidth"); wide > 360 {
		t.Errorf("the page is %d pixels wide", wide)
	}
}
