package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"time"

	"punchcard/lab/rest"
	"punchcard/lab/shop"
)

// trade buys coupons and registers receipts, and knows all that was acknowledged.
type trade struct {
	base, token string
	customers   []customer // each is served by one client
	campaign    string
	coupons     map[string]bool // acknowledged, by id
	receipts    map[string]bool // the same by number
}

type customer struct{ id, email string }

const (
	tradePoints    = 9000                   // of a customer; a coupon costs one
	tradeRest      = 500 * time.Millisecond // of a client after each write
	clientPatience = 10 * time.Second       // for a response
)

// openTrade makes a level, a campaign and customers with points.
func openTrade(ctx context.Context, base string, customers int) (*trade, error) {
	token, err := logIn(ctx, base)
	if err != nil {
		return nil, err
	}
	t := &trade{base: base, token: token, coupons: map[string]bool{}, receipts: map[string]bool{}}
	level, err := makeLevel(ctx, base, token)
	if err != nil {
		return nil, err
	}
	t.campaign, err = made(ctx, base+store+"campaign", token, "campaignId",
		shop.Campaign("Coffee", level, 1, 0, 0, "COFFEE"))
	if err != nil {
		return nil, err
	}
	for number := range customers {
		r := registration(number, 0)
		c := customer{email: r.key}
		if c.id, err = made(ctx, base+r.path, token, "customerId", r.form); err != nil {
			return nil, err
		}
		_, err = made(ctx, base+store+"points/transfer/add", token, "pointsTransferId",
			shop.Points(c.id, tradePoints, "welcome"))
		if err != nil {
			return nil, err
		}
		t.customers = append(t.customers, c)
	}
	return t, nil
}

// start lets some clients write through the addresses. They serve the customers from the first. The name begins their
// keys.
func (t *trade) start(ctx context.Context, name string, first, clients int, bases ...string) *load {
	l := &load{
		client: &http.Client{Timeout: clientPatience}, bases: bases, token: t.token, rest: tradeRest,
		next: func(writer, number int) write {
			c, key := t.customers[first+writer], fmt.Sprintf("%s-%d-%d", name, first+writer, number)
			if number%2 == 0 {
				return write{store + "admin/customer/" + c.id + "/campaign/" + t.campaign + "/buy", key,
					url.Values{"quantity": {"1"}}}
			}
			return write{store + "transaction", key, shop.Receipt(key, "sell", "", c.email, 3)}
		},
	}
	l.start(ctx, clients)
	return l
}

// end stops the clients after their last acknowledgement, and notes what was acknowledged.
func (t *trade) end(loads ...*load) error {
	for _, l := range loads {
		l.stop()
	}
	for _, l := range loads {
		l.ended.Wait()
		if len(l.wrong) > 0 {
			return errors.Join(l.wrong...)
		}
		for key, got := range l.acknowledged {
			var bought struct{ Coupons []struct{ ID string } }
			if err := json.Unmarshal(got.body, &bought); err != nil {
				return err
			}
			if bought.Coupons == nil {
				t.receipts[key] = true
			}
			for _, coupon := range bought.Coupons {
				t.coupons[coupon.ID] = true
			}
		}
	}
	return nil
}

// compare returns what was acknowledged and is not stored, and what is stored more often. Each write was acknowledged
// in the end, so all that is stored must be.
func (t *trade) compare(ctx context.Context) (lost, doubled []string, err error) {
	stored := map[string]int{}
	for _, c := range t.customers {
		var list struct {
			Campaigns []struct{ Coupon struct{ ID string } }
		}
		if err := t.get(ctx, "admin/customer/"+c.id+"/campaign/bought?perPage=-1", &list); err != nil {
			return nil, nil, err
		}
		for _, bought := range list.Campaigns {
			stored[bought.Coupon.ID]++
		}
	}
	var list struct {
		Transactions []struct{ DocumentNumber string }
	}
	if err := t.get(ctx, "transaction?perPage=-1", &list); err != nil {
		return nil, nil, err
	}
	for _, document := range list.Transactions {
		stored[document.DocumentNumber]++
	}
	acknowledged := maps.Clone(t.coupons)
	maps.Copy(acknowledged, t.receipts)
	for _, id := range slices.Sorted(maps.Keys(acknowledged)) {
		if stored[id] == 0 {
			lost = append(lost, id)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(stored)) {
		if !acknowledged[id] || stored[id] > 1 {
			doubled = append(doubled, id)
		}
	}
	return lost, doubled, nil
}

func (t *trade) get(ctx context.Context, path string, into any) error {
	return rest.Get(ctx, through, t.base+store+path, t.token, into)
}

// made sends a form that makes something, and returns its id, by the name of the member.
func made(ctx context.Context, address, token, member string, form url.Values) (string, error) {
	return rest.Make(ctx, through, address, token, member, form)
}

// makeLevel makes the level that customers need, and returns its id.
func makeLevel(ctx context.Context, base, token string) (string, error) {
	return made(ctx, base+store+"level/create", token, "levelId", shop.Level())
}
