package webtest

import (
	"context"
	"net/url"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// tab is a tab of the shared browser with storage of its own. Each test has new ones: a service worker that is still
// being installed when its test ends cannot be stopped, and would ask for its files during the next one.
type tab struct {
	ctx    context.Context
	stop   func()
	record *recorder
}

// openTab opens a tab whose problems are recorded.
func openTab(t testing.TB, server *url.URL, allow []string) (*tab, error) {
	t.Helper()
	opened := &tab{record: &recorder{
		server: server, allow: allow, workers: map[target.ID]func() (context.Context, error){},
	}}
	opened.ctx, opened.stop = chromedp.NewContext(start(t), chromedp.WithNewBrowserContext())
	return opened, opened.prepare()
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
