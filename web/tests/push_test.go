package tests

import (
	"fmt"
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

// handing hands an event to the worker, and returns what it did: it records calls instead of showing notifications and
// windows, which browsers in tests have no permission for.
const handing = `((type, members) => (async () => {
	const did = [], done = []
	const record = (on, name) => Object.defineProperty(on, name, {
		configurable: true, value: async (...values) => { did.push({ name, values }) },
	})
	record(self.registration, 'showNotification')
	record(self.clients, 'openWindow')
	const event = new Event(type)
	Object.assign(event, members, { waitUntil: (promise) => done.push(promise) })
	self.dispatchEvent(event)
	await Promise.all(done)
	return JSON.stringify(did)
})())`

// The worker shows what a push service delivers. A click opens the page it is about, but no address of another kind.
func TestDeliveredPush(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	p := s.openAs(t, "me", "/me/DEFAULT", webtest.Options{})
	webtest.Eval[bool](p, "navigator.serviceWorker.ready.then(() => true)")
	origin := webtest.Eval[string](p, "location.origin")
	const click = `('notificationclick', { notification: { close: () => {}, data: %s } })`
	for _, test := range []struct{ hand, want string }{
		{
			`('push', { data: {
				json: () => ({ id: 'm1', title: 'A coffee', text: 'Until Sunday', link: '/me/DEFAULT/rewards' }),
			} })`,
			`[{"name":"showNotification","values":["A coffee",` +
				`{"body":"Until Sunday","tag":"m1","data":"/me/DEFAULT/rewards"}]}]`,
		},
		{`('push', { data: null })`, `[]`},
		{
			fmt.Sprintf(click, `'/me/DEFAULT/rewards'`),
			`[{"name":"openWindow","values":["` + origin + `/me/DEFAULT/rewards"]}]`,
		},
		{fmt.Sprintf(click, `'https://shop.example.com/spring'`),
			`[{"name":"openWindow","values":["https://shop.example.com/spring"]}]`},
		{fmt.Sprintf(click, `''`), `[{"name":"openWindow","values":["` + origin + `/me"]}]`},
		{fmt.Sprintf(click, `'javascript:alert(1)'`), `[]`},
	} {
		if did := webtest.EvalInWorker[string](p, handing+test.hand); did != test.want {
			t.Errorf("%s did %s, want %s", test.hand, did, test.want)
		}
	}
}
