package trade_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"

	"punchcard/app"
	"punchcard/app/servertest"
	"punchcard/platform/db/dbtest"
)

// Receipts, their returns, gifts of points, expiry, levels set by hand and the deletion of a customer at the same time,
// on two nodes of PostgreSQL, leave rows that agree with each other, and every receipt that was acknowledged.
func TestReceiptsRaceWithEverything(t *testing.T) {
	dbtest.Both(t)
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		config, nodes, stop := runNodes(t, engine)
		r := newReceiptRace(t, nodes)
		var all sync.WaitGroup
		for worker := range 12 {
			all.Go(func() { r.work(worker) })
		}
		all.Wait()
		if len(r.problems) > 0 {
			t.Fatal(strings.Join(r.problems, "\n"))
		}
		if total := r.admin.Get("/api/DEFAULT/transaction?perPage=1")["total"]; total != float64(r.acknowledged) {
			t.Errorf("%v documents are stored, %d were acknowledged", total, r.acknowledged)
		}
		stop()
		var found bytes.Buffer
		if n, err := app.Check(t.Context(), config.Database, config.Kinds, &found, io.Discard); err != nil || n > 0 {
			t.Errorf("%d findings, %v:\n%s", n, err, &found)
		}
	})
}

// runNodes starts servers that share a database, two on PostgreSQL and one on SQLite. stop ends the first one.
func runNodes(t *testing.T, engine string) (config app.Config, nodes []string, stop func()) {
	config = servertest.PlainConfig(servertest.Database(t, engine))
	base, stop := servertest.RunUntil(t, config, servertest.Log(t))
	nodes = []string{base}
	if engine == "postgres" {
		other := config
		other.Database.Data = t.TempDir()
		base, _ := servertest.RunUntil(t, other, servertest.Log(t))
		nodes = append(nodes, base)
	}
	return config, nodes, stop
}

// receiptRace is a shop with some customers, whom all workers serve.
type receiptRace struct {
	admin     *client
	nodes     []string
	customers []string
	levels    []string

	mutex        sync.Mutex
	sold         []string // numbers of sales
	acknowledged int
	problems     []string
}

const raceEmail = "race-%d@example.com"

func newReceiptRace(t *testing.T, nodes []string) *receiptRace {
	r := &receiptRace{admin: servertest.LogInAdmin(t, nodes[0]), nodes: nodes}
	for i, name := range []string{"Base", "Gold"} {
		r.levels = append(r.levels, r.admin.JSON("POST", "/api/DEFAULT/level/create", object{"level": object{
			"translations": object{"en": object{"name": name}}, "active": true, "conditionValue": 100 * i,
			"reward": object{"name": name, "value": 5, "code": name}}})["levelId"].(string))
	}
	r.admin.JSON("POST", "/api/DEFAULT/earningRule", object{"earningRule": object{"type": "points", "name": "Spending",
		"description": "A point each", "pointValue": 1, "active": true, "allTimeActive": true, "target": "level",
		"levels": r.levels}})
	for i := range 4 {
		made := r.admin.JSON("POST", "/api/DEFAULT/admin/customer/register",
			servertest.Registration(object{"email": fmt.Sprintf(raceEmail, i)}))
		r.customers = append(r.customers, made["customerId"].(string))
		r.admin.JSON("POST", "/api/DEFAULT/admin/customer/"+r.customers[i]+"/activate", object{})
	}
	return r
}

// work sends calls one after the other. The last customer is deleted meanwhile.
func (r *receiptRace) work(worker int) {
	const calls = 25
	random := rand.New(rand.NewPCG(1, uint64(worker)))
	node := r.nodes[worker%len(r.nodes)]
	for n := range calls {
		i := random.IntN(len(r.customers))
		id, number := r.customers[i], fmt.Sprintf("D-%d-%d", worker, n)
		who := object{"email": fmt.Sprintf(raceEmail, i)}
		switch what := random.IntN(10); {
		case worker == 0 && n == calls/2:
			r.call(node, "DELETE", "customer/"+r.customers[len(r.customers)-1], nil, 204)
		case what < 4:
			if r.call(node, "POST", "transaction", servertest.Receipt(number, "ALE", who), 200) {
				r.note(number)
			}
		case what < 7:
			if of := r.sale(random); of != "" {
				back := servertest.Receipt(number, "ALE", who)
				fields := back["transaction"].(object)
				fields["transactionData"].(object)["documentType"], fields["revisedDocument"] = "return", of
				if r.call(node, "POST", "transaction", back, 200, 400) {
					r.note("")
				}
			}
		case what < 8:
			r.call(node, "POST", "admin/p2p-points-transfer", object{"transfer": object{"sender": r.customers[0],
				"receiver": r.customers[1+random.IntN(2)], "points": 1}}, 200, 400)
		case what < 9:
			r.call(node, "POST", "customer/"+id+"/level", object{"levelId": r.levels[random.IntN(2)]}, 200, 204, 400, 404)
		default:
			r.expire(node, id)
		}
	}
}

// expire expires the newest lot of a customer.
func (r *receiptRace) expire(node, id string) {
	var list struct {
		Transfers []struct{ PointsTransferID string }
	}
	reply, err := r.send(node, "GET", "points/transfer?perPage=1&state=active&customerId="+id, nil)
	if err != nil || json.Unmarshal(reply.Body, &list) != nil || len(list.Transfers) == 0 {
		return
	}
	r.call(node, "POST", "points/transfer/"+list.Transfers[0].PointsTransferID+"/expire", object{}, 204, 400, 404)
}

// note counts a document, and keeps the number of a sale.
func (r *receiptRace) note(sale string) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.acknowledged++
	if sale != "" {
		r.sold = append(r.sold, sale)
	}
}

func (r *receiptRace) sale(random *rand.Rand) string {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if len(r.sold) == 0 {
		return ""
	}
	return r.sold[random.IntN(len(r.sold))]
}

// call sends a request that must get one of the statuses, and reports whether it got the first.
func (r *receiptRace) call(node, method, path string, body object, statuses ...int) bool {
	reply, err := r.send(node, method, path, body)
	for _, status := range statuses {
		if err == nil && reply.Status == status {
			return status == statuses[0]
		}
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.problems = append(r.problems, fmt.Sprintf("%s %s: %d %s %v", method, path, reply.Status, reply.Body, err))
	return false
}

func (r *receiptRace) send(node, method, path string, body object) (reply, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return reply{}, err
	}
	request, err := http.NewRequest(method, node+"/api/DEFAULT/"+path, bytes.NewReader(text))
	if err != nil {
		return reply{}, err
	}
	request.Header.Set("Content-Type", servertest.JSONType)
	request.Header.Set("Authorization", "Bearer "+r.admin.Token)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return reply{}, err
	}
	defer func() { _ = response.Body.Close() }()
	sent, err := io.ReadAll(response.Body)
	return reply{Status: response.StatusCode, Body: sent}, err
}
