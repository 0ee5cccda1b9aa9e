package trade_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"punchcard/app/servertest"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/mail/mailtest"
)

// pair is a shop with two customers who are the same person.
type pair struct {
	*testing.T
	*mergeShop
	a, b string
}

func eachPair(t *testing.T, run func(p *pair)) {
	t.Helper()
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		config := servertest.PlainConfig(servertest.Database(t, engine))
		base, stop := servertest.RunUntil(t, config, servertest.Log(t))
		s := newMergeShop(t, []string{base})
		run(&pair{t, s, s.customers[0], s.customers[1]})
		stop()
		expectNothing(t, config)
	})
}

func (p *pair) merged() (id string) {
	p.Helper()
	id, done := p.merge(p.nodes[0], p.a, p.b)
	if !done {
		p.Fatal("not merged")
	}
	return id
}

func (p *pair) post(path string, body object, statuses ...int) map[string]any {
	p.Helper()
	return p.admin.JSON("POST", "/api/DEFAULT/"+path, body, statuses...)
}

func (p *pair) points(id string) (points, locked float64) {
	p.Helper()
	status := p.admin.Get("/api/DEFAULT/admin/customer/" + id + "/status")
	return status["points"].(float64), status["lockedPoints"].(float64)
}

// The card of the merged customer finds the target, on receipts, in searches and as an address; nobody else gets it.
func TestCardOfAMergedCustomerFindsTheTarget(t *testing.T) {
	eachPair(t, func(p *pair) {
		p.merged()
		const card = "CARD-1"
		if found := p.admin.Get("/api/DEFAULT/customer/" + card); found["customerId"] != p.a {
			p.Errorf("the card finds %v", found["customerId"])
		}
		for _, query := range []string{"q=" + card, "loyaltyCardNumber=" + card, "loyaltyCardNumber=ard-1",
			"strict=1&loyaltyCardNumber=" + card} {
			list := p.admin.Get("/api/DEFAULT/customer?" + query)
			if list["total"] != 1.0 || list["customers"].([]any)[0].(map[string]any)["customerId"] != p.a {
				p.Errorf("%s finds %v", query, list)
			}
		}
		made := p.post("transaction", servertest.Receipt("S-1", "ALE", object{"loyaltyCardNumber": card}))
		sale := p.admin.Get("/api/DEFAULT/transaction/" + made["transactionId"].(string))
		if sale["customerId"] != p.a {
			p.Errorf("the receipt belongs to %v", sale["customerId"])
		}
		r := p.admin.Form("/api/DEFAULT/admin/customer/register", "customer[firstName]=Eve&customer[lastName]=Vik&"+
			"customer[email]=eve@example.com&customer[agreement1]=1&customer[loyaltyCardNumber]="+card)
		if r.Status != 400 {
			p.Errorf("another customer gets the card: %d %s", r.Status, r.Body)
		}
		if list := p.admin.Get("/api/DEFAULT/customer?perPage=100"); list["total"] != float64(mergeCustomers-1) {
			p.Errorf("%v customers are listed", list["total"])
		}
	})
}

// Points of a sale that the merged customer earned are taken back from the target, pending ones too.
func TestReturnAfterAMergeFindsTheLots(t *testing.T) {
	eachPair(t, func(p *pair) {
		p.post("transaction", servertest.Receipt("S-1", "ALE", object{"email": fmt.Sprintf(raceEmail, 1)}))
		_, before := p.points(p.a)
		p.merged()
		if _, locked := p.points(p.a); locked != before+10 {
			p.Errorf("%v points are locked, %v before", locked, before)
		}
		back := servertest.Receipt("R-1", "ALE", object{"name": "Nobody"})
		fields := back["transaction"].(object)
		fields["transactionData"].(object)["documentType"], fields["revisedDocument"] = "return", "S-1"
		p.post("transaction", back)
		if _, locked := p.points(p.a); locked != before {
			p.Errorf("%v points are locked after the return, want %v", locked, before)
		}
	})
}

// Every change of one of the customers since the merge refuses the undoing, with a code that says why.
func TestUndoIsRefusedAfterAChange(t *testing.T) {
	for _, c := range []struct {
		name, code string
		do         func(p *pair)
	}{
		{"points", "merge_points_changed", func(p *pair) { p.add(p.nodes[0], p.a, 2) }},
		{"a spend", "merge_points_changed", func(p *pair) {
			p.post("points/transfer/spend", object{"transfer": object{"customer": p.a, "points": 1}})
		}},
		{"a coupon", "merge_coupons_changed", func(p *pair) {
			p.post("admin/customer/"+p.a+"/campaign/"+p.campaign+"/buy", object{})
		}},
		{"a receipt", "merge_points_changed", func(p *pair) {
			p.post("transaction", servertest.Receipt("S-1", "ALE", object{"email": fmt.Sprintf(raceEmail, 0)}))
		}},
		{"a name", "merge_customer_changed", func(p *pair) {
			p.admin.JSON("PUT", "/api/DEFAULT/customer/"+p.a, object{"customer": object{"firstName": "Eve"}})
		}},
		{"an expired lot", "merge_points_moved", func(p *pair) {
			lots := p.admin.Get("/api/DEFAULT/admin/customer/" + p.a + "/lots")["lots"].([]any)
			for _, lot := range lots {
				if lot := lot.(map[string]any); lot["type"] == "merge_adding" && lot["state"] == "active" {
					p.post("points/transfer/"+lot["pointsTransferId"].(string)+"/expire", object{}, 204)
					return
				}
			}
			p.Fatalf("no lot moved: %v", lots)
		}},
		{"somebody with the address", "merge_contact_used", func(p *pair) {
			p.post("admin/customer/register", servertest.Registration(object{"email": fmt.Sprintf(raceEmail, 1)}))
		}},
		{"an erasure", "merge_customer_changed", func(p *pair) {
			p.admin.Send("POST", "/api/DEFAULT/admin/customer/"+p.b+"/anonymize", "", "").Must(p.T)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			eachPair(t, func(p *pair) {
				p.add(p.nodes[0], p.b, 4)
				id := p.merged()
				c.do(p)
				request := p.admin.Request("POST", "/api/DEFAULT/admin/customer/"+p.a+"/merge/"+id+"/undo", servertest.JSONType,
					"{}")
				request.Header.Set("Accept", "application/problem+json")
				r := servertest.Send(p.T, request)
				var problem struct{ Code string }
				if err := json.Unmarshal(r.Body, &problem); err != nil || r.Status != 409 ||
					problem.Code != c.code && !(c.name == "an erasure" && problem.Code == "merge_final") {
					p.Errorf("%d %s, want %s", r.Status, r.Body, c.code)
				}
			})
		})
	}
}

