package customerapi

import (
	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/photo"
	"punchcard/platform/db"
	"punchcard/platform/form"
	"punchcard/platform/picture"
)

func avatarEndpoints() []api.Endpoint {
	view := access.AdministratorWith(access.Customers, access.View)
	modify := access.AdministratorWith(access.Customers, access.Modify)
	return []api.Endpoint{
		{Method: "GET", Path: customerPath + "/avatar", Access: view.And(access.Seller, access.Customer).WithPIN(),
			Do: customer.Avatars.Get("private, no-cache", idOfPath), Summary: "Show the avatar of a customer"},
		{Method: "POST", Path: customerPath + "/avatar", Access: modify.And(access.Seller, access.Customer),
			Factor: api.Everyday,
			Do:     api.WriteTo(mayEditProfile, photo.In("avatar"), setAvatar), Summary: "Set the avatar of a customer",
			Audit: api.Audited("UpdateCustomerAvatar", "customer"), NoDryRun: api.Uploads},
		{Method: "DELETE", Path: customerPath + "/avatar", Access: modify.And(access.Seller, access.Customer),
			Factor: api.Everyday,
			Do:     api.Act(removeAvatar), Summary: "Remove the avatar of a customer",
			Audit: api.Audited("DeleteCustomerAvatar", "customer")},
	}
}

// idOfPath returns the id of the customer that the path names.
func idOfPath(c *api.Call, tx *db.Tx) (string, error) {
	who, err := customer.Of(c, tx)
	if err != nil {
		return "", err
	}
	return who.ID, nil
}

func setAvatar(w *api.Writing, _ string, avatar *picture.Picture) (none api.NoContent, err error) {
	who, err := lockOfPath(w)
	if err != nil {
		return none, err
	}
	return none, customer.SetAvatar(w.Tx, w.Store, who, *avatar)
}

func removeAvatar(w *api.Writing) (none api.NoContent, err error) {
	if _, err := mayEditProfile(w); err != nil {
		return none, err
	}
	who, err := lockOfPath(w)
	if err != nil {
		return none, err
	}
	return none, customer.RemoveAvatar(w.Tx, w.Store, who)
}

// mayEditProfile returns the id of the customer that the path names. Customers get an error of the form where the store
// does not let them change their profile.
func mayEditProfile(w *api.Writing) (string, error) {
	id, err := idOfPath(w.Call, w.Tx)
	if err == nil && w.Caller.Role == access.Customer && !w.Store.Settings.AllowsProfileEditing {
		refused := form.Read(nil)
		refused.AddFormError(errNoPermission)
		err = refused.Err()
	}
	return id, err
}

// lockOfPath locks the customer that the path names.
func lockOfPath(w *api.Writing) (*customer.Customer, error) {
	id, err := idOfPath(w.Call, w.Tx)
	if err != nil {
		return nil, err
	}
	who, _, err := customer.Lock(w.Tx, w.Store, id)
	return who, err
}
