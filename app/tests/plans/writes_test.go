package plans_test

import (
	"encoding/json"
	"fmt"
	"math"
	"sync/atomic"
	"testing"

	"punchcard/app/servertest"
	"punchcard/platform/db/dbtest"
)

// frequentWrite is a call that members, tills or shops make, with the most statements of one call.
type frequentWrite struct {
	name, path, body string // body has a place for the number of the call, or for a coupon
	most             map[string]int64
}

const receipt = `{"transaction":{"transactionData":{"documentNumber":"S-%d","documentType":"sell"},"items":[
	{"sku":{"code":"COFFEE"},"name":"Large coffee","quantity":2,"grossValue":7.80,"category":"drinks"}],
	"customerData":{"name":"Ida Berg","email":"c1@example.com"}}}`

var frequentWrites = []frequentWrite{
	{"registration", "admin/customer/register", `{"customer":{"firstName":"Ida","lastName":"Berg",
		"email":"new-%[1]d@example.com","phone":"+4712345%04[1]d","agreement1":true}}`,
		map[string]int64{"sqlite": 26, "postgres": 19}},
	{"receipt", "transaction", receipt, map[string]int64{"sqlite": 19, "postgres": 16}},
	{"transfer", "admin/p2p-points-transfer",
		`{"transfer":{"sender":"c%d@example.com","receiver":"c0@example.com","points":1}}`,
		map[string]int64{"sqlite": 23, "postgres": 16}},
	{"use of a coupon", "admin/campaign/coupons/mark_as_used", `{"coupons":[%s]}`,
		map[string]int64{"sqlite": 15, "postgres": 12}},
}

// A write reads no configuration again that has not changed, so it runs few statements. Each is repeated, because the
// first one reads it, and because jobs run beside some.
func TestStatementsOfWrites(t *testing.T) {
	const repetitions = 6
	for _, engine := range dbtest.Engines {
		t.Run(engine, func(t *testing.T) {
			var statements atomic.Int64
			config := servertest.PlainConfig(servertest.NewDatabase(t, engine))
			config.Trace = func(string, []any) { statements.Add(1) }
			base, _, _ := servertest.StartRested(t, config, servertest.Log(t))
			customers, campaign := servertest.Stock(t, config.Database, repetitions+1, 10)
			admin := servertest.LogInAdmin(t, base)
			coupons := make([]string, repetitions)
			for i := range coupons {
				coupons[i] = buyOne(t, admin, customers[i], campaign)
			}
			for _, w := range frequentWrites {
				least := int64(math.MaxInt64)
				for i := range repetitions {
					body := fmt.Sprintf(w.body, i+1)
					if w.name == "use of a coupon" {
						body = fmt.Sprintf(w.body, coupons[i])
					}
					before := statements.Load()
					reply := admin.Send("POST", "/api/DEFAULT/"+w.path, "application/json", body)
					if reply.Status != 200 && reply.Status != 204 {
						t.Fatalf("%s: %d %s", w.name, reply.Status, reply.Body)
					}
					least = min(least, statements.Load()-before)
				}
				t.Logf("%s: %d statements", w.name, least)
				if most := w.most[engine]; least > most {
					t.Errorf("%s: %d statements, at most %d are allowed", w.name, least, most)
				}
			}
		})
	}
}

// buyOne buys a coupon, and returns it as it is marked as used.
func buyOne(t *testing.T, admin *client, customer, campaign string) string {
	t.Helper()
	path := "/api/DEFAULT/admin/customer/" + customer + "/campaign/" + campaign + "/buy"
	var bought struct {
		Coupons []struct{ ID, Code string }
	}
	if err := json.Unmarshal([]byte(admin.Form(path, "").Must(t)), &bought); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf(`{"couponId":%q,"campaignId":%q,"customerId":%q,"code":%q,"used":true}`,
		bought.Coupons[0].ID, campaign, customer, bought.Coupons[0].Code)
}
