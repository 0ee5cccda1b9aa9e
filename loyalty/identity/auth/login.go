package auth

import (
	"cmp"
	"context"
	"errors"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/audit"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/erasure"
	"punchcard/loyalty/identity/admin"
	"punchcard/loyalty/identity/seller"
	"punchcard/platform/db"
	"punchcard/platform/form"
	"punchcard/platform/password"
)

const (
	// maxNameBytes is the length of the longest name that is looked up: that of an e-mail address.
	maxNameBytes = 320
	// defaultStore is the store in which a name is looked up first if the path names no store.
	defaultStore = "DEFAULT"
)

// account is the user with the name of a log-in, before the password is checked. The id is empty if there is none.
type account struct {
	storeKey     int64 // 0 for administrators
	id           string
	passwordHash string
	active       bool
	temporary    bool // the password was generated and must be changed
}

// lookup finds the account of a name.
type lookup func(tx *db.Tx, name string) (account, error)

// storeLookup finds the account of a name in one store. Store 0 has no accounts.
type storeLookup func(tx *db.Tx, storeKey int64, name string) (account, error)

// storesKnowing lists the keys of the stores that have an account of a name.
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

// in looks up names in one store.
func (find storeLookup) in(storeKey int64) lookup {
	return func(tx *db.Tx, name string) (account, error) { return find(tx, storeKey, name) }
}

// anywhere looks up a name in the store DEFAULT, and then in the other active stores. A name that several of them
// have finds no account. It looks everywhere for each name, so that the work does not tell who has it.
func (a *Auth) anywhere(ctx context.Context, find storeLookup, knowing storesKnowing) lookup {
	return func(tx *db.Tx, name string) (account, error) {
		var first int64
		if s, found, err := a.stores.ByCode(ctx, defaultStore); err != nil {
			return account{}, err
		} else if found {
			first = s.Key
		}
		who, err := find(tx, first, name)
		if err != nil {
			return account{}, err
		}
		only, err := a.onlyStore(ctx, tx, name, knowing)
		if err != nil {
			return account{}, err
		}
		other, err := find(tx, only, name)
		if who.id == "" {
			who = other
		}
		return who, err
	}
}

// onlyStore returns the key of the one active store that knows the name, 0 if there is none or several.
func (a *Auth) onlyStore(ctx context.Context, tx *db.Tx, name string, knowing storesKnowing) (only int64, err error) {
	keys, err := knowing(tx, name)
	if err != nil {
		return 0, err
	}
	for _, key := range keys {
		s, found, err := a.stores.ByKey(ctx, key)
		if err != nil {
			return 0, err
		}
		if found && s.Active {
			if only != 0 {
				return 0, nil
			}
			only = key
		}
	}
	return only, nil
}

type credentials struct{ name, password string }

// readCredentials reads a name and a password. Each field has two names, of which the first takes precedence.
func readCredentials(g *form.Group) credentials {
	return credentials{
		name:     cmp.Or(g.Key("_username"), g.Key("username")),
		password: cmp.Or(g.Verbatim("_password"), g.Verbatim("password")),
	}
}

// credentialsOf reads credentials from the body only, because proxies log queries.
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

// tried is a log-in that a client tries, and where its name is looked up.
type tried struct {
	credentials
	find lookup
}

// logInAs is a log-in that responds with a pair of tokens.
func (a *Auth) logInAs(role access.Role, where func(c *api.Call) (lookup, error)) api.Operation {
	read := api.InCall(nil, func(c *api.Call) (t tried, err error) {
		if t.find, err = where(c); err == nil {
			t.credentials, err = credentialsOf(c)
		}
		return t, err
	})
	return api.Respond(read.DescribedAs(nil, api.Reads(readCredentials)), func(c *api.Call, t tried) (pair, error) {
		who, err := a.check(c, t.credentials, role, t.find)
		if err == nil {
			err = a.askFactor(c, role, &who)
		}
		if err != nil {
			return pair{}, err
		}
		return a.begin(c, role, &who, true, nil)
	})
}

// begin starts a session and returns a pair of tokens. byPassword is false for a passkey alone. prove uses a
// second factor in the same transaction; nil if the account has none.
func (a *Auth) begin(c *api.Call, role access.Role, who *account, byPassword bool, prove func(tx *db.Tx) error,
) (response pair, err error) {
	home, _, err := a.stores.ByKey(c.Context(), who.storeKey)
	if err != nil {
		return response, err
	}
	var current user
	err = c.Step(func(tx *db.Tx) error {
		var begun session
		u, found, err := findUser(tx, role, who.storeKey, who.id)
		if err != nil {
			return err
		}
		if !found { // deactivated since the check
			return errBadCredentials
		}
		if err := enter(tx, home, &u.Caller, byPassword); err != nil {
			return err
		}
		if prove != nil {
			if err := prove(tx); err != nil {
				return err
			}
		}
		same, err := noteLogin(tx, &u, who.passwordHash)
		if err != nil {
			return err
		}
		if !same { // changed since the check
			return errBadCredentials
		}
		e := audit.Of(tx)
		e.SetUser(&u.Caller)
		e.SetEntity(u.ID)
		if role == access.Customer {
			e.SetCustomer(u.ID)
		}
		if home != nil {
			e.StoreKey = home.Key
		}
		if prove != nil {
			begun.factorAt = tx.ServerNow()
		}
		response.RefreshToken, err = a.startSession(tx, &u, clientOf(c), begun)
		current = u
		return err
	})
	if err != nil {
		return pair{}, err
	}
	if who.temporary {
		response.Error = "password change needed"
	}
	return a.signed(c, &current, response)
}

// enter lets later features refuse a log-in, or do what belongs to it. The row of a customer is not locked yet.
func enter(tx *db.Tx, home *store.Store, who *access.Caller, byPassword bool) error {
	if who.Role == access.Customer {
		tx = home.Tx(tx)
		if err := erasure.Cancel(tx, home.Key, who.ID); err != nil {
			return err
		}
		return feature.React(tx, home, LoggedIn{who.ID})
	}
	if !byPassword {
		return nil
	}
	return feature.React(tx, home, PasswordUsed{who})
}

// check finds the account and checks its password. It hashes outside of a transaction, because that takes long.
// Every attempt with bad credentials counts against the limits of the client's address and of the account.
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
		if errors.Is(err, errBadCredentials) || errors.Is(err, errNotActive) {
			c.LogInFailed(who.storeKey, role, who.id)
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
	matches, err := password.Verify(c.ClientContext(), given.password, who.passwordHash)
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
