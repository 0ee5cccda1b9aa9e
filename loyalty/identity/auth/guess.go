package auth

import (
	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/platform/db"
	"punchcard/platform/phone"
)

// countGuess counts an attempt at the password of an account. It does so before the password is checked, so that
// concurrent attempts cannot exceed a limit. giveBack undoes it after a correct password.
//
// A network with too many attempts is locked out of the account, without effect on others. Its attempts count for the
// name, too, because a name that nobody has must be limited like an account on every path. All networks together have
// a higher limit. Beyond that limit only networks from which the account was used before may try, so that an
// attacker with many networks does not lock out the account's user.
func (a *Auth) countGuess(
	c *api.Call, role access.Role, who account, name string,
) (giveBack func(), err error) {
	now, site, key := a.db.Now(), c.ClientSite(), accountKey(role, who, name)
	keys := []string{key}
	if byName := accountKey(role, account{}, name); name != "" && byName != key {
		keys = append(keys, byName)
	}
	forget, err := a.countOfNetwork(c, site, keys...)
	if err != nil {
		return nil, err
	}
	left, limited := a.accounts.Take(key, now)
	if limited == nil {
		return func() { forget(); a.accounts.GiveBack(key, now) }, nil
	}
	known := false
	err = c.Read(func(tx *db.Tx) (err error) {
		known, err = knowsNetwork(tx, who.id, networkTag(who.id, site))
		return err
	})
	if err == nil && known {
		return forget, nil
	}
	forget()
	if err != nil {
		return nil, err
	}
	left.SetHeaders(c.ResponseHeader())
	return nil, limited
}

// countOfNetwork counts an attempt from a network under each of the keys, or under none if one has too many.
func (a *Auth) countOfNetwork(c *api.Call, site string, keys ...string) (giveBack func(), err error) {
	now, taken := a.db.Now(), 0
	giveBack = func() {
		for _, key := range keys[:taken] {
			a.pairs.GiveBack(key+" "+site, now)
		}
	}
	for ; taken < len(keys); taken++ {
		left, err := a.pairs.Take(keys[taken]+" "+site, now)
		if err != nil {
			// The header is sent only when nothing is left. Otherwise it would show which names share an account.
			left.SetHeaders(c.ResponseHeader())
			giveBack()
			return nil, err
		}
	}
	return giveBack, nil
}

// accountKey is the key of the limiter of an account: its id, so that all its names count together, or the name if
// there is no account. The name counts on all paths together, and a phone in all its spellings.
func accountKey(role access.Role, who account, name string) string {
	if who.id != "" {
		return string(role) + " " + who.id
	}
	return string(role) + " " + phone.Key(name, "")
}
