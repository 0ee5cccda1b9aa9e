package seller

import (
	"punchcard/api"
	"punchcard/platform/db"
	"punchcard/platform/fault"
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
