package purchase_test

import (
	"fmt"
	"slices"
	"testing"

	"punchcard/core/api"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/purchase"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// The purchases of a campaign are listed in order and found by their codes, before and after their positions move
// between the tables of SQLite, and while some have moved and others have not.
func TestCampaignOrderWhilePositionsMove(t *testing.T) {
	dbtest.Both(t)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		customer := s.Customers(1, 100)[0]
		const quantity, times = 90, 16 // of one campaign after the other: 2,880 purchases
		var campaigns, prefixes [2]string
		for i := range campaigns {
			prefixes[i] = string(rune('A' + i))
			campaigns[i] = s.campaign(0, 0, func(draft *campaign.Draft) {
				for n := range quantity * times {
					draft.Codes = append(draft.Codes, fmt.Sprintf("%s%05d", prefixes[i], n))
				}
			})
		}
		var bought [2][]string // ids of coupons
		for range times {
			for i, id := range campaigns {
				coupons, err := s.buy(customer, id, func(b *purchase.Buy) { b.Quantity = quantity })
				if err != nil {
					t.Fatal(err)
				}
				for _, c := range coupons {
					bought[i] = append(bought[i], c.ID)
				}
			}
			for i, id := range campaigns {
				s.selects("campaignId="+id, bought[i])
				for _, n := range []int{0, len(bought[i]) / 2, len(bought[i]) - 1} {
					s.selects(fmt.Sprintf("code=%s%05d", prefixes[i], n), bought[i][n:n+1])
				}
			}
		}
		for i, id := range campaigns {
			newest := slices.Clone(bought[i])
			slices.Reverse(newest)
			for _, offset := range []int{0, 700, 1100, len(newest) - 10, len(newest)} {
				s.Read(func(tx *db.Tx) error {
					page := api.Page{Limit: 20, Offset: offset, Sort: "purchasedAt", Descending: true}
					got, total, err := purchase.Page(tx, s.Store, "campaignId="+id, page)
					want := newest[offset:min(offset+20, len(newest))]
					if err != nil || total != int64(len(newest)) || !slices.Equal(ids(got), want) {
						t.Errorf("from %d: %d of %d, want %d, %v", offset, len(got), total, len(want), err)
					}
					return nil
				})
			}
		}
	})
}
