package tests

import (
	"testing"

	"punchcard/web/webtest"
)

var shopsScreens = []screen{
	{app: "cockpit", path: "/points-of-sale", name: "points-of-sale", walk: walkPointsOfSale},
	{app: "cockpit", path: "/points-of-sale/new", name: "pos-new", walk: walkNewPos},
	{
		app: "cockpit", path: "/points-of-sale/:pos", name: "pos",
		example: func(t *testing.T, s *shop) string {
			t.Helper()
			return "/points-of-sale/" + s.get(t, "/api/DEFAULT/pos?perPage=1", "pos", 0, "posId")
		},
		walk: walkPos,
	},
	{app: "cockpit", path: "/sellers", name: "sellers", walk: walkSellers},
	{app: "cockpit", path: "/sellers/new", name: "seller-new", walk: walkNewSeller},
	{
		app: "cockpit", path: "/sellers/:seller", name: "seller",
		example: func(t *testing.T, s *shop) string {
			t.Helper()
			return "/sellers/" + s.get(t, "/api/DEFAULT/seller?perPage=1", "sellers", 0, "sellerId")
		},
		walk: walkSeller,
	},
}

func walkPointsOfSale(t *testing.T, s *shop, p *webtest.Page) {
	p.WaitText(s.get(t, "/api/DEFAULT/pos?perPage=1", "pos", 0, "name"))
	p.ClickRole("button", "Turnover")
	p.Click("Add a point of sale")
	p.WaitText("Identifier")
}

// A point of sale needs an address, and its identifier must be free.
func walkNewPos(t *testing.T, s *shop, p *webtest.Page) {
	p.Type("Name", "Night market")
	p.Type("Identifier (optional)", s.get(t, "/api/DEFAULT/pos?perPage=1", "pos", 0, "identifier"))
	p.Click("Add")
	p.WaitText("This is already used.")
	p.Type("City (optional)", "Oslo")
	p.Type("Identifier (optional)", "NIGHT-1")
	p.Click("Add")
	p.WaitText("Night market is saved.")
	if city := s.get(t, "/api/DEFAULT/pos/identifier/NIGHT-1", "location", "city"); city != "Oslo" {
		t.Errorf("it is in %s", city)
	}
}

func walkPos(t *testing.T, s *shop, p *webtest.Page) {
	id := s.get(t, "/api/DEFAULT/pos?perPage=1", "pos", 0, "posId")
	p.WaitText("Turnover")
	p.Click("Coordinates")
	p.Type("Latitude (optional)", "91")
	p.Type("Longitude (optional)", "10")
	p.Click("Save")
	p.WaitText("Some fields need another value.")
	p.Type("Latitude (optional)", "59,91")
	p.Click("Save")
	p.WaitText("is saved.")
	if lat := s.get(t, "/api/DEFAULT/pos/"+id, "location", "geoPoint", "lat"); lat != "59.91" {
		t.Errorf("its latitude is %s", lat)
	}
	walkConflict(t, s, p, id)
}

// walkConflict changes a point of sale while somebody else does: what one of the two changed is kept, and where both
// changed the same, the user chooses.
func walkConflict(t *testing.T, s *shop, p *webtest.Page, id string) {
	path := "/api/DEFAULT/pos/" + id
	var stored map[string]any
	s.call(t, s.admin, "GET", path, nil, &stored)
	theirs := map[string]any{"name": stored["name"], "identifier": stored["identifier"], "location": stored["location"]}
	change := func(description string) {
		theirs["description"] = description
		s.call(t, s.admin, "PUT", path, map[string]any{"pos": theirs}, nil)
	}
	describes := func(street, description string) {
		t.Helper()
		if is := s.get(t, path, "location", "street") + ", " + s.get(t, path, "description"); is != street+", "+description {
			t.Errorf("it is at %s, not at %s, %s", is, street, description)
		}
	}
	open := func() {
		p.Go("/DEFAULT/points-of-sale/" + id)
		p.WaitText("Turnover")
	}
	open()
	change("Theirs")
	p.Type("Street (optional)", "My street")
	p.Click("Save")
	p.WaitPath("/DEFAULT/points-of-sale")
	describes("My street", "Theirs")

	open()
	change("Theirs again")
	p.Type("Description (optional)", "Mine")
	p.Click("Save")
	p.WaitText("Somebody else has changed the same")
	describes(theirs["location"].(map[string]any)["street"].(string), "Theirs again")
	p.Axe()
	p.Click("Show theirs")
	p.WaitValue("Description (optional)", "Theirs again")
	p.Type("Description (optional)", "Mine")
	change("Theirs at last")
	p.Click("Save")
	p.WaitText("Somebody else has changed the same")
	p.Click("Keep mine and save")
	p.WaitPath("/DEFAULT/points-of-sale")
	describes(theirs["location"].(map[string]any)["street"].(string), "Mine")
}

