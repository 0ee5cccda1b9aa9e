package auth

import (
	"cmp"
	"context"
	"errors"

	"punchcard/api"
	"punchcard/api/access"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/identity/admin"
	"punchcard/loyalty/identity/seller"
	"punchcard/platform/db"
	"punchcard/platform/form"
	"punchcard/platform/password"
)

const (
	// maxNameBytes is the longest name that is looked for: that of an e-mail address, and some more.
	maxNameBytes = 320
	// defaultStore is where a name is looked for first when the path names no store.
	defaultStore = "DEFAULT"
)

// account is what a name leads to, before the password is checked. Without an id it is nobody's.
type account struct {
	storeKey     int64 // 0 for administrators
	id           string
	passwordHash string
	active       bool
	temporary    bool // the password was made by the system and must be changed
}

// lookup finds the account of a name.
type lookup func(tx *db.Tx, name string) (account, error)

// storeLookup finds the account of a name in one store. The store 0 has none.
type storeLookup func(tx *db.Tx, storeKey int64, name string) (account, error)

// storesKnowing lists the inner keys of the stores that know a name.
type storesKnowing func(tx *db.Tx, name string) ([]int64, error)

func findAdministrator(tx *db.Tx, name string) (account, error) {
	a, _, err := admin.FindByLogin(tx, name)
	return account{id: a.ID, passwordHash: a.PasswordHash, active: a.Active}, err
}

func findSeller(tx *db.Tx, storeKey int64, name string) (account, error) {
	s, _, err := seller.FindByLogin(tx, storeKey, name)
	return account{storeKey: storeKey, id: s.ID, passwordHash: s.PasswordHash, active: s.Active}, err
}

func findCustomer(tx *db.Tx, storeKey int64, name string) (account, error) {
	c, _, err := customer.FindLogin(tx, storeKey, name)
	return account{
		storeKey: storeKey, id: c.ID, passwordHash: c.PasswordHash, active: c.Active, temporary: c.Temporary,
	}, err
}

// in looks a name up in one store.
func (find storeLookup) in(storeKey int64) lookup {
	return func(tx *db.Tx, name string) (account, error) { return find(tx, storeKey, name) }
}

// anywhere looks a name up in the store DEFAULT, else in the only active store of those that know it.
func (a *Auth) anywhere(ctx context.Context, find storeLookup, knowing storesKnowing) lookup {
	return func(tx *db.Tx, name string) (account, error) {
		if first, found, err := a.stores.ByCode(ctx, defaultStore); err != nil {
			return account{}, err
		} else if found {
			if who, err := find(tx, first.Key, name); err != nil || who.id != "" {
				return who, err
			}
		}
		keys, err := knowing(tx, name)
		if err != nil {
			return account{}, err
		}
		var only int64
		for _, key := range keys {
			s, found, err := a.stores.ByKey(ctx, key)
			if err != nil {
				return account{}, err
			}
			if found && s.Active {
				if only != 0 {
					return account{}, nil
				}
				only = key
			}
		}
		return find(tx, only, name)
	}
}

// credentials are what somebody claims.
type credentials struct{ name, password string }

// readCredentials reads them; of each field the first name counts.
func readCredentials(g *form.Group) credentials {
	return credentials{
		name:     cmp.Or(g.Text("_username"), g.Text("username")),
		password: cmp.Or(g.Verbatim("_password"), g.Verbatim("password")),
	}
}

// credentialsOf are those of the body only: a query ends up in the logs of proxies.
func credentialsOf(c *api.Call) (credentials, error) {
	body, err := c.Body()
	if err != nil {
		return credentials{}, err
	}
	given := readCredentials(form.Read(body))
	if given.name == "" || given.password == "" || len(given.name) > maxNameBytes {
		return credentials{}, errBadCredentials
	}
	return given, nil
}

// logIn answers a log-in with a pair of tokens.
func (a *Auth) logIn(c *api.Call, role access.Role, find lookup, hooks Hooks) error {
	given, err := credentialsOf(c)
	if err != nil {
		return err
	}
	who, err := a.check(c, given, role, find)
	if err != nil {
		return err
	}
	home, _, err := a.stores.ByKey(c.Context(), who.storeKey)
	if err != nil {
		return err
	}
	var current user
	var refresh string
	err = c.Write(func(tx *db.Tx) error {
		u, found, err := findUser(tx, role, who.storeKey, who.id)
		if err != nil {
			return err
		}
		if !found { // switched off since the look-up
			return errBadCredentials
		}
		if hooks.LoggedIn != nil {
			if err := hooks.LoggedIn(home.Tx(tx), home, u.ID); err != nil {
				return err
			}
		}
		same, err := noteLogin(tx, &u, who.passwordHash)
		if err != nil {
			return err
		}
		if !same { // changed since it was checked
			return errBadCredentials
		}
		refresh, err = a.startSession(tx, &u, c.ClientSite())
		current = u
		return err
	})
	if err != nil {
		return err
	}
	answer := pair{RefreshToken: refresh}
	if who.temporary {
		answer.Error = "password change needed"
	}
	return a.answer(c, &current, answer)
}

// check finds the account and checks its password, outside any transaction because hashing takes
// long. Every attempt that ends in bad credentials counts against the client's address and the account.
func (a *Auth) check(c *api.Call, given credentials, role access.Role, find lookup) (who account, err error) {
	now, address := a.db.Now(), c.ClientNetwork()
	left, err := a.addresses.Take(address, now)
	defer func() { left.SetHeaders(c.ResponseHeader()) }()
	if err != nil {
		return who, err
	}
	defer func() {
		if !errors.Is(err, errBadCredentials) {
			left = a.addresses.GiveBack(address, now)
		}
	}()
	err = c.Read(func(tx *db.Tx) (err error) {
		who, err = find(tx, given.name)
		return err
	})
	if err != nil {
		return who, err
	}
	giveBack, err := a.countGuess(c, role, who, given.name)
	if err != nil {
		return who, err
	}
	defer func() {
		if !errors.Is(err, errBadCredentials) {
			giveBack()
		}
	}()
	matches, err := password.Verify(c.Context(), given.password, who.passwordHash)
	switch {
	case err != nil:
		return who, err
	case !matches:
		return who, errBadCredentials
	case !who.active && role == access.Seller:
		return who, errNotActive
	case !who.active:
		return who, errBadCredentials
	}
	return who, nil
}
