package tests

import (
	"testing"

	"punchcard/web/webtest"
)

var auditScreens = []screen{
	{app: "cockpit", path: "/audit", name: "audit", walk: walkAudit, prepare: changeLevel},
}

// changeLevel gives the log something to show: a level is changed.
func changeLevel(t *testing.T, s *shop) {
	level := s.get(t, "/api/DEFAULT/level", "levels", 0, "levelId")
	s.call(t, s.admin, "POST", "/api/DEFAULT/level/"+level+"/activate", map[string]any{"active": true}, nil)
	customer := s.get(t, "/api/DEFAULT/customer?q=user@example.com", "customers", 0, "customerId")
	s.call(t, s.admin, "POST", "/api/DEFAULT/points/transfer/add", map[string]any{"transfer": map[string]any{
		"customer": customer, "points": 5,
	}}, nil)
	for _, name := range []string{"Ole", "Usha"} { // the last one is a change each time
		s.call(t, s.admin, "PUT", "/api/DEFAULT/customer/"+customer, map[string]any{"customer": map[string]any{
			"firstName": name, "lastName": "Lund", "email": "user@example.com", "agreement1": true,
		}}, nil)
	}
}

// listHolds is an expression that is true once a text is in every row of the list.
func listHolds(text string) string {
	return `(rows => rows.length > 0 && rows.every(r => r.innerText.includes("` + text + `")) &&
		!document.querySelector("[aria-busy=true]"))([...document.querySelectorAll("tbody tr")])`
}

// Entries are filtered and opened, and the archives are listed.
func walkAudit(t *testing.T, s *shop, p *webtest.Page) {
	changeLevel(t, s)
	p.Reload()
	p.Click("Filters")
	p.Select("Any event", "Customer changed")
	p.WaitUntil("the list is filtered", listHolds("Customer changed"))
	webtest.Eval[bool](p, "(document.querySelector('tbody tr').click(), true)")
	p.WaitText("Usha")
	p.Click("Close")
	p.Type("From", "2099-01-01")
	p.WaitText("Nothing matches.")
	p.Type("From", "2001-01-01")
	p.Select("Any event", "Any event")
	p.Type("User name", "admin")
	p.WaitText("Points added")

	p.Click("Archive")
	p.WaitText("There are no archives yet.")
	p.Click("Archive")
	p.WaitText("There is nothing to archive before this day.")
	p.Click("Close")
	if total := s.get(t, "/api/audit/log/archive", "total"); total != "0" {
		t.Errorf("%s archives, want none", total)
	}
}
