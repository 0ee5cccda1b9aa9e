package auth

import (
	"errors"
	"time"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/loyalty/identity/admin"
	"punchcard/loyalty/identity/factor"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// StepUpLife is how long a second factor counts for dangerous calls after its use.
const StepUpLife = 10 * time.Minute

var (
	errStepUp = fault.New(fault.Forbidden, "second_factor_use_required",
		"Use your second factor again for this change.")
	errNoPerson = fault.New(fault.Forbidden, "second_factor_person_required",
		"The role requires a second factor, which a permanent token cannot give.")
)

// factorsOf returns the account of a caller.
func factorsOf(who *access.Caller) factor.Account {
	return factor.Account{Role: who.Role, StoreKey: who.StoreKey, ID: who.ID}
}

// ruleOf returns the rule that makes a factor necessary for a user, and whether there is one. Customers have none.
func ruleOf(tx *db.Tx, u *user) (factor.Rule, bool, error) {
	if u.Role == access.Customer || u.Role == access.Administrator && u.roleID == 0 {
		return factor.Rule{}, false, nil
	}
	return factor.FindRule(tx, u.StoreKey, u.roleID)
}

// mustEnroll reports whether a user can only add a second factor.
func mustEnroll(tx *db.Tx, u *user) (bool, error) {
	rule, found, err := ruleOf(tx, u)
	if err != nil || !found || tx.ServerNow().Before(rule.Deadline(u.createdAt)) {
		return false, err
	}
	has, err := factor.Has(tx, factorsOf(&u.Caller))
	return !has, err
}

// StepUp refuses a dangerous call of a person who has a second factor and has not used it within StepUpLife. Sessions
// that no web app keeps are exempt, as are permanent tokens, unless the role requires a factor.
func (a *Auth) StepUp(c *api.Call) error {
	if c.Caller == nil || c.Caller.ID == "" { // the master key
		return nil
	}
	return c.Read(func(tx *db.Tx) error {
		if c.Caller.Permanent {
			return stepUpIntegration(tx, c.Caller.ID)
		}
		u, found, err := findUser(tx, c.Caller.Role, c.Caller.StoreKey, c.Caller.ID)
		if err != nil || !found {
			return err
		}
		_, required, err := ruleOf(tx, &u)
		if err != nil {
			return err
		}
		s, _, err := findSession(tx, c.Caller.Session)
		if err != nil || !required && !s.browser {
			return err
		}
		return s.provenLately(tx, factorsOf(c.Caller))
	})
}

// StepUpPoints refuses a call like StepUp if the caller moves many points with it, or has moved as many in a day
// without using their factor. What is refused does not count. Permanent tokens are asked for single calls only.
func (a *Auth) StepUpPoints(c *api.Call, hundredths int64, count bool) error {
	most := a.config.StepUpPoints
	if most == 0 || hundredths <= 0 {
		return nil
	}
	refusal := a.StepUp(c)
	switch {
	case !errors.Is(refusal, errStepUp) && !errors.Is(refusal, errNoPerson):
		return refusal
	case hundredths >= most:
		return refusal
	case c.Caller.Permanent:
		return nil
	}
	run, of := c.DB().Write, factorsOf(c.Caller)
	if !count {
		run = c.DB().Read
	}
	return run(c.Context(), func(tx *db.Tx) error {
		moved, err := factor.Moved(tx, of)
		if err == nil && count {
			moved, err = factor.Move(tx, of, hundredths)
		} else {
			moved += hundredths
		}
		if err == nil && moved >= most {
			err = refusal
		}
		return err
	})
}

func stepUpIntegration(tx *db.Tx, id string) error {
	who, _, err := admin.FindByID(tx, id)
	if err != nil {
		return err
	}
	_, required, err := factor.FindRule(tx, 0, who.RoleID)
	if err == nil && required {
		err = errNoPerson
	}
	return err
}

// provenLately returns errStepUp if the account has a factor that was not used lately in the session.
func (s *session) provenLately(tx *db.Tx, of factor.Account) error {
	if !s.factorAt.IsZero() && tx.ServerNow().Sub(s.factorAt).Abs() < StepUpLife {
		return nil
	}
	has, err := factor.Has(tx, of)
	if err == nil && has {
		err = errStepUp
	}
	return err
}

// challengeSelf makes a challenge for the passkeys of the caller.
func challengeSelf(w *api.Writing, site factor.Site) (requestOptions, error) {
	return challengeTo(w.Tx, site, factorsOf(w.Caller))
}

// stepUp uses a second factor of the caller. Wrong ones count as failed log-ins.
func (a *Auth) stepUp(c *api.Call, given proof) (none api.NoContent, err error) {
	return none, a.guarded(c, itself(c), func(*account, access.Role) error {
		prove, err := a.prover(c, given, factorsOf(c.Caller))
		if err != nil {
			return asRefused(err)
		}
		return asRefused(c.Step(func(tx *db.Tx) error {
			if err := prove(tx); err != nil {
				return err
			}
			return noteFactor(tx, c.Caller.Session)
		}))
	})
}
