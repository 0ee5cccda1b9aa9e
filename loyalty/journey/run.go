package journey

import (
	"context"
	"slices"
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/membership"
	"punchcard/loyalty/level"
	"punchcard/loyalty/mailing"
	"punchcard/loyalty/message"
	"punchcard/loyalty/message/template"
	"punchcard/loyalty/points"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/segment"
	"punchcard/loyalty/transaction"
	"punchcard/platform/db"
	"punchcard/platform/event"
)

// Run is the job that lets customers enter journeys, and sends the messages that are due. Each step is one transaction,
// so that an interrupted run continues where it stopped. It returns the number of entries that it made or handled.
func (svc *Service) Run(ctx context.Context, d *db.DB, s *store.Store) (total int64, err error) {
	if !s.Active {
		return 0, nil
	}
	ctx = db.InBackground(ctx)
	var journeys []Journey
	err = store.Read(ctx, d, s, func(tx *db.Tx) (err error) {
		journeys, err = allJourneys(tx, s.Key)
		return err
	})
	for i := 0; i < len(journeys) && err == nil && ctx.Err() == nil; i++ {
		j := &journeys[i]
		if j.Active && recipeOf(j.Recipe).find != nil {
			var n int64
			n, err = svc.search(ctx, d, s, j.ID)
			total += n
		}
		for n := 1; n > 0 && err == nil && ctx.Err() == nil; total += int64(n) {
			n, err = svc.handleSome(ctx, d, s, j.ID)
		}
	}
	return total, err
}

// handleSome handles some entries that are due: each with its gift and its message in one transaction. It returns their
// number.
func (svc *Service) handleSome(ctx context.Context, d *db.DB, s *store.Store, id string) (n int, err error) {
	var entries []Entry
	err = store.Read(ctx, d, s, func(tx *db.Tx) error {
		j, err := findJourney(tx, s.Key, id)
		if err != nil || j.isQuiet(tx, s) {
			return err
		}
		entries, err = due(tx, s.Key, id, chunk)
		return err
	})
	if err != nil || len(entries) == 0 {
		return 0, err
	}
	seen := map[string]bool{}
	entries = slices.DeleteFunc(entries, func(e Entry) bool { // one of a customer at a time: they count for each other
		again := seen[e.CustomerID]
		seen[e.CustomerID] = true
		return again
	})
	return len(entries), store.Write(ctx, d, s, func(tx *db.Tx) error {
		h, err := svc.prepare(tx, s, id, entries)
		if err != nil {
			return err
		}
		return h.handle()
	})
}

// isQuiet reports whether due entries wait for the end of the quiet hours: their messages would wait, and a customer
// who withdraws the agreement until then must get no gift.
func (j *Journey) isQuiet(tx *db.Tx, s *store.Store) bool {
	inInbox := func(channel string) bool { return channel == template.Inbox }
	return message.IsQuiet(s, tx.ServerNow()) && !slices.ContainsFunc(j.Content.Channels, inInbox)
}

// handling handles some entries of a journey in a transaction.
type handling struct {
	judge
	svc     *Service
	source  *mailing.Source
	entries []Entry // locked, of different customers
	members *membership.Members
	capped  map[string]bool
	in      map[string][]customer.Segment
	reach   map[string]message.Reach // by customer
	letters []mailing.Letter
}

