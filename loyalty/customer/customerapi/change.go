package customerapi

import (
	"errors"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/membership"
	"punchcard/loyalty/pos"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// change returns the operation that locks the customer whom the path names, changes them, and lets others react.
func change[In, Out any](input api.Input[In], run func(w *api.Writing, who *customer.Customer, in In) (Out, error),
) api.Operation {
	return api.WriteTo(customerOfPath, input, func(w *api.Writing, named *customer.Customer, in In) (out Out, err error) {
		who, _, err := customer.Lock(w.Tx, w.Store, named.ID)
		if err != nil {
			return out, err
		}
		before := *who
		if out, err = run(w, who, in); err != nil {
			return out, err
		}
		return out, feature.React(w.Tx, w.Store, customer.Changed{Before: &before, After: who})
	})
}

func customerOfPath(w *api.Writing) (*customer.Customer, error) { return customer.Of(w.Call, w.Tx) }

func changeStatus(active bool) api.Operation {
	return change(api.NoInput, func(w *api.Writing, who *customer.Customer, _ struct{}) (none api.Nothing, err error) {
		return none, setStatus(w.Tx, w.Store, who, active)
	})
}

type identity struct {
	CustomerID string `json:"customerId"`
}

// sentChange is a change of a customer with its form, which gets further errors of fields.
type sentChange struct {
	customer.Change
	fields *reader
	bySelf bool
}

var changedProfile = api.LeaveErrors(api.BodyInCall("customer", readChange, nil).DescribedAs(nil, describeChange))

func readChange(c *api.Call, g *form.Group) (sentChange, error) {
	bySelf := c.Caller.Role == access.Customer
	fields, change := readProfile(c, g, true, bySelf)
	switch {
	case !bySelf:
		fields.readAssignments(&change.Registration)
	case !c.Store.Settings.AllowsProfileEditing:
		fields.AddFormError(errNoPermission)
	}
	return sentChange{change, fields, bySelf}, nil
}

func changeProfile(w *api.Writing, who *customer.Customer, sent api.Unchecked[sentChange]) (identity, error) {
	in, made := sent.In, identity{who.ID}
	in.fields.refuseProtected(w.Store, who)
	if in.bySelf {
		in.fields.refuseAddresses(&in.Registration, who)
	}
	if err := sent.Form.Err(); err != nil {
		return made, err
	}
	w.Explain(func(err error) error { return ExplainConflict(w.Call, err, who.ID, in.Change, sent.Form) })
	return made, updateCustomer(w.Tx, w.Store, who, in.Change, in.bySelf)
}

// ExplainConflict returns the field errors of a change of a customer whose error is that unique values are taken: known
// when the change ran, or taken by another request since, which the unique index refuses with an internal error. It
// returns other errors as they are.
func ExplainConflict(c *api.Call, err error, id string, change customer.Change, group *form.Group) error {
	if fault.KindOf(err) == fault.Internal {
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

func deleteCustomer(w *api.Writing, who *customer.Customer, _ struct{}) (none api.NoContent, err error) {
	return none, customer.Delete(w.Tx, w.Store, who)
}

// assign returns the operation that reads a form of one id, and passes it to set.
func assign(name string, set func(w *api.Writing, who *customer.Customer, id string) error) api.Operation {
	id := api.SingleField(name, func(g *form.Group) string { return g.UUID(name, form.NotBlank) })
	return change(id, func(w *api.Writing, who *customer.Customer, id string) ([]string, error) {
		return []string{}, set(w, who, id)
	})
}

func setLevel(w *api.Writing, who *customer.Customer, id string) error {
	err := customer.SetLevel(w.Tx, w.Store, who, id)
	if errors.Is(err, customer.ErrUnknownLevel) {
		return w.Refuse("levelId", form.Invalid("unknown_level"))
	}
	return err
}

func assignPOS(w *api.Writing, who *customer.Customer, id string) error {
	_, known, err := pos.Find(w.Tx, w.Store.Key, id)
	if err == nil && !known {
		err = w.Refuse("posId", form.Invalid("unknown_point_of_sale"))
	}
	if err != nil {
		return err
	}
	return customer.AssignPOS(w.Tx, w.Store, who, id)
}

func releaseLevel(w *api.Writing) (none api.NoContent, err error) {
	named, err := customer.Of(w.Call, w.Tx)
	if err != nil {
		return none, err
	}
	who, account, err := customer.Lock(w.Tx, w.Store, named.ID)
	if err != nil {
		return none, err
	}
	before := *who
	if err := membership.ReleaseLevel(w.Tx, w.Store, who, account); err != nil {
		return none, err
	}
	return none, feature.React(w.Tx, w.Store, customer.Changed{Before: &before, After: who})
}
