package tests

import (
	"testing"

	"punchcard/web/webtest"
)

var boughtScreens = []screen{
	{app: "cockpit", path: "/bought", name: "bought", prepare: buySome, walk: walkBought},
}

// newcomer registers an active customer and returns the id.
func newcomer(t *testing.T, s *shop, first, last, email string) string {
	t.Helper()
	var made struct{ CustomerID string }
	s.call(t, s.admin, "POST", "/api/DEFAULT/customer/register", map[string]any{"customer": map[string]any{
		"firstName": first, "lastName": last, "email": email, "agreement1": true,
	}}, &made)
	s.call(t, s.admin, "POST", "/api/DEFAULT/admin/customer/"+made.CustomerID+"/activate", nil, nil)
	return made.CustomerID
}

// buyFor buys the campaign of a name for a customer and returns the code of the coupon.
func buyFor(t *testing.T, s *shop, customerID, name string) string {
	t.Helper()
	id := s.get(t, "/api/DEFAULT/campaign?strict=1&name="+name, "campaigns", 0, "campaignId")
	var made struct {
		Coupons []struct{ Code string }
	}
	path := "/api/DEFAULT/admin/customer/" + customerID + "/campaign/" + id + "/buy?withoutPoints=1"
	s.call(t, s.admin, "POST", path, map[string]any{}, &made)
	return made.Coupons[0].Code
}

// buySome buys rewards of which one is used.
func buySome(t *testing.T, s *shop) {
	t.Helper()
	mia := newcomer(t, s, "Mia", "Shopper", "mia@example.org")
	for _, name := range []string{"50%20EUR%20voucher", "Birthday%20gift", "10%20%25%20off%20your%20next%20order"} {
		buyFor(t, s, mia, name)
	}
	const newest = "/api/DEFAULT/campaign/bought?direction=DESC"
	used := map[string]any{
		"campaignId": s.get(t, newest, "boughtCampaigns", 1, "campaignId"), "customerId": mia, "used": "1",
		"couponId": s.get(t, newest, "boughtCampaigns", 1, "coupon", "id"),
		"code":     s.get(t, newest, "boughtCampaigns", 1, "coupon", "code"),
	}
	const use = "/api/DEFAULT/admin/campaign/coupons/mark_as_used"
	s.call(t, s.admin, "POST", use, map[string]any{"coupons": []any{used}}, nil)
}

// A coupon is found by its code, used and set back in the list, and its delivery changed there. Filters are in the
// address bar.
func walkBought(t *testing.T, s *shop, p *webtest.Page) {
	code := buyFor(t, s, newcomer(t, s, "Ewa", "Buyer", "ewa@example.org"), "Birthday%20gift")
	// A search that begins while the user types changes nothing in the field, also not the blank before the next word.
	p.Type("Whole code of a coupon", "No such ")
	p.WaitText("Nothing matches.")
	p.Press("c")
	p.WaitValue("Whole code of a coupon", "No such c")
	p.Type("Whole code of a coupon", code)
	p.WaitText(code)
	p.Click(code + " is used")
	p.WaitText(code + " is used.")
	p.Select("Delivery of Birthday gift "+code, "Shipped")
	p.WaitText("The delivery of Birthday gift is saved.")
	path := "/api/DEFAULT/campaign/bought?code=" + code
	if status := s.get(t, path, "boughtCampaigns", 0, "deliveryStatus", "status"); status != "shipped" {
		t.Errorf("its delivery is %s", status)
	}
	p.Click("Filters")
	p.Select("Used or not", "Used")
	p.Type("Any customer", "ewa@example.org")
	p.ClickRole("option", "Ewa Buyer…")
	p.Type("Any reward", "Birthday")
	p.ClickRole("option", "Birthday gift")
	p.WaitText(code)
	p.Click(code + " is used")
	p.WaitText(code + " can be used again.")
	if used := s.get(t, path, "boughtCampaigns", 0, "used"); used != "false" {
		t.Errorf("it is used: %s", used)
	}
	p.WaitText("Nothing matches.")
	p.Click("Remove Birthday gift")
	p.Select("Used or not", "Used or not")
	p.WaitText(code)
	p.Type("From", "2031-01-01")
	p.Press("Tab")
	p.WaitText("Nothing matches.")
	p.Type("From", "")
	p.ClickRole("link", "Birthday gift")
	p.WaitText("Sales over time")
}