// prepare locks campaign counters, accounts, customers, the journey and its entries, in this order, and reads what
// decides about the entries.
func (svc *Service) prepare(tx *db.Tx, s *store.Store, id string, entries []Entry) (*handling, error) {
	before, err := findJourney(tx, s.Key, id)
	if err != nil {
		return nil, err
	}
	if reward := before.Content.Gift.CampaignID; reward != "" {
		if _, err := campaign.LockCounters(tx, s.Key, reward); err != nil {
			return nil, err
		}
	}
	ids := make([]string, len(entries))
	for i := range entries {
		ids[i] = entries[i].CustomerID
	}
	h := &handling{judge: judge{tx: tx, store: s}, svc: svc}
	if h.members, err = membership.Lock(tx, s, ids...); err != nil {
		return nil, err
	}
	if h.journey, err = lock(tx, s.Key, id); err != nil {
		return nil, err
	}
	if h.journey.Content.Gift.CampaignID != before.Content.Gift.CampaignID {
		return nil, db.ErrStale
	}
	h.source = h.journey.source()
	if h.entries, err = lockWaiting(tx, s.Key, entries); err != nil {
		return nil, err
	}
	return h, h.read(ids)
}

// read reads what decides about entries of customers.
func (h *handling) read(customerIDs []string) (err error) {
	tx, s := h.tx, h.store
	if h.capped, err = mailing.Capped(tx, s, customerIDs); err != nil {
		return err
	}
	if recipeOf(h.journey.Recipe).oncePerCap {
		had, err := mailing.GotLately(tx, s, h.journey.ID, customerIDs)
		if err != nil {
			return err
		}
		for id := range had {
			h.capped[id] = true
		}
	}
	if h.in, err = segment.OfCustomers(tx, s.Key, db.Distinct(customerIDs)...); err != nil {
		return err
	}
	var customers []*customer.Customer
	for _, id := range customerIDs {
		if m := h.members.Of(id); m != nil {
			customers = append(customers, m.Customer)
		}
	}
	if h.reach, err = h.source.Reach(tx, s, customers...); err != nil {
		return err
	}
	if h.levels, err = level.All(tx, s.Key); err != nil {
		return err
	}
	languages, err := store.AllLanguages(tx)
	if err != nil {
		return err
	}
	h.usual = languages.Default()
	if h.given, err = readGiven(tx, s.Key, h.journey.Recipe, customerIDs...); err != nil {
		return err
	}
	if h.journey.Recipe == bought.name {
		h.sold, err = h.readSold()
	}
	return err
}

// readSold reads the receipts that are occasions of the entries: not those on which coupons of such journeys were used.
func (h *handling) readSold() (map[string]transaction.SoldAt, error) {
	var ids []string
	byCustomer := map[string][]string{}
	for i := range h.entries {
		e := &h.entries[i]
		ids = append(ids, e.Occasion)
		byCustomer[e.CustomerID] = append(byCustomer[e.CustomerID], e.Occasion)
	}
	sold, err := transaction.FindSold(h.tx, h.store.Key, db.Distinct(ids)...)
	if err != nil || len(h.given.ids) == 0 {
		return sold, err
	}
	used, err := purchase.UsedFor(h.tx, h.store.Key, byCustomer)
	for id, coupons := range used {
		if h.given.any(coupons) {
			delete(sold, id)
		}
	}
	return sold, err
}

// settleAfter is when the messages of an entry are first looked at.
const settleAfter = time.Minute

// handle judges the entries, and gives gifts and queues messages to those that pass.
func (h *handling) handle() error {
	values := make([]map[string]string, len(h.entries))
	var passed []int
	for i := range h.entries {
		e := &h.entries[i]
		reason, of, err := h.decide(e)
		if err != nil {
			return err
		}
		e.DueAt, e.DoneAt, e.State = time.Time{}, h.tx.Now(), Sent
		if values[i] = of; reason == "" {
			passed = append(passed, i)
		} else {
			e.State, e.Reason = Skipped, reason
		}
	}
	if err := h.give(passed, values); err != nil {
		return err
	}
	for i := range h.entries {
		e := &h.entries[i]
		if e.State == Skipped {
			h.journey.skip(e.Reason)
			continue
		}
		e.SettleAt = h.tx.Now().Add(settleAfter)
		h.journey.Sent++
		if e.hasGift() {
			h.journey.Gifts++
		}
		h.letters = append(h.letters, mailing.Letter{
			To: h.members.Of(e.CustomerID).Customer, Occasion: e.Occasion, EntryID: e.ID, Values: values[i],
		})
	}
	if err := h.svc.mailings.Deliver(h.tx, h.store, h.source, h.letters...); err != nil {
		return err
	}
	if err := saveEntries(h.tx, h.entries); err != nil {
		return err
	}
	return saveProgress(h.tx, h.journey)
}

