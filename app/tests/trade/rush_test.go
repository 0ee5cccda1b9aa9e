package trade_test

import (
	"encoding/json"
	"sync"
	"testing"

	"punchcard/app"
	"punchcard/app/servertest"
	"punchcard/platform/db/dbtest"
)

// 500 concurrent requests for 50 codes sell each code once.
func TestFiveHundredBuyersForFiftyCodesOverHTTP(t *testing.T) {
	dbtest.Both(t)
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		config := servertest.Database(t, engine)
		admin := servertest.LogInAdmin(t, servertest.StartServer(t, engine, func(c *app.Config) { c.Database = config }))
		customers, campaignID := servertest.Stock(t, config, 500, 50)
		var mutex sync.Mutex
		var all sync.WaitGroup
		sold, refused := map[string]bool{}, 0
		for _, id := range customers {
			all.Go(func() {
				r := admin.Form("/api/DEFAULT/admin/customer/"+id+"/campaign/"+campaignID+"/buy", "")
				var answer struct{ Coupons []struct{ Code string } }
				mutex.Lock()
				defer mutex.Unlock()
				switch {
				case r.Status == 400 && string(r.Body) == `{"error":"No coupons left"}`:
					refused++
				case r.Status == 200 && json.Unmarshal(r.Body, &answer) == nil && len(answer.Coupons) == 1:
					sold[answer.Coupons[0].Code] = true
				default:
					t.Errorf("%d %s", r.Status, r.Body)
				}
			})
		}
		all.Wait()
		if len(sold) != 50 || refused != 450 {
			t.Errorf("%d different codes sold, %d refused", len(sold), refused)
		}
		var left float64
		for _, id := range customers {
			var balance struct{ Points float64 }
			r := admin.Send("GET", "/api/DEFAULT/admin/customer/"+id+"/status", "", "")
			if err := json.Unmarshal(r.Body, &balance); err != nil {
				t.Fatalf("%d %s", r.Status, r.Body)
			}
			left += balance.Points
		}
		if left != 500*100-50*10 {
			t.Errorf("the balances sum up to %v", left)
		}
		servertest.ExpectClean(t, config)
	})
}
