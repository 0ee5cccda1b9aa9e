package customerapi

import (
	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/audit"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/identity/seller"
	"punchcard/platform/db"
	"punchcard/platform/db/batch"
	"punchcard/platform/form"
	"punchcard/platform/password"
)

// entrance registers customers.
type entrance struct {
	Limits
	registrations *api.Batched[joining, *customer.Customer]
}

// register adds a customer for an administrator or a seller. The customer is active at once, and has no
// password, because nobody could deliver one.
func (e *entrance) register(c *api.Call) error {
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
	return e.finish(c, fields.Group, in.Registration, "")
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
func (e *entrance) selfRegister(c *api.Call) error {
	if err := c.Take(e.Registrations, c.ClientNetwork()); err != nil {
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
			if err := c.Take(e.Activations, c.ClientNetwork()); err != nil {
				return err
			}
		}
		if in.PasswordHash, err = password.Hash(c.ClientContext(), plain); err != nil {
			return err
		}
	}
	return e.finish(c, group, in.Registration, token)
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
var errNotInvited = api.RefusedField("invitationToken", form.Invalid("unknown_invitation"))

// newCustomer is the response to a registration.
type newCustomer struct {
	CustomerID string  `json:"customerId"`
	Email      *string `json:"email"`
}

// joining is a registration of a call.
type joining struct {
	customer.Registration
	invitation string // the token that was sent, or empty
}

// asked is a registration in a batch.
type asked = api.Asked[joining, *customer.Customer]

func newRegistrations(d *db.DB) *api.Batched[joining, *customer.Customer] {
	b := api.NewBatched(d, enter, viewNewCustomer)
	b.RefusesIfMatch = true
	b.Alone = func(in joining) bool { return in.invitation != "" } // which others may use
	return b
}

func viewNewCustomer(a *asked) (any, error) {
	response := newCustomer{CustomerID: a.Out.ID}
	if a.Out.Email != "" {
		response.Email = &a.Out.Email
	}
	return response, nil
}

// finish registers the customer together with others, and responds.
func (e *entrance) finish(c *api.Call, group *form.Group, in customer.Registration, invitation string) error {
	if err := group.Err(); err != nil {
		return err
	}
	var err error
	if in.IssueCard, err = wantsCard(c); err != nil {
		return err
	}
	return e.registrations.Serve(c, group, joining{in, invitation})
}

// enter registers customers, and lets others react in the same transaction. One with a token of an invitation is alone.
func enter(tx *db.Tx, s *store.Store, calls []*asked) error {
	return batch.Rounds(calls, func(a *asked) []string { return a.Keys() }, func(round []*asked) error {
		var fresh []*asked
		var all []customer.Registration
		for _, a := range round {
			if !a.IsNew() {
				continue
			}
			if a.In.invitation != "" {
				by := customer.Registering{Token: a.In.invitation}
				if err := feature.React(tx, s, &by); err != nil {
					return err
				}
				a.In.InvitationID = by.InvitationID
			}
			fresh, all = append(fresh, a), append(all, a.In.Registration)
		}
		if len(fresh) == 0 {
			return nil
		}
		return enterNew(tx, s, fresh, all)
	})
}

func enterNew(tx *db.Tx, s *store.Store, calls []*asked, all []customer.Registration) error {
	customers, refused, err := customer.RegisterAll(tx, s, all)
	if err != nil {
		return err
	}
	var entered []*asked
	var added []*customer.Customer
	var ids []string
	for i, a := range calls {
		if refused[i] != nil {
			a.Err = &takenFields{refused[i]}
			continue
		}
		if a.In.invitation != "" && a.In.InvitationID == "" {
			return errNotInvited
		}
		a.Out = customers[i]
		entered, added, ids = append(entered, a), append(added, a.Out), append(ids, a.Out.ID)
	}
	if len(added) == 0 {
		return nil
	}
	if err := feature.React(tx, s, customer.Registered{Customers: added}); err != nil {
		return err
	}
	stored, err := customer.FindAll(tx, s.Key, ids...) // with what reactions have changed
	if err != nil {
		return err
	}
	for _, a := range entered {
		err := a.Done(func(e *audit.Entry) error {
			e.SetCustomer(a.Out.ID)
			return e.SetMade(stored[a.Out.ID])
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// takenFields is the error of a registration whose fields conflict.
type takenFields struct{ *customer.Taken }

// AddTo adds the errors to the fields of the form.
func (t *takenFields) AddTo(g *form.Group) { _ = FieldErrors(t.Taken, g) } // the form has them
