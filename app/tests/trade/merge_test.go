package trade_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"punchcard/app"
	"punchcard/app/servertest"
	"punchcard/platform/db/dbtest"
)

// mergeShop is a shop whose customers are merged while they buy.
type mergeShop struct {
	*receiptRace
	t        *testing.T
	campaign string

	lock    sync.Mutex
	coupons [][2]string // with the customers who bought them
	merges  [][2]string // with one of the customers
}

const mergeCustomers = 8

func newMergeShop(t *testing.T, nodes []string) *mergeShop {
	s := &mergeShop{receiptRace: &receiptRace{admin: servertest.LogInAdmin(t, nodes[0]), nodes: nodes}, t: t}
	s.admin.JSON("POST", "/api/DEFAULT/settings", object{"settings": object{"returns": true, "pointsDaysLocked": 3,
		"pointsDaysExpiryAfter": "after_x_days", "pointsDaysActiveCount": 30, "tierAssignType": "points",
		"purchaseCancelDays": 7}})
	for i, name := range []string{"Base", "Gold"} {
		s.levels = append(s.levels, s.admin.JSON("POST", "/api/DEFAULT/level/create", object{"level": object{
			"translations": object{"en": object{"name": name}}, "active": true, "conditionValue": 40 * i,
			"reward": object{"name": name, "value": 5, "code": name}}})["levelId"].(string))
	}
	s.admin.JSON("POST", "/api/DEFAULT/earningRule", object{"earningRule": object{"type": "points", "name": "Spending",
		"description": "A point each", "pointValue": 1, "active": true, "allTimeActive": true, "target": "level",
		"levels": s.levels}})
	codes := make([]string, 500)
	for i := range codes {
		codes[i] = fmt.Sprintf("CAKE-%d", i)
	}
	always := object{"allTimeVisible": true}
	s.campaign = s.admin.JSON("POST", "/api/DEFAULT/campaign", object{"campaign": object{"reward": "gift_code",
		"translations": object{"en": object{"name": "Cake"}}, "active": true, "pushNotificationText": "Cake",
		"costInPoints": 3, "target": "level", "levels": s.levels, "limit": 500, "limitPerUser": 4, "coupons": codes,
		"campaignVisibility": always, "campaignActivity": object{"allTimeActive": true}, "daysInactive": 0,
		"daysValid": 0}})["campaignId"].(string)
	s.admin.JSON("POST", "/api/DEFAULT/campaign", object{"campaign": object{"reward": "cashback", "pointValue": 2,
		"translations": object{"en": object{"name": "Money"}}, "active": true, "pushNotificationText": "Money",
		"target": "level", "levels": s.levels, "campaignActivity": object{"allTimeActive": true},
		"cashbackProvider": "payprovider"}})
	for i := range mergeCustomers {
		s.customers = append(s.customers, s.register(i))
	}
	return s
}

// register adds an active customer with points.
func (s *mergeShop) register(i int) (id string) {
	id = s.admin.JSON("POST", "/api/DEFAULT/admin/customer/register", servertest.Registration(object{
		"email": fmt.Sprintf(raceEmail, i), "loyaltyCardNumber": fmt.Sprintf("CARD-%d", i)}))["customerId"].(string)
	s.admin.JSON("POST", "/api/DEFAULT/admin/customer/"+id+"/activate", object{})
	s.add(s.nodes[0], id, 20)
	return id
}

// anyOf lists what a call of a customer may get who was merged or has too few points.
var anyOf = []int{200, 204, 400, 404, 409}

func (s *mergeShop) add(node, id string, points int) {
	var made struct{ PointsTransferID string }
	if s.json(node, "POST", "points/transfer/add", object{"transfer": object{"customer": id, "points": points}}, &made) &&
		points%2 == 0 {
		s.call(node, "POST", "points/transfer/"+made.PointsTransferID+"/activate", object{}, anyOf...)
	}
}

// json sends a call like call, and reads the response. It reports whether the status was 200.
func (s *mergeShop) json(node, method, path string, body object, into any) bool {
	r, err := s.send(node, method, path, body)
	ok := err == nil && r.Status == 200 && json.Unmarshal(r.Body, into) == nil
	if !ok && r.Status != 400 && r.Status != 404 && r.Status != 409 {
		s.mutex.Lock()
		defer s.mutex.Unlock()
		s.problems = append(s.problems, fmt.Sprintf("%s %s: %d %s %v", method, path, r.Status, r.Body, err))
	}
	return ok
}

