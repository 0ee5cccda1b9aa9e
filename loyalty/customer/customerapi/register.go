package customerapi

import (
	"errors"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/audit"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/identity/seller"
	"punchcard/platform/db"
	"punchcard/platform/form"
	"punchcard/platform/password"
)

// registerCustomer adds a customer for an administrator or a seller. The customer is active at once, and has no
// password, because nobody could deliver one.
func registerCustomer(c *api.Call) error {
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
	return finish(c, fields.Group, in.Registration, "")
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
	return plain, g.Text("invitationToken", form.MaxLength(customer.TextLimit))
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
func (l Limits) selfRegister(c *api.Call) error {
	if err := c.Take(l.Registrations, c.ClientNetwork()); err != nil {
		return err
	}
	fields, in, err := readProfile(c, false, true)
	if err != nil {
		return err
	}
	group := fields.Group
	fields.refuseAddresses(&in.Registration, &customer.Customer{})
	plain, token := readSelfRegistration(group)
	in.Active = !c.Store.Settings.AccountActivationNeeded
	if in.Locale == "" {
		if in.Locale, err = languageOf(c); err != nil {
			return err
		}
	}
	if group.Err() == nil {
		if !in.Active { // a message goes to an address that may be somebody else's
			if err := c.Take(l.Activations, c.ClientNetwork()); err != nil {
				return err
			}
		}
		if in.PasswordHash, err = password.Hash(c.ClientContext(), plain); err != nil {
			return err
		}
	}
	return finish(c, group, in.Registration, token)
}

// languageOf returns the language of the client, from the query parameter _locale, if it is one of the languages.
func languageOf(c *api.Call) (code string, err error) {
	query, err := c.Query()
	code = query.Child("_locale").Text()
	if err != nil || code == "" {
		return "", err
	}
	var known bool
	err = c.Read(func(tx *db.Tx) error {
		_, known, err = store.FindLanguage(tx, code)
		return err
	})
	if !known {
		code = ""
	}
	return code, err
}

// errNotInvited is the error of a token that is unknown or used.
var errNotInvited = errors.New("no open invitation has the token")

// newCustomer is the response to a registration.
type newCustomer struct {
	CustomerID string  `json:"customerId"`
	Email      *string `json:"email"`
}

// finish registers the customer, lets others react in the same transaction, and responds. invitation is the token that
// was sent, or empty.
func finish(c *api.Call, group *form.Group, in customer.Registration, invitation string) error {
	if err := group.Err(); err != nil {
		return err
	}
	var err error
	if in.IssueCard, err = wantsCard(c); err != nil {
		return err
	}
	var added *customer.Customer
	err = c.Write(func(tx *db.Tx) (err error) {
		if invitation != "" {
			by := customer.Registering{Token: invitation}
			if err := feature.React(tx, c.Store, &by); err != nil {
				return err
			}
			in.InvitationID = by.InvitationID
		}
		if added, err = customer.Register(tx, c.Store, in); err != nil {
			return err
		}
		audit.Of(tx).SetCustomer(added.ID)
		if invitation != "" && in.InvitationID == "" {
			return errNotInvited
		}
		return feature.React(tx, c.Store, customer.Registered{Customer: added})
	}, func() error {
		response := newCustomer{CustomerID: added.ID}
		if added.Email != "" {
			response.Email = &added.Email
		}
		return c.OK(response)
	})
	var taken *customer.Taken
	switch {
	case errors.As(err, &taken):
		return FieldErrors(taken, group)
	case errors.Is(err, errNotInvited):
		group.AddError("invitationToken", form.Invalid("unknown_invitation"))
		return group.Err()
	}
	return err
}