func walkSellers(t *testing.T, s *shop, p *webtest.Page) {
	name := s.get(t, "/api/DEFAULT/seller?perPage=1", "sellers", 0, "name")
	p.WaitText(name)
	p.Click(name + " may sign in")
	p.WaitText("is signed out and may not sign in.")
	if active := s.get(t, "/api/DEFAULT/seller?perPage=1", "sellers", 0, "active"); active != "false" {
		t.Errorf("the seller is active: %s", active)
	}
	p.Click(name + " may sign in")
	p.WaitText(name + " may sign in.")
	p.Type("Search by last name", "nobody-of-this-name")
	p.WaitText("Nothing matches.")
}

func walkNewSeller(t *testing.T, s *shop, p *webtest.Page) {
	p.Type("First name", "Sam")
	p.Type("Last name", "Walker")
	const first = "/api/DEFAULT/pos?perPage=1&sort=name"
	p.Select("Point of sale", s.get(t, first, "pos", 0, "name")+", "+s.get(t, first, "pos", 0, "location", "city"))
	p.Type("E-mail", "sam")
	p.Type("Password", "short")
	p.Click("Add and spend points")
	p.Click("Add")
	p.WaitText("This is no e-mail address.")
	p.Type("E-mail", "sam.walker@example.org")
	p.Type("Password", "Correct-Horse-7")
	p.Click("Add")
	p.WaitText("Sam Walker is saved.")
	const list = "/api/DEFAULT/seller?email=sam.walker@example.org"
	if may := s.get(t, list, "sellers", 0, "allowPointTransfer"); may != "true" {
		t.Errorf("the seller may transfer points: %s", may)
	}
}

// A seller of the walk is changed and deleted; the one of the demonstration stays for other walks.
func walkSeller(t *testing.T, s *shop, p *webtest.Page) {
	s.call(t, s.admin, "POST", "/api/DEFAULT/seller/register", map[string]any{"seller": map[string]any{
		"firstName": "Ola", "lastName": "Short", "email": "ola@example.org", "plainPassword": "Correct-Horse-7",
		"posId": s.get(t, "/api/DEFAULT/pos?perPage=1", "pos", 0, "posId"),
	}}, nil)
	id := s.get(t, "/api/DEFAULT/seller?email=ola@example.org", "sellers", 0, "sellerId")
	p.Go("/DEFAULT/sellers/" + id)
	p.Type("Last name", "")
	p.Click("Use coupons")
	p.Click("Save")
	p.WaitText("This is needed.")
	p.Type("Last name", "Long")
	p.Click("Save")
	p.WaitText("Ola Long is saved.")
	if may := s.get(t, "/api/DEFAULT/seller/"+id, "allowCouponUse"); may != "false" {
		t.Errorf("the seller may use coupons: %s", may)
	}
	p.Go("/DEFAULT/sellers/" + id)
	p.WaitForNo("button", "Offboard") // the seller is off
	s.call(t, s.admin, "POST", "/api/DEFAULT/seller/"+id+"/activate", nil, nil)
	p.Go("/DEFAULT/sellers/" + id)
	p.Click("Offboard")
	p.WaitText("0 open links and invitations")
	p.Within("dialog", "Offboard Ola Long?").Click("Offboard")
	p.WaitText("Ola Long is signed out and may not sign in.")
	p.Go("/DEFAULT/sellers/" + id)
	p.Type("First name", "Olaf")
	p.Click("Delete")
	p.WaitText("Delete Ola Long?")
	p.WaitText("This ends at once, and the account cannot be brought back:")
	p.WaitText("0 open links and invitations")
	capturePair(p, "delete-seller")
	p.Axe()
	p.Within("dialog", "Delete Ola Long?").Click("Delete")
	p.WaitText("Ola Long is deleted.")
	p.WaitGone("ola@example.org")
}
