package cashback

import (
	"cmp"
	"strings"

	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
	"punchcard/loyalty/purchase"
	"punchcard/platform/db"
	"punchcard/platform/event"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// Callback is a provider's report about a payment.
type Callback struct {
	Provider   string
	CustomerID string
	CouponID   string
	Status     string // may be empty, as Code and Message may
	Code       string
	Message    string
}

// contentLimit is the maximum length of a provider's message, in bytes.
const contentLimit = 8 << 10

// parseCallback reads the JSON message of a callback.
func parseCallback(provider, content string) (Callback, error) {
	if len(content) > contentLimit {
		return Callback{}, fault.ErrInvalid
	}
	message, err := form.Decode("application/json", strings.NewReader(content))
	if err != nil {
		return Callback{}, err
	}
	customerID, couponID, _ := strings.Cut(message.Child("orderId").Text(), "_")
	if !form.IsUUID(customerID) || !form.IsUUID(couponID) {
		return Callback{}, fault.ErrInvalid
	}
	return Callback{
		Provider: provider, CustomerID: strings.ToLower(customerID), CouponID: strings.ToLower(couponID),
		Status: message.Child("status").Text(), Code: message.Child("statusCode").Text(),
		Message: message.Child("statusMessage").Text(),
	}, nil
}

// Receive records a provider's report about a payment, and returns whether the payment has failed. A
// failed payment is refunded to the lots that the points came from. Repeating the same report has no
// further effect.
func Receive(tx *db.Tx, s *store.Store, call Callback) (failed bool, err error) {
	owner := points.Owner{Store: s, CustomerID: call.CustomerID}
	target, err := targetID(tx, s, call.CustomerID)
	if err != nil {
		return false, err
	}
	// The account is locked before the payment, as in every change of points. This serializes the
	// callbacks of a customer.
	with := points.Owner{Store: s, CustomerID: target}
	_, err = points.ChangeWith(tx, owner, with, func(w, of *points.Wallet) ([]event.Entry, error) {
		if now, err := targetID(tx, s, call.CustomerID); err != nil || now != target {
			return nil, cmp.Or(err, db.ErrStale)
		}
		p, err := purchase.Lock(tx, s.Key, call.CustomerID, call.CouponID)
		if err != nil {
			return nil, err
		}
		c, err := lockCashback(tx, s.Key, call.CustomerID, call.CouponID)
		if err != nil {
			return nil, err
		}
		next := outcome(call.Status, call.Code)
		again := c.State == next && c.Code == call.Code && c.Message == call.Message
		if again || !c.State.leadsTo(next) {
			failed = c.State == Failed
			return nil, nil
		}
		failed = next == Failed
		c.State, c.Provider, c.Code, c.Message = next, call.Provider, call.Code, call.Message
		entries := []event.Entry{statusChanged(c)}
		if failed {
			returned, err := giveBack(tx, s, w, of, p)
			if err != nil {
				return nil, err
			}
			entries = append(entries, returned...)
		}
		if err := updateCashback(tx, c); err != nil {
			return nil, err
		}
		return entries, stopSending(tx, c)
	})
	return failed, err
}

// targetID returns the id of the customer who has the points of the one with an id: another one after a merge.
// Cashbacks stay with the customer who made them, because the orders of the payment provider name them.
func targetID(tx *db.Tx, s *store.Store, id string) (string, error) {
	found, err := customer.FindAll(tx, s.Key, id)
	if err != nil || found[id] == nil {
		return id, err
	}
	return cmp.Or(found[id].MergedInto, id), nil
}

// giveBack cancels the purchase and refunds its points, to the account of somebody into whom the customer was merged.
func giveBack(tx *db.Tx, s *store.Store, w, target *points.Wallet, p *purchase.Purchase) ([]event.Entry, error) {
	cancelled, err := p.Cancel(tx, s)
	if err != nil || p.SpendID == "" {
		return []event.Entry{cancelled}, err
	}
	refunded, err := p.Refund(w, target)
	return append([]event.Entry{cancelled}, refunded...), err
}
