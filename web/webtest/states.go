package webtest

import (
	"os"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// WaitUntil waits until a JavaScript expression is true, and the page is ready. Failures name the condition by what.
func (p *Page) WaitUntil(what, expression string) {
	p.t.Helper()
	_, err := p.stepWith("holds", nil, "() => ("+expression+")")
	p.check("wait until "+what, err)
}

// WaitReady waits until the page waits for nothing any more: neither for a call nor for a part of the app. All steps
// but Press do it, so it is for walks that change what is stored behind the back of the page.
func (p *Page) WaitReady() {
	p.t.Helper()
	p.must("wait until the page is ready", "ready", nil, "")
}

// Failing runs steps during which requests to paths that begin with a prefix fail, as without a network.
func (p *Page) Failing(prefix string, steps func()) {
	p.t.Helper()
	block := func(patterns ...*network.BlockPattern) {
		_, err := chromedp.Call(p.ctx, network.SetBlockedURLs, network.SetBlockedURLsParams{URLPatterns: patterns})
		p.check("block requests", err)
	}
	p.record.setFailing(true)
	block(&network.BlockPattern{URLPattern: p.options.Server + prefix + "*", Block: true})
	steps()
	p.flush()
	block()
	p.record.setFailing(false)
}

// Picture saves what is on the screen as a small WebP file, for documents.
func (p *Page) Picture(path string) {
	p.t.Helper()
	p.must("wait until nothing moves", "still", nil, "")
	const quality = 20 // percent
	scale := 0.9       // still readable, and all pictures take less than 3 MB
	if !p.isPhone() {
		scale = 0.6
	}
	picture, err := chromedp.Call(p.ctx, page.CaptureScreenshot, page.CaptureScreenshotParams{
		Format: page.CaptureScreenshotFormatWebp, Quality: new(int64(quality)),
		Clip: &page.Viewport{Width: float64(p.options.Width), Height: float64(p.options.Height), Scale: scale},
	})
	p.check("picture", err)
	p.check("picture", os.WriteFile(path, picture.Data, 0o644))
}
