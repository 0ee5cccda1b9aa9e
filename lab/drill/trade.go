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
	tradePoints    = "9000"                 // of a customer; a coupon costs one
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
	if t.campaign, err = made(ctx, base+store+"/campaign", token, "campaignId", nested("campaign", url.Values{
		"reward": {"discount_code"}, "translations][en][name": {"Coffee"}, "translations][pl][name": {"Kawa"},
		"active": {"1"}, "pushNotificationText": {"Coffee"}, "costInPoints": {"1"}, "target": {"level"},
		"levels][": {level}, "coupons][": {"COFFEE"}, "singleCoupon": {"1"}, "unlimited": {"1"}, "daysInactive": {"0"},
		"daysValid": {"0"}, "campaignVisibility][allTimeVisible": {"1"}, "campaignActivity][allTimeActive": {"1"},
	})); err != nil {
		return nil, err
	}
	for number := range customers {
		r := registration(number, 0)
		c := customer{email: r.key}
		if c.id, err = made(ctx, base+r.path, token, "customerId", r.form); err != nil {
			return nil, err
		}
		points := nested("transfer", url.Values{"customer": {c.id}, "points": {tradePoints}, "comment": {"welcome"}})
		_, err = made(ctx, base+store+"/points/transfer/add", token, "pointsTransferId", points)
		if err != nil {
			return nil, err
		}
		t.customers = append(t.customers, c)
	}
	return t, nil
}

// nested nests the fields of a form below a name.
func nested(name string, fields url.Values) url.Values {
	form := url.Values{}
	for field, values := range fields {
		form[name+"["+field+"]"] = values
	}
	return form
}

// start lets some clients write through the addresses. They serve the customers from the first. The name begins their
// keys.
func (t *trade) start(ctx context.Context, name string, first, clients int, bases ...string) *load {
	l := &load{
		client: &http.Client{Timeout: clientPatience}, bases: bases, token: t.token, rest: tradeRest,
		next: func(writer, number int) write {
			c, key := t.customers[first+writer], fmt.Sprintf("%s-%d-%d", name, first+writer, number)
			if number%2 == 0 {
				return write{store + "/admin/customer/" + c.id + "/campaign/" + t.campaign + "/buy", key,
					url.Values{"quantity": {"1"}}}
			}
			return write{store + "/transaction", key, receipt(key, c.email)}
		},
	}
	l.start(ctx, clients)
	return l
}

// receipt returns the form of a sale.
func receipt(number, email string) url.Values {
	return nested("transaction", url.Values{
		"transactionData][documentNumber": {number}, "transactionData][documentType": {"sell"},
		"items][0][sku][code": {"TEA"}, "items][0][name": {"Tea"}, "items][0][quantity": {"1"},
		"items][0][grossValue": {"3"}, "items][0][category": {"drinks"}, "customerData][name": {"Ida Berg"},
		"customerData][email": {email},
	})
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
		if err := t.get(ctx, "/admin/customer/"+c.id+"/campaign/bought?perPage=-1", &list); err != nil {
			return nil, nil, err
		}
		for _, bought := range list.Campaigns {
			stored[bought.Coupon.ID]++
		}
	}
	var list struct {
		Transactions []struct{ DocumentNumber string }
	}
	if err := t.get(ctx, "/transaction?perPage=-1", &list); err != nil {
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
	status, body, err := call(ctx, http.MethodGet, t.base+store+path, t.token, nil)
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("%s: status %d: %s", path, status, body)
	}
	if err == nil {
		err = json.Unmarshal(body, into)
	}
	return err
}

// made sends a form that makes something, and returns its id, by the name of the member.
func made(ctx context.Context, address, token, member string, form url.Values) (string, error) {
	status, body, err := call(ctx, http.MethodPost, address, token, form)
	if err != nil {
		return "", err
	}
	var answer map[string]any
	if err := json.Unmarshal(body, &answer); err != nil || status != http.StatusOK {
		return "", fmt.Errorf("%s: status %d: %s", address, status, body)
	}
	id, is := answer[member].(string)
	if !is {
		return "", fmt.Errorf("%s: no %s in %s", address, member, body)
	}
	return id, nil
}

// makeLevel makes the level that customers need, and returns its id.
func makeLevel(ctx context.Context, base, token string) (string, error) {
	return made(ctx, base+store+"/level/create", token, "levelId", url.Values{
		"level[translations][en][name]": {"Bronze"}, "level[active]": {"1"}, "level[conditionValue]": {"0"},
		"level[reward][name]": {"Bronze"}, "level[reward][value]": {"5"}, "level[reward][code]": {"BRONZE"},
	})
}