// trade does something with a customer.
func (s *mergeShop) trade(node string, random *rand.Rand, number string) {
	i := random.IntN(len(s.customers))
	id, other := s.customers[i], s.customers[random.IntN(len(s.customers))]
	who := object{"email": fmt.Sprintf(raceEmail, i), "loyaltyCardNumber": fmt.Sprintf("CARD-%d", i)}
	switch random.IntN(8) {
	case 0:
		s.add(node, id, 1+random.IntN(9))
	case 1:
		s.call(node, "POST", "points/transfer/spend", object{"transfer": object{"customer": id, "points": 2}}, anyOf...)
	case 2:
		s.call(node, "POST", "admin/p2p-points-transfer", object{"transfer": object{"sender": id, "receiver": other,
			"points": 1}}, anyOf...)
	case 3:
		if s.call(node, "POST", "transaction", servertest.Receipt(number, "ALE", who), 200) {
			s.note(number)
		}
	case 4:
		if of := s.sale(random); of != "" {
			back := servertest.Receipt(number, "ALE", who)
			fields := back["transaction"].(object)
			fields["transactionData"].(object)["documentType"], fields["revisedDocument"] = "return", of
			s.call(node, "POST", "transaction", back, anyOf...)
		}
	case 5:
		var bought struct{ Coupons []struct{ ID string } }
		if s.json(node, "POST", "admin/customer/"+id+"/campaign/"+s.campaign+"/buy", object{}, &bought) {
			s.keep(&s.coupons, [2]string{id, bought.Coupons[0].ID})
		}
	case 6:
		if bought, any := s.pick(random, s.coupons); any { // by the customer who bought it, who may not have it any more
			s.call(node, "POST", "admin/customer/"+id+"/bought/coupon/"+bought[1]+"/cancel", object{}, anyOf...)
		}
	default:
		s.call(node, "POST", "admin/campaign/cashback/redeem", object{"customerId": id, "pointsAmount": 1}, anyOf...)
	}
}

// fail reports that a payment of a cashback failed, of a customer who may be merged.
func (s *mergeShop) fail(node string, random *rand.Rand) {
	var messages struct{ Messages []struct{ OrderID string } }
	if !s.json(node, "GET", "admin/campaign/cashback/messages?perPage=100", nil, &messages) {
		return
	}
	if n := len(messages.Messages); n > 0 {
		c := &client{T: s.t, Base: node, Token: s.admin.Token}
		c.Callback(messages.Messages[random.IntN(n)].OrderID, "FAILURE")
	}
}

func (s *mergeShop) keep(list *[][2]string, pair [2]string) {
	s.lock.Lock()
	defer s.lock.Unlock()
	*list = append(*list, pair)
}

func (s *mergeShop) pick(random *rand.Rand, list [][2]string) (pair [2]string, any bool) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if len(list) == 0 {
		return pair, false
	}
	return list[random.IntN(len(list))], true
}

// merge merges two customers, and returns the id of the merge.
func (s *mergeShop) merge(node, target, merged string) (id string, done bool) {
	var made struct{ MergeID string }
	done = s.json(node, "POST", "admin/customer/"+target+"/merge", object{"merge": object{"customerId": merged}}, &made)
	if done {
		s.keep(&s.merges, [2]string{target, made.MergeID})
	}
	return made.MergeID, done
}

// Merges and undone merges at the same time as everything that moves points, coupons and receipts of the same
// customers, on two nodes of PostgreSQL, leave rows that agree with each other.
func TestMergesRaceWithEverything(t *testing.T) {
	dbtest.Both(t)
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		config, nodes, stop := runNodes(t, engine)
		s := newMergeShop(t, nodes)
		merged, undone := 0, 0
		var all sync.WaitGroup
		for worker := range 12 {
			all.Go(func() {
				random, node := rand.New(rand.NewPCG(7, uint64(worker))), nodes[worker%len(nodes)]
				for n := range 25 {
					switch what := random.IntN(12); {
					case what < 2:
						a, b := s.customers[random.IntN(mergeCustomers)], s.customers[random.IntN(mergeCustomers)]
						id, done := s.merge(node, a, b)
						if !done {
							continue
						}
						s.count(&merged)
						if s.call(node, "POST", "admin/customer/"+a+"/merge/"+id+"/undo", object{}, 204, 409) {
							s.count(&undone)
						}
					case what < 5:
						if of, any := s.pick(random, s.merges); any &&
							s.call(node, "POST", "admin/customer/"+of[0]+"/merge/"+of[1]+"/undo", object{}, 204, 404, 409) {
							s.count(&undone)
						}
					default:
						s.trade(node, random, fmt.Sprintf("D-%d-%d", worker, n))
					}
				}
			})
		}
		all.Wait()
		if len(s.problems) > 0 {
			t.Fatal(strings.Join(s.problems, "\n"))
		}
		t.Logf("%d merges, %d undone", merged, undone)
		a, b := s.register(mergeCustomers), s.register(mergeCustomers+1)
		id, done := s.merge(nodes[0], a, b)
		if merged == 0 || !done || !s.call(nodes[0], "POST", "admin/customer/"+a+"/merge/"+id+"/undo", object{}, 204) {
			t.Errorf("%d merges; one that nothing follows is not undone: %v", merged, s.problems)
		}
		stop()
		expectNothing(t, config)
	})
}

