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

func listFactors(r *api.Reading) (ownFactors, error) {
	response := ownFactors{Passkeys: []passkeyView{}}
	of := factorsOf(r.Caller)
	totp, found, err := factor.FindTOTP(r.Tx, of)
	if err != nil {
		return response, err
	}
	if found {
		response.TOTP = &totpView{api.Timestamp(totp.ConfirmedAt, time.UTC)}
	}
	passkeys, err := factor.Passkeys(r.Tx, of)
	if err != nil {
		return response, err
	}
	for i := range passkeys {
		response.Passkeys = append(response.Passkeys, newPasskeyView(&passkeys[i]))
	}
	if response.RecoveryCodesLeft, err = factor.CodesLeft(r.Tx, of); err != nil {
		return response, err
	}
	err = response.rule(r.Tx, r.Caller)
	return response, err
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
	return func(tx *db.Tx) error {
		has, err := factor.Has(tx, factorsOf(c.Caller))
		if err != nil {
			return err
		}
		switch {
		case !has && !confirmed:
			return c.Refuse("currentPassword", ErrUnconfirmed)
		case !has:
			return nil
		}
		s, _, err := findSession(tx, c.Caller.Session)
		if err != nil {
			return err
		}
		return s.provenLately(tx, factorsOf(c.Caller))
	}, nil
}

// change is an operation that changes the caller's factors, after allowed has been asked in its transaction.
func change[Out any](confirmed api.Input[func(tx *db.Tx) error],
	run func(w *api.Writing, of factor.Account) (Out, error),
) api.Operation {
	return api.Write(confirmed, func(w *api.Writing, allowed func(tx *db.Tx) error) (out Out, err error) {
		if err = allowed(w.Tx); err == nil {
			out, err = run(w, factorsOf(w.Caller))
		}
		return out, asRefused(err)
	})
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

func beginTOTP(w *api.Writing, of factor.Account) (response totpSetUp, err error) {
	response.Secret, err = factor.Begin(w.Tx, of)
	response.Address = factor.TOTPAddress("Punchcard", w.Caller.Username, response.Secret)
	return response, err
}

func readCode(g *form.Group) string {
	return typedCode(g, form.NotBlank)
}

// confirmTOTP takes the first code of an app. The caller was confirmed when the set-up began. Wrong codes count as
// failed log-ins.
func (a *Auth) confirmTOTP(c *api.Call, code string) (response recoveryCodes, err error) {
	err = a.guarded(c, itself(c), func(*account, access.Role) error {
		return c.Step(func(tx *db.Tx) error {
			if err := factor.Confirm(tx, factorsOf(c.Caller), code); err != nil {
				return err
			}
			response, err = a.enrolled(tx, c.Caller)
			return err
		})
	})
	return response, asRefused(err)
}

// itself finds the account of the caller.
func itself(c *api.Call) func() (account, access.Role, error) {
	return func() (account, access.Role, error) {
		return account{storeKey: c.Caller.StoreKey, id: c.Caller.ID}, c.Caller.Role, nil
	}
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

func (a *Auth) removeTOTP(w *api.Writing, of factor.Account) (api.NoContent, error) {
	return api.NoContent{}, a.removed(w.Tx, of)(factor.RemoveTOTP(w.Tx, of))
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

func newRecoveryCodes(w *api.Writing, of factor.Account) (response recoveryCodes, err error) {
	has, err := factor.Has(w.Tx, of)
	if err == nil && !has {
		err = fault.ErrNotFound
	}
	if err == nil {
		response.Codes, err = factor.NewRecoveryCodes(w.Tx, of)
	}
	return response, err
}

func (a *Auth) challengePasskey(w *api.Writing, of factor.Account) (response creationOptions, err error) {
	site, err := a.siteOf(w.Call)
	if err != nil {
		return response, err
	}
	passkeys, err := factor.Passkeys(w.Tx, of)
	if err == nil && len(passkeys) >= factor.MaxPasskeys {
		err = factor.ErrTooManyPasskeys
	}
	if err != nil {
		return response, err
	}
	text, err := factor.Issue(w.Tx, factor.Challenge{Purpose: factor.ToEnroll, Account: of})
	return creationOptions{
		Challenge: text, RPID: site.RPID, UserHandle: of.Handle(), UserName: w.Caller.Username,
		Algorithms: factor.Algorithms, ExcludeCredentials: credentialsAt(site, passkeys),
		Timeout: challengeMilliseconds,
	}, err
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

// createdPasskey is a new passkey whose challenge has ended, so that it is added once.
type createdPasskey struct {
	name  string
	site  factor.Site
	taken factor.Challenge
	factor.Created
}

func (a *Auth) takeCreated(c *api.Call, given newPasskey) (p createdPasskey, err error) {
	p.name = given.name
	if p.site, err = a.siteOf(c); err != nil {
		return p, err
	}
	if p.Created, err = factor.ReadCreated(given.credential); err != nil {
		return p, asRefused(err)
	}
	err = a.db.Write(c.Context(), func(tx *db.Tx) (err error) {
		p.taken, err = factor.Take(tx, factor.ToEnroll, p.Challenge())
		if err == nil && p.taken.Account != factorsOf(c.Caller) {
			err = factor.ErrWrong
		}
		return err
	})
	return p, asRefused(err)
}

// addPasskey stores a new passkey. The caller was confirmed when the challenge was made.
func (a *Auth) addPasskey(w *api.Writing, created createdPasskey) (response passkeyAdded, err error) {
	p, err := factor.Enroll(w.Tx, created.site, created.taken, created.Created, created.name)
	if err != nil {
		return response, asRefused(err)
	}
	response.ID = p.ID
	response.recoveryCodes, err = a.enrolled(w.Tx, w.Caller)
	return response, asRefused(err)
}

func renamePasskey(w *api.Writing, name string) (api.NoContent, error) {
	renamed, err := factor.RenamePasskey(w.Tx, factorsOf(w.Caller), w.PathValue("passkey"), name)
	if err == nil && !renamed {
		err = fault.ErrNotFound
	}
	return api.NoContent{}, err
}

func (a *Auth) removePasskey(w *api.Writing, of factor.Account) (api.NoContent, error) {
	return api.NoContent{}, a.removed(w.Tx, of)(factor.RemovePasskey(w.Tx, of, w.PathValue("passkey")))
}
