package purchase

import (
	"punchcard/core/audit"
	"punchcard/core/store"
	"punchcard/platform/db"
)

// describe completes the audit entry of a purchase. The entry has the id of the first coupon. Entries of customers
// leave out what their other columns tell, so that fewer indexes change.
func (b *Buy) describe(e *audit.Entry, coupons []Coupon) error {
	e.ID, e.EntityID, e.CustomerID = coupons[0].ID, coupons[0].ID, b.CustomerID
	if e.User.Type == "customer" {
		e.CustomerID, e.User.Name = "", ""
	}
	e.Data = audit.Data{After: map[string]any{"campaignId": b.CampaignID}}
	if b.Quantity > 1 {
		e.Data.After["quantity"] = b.Quantity
	}
	return nil
}

// describeMarked makes the coupon and its customer the subject of an audit entry, if all marks have the same customer.
func describeMarked(e *audit.Entry, marks []Mark) {
	for _, m := range marks {
		if m.CustomerID != marks[0].CustomerID {
			return
		}
	}
	if len(marks) > 0 {
		e.SetCustomer(marks[0].CustomerID)
		e.SetEntity(marks[0].CouponID)
	}
}

// ForgetAudit removes the addresses from the audit entries of a customer's own purchases.
func ForgetAudit(tx *db.Tx, s *store.Store, customerID, after string) (next string, err error) {
	found, err := older(tx, s.Key, customerID, after, forgetBatch)
	if err != nil || len(found) == 0 {
		return "", err
	}
	ids := make([]string, len(found))
	for i := range found {
		ids[i] = found[i].CouponID
	}
	if len(ids) == forgetBatch {
		next = ids[len(ids)-1]
	}
	return next, audit.ForgetPurchases(tx, ids...)
}

// forgetBatch is how many purchases are cleared in one step.
const forgetBatch = 500
