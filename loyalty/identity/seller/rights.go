package seller

import (
	"punchcard/core/access"
	"punchcard/core/api"
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

// Errors of rights of sellers that the caller does not have.
var (
	// ErrNotHeld refuses a form that gives a right.
	ErrNotHeld = fault.New(fault.Fields, "right_not_held", "You can only give rights that you have: %s.")
	errTaken   = fault.New(fault.Fields, "seller_has_right", "This seller has a right that you do not have: %s.")
	// ErrSellersMay refuses a caller who lets somebody sell.
	ErrSellersMay = fault.New(fault.Forbidden, "sellers_may_more", "Sellers have a right that you do not have: %s.")
)

// permission is one that administrators need for what sellers may do.
type permission struct{ resource, access string }

func (p permission) String() string { return p.resource + " " + p.access }

// ofEverySeller are the permissions for what all sellers may do: to register, see and change customers, assign their
// receipts, buy for them, and list their points.
var ofEverySeller = []permission{
	{access.Customers, access.Modify}, {access.Transactions, access.Modify}, {access.RewardCampaigns, access.Modify},
	{access.PointTransfers, access.View},
}

// switches are the rights that need a permission of their own to be given.
var switches = []struct {
	field string
	permission
	of func(r *Rights) bool
}{
	{"allowPointTransfer", permission{access.PointTransfers, access.Modify},
		func(r *Rights) bool { return r.AllowPointTransfer }},
	{"allowCouponCancel", permission{access.RewardCampaigns, access.Modify},
		func(r *Rights) bool { return r.AllowCouponCancel }},
}

// Missing returns the first permission that a seller with the rights has the use of and the caller lacks; empty for
// none. Nobody opens a log-in that may more than they may themselves.
func (r *Rights) Missing(by *access.Caller) string {
	needed := ofEverySeller
	for _, s := range switches {
		if s.of(r) {
			needed = append(needed[:len(needed):len(needed)], s.permission)
		}
	}
	for _, p := range needed {
		if !by.Allowed(p.resource, p.access) {
			return p.String()
		}
	}
	return ""
}

// CheckOpens returns an error if the caller may not open the log-in of a seller with the rights: register or activate
// one, make a link, or remove second factors.
func (r *Rights) CheckOpens(by *access.Caller) error {
	if missing := r.Missing(by); missing != "" {
		return ErrSellersMay.With(missing)
	}
	return nil
}

// FindToOpen finds a seller whose log-in the caller may open. The error is fault.ErrNotFound if there is none.
func FindToOpen(tx *db.Tx, by *access.Caller, storeKey int64, id string) (Seller, error) {
	s, found, err := FindByID(tx, storeKey, id)
	if err == nil && !found {
		err = fault.ErrNotFound
	}
	if err == nil {
		err = s.CheckOpens(by)
	}
	return s, err
}

// permitRights adds errors to the form of a change of rights. An administrator gives none that they do not have.
func permitRights(by *access.Caller, g *form.Group, before, after *Rights) {
	for _, s := range switches {
		if s.of(after) && !s.of(before) && !by.Allowed(s.resource, s.access) {
			g.AddError(s.field, ErrNotHeld.With(s.permission))
		}
	}
}

// permitLogIn adds errors to the form of a change of before into after. An administrator neither chooses the e-mail
// address or the password of a seller who has a right that they do not have, nor activates them.
func permitLogIn(by *access.Caller, g *form.Group, before, after *Seller) {
	missing := after.Missing(by)
	for _, change := range []struct {
		field string
		opens bool
	}{
		{"email", before.Email != after.Email}, {"plainPassword", before.PasswordHash != after.PasswordHash},
		{"active", !before.Active && after.Active},
	} {
		if change.opens && missing != "" {
			g.AddError(change.field, errTaken.With(missing))
		}
	}
}
