package tests

import (
	"testing"

	"punchcard/web/webtest"
)

// subscribing stands for the browser's connection to a push service, which a browser in tests does not have. The keys
// are those of the example in RFC 8291.
const subscribing = `(() => {
	let own = null
	PushManager.prototype.subscribe = async (options) => {
		if (options.applicationServerKey.length !== 65) throw new Error('not a key')
		return own = {
			endpoint: 'https://push.example.com/1',
			toJSON: () => ({ keys: {
				p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
				auth: 'BTBZMqHH6r4Tts7J_aSIgg',
			} }),
			unsubscribe: async () => { own = null; return true },
		}
	}
	PushManager.prototype.getSubscription = async () => own
	return true
})()`

// A customer of a store that sends to browsers switches messages on by keyboard, and off. The status of the store
// counts the browser.
func TestPushToABrowser(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	s.call(t, s.admin, "PUT", "/api/DEFAULT/admin/message/settings", map[string]any{"messageSettings": map[string]any{
		"email": map[string]any{"active": true}, "push": map[string]any{"active": true, "browsers": true},
	}}, nil)
	p := s.openAs(t, "me", "/me/DEFAULT/account", webtest.Options{
		Width: 375, Height: 740, Permissions: []string{"notifications"},
	})
	p.WaitText("Messages on this device")
	webtest.Eval[bool](p, subscribing)
	webtest.Eval[bool](p, "navigator.serviceWorker.ready.then(() => true)")
	p.Axe()
	webtest.Eval[bool](p, `(() => {
		[...document.querySelectorAll('button')].find((b) => b.textContent.includes('Switch on')).focus()
		return true
	})()`)
	p.Press("Enter")
	p.WaitText("This device gets messages.")
	p.Axe()
	status := "/api/DEFAULT/admin/message/status"
	if n := s.get(t, status, "channels", 2, "browsers"); n != "1" {
		t.Errorf("%s browsers", n)
	}
	cockpit := s.openAs(t, "cockpit", "/DEFAULT/messages", webtest.Options{})
	cockpit.ClickRole("tab", "Delivery")
	cockpit.WaitText("1 subscribed browser")
	cockpit.Axe()
	p.Click("Switch off")
	p.WaitText("even when this page is closed")
	if n := s.get(t, status, "channels", 2, "browsers"); n != "0" {
		t.Errorf("%s browsers after the switch", n)
	}
}
