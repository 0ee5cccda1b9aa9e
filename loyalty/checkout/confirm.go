package checkout

import (
	"context"
	"errors"

	"punchcard/core/api"
	"punchcard/core/audit"
	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/transaction"
	"punchcard/platform/db"
	"punchcard/platform/db/batch"
	"punchcard/platform/event"
	"punchcard/platform/fault"
)

// confirmation is a call to confirm a reservation.
type confirmation struct {
	store         *store.Store
	reservationID string
	receipt       transaction.Transaction // without lines and customer
	locale        string                  // language of the names of bought campaigns
	record        *api.Record             // of the call

	*reservation
	customer *customer.Customer       // nil for nobody
	sold     []purchase.Coupon        // of the rewards
	made     *transaction.Transaction // the stored receipt
}

// confirm confirms a reservation, and returns it after the effects are durable. Confirming it again with the same
// document number has no effect.
func (svc *Service) confirm(ctx context.Context, c confirmation) (*reservation, error) {
	return svc.confirmations.Do(ctx, c)
}

// confirmAll decides confirmations of one store. It locks the reservations, then as a purchase and a receipt do. Calls
// that get in each other's way run apart, and so do all calls of a batch in which one is refused late.
func (svc *Service) confirmAll(tx *db.Tx, s *store.Store, calls []confirmation) (
	[]batch.Outcome[*reservation], error) {
	outcomes, err := svc.confirmTogether(tx, s, calls)
	_, isRefusal := errors.AsType[*fault.Error](err)
	_, isRefused := errors.AsType[*transaction.Refused](err)
	if len(calls) > 1 && (isRefusal || isRefused) {
		err = batch.ErrApart
	}
	return outcomes, err
}

func (svc *Service) confirmTogether(tx *db.Tx, s *store.Store, calls []confirmation) (
	[]batch.Outcome[*reservation], error) {
	if !areApart(calls) {
		return nil, batch.ErrApart
	}
	records, err := claim(tx, calls)
	if err != nil {
		return nil, err
	}
	if err := lockReservations(tx, s.Key, calls); err != nil {
		return nil, err
	}
	outcomes := make([]batch.Outcome[*reservation], len(calls))
	var open, done []*confirmation
	for i := range calls {
		c := &calls[i]
		isOpen, err := c.decide(tx, records)
		outcomes[i] = batch.Outcome[*reservation]{Value: c.reservation, Err: err}
		if isOpen {
			open = append(open, c)
		}
		if err == nil {
			done = append(done, c)
		}
	}
	if err := svc.carryOut(tx, s, open); err != nil {
		return nil, err
	}
	return outcomes, finish(tx, s, records, done)
}

// areApart reports whether the calls are of different reservations and keys.
func areApart(calls []confirmation) bool {
	seen := make(map[string]bool, 2*len(calls))
	names := 0
	for i := range calls {
		names++
		seen["reservation "+calls[i].reservationID] = true
		if key := calls[i].record.Key(); key != "" {
			names++
			seen["key "+key] = true
		}
	}
	return len(seen) == names
}

func claim(tx *db.Tx, calls []confirmation) (*api.Records, error) {
	all := make([]*api.Record, len(calls))
	for i := range calls {
		all[i] = calls[i].record
	}
	return api.ClaimRecords(tx, all...)
}

// decide reports whether a locked reservation is open. A confirmed one is no error for the document that confirmed it.
func (c *confirmation) decide(tx *db.Tx, records *api.Records) (isOpen bool, err error) {
	if err := records.Check(c.record); err != nil {
		return false, err
	}
	if c.reservation == nil {
		return false, fault.ErrNotFound
	}
	switch c.stateAt(tx.Now()) {
	case Reserved:
		return true, nil
	case Confirmed:
		if c.DocumentNumber == c.receipt.DocumentNumber {
			return false, nil
		}
	}
	return false, c.ended()
}

// carryOut buys the rewards of locked open reservations, registers the receipts and marks the coupons as used.
func (svc *Service) carryOut(tx *db.Tx, s *store.Store, open []*confirmation) error {
	if len(open) == 0 {
		return nil
	}
	if err := findCustomers(tx, s.Key, open); err != nil {
		return err
	}
	if err := svc.redeem(tx, s, open); err != nil {
		return err
	}
	if err := svc.register(tx, s, open); err != nil {
		return err
	}
	if err := use(tx, s, open); err != nil {
		return err
	}
	ids := make([]string, len(open))
	for i, c := range open {
		ids[i] = c.TransactionID
	}
	earned, err := points.OfTransactions(tx, s.Key, ids...)
	if err != nil {
		return err
	}
	ended, events := make([]*reservation, len(open)), make([]event.Entry, len(open))
	for i, c := range open {
		c.Outcome = outcomeView{Earned: earned[c.TransactionID], Bought: []boughtView{}}
		for n, coupon := range c.sold {
			c.Outcome.Bought = append(c.Outcome.Bought, boughtView{c.Basket.Rewards[n].CampaignID, coupon.ID, coupon.Code})
		}
		ended[i], events[i] = c.reservation, wasConfirmed(c.reservation)
	}
	if err := saveEnds(tx, ended...); err != nil {
		return err
	}
	return event.Append(tx, s.Key, events...)
}

