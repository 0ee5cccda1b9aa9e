package notification

import (
	"context"
	"maps"
	"slices"
	"sync/atomic"

	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/arrival"
	"punchcard/loyalty/customer/erasure"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/segment"
	"punchcard/platform/db"
)

const (
	chunk         = 50 // customers notified in one transaction: few, so that purchases do not wait long
	chunksPerTurn = 20 // of one campaign, before the next campaign and the next store have their turn
	changesPerTx  = 50 // announcements started or closed in one transaction
)

// Announce returns the work that notifies the customers of a store of the campaigns that become available to them,
// each customer once per campaign, and returns how many notifications it made. Newcomers are not notified of what is
// on offer already. Progress is stored with every chunk, so that an interrupted run continues where it stopped.
func Announce(desk *purchase.Desk) store.Work {
	return func(ctx context.Context, d *db.DB, s *store.Store) (notified int64, err error) {
		for more := true; more && err == nil && ctx.Err() == nil; {
			a := &announcer{db: d, desk: desk, store: s}
			more, err = a.turn(ctx)
			notified += a.notified
		}
		return notified, err
	}
}

// AnnounceAll is the job that runs Announce for all stores. The stores take turns.
func AnnounceAll(d *db.DB, desk *purchase.Desk) func(ctx context.Context) (int64, error) {
	return func(ctx context.Context) (int64, error) {
		var notified atomic.Int64
		for {
			var more atomic.Bool
			_, err := store.Everywhere(d, func(ctx context.Context, d *db.DB, s *store.Store) (int64, error) {
				a := &announcer{db: d, desk: desk, store: s}
				again, err := a.turn(ctx)
				notified.Add(a.notified)
				if again && err == nil {
					more.Store(true)
				}
				return 0, err
			})(ctx)
			if !more.Load() || ctx.Err() != nil {
				return notified.Load(), err
			}
		}
	}
}

// announcer runs one turn of one store.
type announcer struct {
	db       *db.DB
	desk     *purchase.Desk // finds what customers can buy
	store    *store.Store
	notified int64
}

// turn starts and closes announcements, notifies new arrivals, and continues with each audience for
// a bounded number of chunks. It skips inactive stores.
func (a *announcer) turn(ctx context.Context) (more bool, err error) {
	if !a.store.Active {
		return false, nil
	}
	running, err := a.refresh(ctx)
	if err != nil {
		return false, err
	}
	for arrived := true; arrived && err == nil && ctx.Err() == nil; {
		arrived, err = a.receive(ctx)
	}
	for _, id := range running {
		for n, left := 0, true; n < chunksPerTurn && left && err == nil && ctx.Err() == nil; n++ {
			left, err = a.step(ctx, id)
			more = more || left && n == chunksPerTurn-1
		}
	}
	return more, err
}

func (a *announcer) read(ctx context.Context, run func(tx *db.Tx) error) error {
	return store.Read(ctx, a.db, a.store, run)
}

func (a *announcer) write(ctx context.Context, run func(tx *db.Tx) error) error {
	return store.Write(ctx, a.db, a.store, run)
}

// refresh compares the announcements with the campaigns that are available now, starts and closes
// announcements, and returns the campaigns of the running ones.
func (a *announcer) refresh(ctx context.Context) (running []string, err error) {
	var changed []Announcement
	err = a.read(ctx, func(tx *db.Tx) error {
		running, changed = nil, nil
		openings, err := a.desk.Catalogue.Openings(tx, a.store.Key)
		if err != nil {
			return err
		}
		generations, err := segment.Generations(tx, a.store.Key)
		if err != nil {
			return err
		}
		present, err := available(tx, a.store.Key)
		if err != nil {
			return err
		}
		byID := make(map[string]Announcement, len(present))
		for _, p := range present {
			byID[p.CampaignID] = p
		}
		for i := range openings {
			o, basis := &openings[i], basisOf(&openings[i], generations)
			p, known := byID[o.ID]
			delete(byID, o.ID)
			if !known || p.Basis != basis {
				p = Announcement{StoreKey: a.store.Key, CampaignID: o.ID, State: Running, Basis: basis, StartedAt: tx.Now()}
				if p.Total, err = a.desk.Catalogue.AudienceSize(tx, a.store.Key, o.ID); err != nil {
					return err
				}
				changed = append(changed, p)
			}
			if p.State == Running {
				running = append(running, o.ID)
			}
		}
		for id := range byID {
			changed = append(changed, Announcement{CampaignID: id, State: Closed})
		}
		return nil
	})
	for part := range slices.Chunk(changed, changesPerTx) {
		if err == nil && ctx.Err() == nil {
			err = a.write(ctx, func(tx *db.Tx) error { return a.change(tx, part) })
		}
	}
	return running, err
}

