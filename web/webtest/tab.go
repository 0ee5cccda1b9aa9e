package webtest

import (
	"context"
	"net/url"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// tab is a tab of the shared browser, with storage of its own. Tests use it one after the other: a new one takes a new
// process, which would have to compile the scripts of the apps again.
type tab struct {
	ctx    context.Context
	stop   func()
	record *recorder
	used   bool // in a way that cannot be undone: no other test gets it
}

// unused are tabs that their tests have left.
var unused struct {
	sync.Mutex
	tabs []*tab
}

// takeTab returns a tab for a test, without any trace of others.
func takeTab(t testing.TB, server *url.URL, allow []string) (*tab, error) {
	t.Helper()
	browser := start(t)
	unused.Lock()
	defer unused.Unlock()
	if last := len(unused.tabs) - 1; last >= 0 {
		left := unused.tabs[last]
		unused.tabs = unused.tabs[:last]
		left.record.begin(server, allow)
		return left, nil
	}
	made := &tab{record: newRecorder(server, allow)}
	made.ctx, made.stop = chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	return made, made.prepare()
}

// prepare makes the tab record what its pages do, and gives them the script that finds elements.
func (b *tab) prepare() error {
	if err := b.record.listen(b.ctx); err != nil {
		return err
	}
	if err := chromedp.Listen(b.ctx, b.confirmLeaving); err != nil {
		return err
	}
	// The browser then keeps the tree of roles and names, which it would otherwise make anew for each that is asked for.
	if _, err := chromedp.Call(b.ctx, accessibility.Enable, cdp.Empty{}); err != nil {
		return err
	}
	_, err := chromedp.Call(b.ctx, page.AddScriptToEvaluateOnNewDocument,
		page.AddScriptToEvaluateOnNewDocumentParams{Source: script})
	return err
}

// confirmLeaving answers a page that asks whether to leave it although its form has changes. Nothing else could be done
// in the tab until then.
func (b *tab) confirmLeaving(event any) {
	if dialog, ok := event.(*page.EventJavascriptDialogOpening); ok && dialog.Type == page.DialogTypeBeforeunload {
		go func() { // the caller reads the messages
			_, _ = chromedp.Call(b.ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: true})
		}()
	}
}

// leave gives the tab to the next test, or closes it.
func (b *tab) leave(server string, failed bool) {
	if failed || b.used || b.reset(server) != nil {
		b.stop()
		return
	}
	unused.Lock()
	defer unused.Unlock()
	unused.tabs = append(unused.tabs, b)
}

// reset leaves the page, and deletes everything of its server. Cookies are of the machine and not of one server.
func (b *tab) reset(server string) error {
	if err := chromedp.Do(b.ctx, chromedp.Evaluate[chromedp.Void]("sessionStorage.clear()")); err != nil {
		return err
	}
	if err := b.clear(server, "all"); err != nil {
		return err
	}
	if _, err := chromedp.CallBrowser(b.ctx, storage.ClearCookies, storage.ClearCookiesParams{
		BrowserContextID: chromedp.FromContext(b.ctx).BrowserContextID,
	}); err != nil {
		return err
	}
	_, err := chromedp.Call(b.ctx, page.ResetNavigationHistory, cdp.Empty{})
	return err
}

// clear leaves the page, and deletes some types of what its server has stored.
func (b *tab) clear(server, types string) error {
	if _, err := chromedp.Call(b.ctx, page.Navigate, page.NavigateParams{URL: "about:blank"}); err != nil {
		return err
	}
	_, err := chromedp.Call(b.ctx, storage.ClearDataForOrigin, storage.ClearDataForOriginParams{
		Origin: server, StorageTypes: types,
	})
	return err
}

// newRecorder returns a recorder for the first test of a tab.
func newRecorder(server *url.URL, allow []string) *recorder {
	r := &recorder{}
	r.begin(server, allow)
	return r
}

// begin forgets what was recorded of another test.
func (r *recorder) begin(server *url.URL, allow []string) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.server, r.allow = server, allow
	r.workers = map[target.ID]func() (context.Context, error){}
	r.console, r.problems = nil, nil
}
