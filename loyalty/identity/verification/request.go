package verification

import (
	"strconv"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/config"
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

// request asks for a message to the user who has a name, if there is one. The settings and templates of the
// store count.
type request struct {
	name  string
	store *store.Store
}

// requestReset sends a link to the first user of the roles who has the name. Unless the store reveals which accounts
// exist, the response and its time are the same for unknown names and for requests beyond a limit.
func requestReset(roles ...access.Role) func(w *api.Writing, r request) (success, error) {
	return func(w *api.Writing, r request) (success, error) { return success{true}, r.sendReset(w, roles) }
}

func (r request) sendReset(w *api.Writing, roles []access.Role) error {
	reveals := r.store.Settings.RevealAccounts
	u, home, err := findFirst(w.Call, w.Tx, r.store, r.name, roles)
	if err != nil {
		return err
	}
	found := u.mayReset && (!reveals || home.Settings.RevealAccounts)
	if !found && reveals {
		return fault.ErrNotFound
	}
	sent, err := countRequest(w.Tx, requestHash(reset, roles[0], r.store.Key, u, r.name))
	switch {
	case err != nil:
		return err
	case reveals && sent > 1:
		return errRequested
	}
	if err := restContacts(w.Tx, u); err != nil {
		return err
	}
	if w.Call.Store == nil { // the store of a user is read as the one of nobody is
		config.Afresh(w.Tx)
	}
	if !found || sent > MessagesPerHour || u.email == "" && u.phone == "" { // does the same work, and sends nothing
		return message.Queue(w.Tx, r.store, message.Message{Event: resetEvents[roles[0]]})
	}
	tx := w.Tx
	if home != r.store {
		tx = home.Tx(tx)
	}
	return message.Queue(tx, home, u.message(home, resetEvents[u.role]))
}

// named returns the request for a name, in the default store if the path names none.
func (v *Verifier) named(c *api.Call, name string) (r request, err error) {
	if name == "" {
		return r, errNoUsername
	}
	r = request{name, c.Store}
	if r.store == nil {
		if r.store, _, err = c.Stores().ByCode(c.Context(), store.DefaultCode); err != nil {
			return r, err
		}
	}
	return r, v.limit(c, success{true})
}

func (v *Verifier) ofPhone(c *api.Call, phone string) (request, error) {
	return request{phone, c.Store}, v.limit(c, nil)
}

// limit counts a request of the client's address for a message. Beyond the limit, nothing is done, and the response is
// the same.
func (v *Verifier) limit(c *api.Call, response any) error {
	if _, err := v.Requests.Take(c.ClientNetwork(), c.DB().Now()); err != nil {
		return &api.Reply{Body: response}
	}
	return nil
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

// countMessage counts a message to a user by staff, who may know that there were too many.
func countMessage(tx *db.Tx, u *user, purpose string) error {
	sent, err := countRequest(tx, requestHash(purpose, u.role, u.storeKey, u, ""))
	if err == nil && sent > MessagesPerHour {
		err = errTooMany.After(RequestWindow)
	}
	return err
}
