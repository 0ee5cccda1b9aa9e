package purchase_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"punchcard/loyalty/campaign"
	"punchcard/loyalty/purchase"
	"punchcard/platform/db"
	"punchcard/platform/db/batch"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/idempotency"
)

func (s *shop) keyed(key, text string) *idempotency.Request {
	return idempotency.NewRequest(s.Store.Key, key, nil, text)
}

// keyedBuy is a purchase with an Idempotency-Key.
func (s *shop) keyedBuy(customer, campaign string, quantity int64, key *idempotency.Request) purchase.Keyed {
	return purchase.Keyed{Key: key, Buy: purchase.Buy{
		Store: s.Store, CustomerID: customer, CampaignID: campaign, Quantity: quantity, Locale: "en",
	}}
}

// replayed returns the coupons of a stored response.
func replayed(t *testing.T, err error) []purchase.Coupon {
	t.Helper()
	replay, is := errors.AsType[*idempotency.Replay](err)
	if !is {
		t.Fatalf("not a replay: %v", err)
	}
	var answer struct{ Coupons []purchase.Coupon }
	if err := json.Unmarshal([]byte(replay.Body), &answer); err != nil || replay.Status != 200 {
		t.Fatalf("%d %s: %v", replay.Status, replay.Body, err)
	}
	return answer.Coupons
}

// In one batch, a key stands for one purchase, beside others with other keys and without any.
func TestKeysInASet(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		id, who := s.campaign(10, 20, nil), s.Customers(2, 100)
		buy := func(customer int, key *idempotency.Request) purchase.Keyed {
			return s.keyedBuy(who[customer], id, 1, key)
		}
		var got []batch.Outcome[[]purchase.Coupon]
		s.Write(func(tx *db.Tx) (err error) {
			got, err = s.desk.SellKeyed(tx, buy(0, s.keyed("a", "x")), buy(0, nil), buy(0, s.keyed("a", "x")),
				buy(1, s.keyed("a", "y")), buy(1, s.keyed("b", "y")), buy(0, nil))
			return err
		})
		for i, sold := range []bool{true, true, false, false, true, true} {
			if sold != (got[i].Err == nil && len(got[i].Value) == 1) {
				t.Errorf("%d: %v", i, got[i])
			}
		}
		if again := replayed(t, got[2].Err); !slices.Equal(again, got[0].Value) {
			t.Errorf("repeated in the set: %v, first %v", again, got[0].Value)
		}
		if got[3].Err != idempotency.ErrReused {
			t.Errorf("another buy with the key: %v", got[3].Err)
		}
		_, err := s.desk.BuyKeyed(background, s.keyedBuy(who[0], id, 1, s.keyed("a", "x")))
		if again := replayed(t, err); !slices.Equal(again, got[0].Value) {
			t.Errorf("repeated later: %v, first %v", again, got[0].Value)
		}
		if n := s.counters(id).Sold; n != 4 {
			t.Errorf("%d sold", n)
		}
	})
}

// A refused purchase, and a batch that is rolled back, store no key.
func TestKeysOfWhatWasNotBought(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		id, poor, rich := s.campaign(10, 20, nil), s.Customers(1, 0)[0], s.Customers(1, 100)[0]
		for range 2 {
			_, err := s.desk.BuyKeyed(background, s.keyedBuy(poor, id, 1, s.keyed("poor", "x")))
			if _, is := errors.AsType[*idempotency.Replay](err); is || err == nil {
				t.Errorf("refused: %v", err)
			}
		}
		lost := errors.New("lost")
		err := d.Write(background, func(tx *db.Tx) error {
			_, err := s.desk.SellKeyed(tx, s.keyedBuy(rich, id, 1, s.keyed("rich", "x")))
			return errors.Join(err, lost)
		})
		if !errors.Is(err, lost) || s.counters(id).Sold != 0 {
			t.Fatalf("%v, %d sold", err, s.counters(id).Sold)
		}
		for _, quantity := range []int64{1, 20} { // the second is another request; and too large for a batch
			_, err := s.desk.BuyKeyed(background, s.keyedBuy(rich, id, quantity, s.keyed("rich", "x")))
			if quantity == 1 && err != nil {
				t.Errorf("after the loss: %v", err)
			}
			if quantity == 20 && len(replayed(t, err)) != 1 {
				t.Errorf("repeated alone: %v", err)
			}
		}
	})
}

// Two nodes get the same keys many times at once: each key makes one purchase with one response.
func TestTwoNodesShareKeys(t *testing.T) {
	dbtest.Both(t)
	config := dbtest.Config(t, "postgres")
	s := newShop(t, dbtest.Open(t, config, time.Now))
	other := s.node(dbtest.Open(t, config, time.Now))
	id := s.campaign(1, 1000, func(c *campaign.Draft) { c.Unlimited = true })
	who := s.Customers(20, 100)
	var all sync.WaitGroup
	var mutex sync.Mutex
	answers := map[string]map[string]int{} // by key and coupon
	for i := range 400 {
		node, customer := []*shop{s, other}[i%2], who[i/2%20]
		all.Go(func() {
			key := fmt.Sprint("key of ", customer)
			coupons, err := node.desk.BuyKeyed(background, s.keyedBuy(customer, id, 1, s.keyed(key, "x")))
			mutex.Lock()
			defer mutex.Unlock()
			if errors.Is(err, idempotency.ErrInFlight) {
				return
			}
			if err != nil {
				coupons = replayed(t, err)
			}
			if answers[key] == nil {
				answers[key] = map[string]int{}
			}
			answers[key][coupons[0].ID]++
		})
	}
	all.Wait()
	for key, coupons := range answers {
		if len(coupons) != 1 {
			t.Errorf("%s has %d answers", key, len(coupons))
		}
	}
	if n := s.counters(id).Sold; n != 20 || len(answers) != 20 {
		t.Errorf("%d sold to 20 keys, %d answered", n, len(answers))
	}
}
