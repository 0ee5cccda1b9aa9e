package tests

import (
	"fmt"
	"testing"

	"punchcard/web/webtest"
)

// Pages have one clock, that of the store, whatever the zone of the browser: for what the device remembers, such as
// the customers of the till, and for what the API tells in UTC, such as events. The demonstration is in Warsaw.
func TestOneClock(t *testing.T) {
	s := openShop(t)
	inStore := func(moment string) string {
		return fmt.Sprintf(`new Intl.DateTimeFormat("en-GB", {
			timeZone: "Europe/Warsaw", hour: "2-digit", minute: "2-digit" }).format(%s)`, moment)
	}
	faraway := webtest.Options{TimeZone: "Pacific/Kiritimati"}

	p := s.openAs(t, "till", "/till/DEFAULT", faraway)
	p.WaitText("Ready for the next customer")
	scan(p, annasCard)
	p.WaitFor("heading", "Anna Nowak…")
	const seen = `JSON.parse(localStorage[Object.keys(localStorage).find(key => key.endsWith(".customers"))])[0].at`
	at := webtest.Eval[string](p, inStore(seen))
	p.SetOffline(true)
	scan(p, annasCard)
	p.WaitText("As of " + at)
	p.SetOffline(false)

	p = s.openAs(t, "cockpit", "/DEFAULT", faraway)
	p.WaitText("Live")
	titles := webtest.Eval[[]string](p, fmt.Sprintf(`[...document.querySelectorAll(".latest time")].filter(time =>
		!time.title.endsWith(%s)).map(time => time.dateTime + " is shown as " + time.title)`,
		inStore("new Date(time.dateTime)")))
	if len(titles) > 0 {
		t.Errorf("the clock is not that of the store: %q", titles)
	}
}