// Every write that names a merged customer is refused, and says where they went.
func TestWritesForAMergedCustomerNameTheTarget(t *testing.T) {
	eachPair(t, func(p *pair) {
		bought := p.post("admin/customer/"+p.b+"/campaign/"+p.campaign+"/buy", object{})
		coupon := bought["coupons"].([]any)[0].(map[string]any)
		mark := object{"coupons": []object{{"campaignId": p.campaign, "customerId": p.b, "couponId": coupon["id"],
			"code": coupon["code"], "used": true}}}
		p.merged()
		for path, body := range map[string]object{
			"points/transfer/add":   {"transfer": object{"customer": p.b, "points": 1}},
			"points/transfer/spend": {"transfer": object{"customer": p.b, "points": 1}},
			"admin/p2p-points-transfer": {"transfer": object{"sender": p.a, "receiver": p.b,
				"points": 1}},
			"admin/customer/" + p.b + "/activate":                        {},
			"admin/customer/" + p.b + "/note":                            {"note": object{"text": "Likes tea"}},
			"admin/customer/" + p.b + "/campaign/" + p.campaign + "/buy": {},
			"customer/" + p.b + "/level":                                 {"levelId": p.levels[0]},
			"admin/customer/" + p.b + "/merge":                           {"merge": object{"customerId": p.a}},
			"admin/campaign/cashback/redeem":                             {"customerId": p.b, "pointsAmount": 1},
			"admin/campaign/coupons/mark_as_used":                        mark,
			"admin/customer/" + p.customers[2] + "/merge":                {"merge": object{"customerId": p.b}},
		} {
			text, err := json.Marshal(body)
			if err != nil {
				p.Fatal(err)
			}
			r := p.admin.Send("POST", "/api/DEFAULT/"+path, servertest.JSONType, string(text))
			if r.Status != 409 || !strings.Contains(string(r.Body), "merged into the customer "+p.a) {
				p.Errorf("%s: %d %s", path, r.Status, r.Body)
			}
		}
		mark["coupons"].([]object)[0]["customerId"] = p.a
		p.post("admin/campaign/coupons/mark_as_used", mark)
	})
}

// Both get a message at the contacts that they had, and limits count what both have bought.
func TestMergeTellsBothAndAddsUpLimits(t *testing.T) {
	eachPair(t, func(p *pair) {
		for _, id := range []string{p.a, p.b, p.a} {
			p.post("admin/customer/"+id+"/campaign/"+p.campaign+"/buy", object{})
		}
		p.merged()
		p.post("admin/customer/"+p.a+"/campaign/"+p.campaign+"/buy", object{})
		r := p.admin.Form("/api/DEFAULT/admin/customer/"+p.a+"/campaign/"+p.campaign+"/buy", "")
		if r.Status != 400 || !strings.Contains(string(r.Body), "Limit per customer exceeded") {
			p.Errorf("a fifth coupon: %d %s", r.Status, r.Body)
		}
		r = p.admin.Send("GET", "/api/DEFAULT/admin/message/sent?event=oloy.customer.merged", "", "")
		for i := range 2 {
			if !strings.Contains(string(r.Body), fmt.Sprintf(raceEmail, i)) {
				p.Errorf("no message to customer %d: %s", i, r.Body)
			}
		}
	})
}

// The mail server receives both messages, also that to the former address of the merged customer.
func TestMergeMessagesArrive(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		server := mailtest.Start(t)
		config := servertest.PlainConfig(servertest.Database(t, engine))
		config.SMTP, config.MailFrom, config.PublicURL = server.URL(), "loyalty@example.com", "https://loyalty.example/"
		config.AllowPrivateAddresses = true
		s := newMergeShop(t, []string{servertest.Run(t, config)})
		if _, done := s.merge(s.nodes[0], s.customers[0], s.customers[1]); !done {
			t.Fatal("not merged")
		}
		received := map[string]bool{}
		for len(received) < 2 { // after messages to all customers about their registration
			if got := server.Next(t); strings.Contains(got.Text, "They are one account now") {
				received[got.To] = true
			}
		}
		for i := range 2 {
			if address := fmt.Sprintf(raceEmail, i); !received[address] {
				t.Errorf("%s got nothing: %v", address, received)
			}
		}
	})
}
