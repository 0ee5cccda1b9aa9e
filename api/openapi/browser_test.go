package openapi_test

import (
	"context"
	"errors"
	"net/url"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"punchcard/platform/db/dbtest"
)

// errNoBrowser is the one sentence that a developer without a browser sees.
var errNoBrowser = errors.New("no Chromium was found: install it, or run as root on a Debian-like system")

// findBrowser returns a Chromium. Where there is none, it installs Debian's package if it may.
func findBrowser() (string, error) {
	search := func() (string, bool) {
		for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
			if program, err := exec.LookPath(name); err == nil {
				return program, true
			}
		}
		return "", false
	}
	program, found, err := dbtest.Install("chromium", search)
	if err == nil && !found {
		err = errNoBrowser
	}
	return program, err
}

// tab is a page of a real browser that notes whatever must not happen.
type tab struct {
	t   *testing.T
	ctx context.Context

	mutex    sync.Mutex
	problems []string
}

// openTab opens a page that may ask only the server.
func openTab(t *testing.T, server string) *tab {
	t.Helper()
	program, err := findBrowser()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx,
		append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.NoSandbox)...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	p := &tab{t: t, ctx: ctx}
	err = chromedp.Listen(ctx, func(event any) {
		switch event := event.(type) {
		case *network.EventRequestWillBeSent:
			if u, err := url.Parse(event.Request.URL); err != nil || "http://"+u.Host != server {
				p.note("it asked for " + event.Request.URL)
			}
		case *log.EventEntryAdded:
			p.note("the browser said: " + event.Entry.Text)
		case *runtime.EventExceptionThrown:
			p.note("it threw: " + event.ExceptionDetails.Text)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func (p *tab) note(problem string) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.problems = append(p.problems, problem)
}

func (p *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	if err := chromedp.Do(p.ctx, steps...); err != nil {
		p.t.Fatalf("%v; %s", err, p.problems)
	}
}

func run[T any](p *tab, action chromedp.Action[T]) T {
	p.t.Helper()
	value, err := chromedp.Run(p.ctx, action)
	if err != nil {
		p.t.Fatal(err)
	}
	return value
}

// A reader searches with the keyboard, opens an endpoint and sees its request and response. The page stays within
// its own server and its content policy.
func TestPageInABrowser(t *testing.T) {
	server := serve(t)
	p := openTab(t, server)
	p.do(chromedp.Navigate(server+"/docs"), chromedp.WaitVisible(chromedp.CSS("details")))
	count := chromedp.TextContent(chromedp.ID("count"))
	if got := run(p, count); got != "8 endpoints" {
		t.Errorf("all: %q", got)
	}
	p.do(chromedp.KeyEvent("/"), chromedp.KeyEvent(kb.Escape), chromedp.KeyEvent("seal colour"))
	if got := run(p, count); got != "2 endpoints" {
		t.Errorf("with both words: %q", got)
	}
	p.do(chromedp.KeyEvent(" LEVEL"))
	if got := run(p, count); got != "1 endpoint" {
		t.Errorf("with the permission: %q", got)
	}
	summary := chromedp.CSS("details:not([hidden]) > summary")
	p.do(chromedp.Focus(summary), chromedp.KeyEvent(kb.Enter), chromedp.WaitVisible(chromedp.CSS("details[open] .inside")))
	shown := run(p, chromedp.Text(chromedp.CSS("details[open] .inside")))
	for _, want := range []string{
		"storeCode", "colour", "one of red, green", "Required when kind is round", "letterId", "404", "seal[kind]=round",
	} {
		if !strings.Contains(shown, want) {
			t.Errorf("%q is not shown in:\n%s", want, shown)
		}
	}
	p.do(chromedp.Navigate(server+"/docs#getLetterByLetter"), chromedp.Reload(),
		chromedp.WaitVisible(chromedp.CSS("#getLetterByLetter .inside")))
	for _, problem := range p.problems {
		t.Error(problem)
	}
}

// Nothing is wider than a phone's screen but what scrolls by itself.
func TestPageOnAPhone(t *testing.T) {
	server := serve(t)
	p := openTab(t, server)
	p.do(chromedp.EmulateViewport(360, 740), chromedp.Navigate(server+"/docs#postLetter"),
		chromedp.WaitVisible(chromedp.CSS("#postLetter .inside")))
	if wide := run(p, chromedp.Evaluate[int]("document.documentElement.scrollWidth")); wide > 360 {
		t.Errorf("the page is %d pixels wide", wide)
	}
}
