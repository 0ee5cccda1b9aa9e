package trade_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"punchcard/app/servertest"
	"punchcard/platform/db/dbtest"
)

func TestLimitsHoldOnTwoNodes(t *testing.T) {
	dbtest.Both(t)
	servertest.OnNodes(t, 30, func(t *testing.T, n nodes, customers []string) {
		id := n.Campaign(1, 80, url.Values{"campaign[unlimited]": {"0"}, "campaign[limit]": {"50"},
			"campaign[limitPerUser]": {"3"}})
		codes := servertest.CodesOf(t, n.AtOnce(200, func(node *client, i int) reply {
			return node.Buy(customers[i%30],
				id)
		}))
		if len(codes) != 50 {
			t.Errorf("%d sold of 50", len(codes))
		}
		of := map[string]int64{}
		for _, p := range n.CheckSold(codes) {
			of[p.CustomerID]++
		}
		for _, customer := range customers {
			if left := n.Balance(customer); of[customer] > 3 || left != 100-of[customer] {
				t.Errorf("a customer bought %d and has %d points left", of[customer], left)
			}
		}
	})
}

// Concurrent requests spend the points of one customer. No points are added meanwhile, so after a refusal the balance
// stays below the amount that was refused.
func TestOneBalanceOnTwoNodes(t *testing.T) {
	dbtest.Both(t)
	servertest.OnNodes(t, 2, func(t *testing.T, n nodes, customers []string) {
		id, who := n.Campaign(10, 80, nil), customers[0]
		const path = "/api/DEFAULT/"
		costs := [...]int64{10, 7, 5}
		replies := n.AtOnce(60, func(node *client, i int) reply {
			switch i % 3 {
			case 0:
				return node.Buy(who, id)
			case 1:
				return node.Form(path+"points/transfer/spend", "transfer[customer]="+who+"&transfer[points]=7")
			}
			return node.Form(path+"admin/p2p-points-transfer",
				"transfer[sender]="+who+"&transfer[receiver]="+customers[1]+"&transfer[points]=5")
		})
		left := n.Balance(who)
		spent, given := int64(0), int64(0)
		for i, r := range replies {
			cost := costs[i%3]
			switch {
			case r.Status == 200 && i%3 == 2:
				given += cost
			case r.Status == 200:
				spent += cost
			case r.Status != 400:
				t.Errorf("%d %s", r.Status, r.Body)
			case left >= cost:
				t.Errorf("%d points were refused, and %d are left", cost, left)
			}
		}
		if left != 100-spent-given || left < 0 {
			t.Errorf("%d left after %d and %d of 100", left, spent, given)
		}
		if got := n.Balance(customers[1]); got != 100+given {
			t.Errorf("the other one has %d after a gift of %d", got, given)
		}
	})
}

// A purchase uses the campaign either before or after an update, never a mixture.
func TestCampaignIsReplacedWhileItIsBought(t *testing.T) {
	dbtest.Both(t)
	servertest.OnNodes(t, 10, func(t *testing.T, n nodes, customers []string) {
		const codes = 120
		id := n.Campaign(1, codes, nil)
		var forms [4]string
		for cost := range forms {
			forms[cost] = n.CampaignForm(cost, codes, nil)
		}
		var sales []reply
		for i, r := range n.AtOnce(140, func(node *client, i int) reply {
			if i%5 == 4 {
				return node.Send("PUT", "/api/DEFAULT/campaign/"+id, servertest.FormType, forms[i%len(forms)])
			}
			return node.Buy(customers[i%10], id)
		}) {
			switch {
			case i%5 != 4:
				sales = append(sales, r)
			case r.Status != 200:
				t.Errorf("update: %d %s", r.Status, r.Body)
			}
		}
		sold := servertest.CodesOf(t, sales)
		if len(sold) != len(sales) {
			t.Errorf("%d sold of %d", len(sold), len(sales))
		}
		paid := map[string]int64{}
		for _, p := range n.CheckSold(sold) {
			if p.CampaignName != fmt.Sprint("V", p.CostInPoints) {
				t.Errorf("%s cost %d", p.CampaignName, p.CostInPoints)
			}
			paid[p.CustomerID] += p.CostInPoints
		}
		for _, customer := range customers {
			if left := n.Balance(customer); left != 100-paid[customer] {
				t.Errorf("a customer paid %d and has %d points left", paid[customer], left)
			}
		}
		var now struct {
			Name         string
			CostInPoints int64
		}
		if n.Read("/api/DEFAULT/campaign/"+id, &now); now.Name != fmt.Sprint("V", now.CostInPoints) {
			t.Errorf("%s costs %d", now.Name, now.CostInPoints)
		}
	})
}