// decide decides whether an entry gets its message, and returns why not or the values of placeholders.
func (h *handling) decide(e *Entry) (reason string, values map[string]string, err error) {
	j, m := h.journey, h.members.Of(e.CustomerID)
	r := recipeOf(j.Recipe)
	switch {
	case !j.Active:
		return reasonOff, nil, nil
	case m == nil || !m.IsActive():
		return reasonCustomer, nil, nil
	case e.Reason != "":
		return e.Reason, nil, nil
	}
	values, ok, err := r.applies(&h.judge, e, m)
	switch {
	case err != nil:
	case !ok:
		reason = reasonOver
	case !h.meets(m.Customer):
		reason = reasonCondition
	case len(h.reach[m.ID].Channels) == 0:
		reason = reasonUnreachable
	case h.capped[m.ID]:
		reason = reasonCapped
	}
	if values == nil {
		values = map[string]string{}
	}
	return reason, values, err
}

// meets reports whether a customer is in the levels and segments of the journey.
func (h *handling) meets(c *customer.Customer) bool {
	of := &h.journey.Content
	return (len(of.Levels) == 0 || slices.Contains(of.Levels, c.LevelID)) &&
		(len(of.Segments) == 0 || slices.ContainsFunc(h.in[c.ID], func(in customer.Segment) bool {
			return slices.Contains(of.Segments, in.ID)
		}))
}

// give gives the gift of the journey for some entries. Those whose reward cannot be given are skipped.
func (h *handling) give(passed []int, values []map[string]string) error {
	gift := &h.journey.Content.Gift
	switch {
	case gift.CampaignID != "":
		return h.giveCoupons(gift.CampaignID, passed, values)
	case gift.Points > 0:
		return h.givePoints(gift, passed, values)
	}
	return nil
}

func (h *handling) givePoints(gift *Gift, passed []int, values []map[string]string) error {
	grant := points.Grant{
		Value: h.store.Settings.RuleGives(gift.Points), Comment: h.journey.Name, Issuer: points.BySystem,
		ValidDays: gift.ValidDays, CreatedAt: h.tx.Now(),
	}
	for _, i := range passed {
		e := &h.entries[i]
		values[i]["gift_points"] = grant.Value.String()
		if grant.Value == 0 {
			continue // rounded to none
		}
		err := h.members.Change(h.members.Of(e.CustomerID), func(w *points.Wallet) (event.Entry, error) {
			lot, added := w.Add(grant)
			e.TransferID = lot.ID
			return added, nil
		})
		if err != nil {
			return err
		}
	}
	return h.members.Save()
}

func (h *handling) giveCoupons(campaignID string, passed []int, values []map[string]string) error {
	buys := make([]purchase.Buy, len(passed))
	for n, i := range passed {
		buys[n] = purchase.Buy{
			Store: h.store, CustomerID: h.entries[i].CustomerID, CampaignID: campaignID, Quantity: 1,
			Administrator: true, WithoutPoints: true, Locale: h.usual,
		}
	}
	if len(buys) == 0 {
		return nil
	}
	outcomes, err := h.svc.desk.BuyIn(h.tx, h.store, buys...)
	if err != nil {
		return err
	}
	for n, i := range passed {
		e := &h.entries[i]
		if outcomes[n].Err != nil || len(outcomes[n].Value) == 0 {
			e.State, e.Reason = Skipped, reasonGift
			continue
		}
		coupon := outcomes[n].Value[0]
		e.CouponID, values[i]["coupon_code"] = coupon.ID, coupon.Code
	}
	return nil
}