func (s *mergeShop) count(n *int) {
	s.lock.Lock()
	defer s.lock.Unlock()
	*n++
}

func expectNothing(t *testing.T, config app.Config) {
	t.Helper()
	var found bytes.Buffer
	if n, err := app.Check(t.Context(), config.Database, config.Kinds, &found, io.Discard); err != nil || n > 0 {
		t.Errorf("%d findings, %v:\n%s", n, err, &found)
	}
	var changed bytes.Buffer
	err := app.Recount(t.Context(), config.Database, &changed, io.Discard)
	if err != nil || !strings.Contains(changed.String(), " 0 sums corrected") {
		t.Errorf("recounted: %s, %v", &changed, err)
	}
}

// Whatever two customers have done, a merge adds up their points, and an undoing restores both.
func TestMergeAddsUpAndUndoRestores(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		config := servertest.PlainConfig(servertest.Database(t, engine))
		base, stop := servertest.RunUntil(t, config, servertest.Log(t))
		s := newMergeShop(t, []string{base})
		random := rand.New(rand.NewPCG(3, 5))
		merged, undone := 0, 0
		for n := range 150 {
			for i := range 4 {
				s.trade(base, random, fmt.Sprintf("D-%d-%d", n, i))
			}
			if random.IntN(4) == 0 {
				s.fail(base, random)
			}
			a, b := s.customers[random.IntN(mergeCustomers)], s.customers[random.IntN(mergeCustomers)]
			before := map[string]reply{}
			for _, id := range []string{a, b} {
				before[id], _ = s.send(base, "GET", "admin/customer/"+id+"/status", nil)
			}
			held := s.held()
			id, done := s.merge(base, a, b)
			if !done {
				continue
			}
			merged++
			s.expectSum(a, before[a], before[b])
			if now := s.held(); now != held {
				t.Errorf("%v points issued and not spent before, %v after", held, now)
			}
			if random.IntN(3) == 0 {
				continue // stays merged
			}
			undone++
			s.admin.JSON("POST", "/api/DEFAULT/admin/customer/"+b+"/merge/"+id+"/undo", object{}, 204)
			for _, id := range []string{a, b} {
				r, _ := s.send(base, "GET", "admin/customer/"+id+"/status", nil)
				if got, want := withoutGifts(r), withoutGifts(before[id]); got != want {
					t.Errorf("%s after, %s before", got, want)
				}
			}
		}
		if len(s.problems) > 0 {
			t.Fatal(strings.Join(s.problems, "\n"))
		}
		if merged < 7 || undone < 5 {
			t.Errorf("%d merges, %d undone", merged, undone)
		}
		stop()
		expectNothing(t, config)
	})
}

// withoutGifts returns a status without the points that came from other customers: merged ones do not count as such.
func withoutGifts(r reply) string {
	var status map[string]any
	_ = json.Unmarshal(r.Body, &status)
	delete(status, "p2pPoints")
	text, _ := json.Marshal(status)
	return string(text)
}

func (s *mergeShop) expectSum(id string, one, other reply) {
	s.t.Helper()
	var a, b map[string]any
	if json.Unmarshal(one.Body, &a) != nil || json.Unmarshal(other.Body, &b) != nil {
		s.t.Fatalf("%s, %s", one.Body, other.Body)
	}
	now := s.admin.Get("/api/DEFAULT/admin/customer/" + id + "/status")
	for _, sum := range []string{"points", "totalEarnedPoints", "usedPoints", "expiredPoints", "lockedPoints",
		"transactionsAmount", "transactionsCount"} {
		if want := a[sum].(float64) + b[sum].(float64); now[sum] != want {
			s.t.Errorf("%s is %v after the merge of %v and %v", sum, now[sum], a[sum], b[sum])
		}
	}
}

// held returns the points that were issued less those that were spent and expired, in the figures of the store.
func (s *mergeShop) held() string {
	s.t.Helper()
	r, _ := s.send(s.nodes[0], "GET", "admin/analytics/points", nil)
	return fmt.Sprint(r.Status, string(r.Body))
}
