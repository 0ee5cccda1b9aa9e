package purchase_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"punchcard/loyalty/campaign"
	"punchcard/loyalty/purchase"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// update replaces the campaign's codes.
func (s *shop) update(campaignID string, codes []string) error {
	return s.DB.Write(background, func(tx *db.Tx) error {
		c, _, err := s.desk.Catalogue.Find(tx, s.Store.Key, campaignID)
		if err != nil {
			return err
		}
		return s.desk.Catalogue.Update(tx, s.Store, campaignID, campaign.Draft{Campaign: *c, Codes: codes})
	})
}

func (s *shop) codes(campaignID string) []string {
	s.Helper()
	var codes map[string][]string
	s.Read(func(tx *db.Tx) (err error) {
		codes, err = campaign.CodesOf(tx, s.Store.Key, campaignID)
		return err
	})
	return codes[campaignID]
}

// While hundreds buy, administrators add codes, remove unsold ones and reverse the list: every code is sold at most
// once, sold codes are never removed, and in the end exactly the unsold codes of the list are left.
func TestCodesChangeWhilePurchasesRun(t *testing.T) {
	dbtest.Both(t)
	const buyers, rounds = 300, 15
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		id := s.campaign(1, 60, nil)
		edits := []func(codes []string, round int) []string{
			func(codes []string, round int) []string {
				return append(codes, fmt.Sprintf("NEW%d-1", round), fmt.Sprintf("NEW%d-2", round), fmt.Sprintf("NEW%d-3", round))
			},
			func(codes []string, _ int) []string { return codes[:len(codes)-min(2, len(codes)-1)] },
			func(codes []string, _ int) []string { slices.Reverse(codes); return codes },
		}
		var sold outcome
		var everybody sync.WaitGroup
		members := s.Customers(buyers, 10)
		everybody.Go(func() { sold = s.rush(members, id) })
		refused := make([]int, len(edits))
		for i, edit := range edits {
			everybody.Go(func() {
				for round := range rounds {
					err := s.update(id, edit(s.codes(id), round))
					if _, removed := errors.AsType[campaign.RemovedCodes](err); removed {
						refused[i]++
					} else if err != nil {
						t.Error(err)
					}
				}
			})
		}
		everybody.Wait()

		distinctCodes(t, sold.coupons)
		if n := len(sold.coupons) + sold.refusals["No coupons left"]; n != buyers || len(sold.coupons) < 1 {
			t.Errorf("%d coupons, refusals %v", len(sold.coupons), sold.refusals)
		}
		list := s.codes(id)
		for _, coupon := range sold.coupons {
			if !slices.Contains(list, coupon.Code) {
				t.Errorf("code %s was sold and is not in the list", coupon.Code)
			}
		}
		s.sellsOut(id, list, sold.coupons)
	})
}

// sellsOut buys all that is left, which must be the unsold codes of the list, in order.
func (s *shop) sellsOut(id string, list []string, sold []purchase.Coupon) {
	s.Helper()
	var left []string
	for _, code := range list {
		isSold := slices.ContainsFunc(sold, func(c purchase.Coupon) bool { return c.Code == code })
		if !isSold && !slices.Contains(left, code) {
			left = append(left, code)
		}
	}
	k := s.counters(id)
	if k.Sold != int64(len(sold)) || k.NextPosition != k.Sold+1 || k.LastPosition-k.NextPosition+1 != int64(len(left)) {
		s.Errorf("%d sold, %d left: counters %+v", len(sold), len(left), k)
	}
	var got []string
	who := s.Customers(1, 10_000)[0]
	for range left {
		coupons, err := s.buy(who, id, nil)
		if err != nil {
			s.Fatal(err)
		}
		got = append(got, coupons[0].Code)
	}
	if !slices.Equal(got, left) {
		s.Errorf("sold out with %q, want %q", got, left)
	}
	if _, err := s.buy(who, id, nil); !errors.Is(err, campaign.ErrNoCoupons) {
		s.Errorf("sold out, one more: %v", err)
	}
}

// A campaign that changes from a shared code to individual codes and back sells the codes of its list.
func TestKindOfCodesChangesWhilePurchasesRun(t *testing.T) {
	dbtest.Both(t)
	const buyers = 200
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		id := s.campaign(1, 0, func(d *campaign.Draft) { d.SingleCoupon, d.Codes = true, []string{"ALL"} })
		members := s.Customers(buyers, 10)
		var sold outcome
		var everybody sync.WaitGroup
		everybody.Go(func() { sold = s.rush(members, id) })
		everybody.Go(func() {
			for i := range 10 {
				err := s.DB.Write(background, func(tx *db.Tx) error {
					c, _, err := s.desk.Catalogue.Find(tx, s.Store.Key, id)
					if err != nil {
						return err
					}
					draft := campaign.Draft{Campaign: *c, Codes: []string{"ALL"}}
					draft.SingleCoupon = i%2 == 1
					for n := range 5 * (i/2 + 1) {
						draft.Codes = append(draft.Codes, fmt.Sprintf("OWN%d", n))
					}
					return s.desk.Catalogue.Update(tx, s.Store, id, draft)
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
		everybody.Wait()
		own := slices.DeleteFunc(sold.coupons, func(c purchase.Coupon) bool { return c.Code == "ALL" })
		distinctCodes(t, own)
		if k := s.counters(id); k.Sold+int64(sold.refusals["No coupons left"]) != buyers {
			t.Errorf("counters %+v, refusals %v", k, sold.refusals)
		}
	})
}
