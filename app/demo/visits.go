package demo

import (
	"errors"
	"math/rand/v2"
	"slices"
	"time"

	"punchcard/loyalty/campaign"
	"punchcard/loyalty/cashback"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/membership"
	"punchcard/loyalty/earning"
	"punchcard/loyalty/identity/seller"
	"punchcard/loyalty/points"
	"punchcard/loyalty/pos"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/store"
	"punchcard/loyalty/transaction"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
	"punchcard/platform/event"
	"punchcard/platform/fault"
)

const (
	historyLines  = 3  // most lines of a receipt
	keptCodes     = 5  // of each campaign, which the history does not sell
	leastExchange = 60 // points for money
)

// today is the part of a day that one transaction plays.
type today struct {
	*History
	tx    *db.Tx
	rng   *rand.Rand
	known map[int]string // ids of guests who joined or were looked up in this transaction
}

// play plays a step. Redemptions come first, because they lock the counters of campaigns before accounts, as all
// purchases do.
func (h *History) play(tx *db.Tx, n int, known map[int]string) error {
	t := &today{History: h, tx: tx, rng: draws(streamDays + uint64(n)), known: known}
	visits := h.plan.steps[n].visits
	if err := t.redeem(visits); err != nil {
		return err
	}
	for _, v := range visits {
		if err := t.visit(v); err != nil {
			return err
		}
	}
	return nil
}

func (t *today) at(moment time.Time) (*store.Store, *db.Tx) { return clockAt(t.store, t.tx, moment) }

// visit plays one visit. Operations that refuse something decide before they write, so the rest of the step can go on.
func (t *today) visit(v visit) error {
	s, tx := t.at(v.at)
	if v.kind == joins {
		return t.join(tx, s, v)
	}
	id, err := t.customer(tx, v.guest)
	if err != nil || id == "" {
		return err
	}
	switch v.kind {
	case getsBonus:
		err = t.bonus(tx, s, id, v)
	case pays:
		_, err = transaction.Register(tx, s, t.sale(v), t.does.Receipts)
	case givesBack:
		_, err = transaction.Register(tx, s, t.back(v), t.does.Receipts)
	case usesCoupon:
		err = t.use(tx, s, id)
	case answersSurvey:
		_, err = t.does.Earning.Reported(tx, s, id, earning.Report{
			Type: earning.CustomEvent, Matches: func(r *earning.Rule) bool { return r.EventName == surveyDone },
		})
	case givesPoints:
		err = t.give(tx, s, id, v)
	case exchanges:
		err = t.exchange(tx, s, id, v)
	case isBlocked:
		err = customer.Deactivate(tx, s, id)
	}
	return unlessRefused(err)
}

// unlessRefused returns errors other than refusals of an operation, such as too few points.
func unlessRefused(err error) error {
	var refused *fault.Error
	var document *transaction.Refused
	var taken *customer.Taken
	if errors.As(err, &refused) || errors.As(err, &document) || errors.As(err, &taken) {
		return nil
	}
	return err
}

// customer returns the id of a guest, or nothing if there is no such customer any more.
func (t *today) customer(tx *db.Tx, guest int) (string, error) {
	if id := t.known[guest]; id != "" {
		return id, nil
	}
	if id := t.ids[guest]; id != "" {
		return id, nil
	}
	login, found, err := customer.FindLogin(tx, t.store.Key, t.plan.guests[guest].Email)
	if err != nil || !found {
		return "", err
	}
	t.known[guest] = login.ID
	return login.ID, nil
}

func (t *today) join(tx *db.Tx, s *store.Store, v visit) error {
	g := &t.plan.guests[v.guest]
	in := g.Registration
	if in.Active = g.inShop; g.inShop {
		in.POSID, in.SellerID = t.shops[g.shop], t.sellers[g.shop]
	}
	added, err := customer.Register(tx, s, in)
	if err != nil {
		return unlessRefused(err)
	}
	if g.confirmed && !g.inShop {
		if err := customer.Activate(tx, s, added.ID); err != nil {
			return err
		}
	}
	t.known[v.guest] = added.ID
	return t.does.Registered(tx, s, added)
}

// bonus grants points that expire.
func (t *today) bonus(tx *db.Tx, s *store.Store, id string, v visit) error {
	comment, valid := occasions[v.at.YearDay()%len(occasions)], 60
	if v.at.Sub(t.plan.guests[v.guest].joined) < time.Hour {
		comment, valid = "Welcome points", 120
	}
	return membership.Change(tx, s, id, func(w *points.Wallet) (event.Entry, error) {
		_, added := w.Add(points.Grant{
			Value: decimal.Whole(int64(v.n)), Comment: comment, Issuer: points.ByAdmin, ValidDays: valid, CreatedAt: tx.Now(),
		})
		return added, nil
	})
}

