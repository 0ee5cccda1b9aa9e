package checkout

import (
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
	"punchcard/platform/form"
)

// confirmation is a call to confirm a reservation.
type confirmation struct {
	reservationID string
	receipt       transaction.Transaction // without lines and customer
	locale        string                  // language of the names of bought campaigns
}

// asked is a confirmation in a batch.
type asked = api.Asked[confirmation, *reservation]

// confirming is a confirmation that is carried out.
type confirming struct {
	*asked
	*reservation                          // nil if there is none
	customer     *customer.Customer       // nil for nobody
	sold         []purchase.Coupon        // of the rewards
	made         *transaction.Transaction // the stored receipt
}

// confirm decides confirmations of one store, and returns them after the effects are durable. It locks the
// reservations, then as a purchase and a receipt do. Confirmations of one reservation or customer follow each other.
// Confirming a reservation again with the same document number has no effect.
func (svc *Service) confirm(tx *db.Tx, s *store.Store, calls []*asked) error {
	all, err := lockReservations(tx, s.Key, calls)
	if err != nil {
		return err
	}
	return batch.Rounds(all, (*confirming).dependsOn, func(round []*confirming) error {
		var open []*confirming
		for _, c := range round {
			if c.IsNew() && c.decide(tx) {
				open = append(open, c)
			}
		}
		if err := svc.carryOut(tx, s, open); err != nil {
			return err
		}
		for _, c := range round {
			if c.Err != nil {
				continue
			}
			c.Out = c.reservation
			if err := c.Done(func(e *audit.Entry) error {
				e.SetCustomer(c.CustomerID)
				return nil
			}); err != nil {
				return err
			}
		}
		return nil
	})
}

// dependsOn returns what confirmations of one round do not have in common.
func (c *confirming) dependsOn() []string {
	keys := c.Keys(c.In.reservationID)
	if c.reservation != nil && c.CustomerID != "" {
		keys = append(keys, c.CustomerID)
	}
	return keys
}

// decide reports whether a locked reservation is open. A confirmed one is no error for the document that confirmed it.
func (c *confirming) decide(tx *db.Tx) (isOpen bool) {
	if c.reservation == nil {
		c.Err = fault.ErrNotFound
		return false
	}
	switch c.stateAt(tx.Now()) {
	case Reserved:
		return true
	case Confirmed:
		if c.DocumentNumber == c.In.receipt.DocumentNumber {
			return false
		}
	}
	c.Err = c.ended()
	return false
}

// carryOut buys the rewards of locked open reservations, registers the receipts and marks the coupons as used.
func (svc *Service) carryOut(tx *db.Tx, s *store.Store, open []*confirming) error {
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

// findCustomers reads the customers of the reservations, which are different.
func findCustomers(tx *db.Tx, storeKey int64, open []*confirming) error {
	var ids []string
	for _, c := range open {
		if c.CustomerID != "" {
			ids = append(ids, c.CustomerID)
		}
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
func (svc *Service) redeem(tx *db.Tx, s *store.Store, open []*confirming) error {
	var redemptions []purchase.Redemption
	var of []*confirming
	var holds []campaign.Hold
	for _, c := range open {
		if c.customer != nil {
			redemptions = append(redemptions, purchase.Redemption{
				ReservationID: c.ID, CustomerID: c.customer.ID, Rewards: c.Basket.Rewards,
			})
			of, holds = append(of, c), append(holds, c.holds()...)
		}
	}
	sold, err := svc.desk.Redeem(tx, s, open[0].In.locale, redemptions...)
	if err != nil {
		return err
	}
	for i, c := range of {
		c.sold = sold[i]
	}
	return campaign.EndHolds(tx, s.Key, holds...)
}

// register registers the receipts, at the point of sale that the call names, or else where the basket was reserved.
func (svc *Service) register(tx *db.Tx, s *store.Store, open []*confirming) error {
	sales := make([]transaction.Paid, len(open))
	for i, c := range open {
		sale := c.In.receipt
		if sale.POSID == "" {
			sale.POSID = c.POSID
		}
		sale.Items, sale.LinePoints, sale.Labels = c.Basket.Items, c.Basket.LinePoints, []transaction.Label{}
		sales[i] = transaction.Paid{Customer: c.customer, Transaction: sale}
	}
	made, err := svc.receipts.RegisterPaid(tx, s, sales...)
	if refused, is := errors.AsType[*transaction.Refused](err); is {
		return &refusedReceipt{refused}
	}
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
func use(tx *db.Tx, s *store.Store, open []*confirming) error {
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

// refusedReceipt is the error of a confirmation with an invalid document.
type refusedReceipt struct{ *transaction.Refused }

// Unwrap returns the error of the document.
func (r *refusedReceipt) Unwrap() error { return r.Refused }

// AddTo adds the errors to the fields of the form.
func (r *refusedReceipt) AddTo(g *form.Group) {
	if r.Document != nil {
		g.AddError("documentNumber", r.Document)
	}
	if r.Ahead {
		g.AddError("purchaseDate", form.Invalid("too_far_ahead"))
	}
	if r.POSUnknown {
		g.AddError("posId", form.Invalid("unknown_point_of_sale"))
	}
}
