package servertest

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"punchcard/app"
	"punchcard/platform/db/dbtest"
)

// Nodes are administrators of servers that share a database: two on PostgreSQL, one on SQLite.
type Nodes []*Client

// OnNodes runs the test on every database, with customers who have 100 points each, and a rule that pays a point for a
// euro.
func OnNodes(t *testing.T, customers int, run func(t *testing.T, n Nodes, customers []string)) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		config := Database(t, engine)
		n := Nodes{LogInAdmin(t, StartServer(t, engine, func(c *app.Config) { c.Database = config }))}
		if engine == "postgres" {
			n = append(n, LogInAdmin(t, StartServer(t, engine, func(c *app.Config) {
				c.Database = config
				c.Data = t.TempDir()
			})))
		}
		ids, _ := Stock(t, config, customers, 1)
		run(t, n, ids)
	})
}

// AtOnce sends many requests at the same time, to the nodes in turn, and returns the answers in order.
func (n Nodes) AtOnce(count int, ask func(node *Client, i int) Reply) []Reply {
	replies := make([]Reply, count)
	var all sync.WaitGroup
	for i := range count {
		all.Go(func() { replies[i] = ask(n[i%len(n)], i) })
	}
	all.Wait()
	return replies
}

// Read decodes a response of the first node, whose status must be 200.
func (n Nodes) Read(path string, into any) {
	n[0].T.Helper()
	r := n[0].Send("GET", path, "", "")
	if err := json.Unmarshal(r.Body, into); err != nil || r.Status != 200 {
		n[0].T.Fatalf("GET %s: %d %s %v", path, r.Status, r.Body, err)
	}
}

// Balance returns the points of a customer.
func (n Nodes) Balance(customer string) (left int64) {
	n[0].T.Helper()
	var status struct{ Points int64 }
	n.Read("/api/DEFAULT/admin/customer/"+customer+"/status", &status)
	return status.Points
}

// soldCoupon is a row of the list of purchases.
type soldCoupon struct {
	CustomerID, CampaignName string
	CostInPoints             int64
	Used                     bool
	Coupon                   struct{ ID, Code string }
}

// Bought returns all purchases, as the first node lists them.
func (n Nodes) Bought() []soldCoupon {
	n[0].T.Helper()
	var list struct {
		BoughtCampaigns []soldCoupon
		Total           int
	}
	n.Read("/api/DEFAULT/campaign/bought?perPage=-1", &list)
	if list.Total != len(list.BoughtCampaigns) {
		n[0].T.Errorf("%d purchases in a list of %d", list.Total, len(list.BoughtCampaigns))
	}
	return list.BoughtCampaigns
}

// CountEvents counts the stored events of the type, and that no id is missing.
func (n Nodes) CountEvents(name string) (found int) {
	n[0].T.Helper()
	for last := 0; ; {
		var page struct {
			Events []struct {
				ID   int
				Type string
			}
		}
		n.Read(fmt.Sprintf("/api/event?perPage=100&fromId=%d", last+1), &page)
		if len(page.Events) == 0 {
			return found
		}
		for _, e := range page.Events {
			if e.ID != last+1 {
				n[0].T.Errorf("event %d follows %d", e.ID, last)
			}
			last = e.ID
			if strings.HasSuffix(e.Type, "."+name) {
				found++
			}
		}
	}
}

// CampaignForm returns the form of a campaign whose name is its price.
func (n Nodes) CampaignForm(cost, codes int, more url.Values) string {
	n[0].T.Helper()
	var levels struct{ Levels []struct{ ID string } }
	n.Read("/api/DEFAULT/level", &levels)
	form := url.Values{
		"campaign[reward]": {"discount_code"}, "campaign[translations][en][name]": {fmt.Sprint("V", cost)},
		"campaign[translations][pl][name]": {fmt.Sprint("V", cost)}, "campaign[active]": {"1"},
		"campaign[pushNotificationText]": {"Look"}, "campaign[costInPoints]": {fmt.Sprint(cost)},
		"campaign[target]": {"level"}, "campaign[levels][]": {levels.Levels[0].ID}, "campaign[unlimited]": {"1"},
		"campaign[daysInactive]": {"0"}, "campaign[daysValid]": {"0"},
		"campaign[campaignVisibility][allTimeVisible]": {"1"}, "campaign[campaignActivity][allTimeActive]": {"1"},
	}
	for i := range codes {
		form.Add("campaign[coupons][]", fmt.Sprintf("RUSH-%d", i))
	}
	for name, values := range more {
		form[name] = values
	}
	return form.Encode()
}

// Campaign creates the campaign of CampaignForm and returns its id.
func (n Nodes) Campaign(cost, codes int, more url.Values) (id string) {
	n[0].T.Helper()
	var made struct{ CampaignID string }
	r := n[0].Form("/api/DEFAULT/campaign", n.CampaignForm(cost, codes, more))
	if err := json.Unmarshal(r.Body, &made); err != nil || r.Status != 200 {
		n[0].T.Fatalf("%d %s", r.Status, r.Body)
	}
	return made.CampaignID
}

// Buy buys a campaign for a customer, as an administrator.
func (c *Client) Buy(customer, campaign string) Reply {
	c.T.Helper()
	return c.Form("/api/DEFAULT/admin/customer/"+customer+"/campaign/"+campaign+"/buy", "quantity=1")
}

// CodesOf returns the codes that were sold. All other responses must be refusals.
func CodesOf(t *testing.T, replies []Reply) (codes []string) {
	t.Helper()
	for _, r := range replies {
		var sold struct{ Coupons []struct{ Code string } }
		switch err := json.Unmarshal(r.Body, &sold); {
		case err != nil, r.Status != 200 && r.Status != 400 && r.Status != 404:
			t.Errorf("%d %s", r.Status, r.Body)
		case r.Status == 200:
			codes = append(codes, sold.Coupons[0].Code)
		}
	}
	return codes
}

// CheckSold compares the codes in responses with the stored ones, which must be unique.
func (n Nodes) CheckSold(codes []string) []soldCoupon {
	n[0].T.Helper()
	all := n.Bought()
	var stored []string
	for _, p := range all {
		stored = append(stored, p.Coupon.Code)
	}
	slices.Sort(stored)
	slices.Sort(codes)
	if !slices.Equal(stored, codes) {
		n[0].T.Errorf("%d codes are stored, %d were answered: %q, %q", len(stored), len(codes), stored, codes)
	}
	if slices.Sort(stored); len(slices.Compact(stored)) != len(all) {
		n[0].T.Error("a code was sold twice")
	}
	if events := n.CountEvents("CampaignWasBoughtByCustomer"); events != len(all) {
		n[0].T.Errorf("%d events for %d purchases", events, len(all))
	}
	return all
}

// Count returns how many replies have the status.
func Count(replies []Reply, status int) (n int) {
	for _, r := range replies {
		if r.Status == status {
			n++
		}
	}
	return n
}
