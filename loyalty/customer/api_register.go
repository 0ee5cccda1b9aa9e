package customer

import (
	"errors"

	"punchcard/api"
	"punchcard/api/access"
	"punchcard/loyalty/identity/seller"
	"punchcard/platform/db"
	"punchcard/platform/form"
	"punchcard/platform/password"
)

// register adds a customer for an administrator or a seller. The customer is active at once, and gets a
// generated password if the hook that delivers it is set.
func (h Hooks) register(c *api.Call) error {
	fields, in, err := readProfile(c, false, false)
	if err != nil {
		return err
	}
	fields.readAssignments(&in.Registration)
	if c.Caller.Role == access.Seller && in.POSID == "" && !fields.Failed("posId") {
		if in.POSID, err = sellerPOS(c); err != nil {
			return err
		}
	}
	in.Active, in.PasswordTemporary = true, true
	plain := ""
	if h.Welcome != nil && fields.Err() == nil {
		plain = password.Generate()
		if in.PasswordHash, err = password.Hash(c.Context(), plain); err != nil {
			return err
		}
	}
	return h.finish(c, fields.Group, in.Registration, func(tx *db.Tx, added *Customer) error {
		if plain == "" {
			return nil
		}
		return h.Welcome(tx, c.Store, added, plain)
	})
}

// readSelfRegistration reads the fields that only a self-registration has: the password and the invitation
// token.
func readSelfRegistration(g *form.Group) (plain, token string) {
	plain = g.Verbatim("plainPassword", form.NotBlank, form.MaxLength(password.MaxBytes))
	if plain != "" {
		for _, problem := range password.Problems(plain, false) {
			g.AddError("plainPassword", problem)
		}
	}
	return plain, g.Text("invitationToken", form.MaxLength(textLimit))
}

// sellerPOS returns the point of sale where the calling seller works.
func sellerPOS(c *api.Call) (id string, err error) {
	err = c.Read(func(tx *db.Tx) error {
		who, _, err := seller.FindByID(tx, c.Store.Key, c.Caller.ID)
		id = who.POSID
		return err
	})
	return id, err
}

// selfRegister registers the caller with the password they chose. It is limited by the client network.
func (h Hooks) selfRegister(c *api.Call) error {
	if err := c.Take(h.Registrations, c.ClientNetwork()); err != nil {
		return err
	}
	fields, in, err := readProfile(c, false, true)
	if err != nil {
		return err
	}
	group := fields.Group
	plain, token := readSelfRegistration(group)
	in.Active = !c.Store.Settings.AccountActivationNeeded
	if group.Err() == nil {
		if in.PasswordHash, err = password.Hash(c.Context(), plain); err != nil {
			return err
		}
	}
	err = h.finish(c, group, in.Registration, func(tx *db.Tx, added *Customer) error {
		return h.redeemInvitation(tx, c, added, token)
	})
	if errors.Is(err, errNotInvited) {
		group.AddError("invitationToken", form.Invalid("unknown_invitation"))
		return group.Err()
	}
	return err
}

var errNotInvited = errors.New("no open invitation has the token")

func (h Hooks) redeemInvitation(tx *db.Tx, c *api.Call, added *Customer, token string) error {
	if token == "" {
		return nil
	}
	if h.Invited == nil {
		return errNotInvited
	}
	found, err := h.Invited(tx, c.Store, added, token)
	if err == nil && !found {
		err = errNotInvited
	}
	return err
}

// newCustomer is the response to a registration.
type newCustomer struct {
	CustomerID string  `json:"customerId"`
	Email      *string `json:"email"`
}

// finish registers the customer, runs welcome and the hooks in the same transaction, and responds.
func (h Hooks) finish(c *api.Call, group *form.Group, in Registration,
	welcome func(tx *db.Tx, added *Customer) error) error {
	if err := group.Err(); err != nil {
		return err
	}
	var added *Customer
	err := c.Write(func(tx *db.Tx) (err error) {
		if added, err = Register(tx, c.Store, in); err != nil {
			return err
		}
		if err := welcome(tx, added); err != nil {
			return err
		}
		return h.registered(tx, c.Store, added)
	})
	var taken *Taken
	if errors.As(err, &taken) {
		return taken.fieldErrors(group)
	}
	if err != nil {
		return err
	}
	answer := newCustomer{CustomerID: added.ID}
	if added.Email != "" {
		answer.Email = &added.Email
	}
	return c.OK(answer)
}
