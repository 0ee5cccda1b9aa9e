package webtest

import (
	"context"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// Options describe the person in front of the page.
type Options struct {
	Server        string // URL of the server, such as http://127.0.0.1:8080
	Width, Height int    // of the screen in CSS pixels; 1280 by 800 if 0. Below 800 wide it is a phone.
	Dark          bool
	ReducedMotion bool
	Language      string   // such as pl; en-GB if empty
	TimeZone      string   // such as Europe/Warsaw; UTC if empty
	Permissions   []string // granted without a question, such as camera or clipboard-read
	// Allow lists parts of problems that the walk causes on purpose, such as "503".
	Allow []string
}

// Page is a tab of the browser. Its methods are the steps of a walk: each waits until it can be done, and fails the
// test otherwise.
type Page struct {
	t       testing.TB
	tab     *tab
	ctx     context.Context // of the tab
	options Options
	media   string // print, or empty for the screen
	record  *recorder
	scope   []element // outermost first
	effort  *Effort
}

// Effort counts the clicks and the fields of a walk.
type Effort struct{ Clicks, Fields int }

// Effort returns the clicks and the filled fields so far.
func (p *Page) Effort() Effort { return *p.effort }

// Open opens an empty tab. At the end of the test it fails the test for everything that the page must not do: errors
// and warnings in the console, exceptions, violations of the content policy, requests to another server, responses
// with a status from 500, and failed requests. Of a failed test it saves a screenshot and the console.
func Open(t testing.TB, options Options) *Page {
	t.Helper()
	server, err := url.Parse(options.Server)
	if err != nil || server.Host == "" {
		t.Fatalf("webtest: the server %q is not a URL", options.Server)
	}
	in, err := openTab(t, server, options.Allow)
	t.Cleanup(in.stop)
	if err != nil {
		t.Fatal("open a tab: ", err)
	}
	p := &Page{t: t, tab: in, ctx: in.ctx, record: in.record, options: withDefaults(options), effort: &Effort{}}
	t.Cleanup(func() { p.finish(t) })
	p.check("prepare the tab", p.prepare())
	return p
}

// Continue makes the steps that follow part of a test within the one that opened the page. Problems until its end fail
// it.
func (p *Page) Continue(t testing.TB) {
	t.Helper()
	outer := p.t
	p.t, p.scope = t, nil
	t.Cleanup(func() {
		p.finish(t)
		p.t = outer
	})
}

// Clear leaves the page, and deletes what pages of the server have stored for their users. It keeps caches and service
// workers, which take time to fill and to install.
func (p *Page) Clear() {
	p.t.Helper()
	p.check("clear the storage", p.tab.clear(p.options.Server, "cookies,local_storage,indexeddb"))
}

func withDefaults(o Options) Options {
	o.Server = strings.TrimSuffix(o.Server, "/")
	if o.Width == 0 {
		o.Width, o.Height = 1280, 800
	}
	if o.Height == 0 {
		o.Height = 800
	}
	if o.Language == "" {
		o.Language = "en-GB"
	}
	if o.TimeZone == "" {
		o.TimeZone = "UTC"
	}
	return o
}

// prepare makes the tab that of the person whom the options describe.
func (p *Page) prepare() error {
	if _, err := chromedp.Call(p.ctx, emulation.SetUserAgentOverride, emulation.SetUserAgentOverrideParams{
		UserAgent: shared.userAgent, AcceptLanguage: p.options.Language,
	}); err != nil {
		return err
	}
	if _, err := chromedp.Call(p.ctx, emulation.SetLocaleOverride, emulation.SetLocaleOverrideParams{
		Locale: strings.ReplaceAll(p.options.Language, "-", "_"),
	}); err != nil {
		return err
	}
	if _, err := chromedp.Call(p.ctx, emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{
		TimezoneID: p.options.TimeZone,
	}); err != nil {
		return err
	}
	for _, name := range p.options.Permissions {
		if _, err := chromedp.CallBrowser(p.ctx, browser.SetPermission, browser.SetPermissionParams{
			Permission: &browser.PermissionDescriptor{Name: name}, Setting: browser.PermissionSettingGranted,
			BrowserContextID: chromedp.FromContext(p.ctx).BrowserContextID,
		}); err != nil {
			return err
		}
	}
	if err := p.emulateMedia(); err != nil {
		return err
	}
	return p.emulateScreen()
}

func (p *Page) emulateMedia() error {
	scheme, motion := "light", "no-preference"
	if p.options.Dark {
		scheme = "dark"
	}
	if p.options.ReducedMotion {
		motion = "reduce"
	}
	_, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Media: p.media,
		Features: []*emulation.MediaFeature{
			{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: motion},
		},
	})
	return err
}

