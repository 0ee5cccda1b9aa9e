package verification

import (
	"strconv"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/identity/seller"
	"punchcard/loyalty/message"
	"punchcard/loyalty/message/template"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

var (
	errNoUsername = fault.New(fault.Refused, "username_blank", `field "username" should not be empty`)
	errRequested  = fault.New(fault.Refused, "reset_already_requested", "resetting password already requested")
	errTooMany    = fault.New(fault.Limited, "too_many_messages", "")
)

type success struct {
	Success bool `json:"success"`
}

// readUsername reads whom a message is for.
func readUsername(g *form.Group) string { return g.Key("username") }

// resetEvents are the messages of password resets by the role of the recipient.
var resetEvents = map[access.Role]string{
	access.Administrator: template.AdminPasswordReset,
	access.Seller:        template.SellerPasswordReset,
	access.Customer:      template.CustomerPasswordReset,
}

// requestReset sends a link to the first user of the roles who has the name. Unless the store reveals which accounts
// exist, the response and its time are the same for unknown names and for requests beyond a limit.
func (v *Verifier) requestReset(c *api.Call, roles ...access.Role) error {
	name, s, err := readRequest(c)
	if err != nil {
		return err
	}
	if v.isLimited(c) {
		return c.OK(success{true})
	}
	reveals := s.Settings.RevealAccounts
	return c.Write(func(tx *db.Tx) error {
		u, home, err := findFirst(c, tx, s, name, roles)
		if err != nil {
			return err
		}
		found := u.mayReset && (!reveals || home.Settings.RevealAccounts)
		if !found && reveals {
			return fault.ErrNotFound
		}
		sent, err := countRequest(tx, requestHash(reset, roles[0], s.Key, u, name))
		switch {
		case err != nil:
			return err
		case reveals && sent > 1:
			return errRequested
		}
		if err := restContacts(tx, u); err != nil {
			return err
		}
		if !found || sent > MessagesPerHour || u.email == "" && u.phone == "" {
			return message.Queue(tx, s, message.Message{Event: resetEvents[roles[0]]}) // does the same work, and sends nothing
		}
		if home != s {
			tx = home.Tx(tx)
		}
		return message.Queue(tx, home, u.message(home, resetEvents[u.role]))
	}, func() error { return c.OK(success{true}) })
}

// readRequest reads the name, and finds the store whose settings and templates count.
func readRequest(c *api.Call) (name string, s *store.Store, err error) {
	body, err := c.Body()
	if err != nil {
		return "", nil, err
	}
	if name = readUsername(form.Read(body)); name == "" {
		return "", nil, errNoUsername
	}
	if c.Store != nil {
		return name, c.Store, nil
	}
	s, _, err = c.Stores().ByCode(c.Context(), store.DefaultCode)
	return name, s, err
}

// findFirst finds the first user of the roles who has the name, and the store whose settings count for them. It looks
// for all roles, so that it takes as long for each name. Where the path names no store, it finds a seller or a customer
// of s or, if s has none, of the only store that has one. If there is none, the user has no id, and the store is s.
func findFirst(c *api.Call, tx *db.Tx, s *store.Store, name string, roles []access.Role) (*user, *store.Store, error) {
	first, home := &user{}, s
	for _, role := range roles {
		u, found, err := findByName(tx, role, s.Key, name)
		in := s
		if err == nil && c.Store == nil && role != access.Administrator {
			var only *user
			var other *store.Store
			if only, other, err = findInOnly(c, tx, role, name); err == nil && !found && only != nil {
				u, in, found = only, other, true
			}
		}
		if err != nil {
			return nil, nil, err
		}
		if found && first.id == "" {
			first, home = u, in
		}
	}
	return first, home, nil
}

// findInOnly finds the user who has the name in one active store and in no other, nil if there is none.
func findInOnly(c *api.Call, tx *db.Tx, role access.Role, name string) (*user, *store.Store, error) {
	knowing := customer.StoresWithLogin
	if role == access.Seller {
		knowing = seller.StoresWithLogin
	}
	keys, err := knowing(tx, name)
	if err != nil {
		return nil, nil, err
	}
	var only *store.Store
	several := false
	for _, key := range keys {
		s, found, err := c.Stores().ByKey(c.Context(), key)
		if err != nil {
			return nil, nil, err
		}
		if found && s.Active {
			only, several = s, only != nil || several
		}
	}
	if only == nil || several {
		only = &store.Store{} // nobody is in it
	}
	u, found, err := findByName(tx, role, only.Key, name)
	if !found {
		u = nil
	}
	return u, only, err
}

// requestHash identifies what is counted: the account, so that all its names count together, or the name if there is
// no account.
func requestHash(purpose string, role access.Role, storeKey int64, u *user, name string) string {
	if u.id != "" {
		return hash("account", purpose, u.id)
	}
	return hash("name", purpose, string(role), strconv.FormatInt(storeKey, 10), hashContact("", name))
}

// isLimited counts a request of the client's address for a message.
func (v *Verifier) isLimited(c *api.Call) bool {
	_, err := v.Requests.Take(c.ClientNetwork(), c.DB().Now())
	return err != nil
}

// countMessage counts a message to a user by staff, who may know that there were too many.
func countMessage(tx *db.Tx, u *user, purpose string) error {
	sent, err := countRequest(tx, requestHash(purpose, u.role, u.storeKey, u, ""))
	if err == nil && sent > MessagesPerHour {
		err = errTooMany.After(RequestWindow)
	}
	return err
}
