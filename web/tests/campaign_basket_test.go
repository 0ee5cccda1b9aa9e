package tests

import (
	"testing"

	"punchcard/web/webtest"
)

// TestCampaignAtTheCheckout edits how the coupons of a campaign lower the price of a basket, with a mistake that the
// user corrects, and shows it afterwards.
func TestCampaignAtTheCheckout(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	p := s.openAs(t, "cockpit", "/DEFAULT/campaigns/new/welcome", webtest.Options{})
	p.Type("Percentage off (optional)", "150")
	p.Type("Most that one takes off (optional)", "3.50")
	p.Type("Products (SKU) (optional)", "TEA-1, TEA-2")
	p.Type("Labels of products (optional)", "bio:yes")
	p.Click("Not together with other coupons")
	p.Type("Name", "Half price")
	p.Click("Save and activate")
	p.WaitText("100 at most.")
	p.Type("Percentage off (optional)", "12.5")
	capture(p, "campaign-basket")
	p.Axe()
	p.Click("Save and activate")
	p.WaitText("Half price is live.")
	list := "/api/DEFAULT/campaign?perPage=2&name=Half%20price"
	for member, want := range map[string]string{"exclusive": "true", "percentage": "12.5", "cap": "3.5"} {
		if is := s.get(t, list, "campaigns", 0, "basket", member); is != want {
			t.Errorf("%s is %s, not %s", member, is, want)
		}
	}
	p.Go("/DEFAULT/campaigns/" + s.get(t, list, "campaigns", 0, "campaignId"))
	p.WaitText("12.5 %")
	p.WaitText("TEA-1, TEA-2, bio:yes")
}
