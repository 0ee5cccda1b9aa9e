package seller

import (
	"punchcard/api"
	"punchcard/api/access"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// Permitted returns the seller who calls. It returns fault.ErrForbidden unless they have the right.
func Permitted(c *api.Call, right func(r *Rights) bool) (Seller, error) {
	var who Seller
	err := c.Read(func(tx *db.Tx) error {
		found := false
		var err error
		if who, found, err = FindByID(tx, c.Store.Key, c.Caller.ID); err == nil && (!found || !right(&who.Rights)) {
			err = fault.ErrForbidden
		}
		return err
	})
	return who, err
}

// Errors of rights that a new seller does not have and administrators may give only if they have them.
var (
	errRight = fault.New(fault.Fields, "right_not_held", "You can only give rights that you have: %s.")
	errTaken = fault.New(fault.Fields, "seller_has_right", "This seller has a right that you do not have: %s.")
)

// permit adds errors to the form of a change of before into after. An administrator gives no right that they do not
// have, and does not choose the e-mail address or the password of a seller who has one.
func permit(by *access.Caller, g *form.Group, before, after *Seller) {
	for _, right := range []struct {
		field, resource string
		was, is         bool
	}{
		{"allowPointTransfer", access.PointTransfers, before.AllowPointTransfer, after.AllowPointTransfer},
		{"allowCouponCancel", access.RewardCampaigns, before.AllowCouponCancel, after.AllowCouponCancel},
	} {
		if !right.is || by.Allowed(right.resource, access.Modify) {
			continue
		}
		name := right.resource + " " + access.Modify
		if !right.was {
			g.AddError(right.field, errRight.With(name))
			continue
		}
		if before.Email != after.Email {
			g.AddError("email", errTaken.With(name))
		}
		if before.PasswordHash != after.PasswordHash {
			g.AddError("plainPassword", errTaken.With(name))
		}
	}
}
