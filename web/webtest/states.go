package webtest

import (
	"context"
	"fmt"
	"os"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"punchcard/platform/testwait"
)

// WaitUntil waits until a JavaScript expression is true. What says what the test waits for.
func (p *Page) WaitUntil(what, expression string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, testwait.Limit())
	defer cancel()
	for {
		holds, err := chromedp.Run(ctx, chromedp.Evaluate[bool](fmt.Sprintf(`(async () => {
			const end = performance.now() + 1000
			while (!(%[1]s)) {
				if (performance.now() > end) return false
				await new Promise(resolve => setTimeout(resolve, 20))
			}
			return true
		})()`, expression), chromedp.EvalAwaitPromise))
		if holds {
			return
		}
		if ctx.Err() != nil {
			p.t.Fatalf("wait until %s: %v", what, err)
		}
	}
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