// change starts and closes announcements, in the order of their campaign ids.
func (a *announcer) change(tx *db.Tx, changed []Announcement) error {
	byID := make(map[string]Announcement, len(changed))
	for _, c := range changed {
		byID[c.CampaignID] = c
	}
	ids := slices.Sorted(maps.Keys(byID))
	present, err := lockAnnouncements(tx, a.store.Key, ids)
	for _, id := range ids {
		if to := byID[id]; err == nil && to.State == Running {
			err = to.begin(tx)
		} else if p := present[id]; err == nil && p != nil {
			p.State, p.FinishedAt = Closed, tx.Now()
			err = p.save(tx)
		}
	}
	return err
}

// receive notifies some new arrivals of all campaigns that are available to them. It returns false
// when there are no arrivals.
func (a *announcer) receive(ctx context.Context) (bool, error) {
	var arrivals []arrival.Arrival
	var pairs []recipient
	err := a.read(ctx, func(tx *db.Tx) (err error) {
		if arrivals, err = arrival.Pending(tx, a.store.Key, chunk); err != nil || len(arrivals) == 0 {
			return err
		}
		ids := make([]string, len(arrivals))
		for i := range arrivals {
			ids[i] = arrivals[i].CustomerID
		}
		if pairs, err = a.due(tx, nil, db.Distinct(ids)); err != nil || len(pairs) == 0 {
			return err
		}
		before, err := alreadyNotified(tx, a.store.Key, pairs)
		pairs = slices.DeleteFunc(pairs, func(r recipient) bool { return before[r] })
		return err
	})
	if err != nil || len(arrivals) == 0 {
		return false, err
	}
	// Each transaction makes a bounded number of notifications. After a crash the arrivals are read
	// again, and customers who were already notified are skipped.
	quiet := map[string]bool{}
	for i := range arrivals {
		quiet[arrivals[i].CustomerID] = quiet[arrivals[i].CustomerID] || arrivals[i].Quiet
	}
	for part := range slices.Chunk(pairs, chunk) {
		err := a.write(ctx, func(tx *db.Tx) error { _, err := a.notify(tx, part, quiet); return err })
		if err != nil {
			return false, err
		}
	}
	return true, a.write(ctx, func(tx *db.Tx) error {
		if err := reportLevels(tx, a.store, arrivals); err != nil {
			return err
		}
		return arrival.Delete(tx, arrivals)
	})
}

// due pairs customers with the campaigns that they can buy now. If only is not nil, other campaigns
// are ignored.
func (a *announcer) due(tx *db.Tx, only []string, customerIDs []string) (pairs []recipient, err error) {
	if len(customerIDs) == 0 {
		return nil, nil
	}
	byCustomer, err := a.desk.Announced(tx, a.store, only, customerIDs...)
	for _, customerID := range customerIDs {
		for _, campaignID := range byCustomer[customerID] {
			pairs = append(pairs, recipient{campaignID, customerID})
		}
	}
	return pairs, err
}

// stretch is a part of an audience.
type stretch struct {
	looked int64       // customers examined
	last   string      // id of the last customer examined
	ended  bool        // the audience has no more customers
	pairs  []recipient // to be notified
}

// next reads the audience from the announcement's position until it finds a customer to notify, or
// chunksPerTurn chunks are read.
func (a *announcer) next(tx *db.Tx, from *Announcement) (next stretch, err error) {
	next.last = from.After
	for n := 0; n < chunksPerTurn && !next.ended && len(next.pairs) == 0; n++ {
		ids, err := campaign.Audience(tx, a.store.Key, from.CampaignID, next.last, chunk)
		if err != nil {
			return next, err
		}
		if next.ended = len(ids) < chunk; len(ids) == 0 {
			break
		}
		next.looked, next.last = next.looked+int64(len(ids)), ids[len(ids)-1]
		before, err := alreadyNotified(tx, a.store.Key, from.pairs(ids))
		if err != nil {
			return next, err
		}
		ids = slices.DeleteFunc(ids, func(id string) bool { return before[recipient{from.CampaignID, id}] })
		if next.pairs, err = a.due(tx, []string{from.CampaignID}, ids); err != nil {
			return next, err
		}
	}
	return next, nil
}

