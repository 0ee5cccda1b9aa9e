package tests

import (
	"testing"

	"punchcard/web/webtest"
)

var bulkScreens = []screen{
	{app: "cockpit", path: "/bulk-actions", name: "bulk-actions", walk: walkBulkActions},
	{
		app: "cockpit", path: "/bulk-actions/:bulkAction", name: "bulk-action",
		example: func(t *testing.T, s *shop) string {
			var made struct{ BulkActionID string }
			s.call(t, s.admin, "POST", "/api/DEFAULT/admin/bulk-action", map[string]any{"bulkAction": map[string]any{
				"action": "addLabel", "all": true, "filter": "status=active",
				"label": map[string]string{"key": "spring", "value": "2031"},
			}}, &made)
			return "/bulk-actions/" + made.BulkActionID
		},
		walk: walkBulkAction,
	},
}

// A label for the customers of a page, chosen by keyboard and pointer, is undone.
func walkBulkActions(t *testing.T, s *shop, p *webtest.Page) {
	p.Go("/customers")
	p.WaitText("1–50 of")
	p.Click("This page")
	p.WaitText("that match")
	p.WaitText("50 customers chosen")
	p.Click("Add a label")
	p.Type("Label", "spring")
	p.Click("Start")
	p.WaitText("Finished")
	p.Click("Undo")
	p.Within("dialog", "Undo this action?").Click("Undo")
	p.WaitText("Undone")
	p.Go("/customers")
	p.WaitText("1–50 of")
	p.Click("This page")
	total := s.get(t, "/api/DEFAULT/customer?perPage=1", "total")
	p.Click("All " + total + " that match")
	p.Click("Add a label")
	p.Type("Label", "summer")
	p.Click("Start")
	p.WaitText("Finished")
	of := s.get(t, "/api/DEFAULT/admin/bulk-action?perPage=1", "bulkActions", 0, "total")
	if of != total {
		t.Errorf("it is done to %s of %s customers", of, total)
	}
}

func walkBulkAction(t *testing.T, s *shop, p *webtest.Page) {
	p.WaitText("spring: 2031")
	p.WaitText("Finished")
}
