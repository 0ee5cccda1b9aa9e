package verification

import (
	"net/url"
	"time"

	"punchcard/core/access"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/identity/admin"
	"punchcard/loyalty/identity/seller"
	"punchcard/loyalty/message"
	"punchcard/loyalty/message/template"
	"punchcard/platform/db"
)

// user is an administrator, a seller or a customer, as far as messages and passwords are concerned.
type user struct {
	role         access.Role
	storeKey     int64 // 0 for administrators
	id           string
	email, phone string // where messages can go; sellers and administrators get e-mail only
	firstName    string
	lastName     string
	language     string // of messages; empty for the default
	passwordHash string
	mayReset     bool
	invitedUntil time.Time // of an administrator who may accept an invitation; zero for others
	isNew        bool      // a customer who waits for activation
	isActive     bool      // a customer who may log in
	hasTemporary bool      // the password was generated, or would be
}

// findUser finds a user who is not deleted.
func findUser(tx *db.Tx, role access.Role, storeKey int64, id string) (*user, bool, error) {
	switch role {
	case access.Administrator:
		a, found, err := admin.FindByID(tx, id)
		return ofAdministrator(&a), found, err
	case access.Seller:
		s, found, err := seller.FindByID(tx, storeKey, id)
		return ofSeller(&s), found, err
	}
	all, err := customer.FindAll(tx, storeKey, id)
	if c := all[id]; err == nil && c != nil && c.Status != customer.Deleted {
		return ofCustomer(c), true, nil
	}
	return &user{}, false, err
}

// findByName finds a user by what they log in with.
func findByName(tx *db.Tx, role access.Role, storeKey int64, name string) (*user, bool, error) {
	switch role {
	case access.Administrator:
		a, found, err := admin.FindByLogin(tx, name)
		return ofAdministrator(&a), found, err
	case access.Seller:
		s, found, err := seller.FindByLogin(tx, storeKey, name)
		return ofSeller(&s), found, err
	}
	l, _, err := customer.FindLogin(tx, storeKey, name)
	if err != nil {
		return &user{}, false, err
	}
	return findUser(tx, role, storeKey, l.ID)
}

func ofAdministrator(a *admin.Administrator) *user {
	u := &user{
		role: access.Administrator, id: a.ID, email: a.Email, firstName: a.FirstName, lastName: a.LastName,
		passwordHash: a.PasswordHash,
		mayReset:     a.Active && !a.External && a.PasswordHash != "", // without one, an identity provider signs them in
	}
	if a.Active && a.IsInvited() {
		u.invitedUntil = a.InvitedUntil
	}
	return u
}

func ofSeller(s *seller.Seller) *user {
	return &user{
		role: access.Seller, storeKey: s.StoreKey, id: s.ID, email: s.Email, firstName: s.FirstName, lastName: s.LastName,
		passwordHash: s.PasswordHash, mayReset: s.Active && s.PasswordHash != "",
	}
}

func ofCustomer(c *customer.Customer) *user {
	return &user{
		role: access.Customer, storeKey: c.StoreKey, id: c.ID, email: c.Email, phone: c.Phone,
		firstName: c.FirstName, lastName: c.LastName, language: c.Locale, passwordHash: c.PasswordHash,
		mayReset: c.Status == customer.Active || c.Status == customer.New,
		isNew:    c.Status == customer.New, isActive: c.IsActive(), hasTemporary: c.PasswordTemporary,
	}
}

// setPassword replaces the password. It returns false if the user is gone, or another request changed it.
func (u *user) setPassword(tx *db.Tx, hash string) (changed bool, err error) {
	switch u.role {
	case access.Administrator:
		return admin.SetPassword(tx, u.id, u.passwordHash, hash)
	case access.Seller:
		return seller.SetPassword(tx, u.storeKey, u.id, u.passwordHash, hash)
	}
	return customer.SetPassword(tx, u.storeKey, u.id, u.passwordHash, hash)
}

// mayUse reports whether a link for a purpose lets the user choose a password.
func (u *user) mayUse(purpose string) bool {
	if purpose == invitation {
		return !u.invitedUntil.IsZero()
	}
	return u.mayReset
}

// has reports whether a message to the address reaches the user.
func (u *user) has(address string) bool {
	return address != "" && (address == u.email || address == u.phone)
}

// message returns a message to the user about an event, on the channel that the store prefers, or on the other one if
// they have no address there.
func (u *user) message(s *store.Store, event string) message.Message {
	m := message.Message{
		Event: event, Role: u.role, RecipientID: u.id, Language: u.language,
		Values: map[string]string{"first_name": u.firstName, "last_name": u.lastName},
	}
	if u.phone != "" && (u.email == "" || s.Settings.CommunicationMethod == store.BySMS) {
		m.Phone = u.phone
	} else {
		m.Email = u.email
	}
	return m
}

// activation returns the message with which a new customer activates the account.
func (u *user) activation(s *store.Store, bySMS bool) message.Message {
	m := u.message(s, template.CustomerActivation)
	if bySMS {
		m.Email, m.Phone = "", u.phone
	}
	return m
}

// addressOf returns where a message goes.
func addressOf(m *message.Message) string {
	if m.Email != "" {
		return m.Email
	}
	return m.Phone
}

// page returns the path of a page of the user's web app.
func (u *user) page(s *store.Store, name, token string) string {
	path := "/" + name + "/" + token
	switch u.role {
	case access.Administrator:
		return path
	case access.Seller:
		return "/till/" + url.PathEscape(s.Code) + path
	}
	return "/me/" + url.PathEscape(s.Code) + path
}
