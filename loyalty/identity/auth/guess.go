package auth

import (
	"strconv"
	"strings"

	"punchcard/api"
	"punchcard/api/access"
	"punchcard/platform/db"
)

// countGuess counts a guess at the password of an account, before it is checked, so that guesses at the same
// moment cannot pass a limit together. giveBack undoes it, for one that turns out to be right.
//
// A network that guesses too often is locked out of the account, and nobody else is. Guesses from all
// networks have a higher limit together. Beyond it only networks from which the account was used before may
// go on, so that somebody who reaches it from many networks does not lock out the owner.
func (a *Auth) countGuess(
	c *api.Call, role access.Role, who account, name string,
) (giveBack func(), err error) {
	now, site, key := a.db.Now(), c.ClientSite(), accountKey(role, who, name)
	pair := key + " " + site
	left, err := a.pairs.Take(pair, now)
	if err != nil {
		// Only when nothing is left: what is would show which names are of one account.
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

// accountKey is what guesses are counted by: the account where there is one, whichever of its names was
// given, and otherwise the name.
func accountKey(role access.Role, who account, name string) string {
	if who.id != "" {
		return string(role) + " " + who.id
	}
	return string(role) + " " + strconv.FormatInt(who.storeKey, 10) + " " + strings.ToLower(name)
}
