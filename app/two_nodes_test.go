package app_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"punchcard/app"
	"punchcard/platform/db/dbtest"
)

// nodes are administrators of servers that share a database: two on PostgreSQL, one on SQLite.
type nodes []*client

// onNodes runs the test on every database, with customers who have 100 points each, and a rule that pays a point for a
// euro.
func onNodes(t *testing.T, customers int, run func(t *testing.T, n nodes, customers []string)) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		config := database(t, engine)
		n := nodes{logInAdmin(t, startServer(t, engine, func(c *app.Config) { c.Database = config }))}
		if engine == "postgres" {
			n = append(n, logInAdmin(t, startServer(t, engine, func(c *app.Config) {
				c.Database = config
				c.Data = t.TempDir()
			})))
		}
		ids, _ := stock(t, config, customers, 1)
		run(t, n, ids)
	})
}

// atOnce sends many requests at the same time, to the nodes in turn, and returns the answers in order.
func (n nodes) atOnce(count int, ask func(node *client, i int) reply) []reply {
	replies := make([]reply, count)
	var all sync.WaitGroup
	for i := range count {
		all.Go(func() { replies[i] = ask(n[i%len(n)], i) })
	}
	all.Wait()
	return replies
}

// read decodes a response of the first node, whose status must be 200.
func (n nodes) read(path string, into any) {
	n[0].t.Helper()
	r := n[0].send("GET", path, "", "")
	if err := json.Unmarshal(r.body, into); err != nil || r.status != 200 {
		n[0].t.Fatalf("GET %s: %d %s %v", path, r.status, r.body, err)
	}
}

func (n nodes) balance(customer string) (left int64) {
	n[0].t.Helper()
	var status struct{ Points int64 }
	n.read("/api/DEFAULT/admin/customer/"+customer+"/status", &status)
	return status.Points
}

// soldCoupon is a row of the list of purchases.
type soldCoupon struct {
	CustomerID, CampaignName string
	CostInPoints             int64
	Used                     bool
	Coupon                   struct{ ID, Code string }
}

func (n nodes) bought() []soldCoupon {
	n[0].t.Helper()
	var list struct {
		BoughtCampaigns []soldCoupon
		Total           int
	}
	n.read("/api/DEFAULT/campaign/bought?perPage=-1", &list)
	if list.Total != len(list.BoughtCampaigns) {
		n[0].t.Errorf("%d purchases in a list of %d", list.Total, len(list.BoughtCampaigns))
	}
	return list.BoughtCampaigns
}

// countEvents counts the stored events of the type, and that no id is missing.
func (n nodes) countEvents(name string) (found int) {
	n[0].t.Helper()
	for last := 0; ; {
		var page struct {
			Events []struct {
				ID   int
				Type string
			}
		}
		n.read(fmt.Sprintf("/api/event?perPage=100&fromId=%d", last+1), &page)
		if len(page.Events) == 0 {
			return found
		}
		for _, e := range page.Events {
			if e.ID != last+1 {
				n[0].t.Errorf("event %d follows %d", e.ID, last)
			}
			last = e.ID
			if strings.HasSuffix(e.Type, "."+name) {
				found++
			}
		}
	}
}

