// Package privacy exports what the program stores about a customer, and erases their identity.
package privacy

import (
	"punchcard/core/api"
	"punchcard/core/audit"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/platform/db"
	"punchcard/platform/form"
)

// Confirm reports whether a text is the caller's password. A wrong one becomes an error of the form.
type Confirm func(c *api.Call, g *form.Group, given string) (bool, error)

// Service exports and erases the personal data of all features.
type Service struct {
	stored  []feature.Personal
	confirm Confirm
}

// New returns a service for the personal data of all features.
func New(stored []feature.Personal, confirm Confirm) *Service { return &Service{stored, confirm} }

// changed removes what features store about a deleted customer, and about those who were merged into them.
func (svc *Service) changed(tx *db.Tx, s *store.Store, e customer.Changed) error {
	if e.After.Status != customer.Deleted {
		return nil
	}
	ids, err := withMerged(tx, s, e.After.ID)
	if err != nil {
		return err
	}
	audit.Of(tx).Hide()
	for _, id := range ids {
		for i := range svc.stored {
			for _, clear := range svc.stored[i].ForgetDeleted {
				if err := clearAll(tx, s, id, clear); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func clearAll(tx *db.Tx, s *store.Store, id string, clear feature.Trace) (err error) {
	for after, more := "", true; more; more = after != "" {
		if after, err = clear(tx, s, id, after); err != nil {
			return err
		}
	}
	return nil
}
