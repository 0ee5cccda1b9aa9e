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

// register adds customers for administrators and sellers. They are active at once, and have no password, because nobody
// could deliver one.
func (e *entrance) register() api.Operation {
	input := api.BodyInCall("customer", readRegistration, nil).DescribedAs(nil, describeRegistration)
	return e.registrations.Operation(api.Prepared(input, atOwnPOS), newCustomer{})
}

func readRegistration(c *api.Call, g *form.Group) (in joining, err error) {
	fields, change := readProfile(c, g, false, false)
	in.Registration = change.Registration
	fields.readAssignments(&in.Registration)
	in.Active, in.PasswordTemporary = true, true
	in.IssueCard, err = wantsCard(c)
	return in, err
}

// atOwnPOS registers customers of a seller at the point of sale where the seller works, unless another one was sent.
func atOwnPOS(c *api.Call, in joining) (joining, error) {
	if c.Caller.Role != access.Seller || in.POSID != "" {
		return in, nil
	}
	err := c.Read(func(tx *db.Tx) error {
		who, _, err := seller.FindByID(tx, c.Store.Key, c.Caller.ID)
		in.POSID = who.POSID
		return err
	})
	return in, err
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

// selfRegister registers callers with the passwords that they chose. It is limited by the client network.
func (e *entrance) selfRegister() api.Operation {
	input := api.BodyInCall("customer", readSelf, nil).DescribedAs(api.LocaleQuery, describeSelfRegistration)
	mayTry := func(c *api.Call) error { return c.Take(e.Registrations, c.ClientNetwork()) }
	return e.registrations.Operation(api.Prepared(input, e.admit), newCustomer{}).First(mayTry)
}

// ownRegistration is a registration with the password of a customer.
type ownRegistration struct {
	joining
	password string
}

func readSelf(c *api.Call, g *form.Group) (in ownRegistration, err error) {
	fields, change := readProfile(c, g, false, true)
	in.Registration = change.Registration
	fields.refuseAddresses(&in.Registration, &customer.Customer{})
	in.password, in.invitation = readSelfRegistration(g)
	in.Active = !c.Store.Settings.AccountActivationNeeded
	in.IssueCard, err = wantsCard(c)
	return in, err
}

// admit adds the language of the client and the hash of the password.
func (e *entrance) admit(c *api.Call, in ownRegistration) (joining, error) {
	var err error
	if in.Locale == "" {
		if in.Locale, err = languageOf(c); err != nil {
			return in.joining, err
		}
	}
	if !in.Active { // a message goes to an address that may be somebody else's
		if err := c.Take(e.Activations, c.ClientNetwork()); err != nil {
			return in.joining, err
		}
	}
	in.PasswordHash, err = password.Hash(c.ClientContext(), in.password)
	return in.joining, err
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