// campaignForm returns the form of a campaign whose name is its price.
func (n nodes) campaignForm(cost, codes int, more url.Values) string {
	n[0].t.Helper()
	var levels struct{ Levels []struct{ ID string } }
	n.read("/api/DEFAULT/level", &levels)
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

func (n nodes) campaign(cost, codes int, more url.Values) (id string) {
	n[0].t.Helper()
	var made struct{ CampaignID string }
	r := n[0].form("/api/DEFAULT/campaign", n.campaignForm(cost, codes, more))
	if err := json.Unmarshal(r.body, &made); err != nil || r.status != 200 {
		n[0].t.Fatalf("%d %s", r.status, r.body)
	}
	return made.CampaignID
}

func (c *client) buy(customer, campaign string) reply {
	c.t.Helper()
	return c.form("/api/DEFAULT/admin/customer/"+customer+"/campaign/"+campaign+"/buy", "quantity=1")
}

// codesOf returns the codes that were sold. All other responses must be refusals.
func codesOf(t *testing.T, replies []reply) (codes []string) {
	t.Helper()
	for _, r := range replies {
		var sold struct{ Coupons []struct{ Code string } }
		switch err := json.Unmarshal(r.body, &sold); {
		case err != nil, r.status != 200 && r.status != 400 && r.status != 404:
			t.Errorf("%d %s", r.status, r.body)
		case r.status == 200:
			codes = append(codes, sold.Coupons[0].Code)
		}
	}
	return codes
}

// checkSold compares the codes in responses with the stored ones, which must be unique.
func (n nodes) checkSold(codes []string) []soldCoupon {
	n[0].t.Helper()
	all := n.bought()
	var stored []string
	for _, p := range all {
		stored = append(stored, p.Coupon.Code)
	}
	slices.Sort(stored)
	slices.Sort(codes)
	if !slices.Equal(stored, codes) {
		n[0].t.Errorf("%d codes are stored, %d were answered: %q, %q", len(stored), len(codes), stored, codes)
	}
	if slices.Sort(stored); len(slices.Compact(stored)) != len(all) {
		n[0].t.Error("a code was sold twice")
	}
	if events := n.countEvents("CampaignWasBoughtByCustomer"); events != len(all) {
		n[0].t.Errorf("%d events for %d purchases", events, len(all))
	}
	return all
}

func TestLimitsHoldOnTwoNodes(t *testing.T) {
	dbtest.Both(t)
	onNodes(t, 30, func(t *testing.T, n nodes, customers []string) {
		id := n.campaign(1, 80, url.Values{"campaign[unlimited]": {"0"}, "campaign[limit]": {"50"},
			"campaign[limitPerUser]": {"3"}})
		codes := codesOf(t, n.atOnce(200, func(node *client, i int) reply { return node.buy(customers[i%30], id) }))
		if len(codes) != 50 {
			t.Errorf("%d sold of 50", len(codes))
		}
		of := map[string]int64{}
		for _, p := range n.checkSold(codes) {
			of[p.CustomerID]++
		}
		for _, customer := range customers {
			if left := n.balance(customer); of[customer] > 3 || left != 100-of[customer] {
				t.Errorf("a customer bought %d and has %d points left", of[customer], left)
			}
		}
	})
}

// Concurrent requests spend the points of one customer. No points are added meanwhile, so after a refusal the balance
// stays below the amount that was refused.
func TestOneBalanceOnTwoNodes(t *testing.T) {
	dbtest.Both(t)
	onNodes(t, 2, func(t *testing.T, n nodes, customers []string) {
		id, who := n.campaign(10, 80, nil), customers[0]
		const path = "/api/DEFAULT/"
		costs := [...]int64{10, 7, 5}
		replies := n.atOnce(60, func(node *client, i int) reply {
			switch i % 3 {
			case 0:
				return node.buy(who, id)
			case 1:
				return node.form(path+"points/transfer/spend", "transfer[customer]="+who+"&transfer[points]=7")
			}
			return node.form(path+"admin/p2p-points-transfer",
				"transfer[sender]="+who+"&transfer[receiver]="+customers[1]+"&transfer[points]=5")
		})
		left := n.balance(who)
		spent, given := int64(0), int64(0)
		for i, r := range replies {
			cost := costs[i%3]
			switch {
			case r.status == 200 && i%3 == 2:
				given += cost
			case r.status == 200:
				spent += cost
			case r.status != 400:
				t.Errorf("%d %s", r.status, r.body)
			case left >= cost:
				t.Errorf("%d points were refused, and %d are left", cost, left)
			}
		}
		if left != 100-spent-given || left < 0 {
			t.Errorf("%d left after %d and %d of 100", left, spent, given)
		}
		if got := n.balance(customers[1]); got != 100+given {
			t.Errorf("the other one has %d after a gift of %d", got, given)
		}
	})
}

// A purchase uses the campaign either before or after an update, never a mixture.
func TestCampaignIsReplacedWhileItIsBought(t *testing.T) {
	dbtest.Both(t)
	onNodes(t, 10, func(t *testing.T, n nodes, customers []string) {
		const codes = 120
		id := n.campaign(1, codes, nil)
		var forms [4]string
		for cost := range forms {
			forms[cost] = n.campaignForm(cost, codes, nil)
		}
		var sales []reply
		for i, r := range n.atOnce(140, func(node *client, i int) reply {
			if i%5 == 4 {
				return node.send("PUT", "/api/DEFAULT/campaign/"+id, urlencoded, forms[i%len(forms)])
			}
			return node.buy(customers[i%10], id)
		}) {
			switch {
			case i%5 != 4:
				sales = append(sales, r)
			case r.status != 200:
				t.Errorf("update: %d %s", r.status, r.body)
			}
		}
		sold := codesOf(t, sales)
		if len(sold) != len(sales) {
			t.Errorf("%d sold of %d", len(sold), len(sales))
		}
		paid := map[string]int64{}
		for _, p := range n.checkSold(sold) {
			if p.CampaignName != fmt.Sprint("V", p.CostInPoints) {
				t.Errorf("%s cost %d", p.CampaignName, p.CostInPoints)
			}
			paid[p.CustomerID] += p.CostInPoints
		}
		for _, customer := range customers {
			if left := n.balance(customer); left != 100-paid[customer] {
				t.Errorf("a customer paid %d and has %d points left", paid[customer], left)
			}
		}
		var now struct {
			Name         string
			CostInPoints int64
		}
		if n.read("/api/DEFAULT/campaign/"+id, &now); now.Name != fmt.Sprint("V", now.CostInPoints) {
			t.Errorf("%s costs %d", now.Name, now.CostInPoints)
		}
	})
}

// Once a node has responded that a campaign is inactive, no node sells it.
func TestSwitchedOffCampaignIsNotSold(t *testing.T) {
	dbtest.Both(t)
	onNodes(t, 10, func(t *testing.T, n nodes, customers []string) {
		id := n.campaign(1, 400, nil)
		switchTo := func(node *client, word string) {
			if r := node.form("/api/DEFAULT/campaign/"+id+"/"+word, ""); r.status != 200 {
				t.Errorf("%s: %d %s", word, r.status, r.body)
			}
		}
		var off atomic.Int64 // how often it was switched off; negative while it is on
		off.Store(-1)
		var over atomic.Bool
		var managing sync.WaitGroup
		managing.Go(func() {
			defer over.Store(true)
			for i := range 12 {
				switchTo(n[i%len(n)], "inactive")
				off.Store(int64(i))
				switchTo(n[(i+1)%len(n)], "inactive") // changes nothing, but takes some time
				off.Store(-1)
				switchTo(n[i%len(n)], "active")
			}
		})
		var mutex sync.Mutex
		var replies []reply
		n.atOnce(12, func(node *client, i int) (last reply) {
			for !over.Load() && i < 350 {
				before := off.Load()
				last = node.buy(customers[i%10], id)
				if before >= 0 && off.Load() == before && last.status == 200 {
					t.Errorf("sold while it was inactive: %s", last.body)
				}
				mutex.Lock()
				replies = append(replies, last)
				mutex.Unlock()
				i += 12
			}
			return last
		})
		managing.Wait()
		n.checkSold(codesOf(t, replies))
	})
}

func TestOneReceiptComesBackManyTimesAtOnce(t *testing.T) {
	dbtest.Both(t)
	onNodes(t, 1, func(t *testing.T, n nodes, customers []string) {
		who := customers[0]
		var levels struct{ Levels []struct{ ID string } }
		n.read("/api/DEFAULT/level", &levels)
		rule := url.Values{
			"earningRule[type]": {"points"}, "earningRule[name]": {"A point for a euro"}, "earningRule[active]": {"1"},
			"earningRule[description]": {"Of all"}, "earningRule[allTimeActive]": {"1"}, "earningRule[target]": {"level"},
			"earningRule[levels][]": {levels.Levels[0].ID}, "earningRule[pointValue]": {"1"},
		}
		if r := n[0].form("/api/DEFAULT/earningRule", rule.Encode()); r.status != 200 {
			t.Fatalf("%d %s", r.status, r.body)
		}
		document := func(node *client, number, kind, revised string, value int) reply {
			return node.send("POST", "/api/DEFAULT/transaction", jsonType, fmt.Sprintf(`{"transaction":{"transactionData":
				{"documentNumber":%q,"documentType":%q},"revisedDocument":%q,"items":[{"sku":{"code":"TEA"},"name":"Tea",
				"quantity":1,"grossValue":%d,"category":"drinks"}],"customerData":{"name":"Ida","email":"c0@example.com"}}}`,
				number, kind, revised, value))
		}
		sales := n.atOnce(8, func(node *client, _ int) reply { return document(node, "S-1", "sell", "", 100) })
		if done := count(sales, 200); done != 1 || n.balance(who) != 200 {
			t.Fatalf("one receipt was taken %d times, the balance is %d", done, n.balance(who))
		}
		returns := n.atOnce(16, func(node *client, i int) reply {
			return document(node, fmt.Sprint("B-", i%8), "return", "S-1", 30)
		})
		if done := count(returns, 200); done != 8 || n.balance(who) != 100 {
			t.Errorf("%d of 8 returns were taken, the balance is %d", done, n.balance(who))
		}
		var moves struct{ Transfers []struct{ Value int64 } }
		n.read("/api/DEFAULT/points/transfer?type[]=spending&perPage=-1&customerId="+who, &moves)
		var taken []int64
		for _, m := range moves.Transfers {
			taken = append(taken, m.Value)
		}
		if slices.Sort(taken); !slices.Equal(taken, []int64{10, 30, 30, 30}) {
			t.Errorf("the returns took %d", taken)
		}
	})
}

func count(replies []reply, status int) (n int) {
	for _, r := range replies {
		if r.status == status {
			n++
		}
	}
	return n
}

func TestOneCouponIsUsedOnce(t *testing.T) {
	dbtest.Both(t)
	onNodes(t, 1, func(t *testing.T, n nodes, customers []string) {
		id := n.campaign(1, 1, nil)
		var sold struct{ Coupons []struct{ ID, Code string } }
		if r := n[0].buy(customers[0], id); json.Unmarshal(r.body, &sold) != nil || len(sold.Coupons) != 1 {
			t.Fatalf("%d %s", r.status, r.body)
		}
		mark := url.Values{
			"coupons[0][campaignId]": {id}, "coupons[0][couponId]": {sold.Coupons[0].ID},
			"coupons[0][customerId]": {customers[0]}, "coupons[0][code]": {sold.Coupons[0].Code}, "coupons[0][used]": {"1"},
		}
		replies := n.atOnce(20, func(node *client, _ int) reply {
			return node.form("/api/DEFAULT/admin/campaign/coupons/mark_as_used", mark.Encode())
		})
		if done, refused := count(replies, 200), count(replies, 400); done != 1 || refused != 19 {
			t.Errorf("used %d times, refused %d times", done, refused)
		}
		if events := n.countEvents("CampaignUsageWasChanged"); events != 1 {
			t.Errorf("%d events", events)
		}
		if all := n.bought(); len(all) != 1 || !all[0].Used {
			t.Errorf("stored: %+v", all)
		}
	})
}
