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
			Handle:  getAvatar,
			Summary: "Show the avatar of a customer", Response: api.Media("image/*")},
		{Method: "POST", Path: customerPath + "/avatar", Access: modify.And(access.Seller, access.Customer),
			Factor: api.Everyday,
			Handle: postAvatar, Summary: "Set the avatar of a customer", Form: photo.Describe("avatar"),
			Response: api.NoContent{}, Audit: api.Audited("UpdateCustomerAvatar", "customer"), NoDryRun: api.Uploads},
		{Method: "DELETE", Path: customerPath + "/avatar", Access: modify.And(access.Seller, access.Customer),
			Factor: api.Everyday,
			Handle: deleteAvatar, Summary: "Remove the avatar of a customer", Response: api.NoContent{},
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

func getAvatar(c *api.Call) error { return customer.Avatars.Serve(c, "private, no-cache", idOfPath) }

func postAvatar(c *api.Call) error {
	return photo.Upload(c, "avatar", mayEditProfile, func(tx *db.Tx, avatar picture.Picture) error {
		who, err := lockOfPath(c, tx)
		if err != nil {
			return err
		}
		return customer.SetAvatar(tx, c.Store, who, avatar)
	}, c.NoContent)
}

func deleteAvatar(c *api.Call) error {
	return c.Write(func(tx *db.Tx) error {
		if _, err := mayEditProfile(c, tx); err != nil {
			return err
		}
		who, err := lockOfPath(c, tx)
		if err != nil {
			return err
		}
		return customer.RemoveAvatar(tx, c.Store, who)
	}, c.NoContent)
}

// mayEditProfile returns the id of the customer that the path names. Customers get an error of the form where the store
// does not let them change their profile.
func mayEditProfile(c *api.Call, tx *db.Tx) (string, error) {
	id, err := idOfPath(c, tx)
	if err == nil && c.Caller.Role == access.Customer && !c.Store.Settings.AllowsProfileEditing {
		refused := form.Read(nil)
		refused.AddFormError(errNoPermission)
		err = refused.Err()
	}
	return id, err
}

// lockOfPath locks the customer that the path names.
func lockOfPath(c *api.Call, tx *db.Tx) (*customer.Customer, error) {
	id, err := idOfPath(c, tx)
	if err != nil {
		return nil, err
	}
	who, _, err := customer.Lock(tx, c.Store, id)
	return who, err
}