// step notifies the next customers of a campaign's audience. left is false when the audience is
// finished, or when the announcement was closed or restarted meanwhile.
func (a *announcer) step(ctx context.Context, campaignID string) (left bool, err error) {
	var began Announcement
	var next stretch
	err = a.read(ctx, func(tx *db.Tx) (err error) {
		found := false
		if began, found, err = findAnnouncement(tx, a.store.Key, campaignID); err != nil || !found {
			return err
		}
		next, err = a.next(tx, &began)
		return err
	})
	if err != nil || began.State != Running {
		return false, err
	}
	err = a.write(ctx, func(tx *db.Tx) error {
		left = false
		locked, err := a.notify(tx, next.pairs, nil, campaignID)
		if err != nil {
			return err
		}
		at := locked[campaignID]
		if at == nil || at.State != Running || at.Basis != began.Basis || at.After != began.After {
			return nil // closed, restarted, or advanced by another node
		}
		at.Done, at.After, left = at.Done+next.looked, next.last, !next.ended
		at.Total = max(at.Total, at.Done) // the audience can grow meanwhile
		if next.ended {
			at.State, at.FinishedAt = Finished, tx.Now()
		}
		return at.save(tx)
	})
	return left, err
}

// notify notifies customers of campaigns. It skips campaigns that are no longer available, and
// customers who are no longer active or were notified before. For quiet ones it only records that they need not be
// notified. It returns the announcements of these campaigns and of those in beside, locked.
func (a *announcer) notify(tx *db.Tx, pairs []recipient, quiet map[string]bool, beside ...string) (
	map[string]*Announcement, error) {
	campaigns, customers := slices.Clone(beside), []string(nil)
	for _, p := range pairs {
		campaigns, customers = append(campaigns, p.campaignID), append(customers, p.customerID)
	}
	campaigns = db.Distinct(campaigns)
	active, err := a.lockActive(tx, customers)
	if err != nil {
		return nil, err
	}
	locked, err := lockAnnouncements(tx, a.store.Key, campaigns)
	if err != nil || len(pairs) == 0 {
		return locked, err
	}
	openings, err := a.desk.Catalogue.Openings(tx, a.store.Key, campaigns...)
	if err != nil {
		return nil, err
	}
	text := map[string]string{}
	for _, o := range openings {
		text[o.ID] = o.Text
	}
	before, err := alreadyNotified(tx, a.store.Key, pairs)
	if err != nil {
		return nil, err
	}
	var fresh []recipient
	var all []Notification
	touched := map[string]bool{}
	for _, p := range pairs {
		at := locked[p.campaignID]
		if at == nil || at.State == Closed || text[p.campaignID] == "" || !active[p.customerID] || before[p] {
			continue
		}
		fresh = append(fresh, p)
		if quiet[p.customerID] {
			continue
		}
		at.Notified++
		touched[p.campaignID] = true
		all = append(all, Notification{
			CustomerID: p.customerID, Kind: campaignAvailable.name, SubjectID: p.campaignID,
			Details: Details{Text: text[p.campaignID]},
		})
	}
	for id := range touched {
		if err := locked[id].save(tx); err != nil {
			return nil, err
		}
	}
	if err := insertRecipients(tx, a.store.Key, fresh, quiet); err != nil {
		return nil, err
	}
	tx.AfterCommit(func() { a.notified += int64(len(all)) })
	return locked, post(tx, a.store, all)
}

// lockActive locks customers and reports which of them are active and did not delete their account. The anonymization
// of a customer waits for the lock, so it also removes the notifications that are added under it.
func (a *announcer) lockActive(tx *db.Tx, ids []string) (map[string]bool, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	ids = db.Distinct(ids)
	who, err := customer.LockTraits(tx, a.store.Key, ids...)
	if err != nil {
		return nil, err
	}
	leaving, err := erasure.Planned(tx, a.store.Key, ids...)
	active := make(map[string]bool, len(who))
	for i := range who {
		active[who[i].ID] = who[i].IsActive() && !leaving[who[i].ID]
	}
	return active, err
}