func (p *Page) isPhone() bool { return p.options.Width < 800 }

func (p *Page) emulateScreen() error {
	if _, err := chromedp.Call(p.ctx, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: int64(p.options.Width), Height: int64(p.options.Height), DeviceScaleFactor: 1, Mobile: p.isPhone(),
	}); err != nil {
		return err
	}
	_, err := chromedp.Call(p.ctx, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{
		Enabled: p.isPhone(),
	})
	return err
}

// Resize changes the size of the screen.
func (p *Page) Resize(width, height int) {
	p.t.Helper()
	p.options.Width, p.options.Height = width, height
	p.check("resize", p.emulateScreen())
}

// Width returns the width of the screen in CSS pixels. On a phone, innerWidth grows with a page that is too wide.
func (p *Page) Width() int { return p.options.Width }

// SetTheme changes the colour scheme that the system prefers.
func (p *Page) SetTheme(dark bool) {
	p.t.Helper()
	p.options.Dark = dark
	p.check("set the theme", p.emulateMedia())
}

// SetPrint shows the page as it is printed, or as on a screen again.
func (p *Page) SetPrint(prints bool) {
	p.t.Helper()
	p.media = ""
	if prints {
		p.media = "print"
	}
	p.check("set the medium", p.emulateMedia())
}

// SetOffline disconnects the page and its service workers from the network, or connects them again.
func (p *Page) SetOffline(offline bool) {
	p.t.Helper()
	if offline {
		p.record.setOffline(true)
	} else {
		defer func() {
			p.flush() // requests that failed before are no problem
			p.record.setOffline(false)
		}()
	}
	p.check("set the network of the page", emulateNetwork(p.ctx, offline))
	_, err := chromedp.Call(p.ctx, network.OverrideNetworkState, network.OverrideNetworkStateParams{
		Offline: offline, DownloadThroughput: -1, UploadThroughput: -1,
	})
	p.check("set the network of the page", err)
	for _, worker := range p.workers() {
		p.check("set the network of a service worker", emulateNetwork(worker, offline))
	}
}

// workers returns the service workers of the page's origin, and of others in the same browser profile.
func (p *Page) workers() (all []context.Context) {
	p.t.Helper()
	targets, err := chromedp.Targets(p.ctx)
	p.check("find the service workers", err)
	for _, found := range targets {
		if found.Type == serviceWorker && found.BrowserContextID == chromedp.FromContext(p.ctx).BrowserContextID {
			worker, err := p.record.worker(p.ctx, found.TargetID)
			p.check("attach to a service worker", err)
			all = append(all, worker)
		}
	}
	return all
}

// emulateNetwork cuts off one page or worker, or connects it again.
func emulateNetwork(ctx context.Context, offline bool) error {
	conditions := []*network.Conditions{}
	if offline {
		conditions = []*network.Conditions{{Offline: true, DownloadThroughput: -1, UploadThroughput: -1}}
	}
	_, err := chromedp.Call(ctx, emulateByRule, networkRules{Offline: offline, Conditions: conditions})
	return err
}

// networkRules are the parameters of emulateByRule. Chromium 148 requires offline beside the conditions.
type networkRules struct {
	Offline    bool                  `json:"offline"`
	Conditions []*network.Conditions `json:"matchedNetworkConditions"`
}

var emulateByRule = cdp.Command[networkRules, network.EmulateNetworkConditionsByRuleResult]{
	Method: network.CommandEmulateNetworkConditionsByRule,
}

// check fails the test for an error of a step.
func (p *Page) check(step string, err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatalf("%s: %v", step, err)
	}
}
