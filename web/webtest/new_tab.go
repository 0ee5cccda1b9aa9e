package webtest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"

	"punchcard/platform/testwait"
)

// MiddleClick clicks the element with the role and the name with the middle button, which opens what it leads to in a
// new tab. It closes that tab, and returns the path that was opened.
func (p *Page) MiddleClick(role, name string) string {
	p.t.Helper()
	before := p.tabs()
	at := p.must(fmt.Sprintf("click %q", name), "aim", &element{role, name}, "")
	p.check("click", chromedp.Do(p.ctx, chromedp.MouseClickXY(at.X, at.Y, chromedp.ButtonMiddle)))
	var opened *target.Info
	testwait.Until(p.t, "a tab is opened", func() bool {
		for _, tab := range p.tabs() {
			known := slices.ContainsFunc(before, func(b *target.Info) bool { return b.TargetID == tab.TargetID })
			if !known && strings.HasPrefix(tab.URL, p.options.Server) {
				opened = tab
			}
		}
		return opened != nil
	})
	_, err := chromedp.CallBrowser(p.ctx, target.CloseTarget, target.CloseTargetParams{TargetID: opened.TargetID})
	p.check("close a tab", err)
	return strings.TrimPrefix(opened.URL, p.options.Server)
}

// tabs returns the tabs of the page's browser profile.
func (p *Page) tabs() (all []*target.Info) {
	p.t.Helper()
	targets, err := chromedp.Targets(p.ctx)
	p.check("list the tabs", err)
	profile := cdp.BrowserContextID(chromedp.FromContext(p.ctx).BrowserContextID)
	return slices.DeleteFunc(targets, func(t *target.Info) bool {
		return t.Type != "page" || t.BrowserContextID != profile
	})
}
