package tests

import (
	"testing"

	"punchcard/web/webtest"
)

var transferScreens = []screen{
	{app: "cockpit", path: "/transfers", name: "transfers", walk: walkTransfers},
	{
		app: "cockpit", path: "/transfers/:transfer", name: "transfer",
		example: func(t *testing.T, s *shop) string {
			t.Helper()
			const spends = "/api/DEFAULT/points/transfer?type=spending&customerEmail=user@example.com&perPage=1"
			return "/transfers/" + s.get(t, spends, "transfers", 0, "pointsTransferId")
		},
		walk: walkTransfer,
	},
}

// Transfers are filtered and exported. Points are added and spent, at first without a customer and too many.
func walkTransfers(t *testing.T, s *shop, p *webtest.Page) {
	p.Click("Filters")
	p.Type("From", "2031-01-01")
	p.Press("Tab")
	p.WaitText("Nothing matches.")
	p.Type("Any customer", "user@example.com")
	p.ClickRole("option", "Anna Nowak…")
	p.WaitFor("button", "Remove Anna Nowak")
	p.Type("From", "2020-01-01")
	p.Press("Tab")
	p.WaitText("Thank you for the first year")
	p.Select("Any movement", "Points added")
	p.WaitForNo("cell", "Points spent")
	download(p)
	p.ClickRole("button", "When")
	p.WaitUntil("the oldest come first", "location.search.includes('sort=pointsTransferId.asc')")
	p.Click("Clear filters")
	p.WaitGone("Clear filters")

	choose := func(d *webtest.Page) {
		d.Type("Customer", "user@example.com")
		p.ClickRole("option", "Anna Nowak…")
	}
	p.Click("Add points")
	d := p.Within("dialog", "Add points")
	d.Click("Add points")
	d.WaitText("Customer: This is needed.")
	choose(d)
	d.WaitText("Choose another")
	d.Type("Points", "12,5")
	d.Type("Reason (optional)", "Added in the list")
	d.Click("Add points")
	p.WaitText("Anna Nowak got 12.5 points.")

	p.Click("Spend points")
	d = p.Within("dialog", "Spend points")
	choose(d)
	d.Type("Points", "999999")
	d.Click("Spend points")
	d.WaitText("There are not enough points.")
	d.Type("Points", "2.5")
	d.Click("Spend points")
	p.WaitText("Anna Nowak spent 2.5 points.")
	const newest = "/api/DEFAULT/points/transfer?perPage=2"
	spent, added := s.get(t, newest, "transfers", 0, "value"), s.get(t, newest, "transfers", 1, "value")
	if spent != "2.5" || added != "12.5" {
		t.Errorf("%s were spent, %s added", spent, added)
	}
}

// The points of a spend are followed back to where they came from. Others are cancelled, although they have expired
// meanwhile, and then expire.
func walkTransfer(t *testing.T, s *shop, p *webtest.Page) {
	p.WaitText("Taken from")
	id := annaID(t, s)
	p.Go("/DEFAULT/transfers/" + s.get(t, "/api/DEFAULT/admin/customer/"+id+"/lots", "lots", 0, "pointsTransferId"))
	p.WaitText("Left")

	add := func(value int) (transfer string) {
		var made struct {
			ID string `json:"pointsTransferId"`
		}
		s.call(t, s.admin, "POST", "/api/DEFAULT/points/transfer/add", map[string]any{"transfer": map[string]any{
			"customer": id, "points": value, "comment": "By mistake",
		}}, &made)
		return made.ID
	}
	mistake := add(40)
	p.Go("/DEFAULT/transfers/" + mistake)
	p.WaitText("+40 points")
	p.Click("Cancel the points")
	d := p.Within("dialog", "Cancel 40 points?")
	d.WaitText("Anna Nowak loses 40 points.")
	s.call(t, s.admin, "POST", "/api/DEFAULT/points/transfer/"+mistake+"/expire", nil, nil)
	d.Click("Cancel the points")
	d.WaitText("This transfer cannot be cancelled.")
	d.Click("Cancel")
	p.Reload()
	p.WaitText("Lost by expiry")
	p.WaitForNo("button", "Cancel the points")

	again := add(30)
	p.Go("/DEFAULT/transfers/" + again)
	p.Click("Let them expire now")
	d = p.Within("dialog", "Let 30 points expire now?")
	d.WaitText("Anna Nowak loses 30 points")
	d.Click("Let them expire now")
	p.WaitText("Saved.")
	p.WaitText("Expired")
	if state := s.get(t, "/api/DEFAULT/points/transfer/"+again, "state"); state != "expired" {
		t.Errorf("the points are %s", state)
	}
	p.Click("Anna Nowak")
	p.WaitText("Points by expiry")
}

// download saves a list as a spreadsheet.
func download(p *webtest.Page) {
	p.Click("Download")
	p.Within("dialog", "Download the list").Click("Download")
	p.WaitForNo("dialog", "Download the list")
}