// Once a node has responded that a campaign is inactive, no node sells it.
func TestSwitchedOffCampaignIsNotSold(t *testing.T) {
	dbtest.Both(t)
	servertest.OnNodes(t, 10, func(t *testing.T, n nodes, customers []string) {
		id := n.Campaign(1, 400, nil)
		switchTo := func(node *client, word string) {
			if r := node.Form("/api/DEFAULT/campaign/"+id+"/"+word, ""); r.Status != 200 {
				t.Errorf("%s: %d %s", word, r.Status, r.Body)
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
		n.AtOnce(12, func(node *client, i int) (last reply) {
			for !over.Load() && i < 350 {
				before := off.Load()
				last = node.Buy(customers[i%10], id)
				if before >= 0 && off.Load() == before && last.Status == 200 {
					t.Errorf("sold while it was inactive: %s", last.Body)
				}
				mutex.Lock()
				replies = append(replies, last)
				mutex.Unlock()
				i += 12
			}
			return last
		})
		managing.Wait()
		n.CheckSold(servertest.CodesOf(t, replies))
	})
}

func TestOneReceiptComesBackManyTimesAtOnce(t *testing.T) {
	dbtest.Both(t)
	servertest.OnNodes(t, 1, func(t *testing.T, n nodes, customers []string) {
		who := customers[0]
		var levels struct{ Levels []struct{ ID string } }
		n.Read("/api/DEFAULT/level", &levels)
		rule := url.Values{
			"earningRule[type]": {"points"}, "earningRule[name]": {"A point for a euro"}, "earningRule[active]": {"1"},
			"earningRule[description]": {"Of all"}, "earningRule[allTimeActive]": {"1"}, "earningRule[target]": {"level"},
			"earningRule[levels][]": {levels.Levels[0].ID}, "earningRule[pointValue]": {"1"},
		}
		if r := n[0].Form("/api/DEFAULT/earningRule", rule.Encode()); r.Status != 200 {
			t.Fatalf("%d %s", r.Status, r.Body)
		}
		document := func(node *client, number, kind, revised string, value int) reply {
			return node.Send("POST", "/api/DEFAULT/transaction", servertest.JSONType,
				fmt.Sprintf(`{"transaction":{"transactionData":
				{"documentNumber":%q,"documentType":%q},"revisedDocument":%q,"items":[{"sku":{"code":"TEA"},"name":"Tea",
				"quantity":1,"grossValue":%d,"category":"drinks"}],"customerData":{"name":"Ida","email":"c0@example.com"}}}`,
					number, kind, revised, value))
		}
		sales := n.AtOnce(8, func(node *client, _ int) reply { return document(node, "S-1", "sell", "", 100) })
		if done := servertest.Count(sales, 200); done != 1 || n.Balance(who) != 200 {
			t.Fatalf("one receipt was taken %d times, the balance is %d", done, n.Balance(who))
		}
		returns := n.AtOnce(16, func(node *client, i int) reply {
			return document(node, fmt.Sprint("B-", i%8), "return", "S-1", 30)
		})
		if done := servertest.Count(returns, 200); done != 8 || n.Balance(who) != 100 {
			t.Errorf("%d of 8 returns were taken, the balance is %d", done, n.Balance(who))
		}
		var moves struct{ Transfers []struct{ Value int64 } }
		n.Read("/api/DEFAULT/points/transfer?type[]=spending&perPage=-1&customerId="+who, &moves)
		var taken []int64
		for _, m := range moves.Transfers {
			taken = append(taken, m.Value)
		}
		if slices.Sort(taken); !slices.Equal(taken, []int64{10, 30, 30, 30}) {
			t.Errorf("the returns took %d", taken)
		}
	})
}

func TestOneCouponIsUsedOnce(t *testing.T) {
	dbtest.Both(t)
	servertest.OnNodes(t, 1, func(t *testing.T, n nodes, customers []string) {
		id := n.Campaign(1, 1, nil)
		var sold struct{ Coupons []struct{ ID, Code string } }
		if r := n[0].Buy(customers[0], id); json.Unmarshal(r.Body, &sold) != nil || len(sold.Coupons) != 1 {
			t.Fatalf("%d %s", r.Status, r.Body)
		}
		mark := url.Values{
			"coupons[0][campaignId]": {id}, "coupons[0][couponId]": {sold.Coupons[0].ID},
			"coupons[0][customerId]": {customers[0]}, "coupons[0][code]": {sold.Coupons[0].Code}, "coupons[0][used]": {"1"},
		}
		replies := n.AtOnce(20, func(node *client, _ int) reply {
			return node.Form("/api/DEFAULT/admin/campaign/coupons/mark_as_used", mark.Encode())
		})
		if done, refused := servertest.Count(replies, 200), servertest.Count(replies, 400); done != 1 || refused != 19 {
			t.Errorf("used %d times, refused %d times", done, refused)
		}
		if events := n.CountEvents("CampaignUsageWasChanged"); events != 1 {
			t.Errorf("%d events", events)
		}
		if all := n.Bought(); len(all) != 1 || !all[0].Used {
			t.Errorf("stored: %+v", all)
		}
	})
}
