package auth

import (
	"strconv"

	"punchcard/api"
	"punchcard/api/access"
	"punchcard/platform/db"
	"punchcard/platform/keytext"
)

// countGuess counts an attempt at the password of an account. It does so before the password is checked, so that
// concurrent attempts cannot exceed a limit. giveBack undoes it after a correct password.
//
// A network with too many attempts is locked out of the account, without effect on others. All networks together
// have a higher limit. Beyond that limit only networks from which the account was used before may try, so that an
// attacker with many networks does not lock out the account's user.
func (a *Auth) countGuess(
	c *api.Call, role access.Role, who account, name string,
) (giveBack func(), err error) {
	now, site, key := a.db.Now(), c.ClientSite(), accountKey(role, who, name)
	pair := key + " " + site
	left, err := a.pairs.Take(pair, now)
	if err != nil {
		// The header is sent only when nothing is left. Otherwise it would show which names share an account.
		left.SetHeaders(c.ResponseHeader())
		return nil, err
	}
	left, limited := a.accounts.Take(key, now)
	if limited == nil {
		return func() { a.pairs.GiveBack(pair, now); a.accounts.GiveBack(key, now) }, nil
	}
	known := false
	err = c.Read(func(tx *db.Tx) (err error) {
		known, err = knowsNetwork(tx, who.id, networkTag(who.id, site))
		return err
	})
	if err == nil && known {
		return func() { a.pairs.GiveBack(pair, now) }, nil
	}
	a.pairs.GiveBack(pair, now)
	if err != nil {
		return nil, err
	}
	left.SetHeaders(c.ResponseHeader())
	return nil, limited
}

// accountKey is the key of the limiter of an account: its id, so that all its names count together, or the name if
// there is no account.
func accountKey(role access.Role, who account, name string) string {
	if who.id != "" {
		return string(role) + " " + who.id
	}
	return string(role) + " " + strconv.FormatInt(who.storeKey, 10) + " " + keytext.Fold(name)
}
