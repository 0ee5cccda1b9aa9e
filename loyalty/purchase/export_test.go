package purchase

import (
	"context"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/db/batch"
	"punchcard/platform/form"
	"punchcard/platform/idempotency"
)

// Page lists purchases as the bought list of a store does.
func Page(tx *db.Tx, s *store.Store, query string, asked api.Page) ([]Purchase, int64, error) {
	f, err := filterOf(s, query)
	if err != nil {
		return nil, 0, err
	}
	return allPage(tx, s.Key, &f, asked)
}

// PageBothWays returns the page by sorting and by scanning.
func PageBothWays(tx *db.Tx, s *store.Store, query string, asked api.Page) (both [2][]Purchase, err error) {
	f, err := filterOf(s, query)
	if err == nil {
		var some bool
		if some, err = f.locate(tx, s.Key); !some {
			return both, err
		}
	}
	for i, gather := range []bool{true, false} {
		if err == nil {
			both[i], err = f.page(tx, s.Key, asked, gather)
		}
	}
	return both, err
}

// PageStatement is the statement of the first page.
func PageStatement(tx *db.Tx, s *store.Store, query string, gather bool) (string, []any, error) {
	f, err := filterOf(s, query)
	if err == nil {
		_, err = f.locate(tx, s.Key)
	}
	if err == nil {
		_, err = f.total(tx, s.Key) // chooses between the indexes of the campaign and of another filter
	}
	made := f.statement(table.Columns(), s.Key, api.Page{Limit: 10}, gather, tx.Now())
	return made.Text(), made.Args(), err
}

func filterOf(s *store.Store, query string) (filter, error) {
	tree, err := form.ParseQuery(query)
	return readFilter(tree, s.Zone), err
}

// OwnPage lists the purchases of one customer as the endpoint does.
func OwnPage(tx *db.Tx, s *store.Store, customerID string, asked api.Page) ([]Purchase, int64, error) {
	pages, err := OwnPages(tx, s, asked, customerID)
	purchases, total := pages[customerID].Page()
	return purchases, total, err
}

// OwnResult is the pages of a batch by customer.
type OwnResult = map[string]*ownPage

// OwnPages lists the purchases of several customers in one batch, in the view of administrators.
func OwnPages(tx *db.Tx, s *store.Store, asked api.Page, ids ...string) (OwnResult, error) {
	return ownPages(tx, campaign.RewardTypes, s.Key, ownFilter{}, asked, ids)
}

// Page is the result of one request of a batch.
func (p *ownPage) Page() (purchases []Purchase, total int64) {
	for _, o := range p.purchases {
		purchases = append(purchases, Purchase{Owned: o})
	}
	return purchases, p.total
}

// Insert stores purchases as they are, and opens the accounts of their customers.
func Insert(tx *db.Tx, s *store.Store, purchases []*Purchase) error {
	var customers []string
	for _, p := range purchases {
		customers = append(customers, p.CustomerID)
	}
	customers = db.Distinct(customers)
	if _, err := points.Open(tx, s, customers...); err != nil {
		return err
	}
	return insertPurchases(tx, s, purchases)
}

// Exported iterates as the CSV export does.
func Exported(tx *db.Tx, s *store.Store, query string) (all []Purchase, err error) {
	f, err := filterOf(s, query)
	if err != nil {
		return nil, err
	}
	rows := &purchaseReader{storeKey: s.Key, wanted: f}
	for err = rows.next(tx); err == nil && len(rows.found) > 0; err = rows.next(tx) {
		all = append(all, rows.found...)
	}
	return all, err
}

// Sell decides purchases in one batch.
func (d *Desk) Sell(tx *db.Tx, buys ...Buy) ([]batch.Outcome[[]Coupon], error) {
	return d.BuyIn(tx, buys[0].Store, buys...)
}

// Keyed is a purchase with an Idempotency-Key.
type Keyed struct {
	Buy
	Key *idempotency.Request // nil for none
}

// SellKeyed is Sell for purchases with keys.
func (d *Desk) SellKeyed(tx *db.Tx, all ...Keyed) ([]batch.Outcome[[]Coupon], error) {
	var keys []*idempotency.Request
	var buys []Buy
	for _, one := range all {
		keys, buys = append(keys, one.Key), append(buys, one.Buy)
	}
	sold, err := d.selling.Try(tx, all[0].Store, keys, buys...)
	outcomes := make([]batch.Outcome[[]Coupon], len(sold))
	for i, one := range sold {
		outcomes[i] = batch.Outcome[[]Coupon]{Value: one.Out, Err: one.Err}
	}
	return outcomes, err
}

// BuyKeyed is Buy with an Idempotency-Key.
func (d *Desk) BuyKeyed(ctx context.Context, one Keyed) ([]Coupon, error) {
	return d.selling.DoKeyed(ctx, one.Store, one.Key, one.Buy)
}

// Offered returns the campaigns in the lists of a batch of customers, in order.
func (d *Desk) Offered(tx *db.Tx, s *store.Store, customers ...string) ([][]string, error) {
	requests, found := make([]offerRequest, len(customers)), make([][]string, len(customers))
	for i, id := range customers {
		requests[i] = offerRequest{store: s, customerID: id, list: api.ListRequest{Page: api.Page{Limit: 100}}}
	}
	outcomes, err := d.offer(tx, s, requests)
	for i := range outcomes {
		found[i] = outcomes[i].Value.ids
	}
	return found, err
}

// Left is the usage left of a campaign in all, and for the customer.
type Left struct{ OfAll, ForCustomer int64 }

// OfferTo lists the campaigns that a customer can have, and returns the usage left of each on the page.
func (d *Desk) OfferTo(ctx context.Context, s *store.Store, customerID string) (map[string]Left, error) {
	first := api.ListRequest{Page: api.Page{Limit: 100}}
	page, err := d.offers.Do(ctx, offerRequest{store: s, customerID: customerID, list: first})
	left := map[string]Left{}
	for _, id := range page.ids {
		seen := page.views[id].reduced(id)
		left[id] = Left{seen.UsageLeft, page.offered(id).UsageLeftForCustomer}
	}
	return left, err
}

// OwnPagesOfCustomers is OwnPages in the view of customers.
func OwnPagesOfCustomers(tx *db.Tx, s *store.Store, asked api.Page, ids ...string) (OwnResult, error) {
	return ownPages(tx, campaign.RewardTypes, s.Key, ownFilter{withoutExchanged: true}, asked, ids)
}

// Explained returns the explanations of the list of available campaigns for a role.
func (d *Desk) Explained(ctx context.Context, s *store.Store, role access.Role, customerID string) (
	map[string][]api.Finding, error) {
	request := offerRequest{
		store: s, customerID: customerID, list: api.ListRequest{Page: api.Page{Limit: 100}}, role: role,
		wanted: offerQuery{explain: true},
	}
	request.wanted.ForStaff = role != access.Customer
	found := map[string][]api.Finding{}
	err := store.Read(ctx, d.db, s, func(tx *db.Tx) error {
		outcomes, err := d.offer(tx, s, []offerRequest{request})
		if err != nil {
			return err
		}
		page := outcomes[0].Value
		for _, id := range page.ids {
			found[id] = page.offered(id).Explanation
		}
		return outcomes[0].Err
	})
	return found, err
}

// Mark marks coupons in a batch, as the endpoint does. key is an Idempotency-Key, nil for none.
func (d *Desk) Mark(ctx context.Context, s *store.Store, key *idempotency.Request, marks ...Mark) error {
	_, err := d.markings.DoKeyed(ctx, s, key, marks)
	return err
}
