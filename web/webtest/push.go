package webtest

import (
	"context"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/serviceworker"
	"github.com/chromedp/chromedp"

	"punchcard/platform/testwait"
)

// DeliverPush hands a push message to the service worker with a scope, as a push service does.
func (p *Page) DeliverPush(scope, data string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, testwait.Limit())
	defer cancel()
	found := make(chan serviceworker.RegistrationID, 1)
	p.check("find the service worker", chromedp.Listen(ctx, func(event any) {
		updated, ok := event.(*serviceworker.EventWorkerRegistrationUpdated)
		if !ok {
			return
		}
		for _, r := range updated.Registrations {
			if strings.HasPrefix(r.ScopeURL, p.options.Server) && strings.HasSuffix(r.ScopeURL, scope) {
				select {
				case found <- r.RegistrationID:
				default:
				}
			}
		}
	}))
	_, err := chromedp.Call(ctx, serviceworker.Enable, cdp.Empty{})
	p.check("watch service workers", err)
	select {
	case id := <-found:
		_, err = chromedp.Call(ctx, serviceworker.DeliverPushMessage, serviceworker.DeliverPushMessageParams{
			Origin: p.options.Server, RegistrationID: id, Data: data,
		})
		p.check("deliver a push message", err)
	case <-ctx.Done():
		p.t.Fatalf("no service worker of %s", scope)
	}
}