// findCustomers reads the customers of the reservations. It returns batch.ErrApart if two are of one customer.
func findCustomers(tx *db.Tx, storeKey int64, open []*confirmation) error {
	var ids []string
	for _, c := range open {
		if c.CustomerID != "" {
			ids = append(ids, c.CustomerID)
		}
	}
	if len(db.Distinct(ids)) < len(ids) {
		return batch.ErrApart
	}
	found, err := customer.FindAll(tx, storeKey, ids...)
	if err != nil {
		return err
	}
	for _, c := range open {
		if c.CustomerID == "" {
			continue
		}
		if c.customer = found[c.CustomerID]; c.customer == nil {
			return fault.ErrNotFound
		}
		if !c.customer.IsActive() {
			return errGone
		}
	}
	return nil
}

// redeem buys the rewards and ends what is kept in accounts and of campaigns.
func (svc *Service) redeem(tx *db.Tx, s *store.Store, open []*confirmation) error {
	var redemptions []purchase.Redemption
	var of []*confirmation
	var holds []campaign.Hold
	for _, c := range open {
		if c.customer != nil {
			redemptions = append(redemptions, purchase.Redemption{
				ReservationID: c.ID, CustomerID: c.customer.ID, Rewards: c.Basket.Rewards,
			})
			of, holds = append(of, c), append(holds, c.holds()...)
		}
	}
	sold, err := svc.desk.Redeem(tx, s, open[0].locale, redemptions...)
	if err != nil {
		return err
	}
	for i, c := range of {
		c.sold = sold[i]
	}
	return campaign.EndHolds(tx, s.Key, holds...)
}

// register registers the receipts, at the point of sale that the call names, or else where the basket was reserved.
func (svc *Service) register(tx *db.Tx, s *store.Store, open []*confirmation) error {
	sales := make([]transaction.Paid, len(open))
	for i, c := range open {
		sale := c.receipt
		if sale.POSID == "" {
			sale.POSID = c.POSID
		}
		sale.Items, sale.LinePoints, sale.Labels = c.Basket.Items, c.Basket.LinePoints, []transaction.Label{}
		sales[i] = transaction.Paid{Customer: c.customer, Transaction: sale}
	}
	made, err := svc.receipts.RegisterPaid(tx, s, sales...)
	if err != nil {
		return err
	}
	for i, c := range open {
		c.made = made[i]
		c.State, c.EndedAt, c.DocumentNumber, c.TransactionID = Confirmed, tx.Now(), c.made.DocumentNumber, c.made.ID
	}
	return nil
}

// use marks the coupons of the reservations as used for their receipts, and those that were bought to lower the price.
func use(tx *db.Tx, s *store.Store, open []*confirmation) error {
	var marks []purchase.Mark
	for _, c := range open {
		mark := func(customerID, campaignID, couponID, code string) {
			marks = append(marks, purchase.Mark{
				CustomerID: customerID, CampaignID: campaignID, CouponID: couponID, Code: code, ReservationID: c.ID,
				Used: true, TransactionID: c.made.ID, POSID: c.made.POSID,
			})
		}
		for _, kept := range c.Basket.Coupons {
			mark(kept.CustomerID, kept.CampaignID, kept.CouponID, kept.Code)
		}
		for i, bought := range c.sold {
			if reward := c.Basket.Rewards[i]; reward.Use {
				mark(c.CustomerID, reward.CampaignID, bought.ID, bought.Code)
			}
		}
	}
	if len(marks) == 0 {
		return nil
	}
	err := purchase.MarkUsed(tx, s, marks)
	if errors.Is(err, fault.ErrInvalid) {
		return points.ErrNotHeld
	}
	return err
}

// finish writes the audit log, and stores the responses of calls with keys.
func finish(tx *db.Tx, s *store.Store, records *api.Records, done []*confirmation) error {
	for _, c := range done {
		records.Audit(c.record, func(e *audit.Entry) { e.SetCustomer(c.CustomerID) })
		if c.record.Key() == "" {
			continue
		}
		body, err := c.encoded(s, tx.Now())
		if err != nil {
			return err
		}
		records.Respond(c.record, body)
	}
	return records.Save()
}
