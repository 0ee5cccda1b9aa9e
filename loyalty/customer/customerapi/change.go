package customerapi

import (
	"errors"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/membership"
	"punchcard/loyalty/points"
	"punchcard/loyalty/pos"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// changeCustomer locks the customer that the path names, applies run in one transaction, lets others react, and
// responds.
func changeCustomer(c *api.Call, run func(tx *db.Tx, who *customer.Customer, account points.Account) error,
	respond func() error) error {
	return c.Write(func(tx *db.Tx) error {
		named, err := customer.Of(c, tx)
		if err != nil {
			return err
		}
		who, account, err := customer.Lock(tx, c.Store, named.ID)
		if err != nil {
			return err
		}
		before := *who
		if err := run(tx, who, account); err != nil {
			return err
		}
		return feature.React(tx, c.Store, customer.Changed{Before: &before, After: who})
	}, respond)
}

func activate(c *api.Call) error { return changeStatus(c, customer.Activate) }

func deactivate(c *api.Call) error { return changeStatus(c, customer.Deactivate) }

func changeStatus(c *api.Call, change func(tx *db.Tx, s *store.Store, id string) error) error {
	return changeCustomer(c, func(tx *db.Tx, who *customer.Customer, _ points.Account) error {
		if err := change(tx, c.Store, who.ID); err != nil {
			return err
		}
		after, err := customer.Find(tx, c.Store.Key, who.ID)
		*who = *after
		return err
	}, c.Done)
}

type identity struct {
	CustomerID string `json:"customerId"`
}

func putCustomer(c *api.Call) error {
	bySelf := c.Caller.Role == access.Customer
	fields, change, err := readProfile(c, true, bySelf)
	if err != nil {
		return err
	}
	if !bySelf {
		fields.readAssignments(&change.Registration)
	} else if !c.Store.Settings.AllowsProfileEditing {
		fields.AddFormError(errNoPermission)
	}
	var response identity
	err = changeCustomer(c, func(tx *db.Tx, who *customer.Customer, _ points.Account) error {
		response.CustomerID = who.ID
		fields.refuseProtected(c.Store, who)
		if bySelf {
			fields.refuseAddresses(&change.Registration, who)
		}
		if err := fields.Err(); err != nil {
			return err
		}
		return updateCustomer(tx, c.Store, who, change, bySelf)
	}, func() error { return c.OK(response) })
	return ExplainConflict(c, err, response.CustomerID, change, fields.Group)
}

// ExplainConflict returns the field errors of a change of a customer whose error is that unique values are taken: known
// when the change ran, or taken by another request since, which the unique index refuses with an internal error. It
// returns other errors as they are.
func ExplainConflict(c *api.Call, err error, id string, change customer.Change, group *form.Group) error {
	if fault.KindOf(err) == fault.Internal && id != "" {
		err = errors.Join(c.Read(func(tx *db.Tx) error {
			who, err := customer.Find(tx, c.Store.Key, id)
			if err != nil {
				return err
			}
			return change.Conflicts(tx, c.Store, who)
		}), err)
	}
	var taken *customer.Taken
	if errors.As(err, &taken) {
		return FieldErrors(taken, group)
	}
	return err
}

// updateCustomer changes the customer. Of their own new contacts, those that they must confirm first wait.
func updateCustomer(
	tx *db.Tx, s *store.Store, who *customer.Customer, change customer.Change, bySelf bool,
) (err error) {
	var held []heldContact
	if bySelf {
		if change, held, err = holdContacts(tx, s, who, change); err != nil {
			return err
		}
	}
	before := *who
	if err := customer.Update(tx, s, who, change); err != nil {
		return err
	}
	if before.Email != who.Email || before.Phone != who.Phone {
		err := feature.React(tx, s, customer.ContactChanged{Before: &before, After: who, ByStaff: !bySelf})
		if err != nil {
			return err
		}
	}
	for _, contact := range held {
		held := customer.ContactHeld{Customer: who, Field: contact.field, Value: contact.value}
		if err := feature.React(tx, s, held); err != nil {
			return err
		}
	}
	return nil
}

func deleteCustomer(c *api.Call) error {
	return changeCustomer(c, func(tx *db.Tx, who *customer.Customer, _ points.Account) error {
		return customer.Delete(tx, c.Store, who)
	}, c.NoContent)
}

func setLevel(c *api.Call) error {
	unknown := form.Invalid("unknown_level")
	return assign(c, "levelId", unknown, func(tx *db.Tx, who *customer.Customer, id string) (known bool, err error) {
		err = customer.SetLevel(tx, c.Store, who, id)
		if errors.Is(err, customer.ErrUnknownLevel) {
			return false, nil
		}
		return true, err
	})
}

func assignPOS(c *api.Call) error {
	unknown := form.Invalid("unknown_point_of_sale")
	return assign(c, "posId", unknown, func(tx *db.Tx, who *customer.Customer, id string) (known bool, err error) {
		if _, known, err = pos.Find(tx, c.Store.Key, id); err != nil || !known {
			return known, err
		}
		return true, customer.AssignPOS(tx, c.Store, who, id)
	})
}

// assign reads a form of one id and passes it to give. If give does not know the id, the field gets the
// problem.
func assign(c *api.Call, name string, problem *fault.Error,
	give func(tx *db.Tx, who *customer.Customer, id string) (known bool, err error)) error {
	group, err := field(c, name)
	if err != nil {
		return err
	}
	id := group.UUID(name, form.NotBlank)
	return changeCustomer(c, func(tx *db.Tx, who *customer.Customer, _ points.Account) error {
		if err := group.Err(); err != nil {
			return err
		}
		known, err := give(tx, who, id)
		if err == nil && !known {
			group.AddError(name, problem)
			err = group.Err()
		}
		return err
	}, func() error { return c.OK([]string{}) })
}

func releaseLevel(c *api.Call) error {
	return changeCustomer(c, func(tx *db.Tx, who *customer.Customer, account points.Account) error {
		return membership.ReleaseLevel(tx, c.Store, who, account)
	}, c.NoContent)
}
