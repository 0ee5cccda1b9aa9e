package auth

import (
	"errors"
	"time"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/loyalty/identity/factor"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// ErrUnconfirmed is the error of the field of a password by which a change has to be confirmed.
var ErrUnconfirmed = fault.New(fault.Fields, "current_password_required",
	"This change needs the user's current password.")

// errNoSession refuses permanent tokens, whose users have no factors.
var errNoSession = fault.New(fault.Refused, "second_factor_without_session",
	"Only a person who logs in has second factors.")

// ownFactors is the response to GET /api/me/factors.
type ownFactors struct {
	TOTP              *totpView     `json:"totp,omitempty"` // the authenticator app
	Passkeys          []passkeyView `json:"passkeys"`
	RecoveryCodesLeft int64         `json:"recoveryCodesLeft"`
	Required          bool          `json:"required"`               // by the role, or by the store of a seller
	RequiredFrom      string        `json:"requiredFrom,omitempty"` // when the account can only add a factor
	UsedAt            string        `json:"usedAt,omitempty"`       // in this session
	// ConfirmedUntil is until when the identity provider at which this session began stands for the password.
	ConfirmedUntil string `json:"confirmedUntil,omitempty"`
}

type totpView struct {
	CreatedAt string `json:"createdAt"`
}

type passkeyView struct {
	ID         string  `json:"passkeyId"`
	Name       string  `json:"name"`
	CreatedAt  string  `json:"createdAt"`
	LastUsedAt *string `json:"lastUsedAt"` // null if never
}

func newPasskeyView(p *factor.Passkey) passkeyView {
	return passkeyView{
		ID: p.ID, Name: p.Name, CreatedAt: api.Timestamp(p.CreatedAt, time.UTC),
		LastUsedAt: api.OptionalTimestamp(p.LastUsedAt, time.UTC),
	}
}

func (a *Auth) listFactors(c *api.Call) error {
	response := ownFactors{Passkeys: []passkeyView{}}
	of := factorsOf(c.Caller)
	err := c.Read(func(tx *db.Tx) error {
		totp, found, err := factor.FindTOTP(tx, of)
		if err != nil {
			return err
		}
		if found {
			response.TOTP = &totpView{api.Timestamp(totp.ConfirmedAt, time.UTC)}
		}
		passkeys, err := factor.Passkeys(tx, of)
		if err != nil {
			return err
		}
		for i := range passkeys {
			response.Passkeys = append(response.Passkeys, newPasskeyView(&passkeys[i]))
		}
		if response.RecoveryCodesLeft, err = factor.CodesLeft(tx, of); err != nil {
			return err
		}
		return response.rule(tx, c.Caller)
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}

// rule adds what is required of the caller, and when they used a factor.
func (o *ownFactors) rule(tx *db.Tx, who *access.Caller) error {
	u, found, err := findUser(tx, who.Role, who.StoreKey, who.ID)
	if err != nil || !found {
		return err
	}
	rule, required, err := ruleOf(tx, &u)
	if err != nil {
		return err
	}
	if required {
		o.Required, o.RequiredFrom = true, api.Timestamp(rule.Deadline(u.createdAt), time.UTC)
	}
	s, _, err := findSession(tx, who.Session)
	if !s.factorAt.IsZero() {
		o.UsedAt = api.Timestamp(s.factorAt, time.UTC)
	}
	if until := s.identifiedUntil(); !until.IsZero() {
		o.ConfirmedUntil = api.Timestamp(until, time.UTC)
	}
	return err
}

// recoveryCodes are shown in one response only.
type recoveryCodes struct {
	Codes []string `json:"recoveryCodes,omitempty"`
}

// mayChange returns a function that refuses a change of the caller's factors in its transaction. A person without a
// factor confirms by the password or by their identity provider, others by a factor that they used lately.
func (a *Auth) mayChange(c *api.Call, g *form.Group) (allowed func(tx *db.Tx) error, err error) {
	if c.Caller.Permanent || c.Caller.Session == "" {
		return nil, errNoSession
	}
	confirmed, err := a.Confirm(c, g, api.ReadCurrentPassword(g))
	if err != nil {
		return nil, err
	}
	if err := g.Err(); err != nil {
		return nil, err
	}
	return func(tx *db.Tx) error {
		has, err := factor.Has(tx, factorsOf(c.Caller))
		if err != nil {
			return err
		}
		if !has {
			if !confirmed {
				g.AddError("currentPassword", ErrUnconfirmed)
			}
			return g.Err()
		}
		s, _, err := findSession(tx, c.Caller.Session)
		if err != nil {
			return err
		}
		return s.provenLately(tx, factorsOf(c.Caller))
	}, nil
}

// change runs a change of the caller's factors, which read has read from the body.
func (a *Auth) change(c *api.Call, read func(g *form.Group), run func(tx *db.Tx, of factor.Account) error,
	respond func() error,
) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	g := form.Read(body)
	read(g)
	allowed, err := a.mayChange(c, g)
	if err != nil {
		return err
	}
	return asRefused(c.Write(func(tx *db.Tx) error {
		if err := allowed(tx); err != nil {
			return err
		}
		return run(tx, factorsOf(c.Caller))
	}, respond))
}

// errWrongHere is factor.ErrWrong for a caller who is logged in: a 401 would mean that their session has ended.
var errWrongHere = fault.New(fault.Refused, "second_factor_refused", factor.ErrWrong.Message)

func asRefused(err error) error {
	if errors.Is(err, factor.ErrWrong) {
		return errWrongHere.WithCause(err)
	}
	return err
}

// totpSetUp holds the secret for an authenticator app. It is shown in this response only.
type totpSetUp struct {
	Secret  string `json:"secret"`
	Address string `json:"address"` // for a QR code
}

func readConfirmation(g *form.Group) { api.ReadCurrentPassword(g) }

func (a *Auth) beginTOTP(c *api.Call) error {
	var response totpSetUp
	return a.change(c, readConfirmation, func(tx *db.Tx, of factor.Account) (err error) {
		response.Secret, err = factor.Begin(tx, of)
		response.Address = factor.TOTPAddress("Punchcard", c.Caller.Username, response.Secret)
		return err
	}, func() error { return c.OK(response) })
}

func readCode(g *form.Group) string {
	return typedCode(g, form.NotBlank)
}

// confirmTOTP takes the first code of an app. The caller was confirmed when the set-up began. Wrong codes count as
// failed log-ins.
func (a *Auth) confirmTOTP(c *api.Call) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	g := form.Read(body)
	code := readCode(g)
	if err := g.Err(); err != nil {
		return err
	}
	var response recoveryCodes
	return asRefused(a.guarded(c, func() (account, access.Role, error) {
		return account{storeKey: c.Caller.StoreKey, id: c.Caller.ID}, c.Caller.Role, nil
	}, func(*account, access.Role) error {
		return c.Write(func(tx *db.Tx) error {
			if err := factor.Confirm(tx, factorsOf(c.Caller), code); err != nil {
				return err
			}
			response, err = a.enrolled(tx, c.Caller)
			return err
		}, func() error { return c.OK(response) })
	}))
}

// enrolled records the use of a new factor, and makes the first recovery codes.
func (a *Auth) enrolled(tx *db.Tx, who *access.Caller) (recoveryCodes, error) {
	if err := noteFactor(tx, who.Session); err != nil {
		return recoveryCodes{}, err
	}
	tx.AfterCommit(func() { a.Forget(who.ID) }) // they need not enroll any more
	codes, err := factor.FirstRecoveryCodes(tx, factorsOf(who))
	return recoveryCodes{codes}, err
}

func (a *Auth) removeTOTP(c *api.Call) error {
	return a.change(c, readConfirmation, func(tx *db.Tx, of factor.Account) error {
		return a.removed(tx, of)(factor.RemoveTOTP(tx, of))
	}, c.NoContent)
}

// removed follows the removal of a factor. It returns fault.ErrNotFound if there was none.
func (a *Auth) removed(tx *db.Tx, of factor.Account) func(found bool, err error) error {
	return func(found bool, err error) error {
		if err == nil && !found {
			err = fault.ErrNotFound
		}
		if err != nil {
			return err
		}
		tx.AfterCommit(func() { a.Forget(of.ID) })
		return factor.Tidy(tx, of)
	}
}

func (a *Auth) newRecoveryCodes(c *api.Call) error {
	var response recoveryCodes
	return a.change(c, readConfirmation, func(tx *db.Tx, of factor.Account) error {
		has, err := factor.Has(tx, of)
		if err == nil && !has {
			err = fault.ErrNotFound
		}
		if err == nil {
			response.Codes, err = factor.NewRecoveryCodes(tx, of)
		}
		return err
	}, func() error { return c.OK(response) })
}

func (a *Auth) challengePasskey(c *api.Call) error {
	site, err := a.siteOf(c)
	if err != nil {
		return err
	}
	var response creationOptions
	return a.change(c, readConfirmation, func(tx *db.Tx, of factor.Account) error {
		passkeys, err := factor.Passkeys(tx, of)
		if err != nil {
			return err
		}
		if len(passkeys) >= factor.MaxPasskeys {
			return factor.ErrTooManyPasskeys
		}
		text, err := factor.Issue(tx, factor.Challenge{Purpose: factor.ToEnroll, Account: of})
		response = creationOptions{
			Challenge: text, RPID: site.RPID, UserHandle: of.Handle(), UserName: c.Caller.Username,
			Algorithms: factor.Algorithms, ExcludeCredentials: credentialsAt(site, passkeys),
			Timeout: challengeMilliseconds,
		}
		return err
	}, func() error { return c.OK(response) })
}

type newPasskey struct{ name, credential string }

func readName(g *form.Group) string {
	return g.Text("name", form.NotBlank, form.MaxLength(factor.MaxNameLength))
}

func readNewPasskey(g *form.Group) newPasskey {
	return newPasskey{readName(g), g.Verbatim("credential", form.NotBlank, form.MaxLength(maxCredentialBytes))}
}

// passkeyAdded has the recovery codes if they are the first.
type passkeyAdded struct {
	ID string `json:"passkeyId"`
	recoveryCodes
}

// addPasskey stores a new passkey. The caller was confirmed when the challenge was made.
func (a *Auth) addPasskey(c *api.Call) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	g := form.Read(body)
	given := readNewPasskey(g)
	if err := g.Err(); err != nil {
		return err
	}
	site, err := a.siteOf(c)
	if err != nil {
		return err
	}
	created, err := factor.ReadCreated(given.credential)
	if err != nil {
		return asRefused(err)
	}
	var taken factor.Challenge
	err = a.db.Write(c.Context(), func(tx *db.Tx) (err error) {
		taken, err = factor.Take(tx, factor.ToEnroll, created.Challenge())
		if err == nil && taken.Account != factorsOf(c.Caller) {
			err = factor.ErrWrong
		}
		return err
	})
	if err != nil {
		return asRefused(err)
	}
	var response passkeyAdded
	return asRefused(c.Write(func(tx *db.Tx) error {
		p, err := factor.Enroll(tx, site, taken, created, given.name)
		if err != nil {
			return err
		}
		response.ID = p.ID
		response.recoveryCodes, err = a.enrolled(tx, c.Caller)
		return err
	}, func() error { return c.OK(response) }))
}

func (a *Auth) renamePasskey(c *api.Call) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	g := form.Read(body)
	name := readName(g)
	if err := g.Err(); err != nil {
		return err
	}
	return c.Write(func(tx *db.Tx) error {
		renamed, err := factor.RenamePasskey(tx, factorsOf(c.Caller), c.PathValue("passkey"), name)
		if err == nil && !renamed {
			err = fault.ErrNotFound
		}
		return err
	}, c.NoContent)
}

func (a *Auth) removePasskey(c *api.Call) error {
	return a.change(c, readConfirmation, func(tx *db.Tx, of factor.Account) error {
		return a.removed(tx, of)(factor.RemovePasskey(tx, of, c.PathValue("passkey")))
	}, c.NoContent)
}
