package tests

import (
	"fmt"
	"testing"

	"punchcard/web/webtest"
)

var operationScreens = []screen{
	{app: "cockpit", path: "/events", name: "events", walk: walkEvents},
	{app: "cockpit", path: "/jobs", name: "jobs", walk: walkJobs},
	{app: "cockpit", path: "/limits", name: "limits", walk: walkLimits},
}

// A job runs at once, and the list shows that it ran.
func walkJobs(t *testing.T, s *shop, p *webtest.Page) {
	p.Click("Run now: Calculate segments")
	p.WaitText("Calculate segments: done")
	if total := s.get(t, "/api/admin/jobs?perPage=-1", "total"); total == "0" {
		t.Error("there are no jobs")
	}
	p.Resize(1280, 800)
	p.WaitText("Done")
}

func walkLimits(_ *testing.T, _ *shop, p *webtest.Page) {
	p.Type("Search", "webhookAtt")
	p.WaitGone("requestBody")
	p.WaitText("10 attempts")
	p.Type("Search", "no such limit")
	p.WaitText("Nothing matches.")
	p.Click("Clear filters")
	p.WaitText("requestBody")

	// A search that is due while the page is busy does not bring cleared words back.
	p.Type("Search", "no such")
	p.WaitText("Nothing matches.")
	webtest.Eval[bool](p, `(async () => {
		const field = document.querySelector('input[type=search]')
		Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, 'no such limit')
		field.dispatchEvent(new Event('input', { bubbles: true }))
		await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)))
		document.querySelector('.empty button').click()
		for (const end = performance.now() + 400; performance.now() < end;);
		return true
	})()`)
	p.WaitText("requestBody")
	p.WaitValue("Search", "")

	// A screen that was not opened before opens by itself when the server is back.
	p.Failing("/", func() {
		p.Click("Web hooks")
		p.WaitText("The server cannot be reached.")
	})
	p.WaitFor("link", "Add a web hook")

	// An address without a store is understood, and a store that does not exist is not remembered.
	p.Go("/limits")
	p.WaitPath("/DEFAULT/limits")
	p.WaitText("requestBody")
	p.Go("/nonsense")
	p.WaitText("There is no store nonsense.")
	p.Problems() // calls for that store are not found
	p.Go("/")
	p.WaitText("Needs attention")
}

// Events are searched by type, customer and day, and one is opened.
func walkEvents(t *testing.T, s *shop, p *webtest.Page) {
	id := s.get(t, "/api/DEFAULT/customer?q=user@example.com", "customers", 0, "customerId")
	p.Type("Customer", "user@example.com")
	p.ClickRole("option", "…")
	p.WaitUntil("the customer is chosen", fmt.Sprintf("location.search.includes(%q)", id))
	p.Select("Any event", "Customer registered")
	p.WaitUntil("the list is filtered", `(rows => rows.length === 1 && rows[0].innerText.includes('Customer registered') &&
		!document.querySelector('[aria-busy=true]'))([...document.querySelectorAll('tbody tr')])`)
	webtest.Eval[bool](p, "(document.querySelector('tbody tr').click(), true)")
	p.WaitText("Content of the event")
	p.WaitText("user@example.com")
	p.Click("Close")
	p.Type("From", "2099-01-01")
	p.WaitText("Nothing matches.")
	p.Click("Clear filters")
	p.WaitFor("button", "Search further")

	// The list grows by itself, also after the network was lost, but not during a pause.
	add := func(points int) {
		t.Helper()
		s.call(t, s.admin, "POST", "/api/DEFAULT/points/transfer/add", map[string]any{"transfer": map[string]any{
			"customer": id, "points": points,
		}}, nil)
	}
	first := func(what, condition string) {
		t.Helper()
		p.WaitUntil(what, fmt.Sprintf(`(row => row && (%s))(document.querySelector('tbody tr'))`, condition))
	}
	p.WaitText("Live")
	newest := webtest.Eval[string](p, "document.querySelector('tbody td.number').innerText")
	add(11)
	first("the event appears", fmt.Sprintf("row.querySelector('.number').innerText > %q", newest))
	p.Click("Pause")
	p.WaitText("Paused")
	newest = webtest.Eval[string](p, "document.querySelector('tbody td.number').innerText")
	add(12)
	p.WaitText("Paused, 1 new event")
	first("the list does not change", fmt.Sprintf("row.querySelector('.number').innerText === %q", newest))
	p.Click("Resume")
	first("the event appears", fmt.Sprintf("row.querySelector('.number').innerText > %q", newest))
	p.WaitText("Live")

	p.SetOffline(true)
	p.WaitText("Connecting")
	newest = webtest.Eval[string](p, "document.querySelector('tbody td.number').innerText")
	add(13)
	p.SetOffline(false)
	first("the event appears after the network is back",
		fmt.Sprintf("row.querySelector('.number').innerText > %q", newest))
}
