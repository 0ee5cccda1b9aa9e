package purchase_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"punchcard/loyalty/campaign"
	"punchcard/loyalty/campaign/campaigntest"
	"punchcard/loyalty/level"
	"punchcard/loyalty/purchase"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/decimal"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

var background = context.Background()

// shop is a store with one level and a desk that sells in it.
type shop struct {
	campaigntest.Shop
	desk *purchase.Desk
}

func newShop(t testing.TB, d *db.DB) *shop {
	t.Helper()
	bronze := level.Level{
		Active: true, Reward: level.Reward{Name: "Bronze", Code: "B", Value: 500},
		Translations: []level.Translation{{Locale: "en", Name: "Bronze"}},
	}
	return &shop{campaigntest.Open(t, d, nil, bronze), purchase.NewDesk(d, campaign.RewardTypes)}
}

// node returns the shop on another node, which has the database open as d.
func (s *shop) node(d *db.DB) *shop {
	opened := *s.Shop.Shop
	opened.DB = d
	return &shop{campaigntest.Shop{Shop: &opened}, purchase.NewDesk(d, campaign.RewardTypes)}
}

// campaign adds an active discount campaign; edit changes the draft.
func (s *shop) campaign(cost int64, codes int, edit func(*campaign.Draft)) string {
	s.Helper()
	return s.Campaign("Ten off", func(draft *campaign.Draft) {
		draft.Cost, draft.Codes = decimal.Whole(cost), campaigntest.Codes(codes)
		if edit != nil {
			edit(draft)
		}
	})
}

func (s *shop) buy(customerID, campaignID string, edit func(*purchase.Buy)) ([]purchase.Coupon, error) {
	b := purchase.Buy{Store: s.Store, CustomerID: customerID, CampaignID: campaignID, Quantity: 1, Locale: "en"}
	if edit != nil {
		edit(&b)
	}
	return s.desk.Buy(background, b)
}

// outcome counts the results of many concurrent buyers.
type outcome struct {
	coupons  []purchase.Coupon
	refusals map[string]int
}

// rush makes all customers buy concurrently.
func (s *shop) rush(customers []string, campaignID string) outcome {
	s.Helper()
	o := outcome{refusals: map[string]int{}}
	var mutex sync.Mutex
	var all sync.WaitGroup
	for _, id := range customers {
		all.Go(func() {
			coupons, err := s.buy(id, campaignID, nil)
			mutex.Lock()
			defer mutex.Unlock()
			o.coupons = append(o.coupons, coupons...)
			if err != nil {
				o.refusals[err.Error()]++
			}
		})
	}
	all.Wait()
	return o
}

func (s *shop) counters(campaignID string) campaign.Counters {
	s.Helper()
	var k campaign.Counters
	s.Read(func(tx *db.Tx) (err error) {
		_, k, err = s.desk.Catalogue.Find(tx, s.Store.Key, campaignID)
		return err
	})
	return k
}

func name(engine string, campaigns, buyers int) string {
	return fmt.Sprintf("%s/campaigns=%d/buyers=%d", engine, campaigns, buyers)
}

func manyCodes(n int) []string {
	codes := make([]string, n)
	for i := range codes {
		codes[i] = fmt.Sprintf("C%07d", i)
	}
	return codes
}

// plan returns the query plan of a statement as one text.
func plan(tx *db.Tx, text string, args []any) (string, error) {
	lines, err := dbtest.Plan(tx, text, args)
	return strings.Join(lines, "\n"), err
}
