package app_test

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"

	"punchcard/app"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/level"
	"punchcard/loyalty/points"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/decimal"
	"punchcard/platform/event"
)

// stock adds customers with 100 points each, and a campaign of 10 points with codes, while the server runs.
func stock(t *testing.T, config app.Database, customers, codes int) (ids []string, campaignID string) {
	t.Helper()
	d := dbtest.Open(t, db.Config{URL: config.Database, File: config.Data + "/punchcard.db"}, fixedClock)
	err := d.Write(context.Background(), func(tx *db.Tx) error {
		s, _, err := store.ByCode(tx, app.DefaultStore)
		if err != nil {
			return err
		}
		start, err := level.Create(tx, s, level.Level{Active: true})
		if err != nil {
			return err
		}
		for i := range customers {
			c, err := customer.Register(tx, s, customer.Registration{
				Email: fmt.Sprintf("c%d@example.com", i), Agreements: [3]bool{true}, Active: true,
			})
			if err != nil {
				return err
			}
			owner := points.Owner{Store: s, CustomerID: c.ID}
			_, err = points.Change(tx, owner, func(w *points.Wallet) ([]event.Entry, error) {
				_, entry := w.Add(points.Grant{Value: decimal.Whole(100), Issuer: points.ByAdmin, CreatedAt: tx.Now()})
				return []event.Entry{entry}, nil
			})
			if err != nil {
				return err
			}
			ids = append(ids, c.ID)
		}
		draft := campaign.Draft{Campaign: campaign.Campaign{
			Reward: campaign.DiscountCode, Active: true, Cost: decimal.Whole(10), Unlimited: true,
			Activity: campaign.Window{AllTime: true}, Visibility: campaign.Window{AllTime: true},
			Definition: campaign.Definition{Levels: []string{start.ID}},
		}}
		for i := range codes {
			draft.Codes = append(draft.Codes, fmt.Sprintf("CODE-%d", i))
		}
		campaignID, err = campaign.Create(tx, s, draft)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return ids, campaignID
}

// 500 concurrent requests for 50 codes sell each code once.
func TestFiveHundredBuyersForFiftyCodesOverHTTP(t *testing.T) {
	dbtest.Both(t)
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		config := database(t, engine)
		admin := logInAdmin(t, startServer(t, engine, func(c *app.Config) { c.Database = config }))
		customers, campaignID := stock(t, config, 500, 50)
		var mutex sync.Mutex
		var all sync.WaitGroup
		sold, refused := map[string]bool{}, 0
		for _, id := range customers {
			all.Go(func() {
				r := admin.form("/api/DEFAULT/admin/customer/"+id+"/campaign/"+campaignID+"/buy", "")
				var answer struct{ Coupons []struct{ Code string } }
				mutex.Lock()
				defer mutex.Unlock()
				switch {
				case r.status == 400 && string(r.body) == `{"error":"No coupons left"}`:
					refused++
				case r.status == 200 && json.Unmarshal(r.body, &answer) == nil && len(answer.Coupons) == 1:
					sold[answer.Coupons[0].Code] = true
				default:
					t.Errorf("%d %s", r.status, r.body)
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
			r := admin.send("GET", "/api/DEFAULT/admin/customer/"+id+"/status", "", "")
			if err := json.Unmarshal(r.body, &balance); err != nil {
				t.Fatalf("%d %s", r.status, r.body)
			}
			left += balance.Points
		}
		if left != 500*100-50*10 {
			t.Errorf("the balances sum up to %v", left)
		}
		expectClean(t, config)
	})
}
