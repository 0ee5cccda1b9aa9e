package api

import (
	"punchcard/core/access"
	"punchcard/platform/limit"
)

// Guesses limits how often the callers of a role may name what does not exist, such as codes. Others are not limited. A
// nil limiter limits nothing.
type Guesses struct {
	Role      access.Role
	Callers   *limit.Limiter // by caller
	Addresses *limit.Limiter // by client network, of all callers together
}

// Guess runs try, and counts the call if try reports a wrong guess. The call is counted first and given back otherwise,
// so that concurrent guesses cannot exceed a limit. At a limit, right guesses are refused as well.
func (c *Call) Guess(g Guesses, try func() (wrong bool, err error)) error {
	if c.Caller.Role != g.Role {
		_, err := try()
		return err
	}
	now, network := c.server.DB.Now(), c.ClientNetwork()
	left, err := g.Callers.Take(c.Caller.ID, now)
	if err == nil {
		var ofAll limit.Remaining
		if ofAll, err = g.Addresses.Take(network, now); err != nil {
			g.Callers.GiveBack(c.Caller.ID, now)
			left = ofAll
		}
	}
	if err != nil {
		left.SetHeaders(c.ResponseHeader())
		return err
	}
	wrong, err := try()
	if !wrong {
		g.Callers.GiveBack(c.Caller.ID, now)
		g.Addresses.GiveBack(network, now)
		return err
	}
	left.SetHeaders(c.ResponseHeader())
	return err
}