// sale returns the receipt of a visit.
func (t *today) sale(v visit) transaction.Transaction {
	g, rng := &t.plan.guests[v.guest], rand.New(rand.NewPCG(seed, v.paid.seed))
	sale := transaction.Transaction{
		DocumentNumber: v.paid.number, Type: transaction.Sell, POSID: t.shops[v.paid.shop], PurchasedAt: v.at,
		CustomerData: transaction.CustomerData{Name: g.FirstName + " " + g.LastName, Email: g.Email},
	}
	for range 1 + rng.IntN(historyLines) {
		sold := pick(rng, moreGoods)
		if chance(rng, 40) {
			sold = pick(rng, goods)
		}
		sale.Items = append(sale.Items, sold.line(1+rng.Int64N(v.paid.quantity)))
	}
	return sale
}

// back returns the first item of the receipt.
func (t *today) back(v visit) transaction.Transaction {
	back := t.sale(v)
	back.Type, back.RevisedDocument = transaction.Return, back.DocumentNumber
	back.DocumentNumber += "/R"
	back.Items = back.Items[:1]
	return back
}

// use marks the oldest usable coupon of the customer as used.
func (t *today) use(tx *db.Tx, s *store.Store, id string) error {
	bought, err := purchase.OfCustomers(tx, s, id)
	if err != nil {
		return err
	}
	for _, coupon := range slices.Backward(bought[id]) {
		if coupon.CanBeUsed && coupon.Coupon.Code != "" {
			return purchase.MarkUsed(tx, s, []purchase.Mark{{
				CustomerID: id, CampaignID: coupon.CampaignID, CouponID: coupon.Coupon.ID, Code: coupon.Coupon.Code, Used: true,
			}})
		}
	}
	return nil
}

// give transfers some points to another guest, if they are registered.
func (t *today) give(tx *db.Tx, s *store.Store, id string, v visit) error {
	if !t.plan.guests[v.n].joined.Before(v.at) {
		return nil
	}
	to, err := t.customer(tx, v.n)
	if err != nil || to == "" {
		return err
	}
	members, err := membership.Lock(tx, s, id, to)
	if err != nil {
		return err
	}
	gift := points.Gift{Value: decimal.Whole(15), Comment: "For a coffee on me", Issuer: points.BySystem}
	if _, err := members.Give(members.Of(id), members.Of(to), gift); err != nil {
		return err
	}
	return members.Save()
}

// exchange exchanges half of the points for cashback, which the provider pays some hours later.
func (t *today) exchange(tx *db.Tx, s *store.Store, id string, v visit) error {
	account, err := points.Balance(tx, s, id)
	half := account.Points / 2 / 100 * 100
	if err != nil || half < decimal.Whole(leastExchange) {
		return err
	}
	made, err := cashback.Redeem(tx, cashback.Request{Store: s, CustomerID: id, Points: half, Locale: "en"})
	if err != nil {
		return err
	}
	answered := v.at.Add(5 * time.Hour)
	if answered.After(t.tx.ServerNow()) {
		return nil
	}
	status := "SUCCESS"
	if chance(t.rng, 10) {
		status = "REJECTED"
	}
	s, tx = t.at(answered)
	_, err = cashback.Receive(tx, s, cashback.Callback{
		Provider: made.Provider, CustomerID: id, CouponID: made.CouponID, Status: status,
	})
	return err
}

// redeem buys campaigns for the guests who redeem points, among those offered to them.
func (t *today) redeem(visits []visit) error {
	for _, v := range visits {
		if v.kind != redeems {
			continue
		}
		s, tx := t.at(v.at)
		id, err := t.customer(tx, v.guest)
		if err != nil {
			return err
		}
		choice, err := t.affordable(tx, s, id)
		if err != nil {
			return err
		}
		if len(choice) == 0 {
			continue
		}
		outcomes, err := t.does.Desk.BuyIn(tx, s, purchase.Buy{
			Store: s, CustomerID: id, CampaignID: pick(t.rng, choice), Quantity: 1, Locale: "en",
		})
		if err == nil {
			err = unlessRefused(outcomes[0].Err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// affordable lists the campaigns that the customer can buy at this moment. It keeps some codes of each, and
// skips campaigns that an administrator has added while the history is loading.
func (t *today) affordable(tx *db.Tx, s *store.Store, id string) ([]string, error) {
	if id == "" {
		return nil, nil
	}
	offered, err := t.does.Desk.Announced(tx, s, nil, id)
	if err != nil || len(offered[id]) == 0 {
		return nil, err
	}
	campaigns, err := t.does.Desk.Catalogue.FindAll(tx, s.Key, offered[id]...)
	if err != nil {
		return nil, err
	}
	counters, err := campaign.CountersOf(tx, s.Key, offered[id]...)
	if err != nil {
		return nil, err
	}
	account, err := points.Balance(tx, s, id)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(offered[id], func(id string) bool {
		c := campaigns[id]
		isLeft := c != nil && (!c.HasCodes() || c.UsageLeft(counters[id]) > keptCodes)
		return !isLeft || c.Cost == 0 || c.Cost > account.Points || c.CreatedAt.After(tx.Now())
	}), nil
}

func findShop(tx *db.Tx, storeKey int64, identifier string) (id string, found bool, err error) {
	shop, found, err := pos.FindByIdentifier(tx, storeKey, identifier)
	return shop.ID, found, err
}

func findSeller(tx *db.Tx, storeKey int64, email string) (id string, err error) {
	found, _, err := seller.FindByLogin(tx, storeKey, email)
	return found.ID, err
}
