package webtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// shared is the browser process of this test binary. Every page has a browser context of its own in it, so that pages
// share no storage.
var shared struct {
	start     sync.Once
	ctx       context.Context
	stop      func()
	userAgent string
	err       error
}

// flags are the flags of the browser beside chromedp's own. It resolves no host names but localhost, so that no page
// reaches another server.
var flags = []chromedp.ExecAllocatorOption{
	chromedp.NoSandbox,
	chromedp.DisableGPU,
	chromedp.Flag("disable-quic", true),
	chromedp.Flag("disable-component-update", true),
	chromedp.Flag("disable-field-trial-config", true),
	chromedp.Flag("no-pings", true),
	// A page that goes to another address of its server stays in its process, which takes a third less of the processor
	// than a new one for each load. Each tab has processes of its own nevertheless.
	chromedp.Flag("process-per-site", true),
	chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"),
	// Gives elements the properties computedRole and computedName, which are what a screen reader gets.
	chromedp.Flag("enable-blink-features", "ComputedAccessibilityInfo"),
	// A camera that shows a test picture.
	chromedp.Flag("use-fake-device-for-media-stream", true),
}

// start returns the context of the shared browser. The first call starts it.
func start(t testing.TB) context.Context {
	t.Helper()
	program := Chromium(t)
	shared.start.Do(func() {
		options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program))
		allocator, stopAllocator := chromedp.NewExecAllocator(context.Background(), append(options, flags...)...)
		discard := func(string, ...any) {}
		ctx, stop := chromedp.NewContext(allocator, chromedp.WithLogf(discard), chromedp.WithErrorf(discard))
		shared.ctx, shared.stop = ctx, func() { stop(); stopAllocator() }
		if shared.err = chromedp.Do(ctx); shared.err != nil {
			return
		}
		var version browser.GetVersionResult
		if version, shared.err = chromedp.CallBrowser(ctx, browser.GetVersion, cdp.Empty{}); shared.err != nil {
			return
		}
		shared.userAgent = version.UserAgent
		_, shared.err = chromedp.CallBrowser(ctx, target.SetDiscoverTargets,
			target.SetDiscoverTargetsParams{Discover: true})
	})
	if shared.err != nil {
		t.Fatal("start the browser: ", shared.err)
	}
	return shared.ctx
}

// Stop stops the browser that Open started. Packages whose TestMain calls dbtest.Main pass it there.
func Stop() error {
	// A later call of start must not start a browser that nothing stops.
	shared.start.Do(func() { shared.err = errors.New("the tests of this process have ended") })
	if shared.stop != nil {
		if process := chromedp.FromContext(shared.ctx).Browser.Process(); process != nil {
			printTime(process.Pid)
		}
		shared.stop()
	}
	return nil
}

// Main runs the tests of a package, stops the browser and ends the process. TestMain calls it.
func Main(m *testing.M) {
	code := m.Run()
	if err := Stop(); err != nil {
		fmt.Fprintln(os.Stderr, "webtest:", err)
		code = max(code, 1)
	}
	os.Exit(code)
}
