package auth

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/feature"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/identity/admin"
	"punchcard/loyalty/identity/factor"
	"punchcard/loyalty/identity/seller"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// errFactorNeeded is the code of a log-in whose password is right and that waits for a second factor.
var errFactorNeeded = fault.New(fault.Unauthenticated, "second_factor_required", "A second factor is required.")

const (
	unauthorized       = 401 // status of a log-in that waits
	maxCodeBytes       = 64
	maxCredentialBytes = 64 << 10 // of the JSON of a passkey's answer
)

// pendingLogIn is the response to a log-in that waits for a second factor.
type pendingLogIn struct {
	Code       int      `json:"code"`
	Message    string   `json:"message"`
	Error      string   `json:"error"`
	LoginToken string   `json:"login_token"`
	Factors    []string `json:"factors"` // totp, passkey, recovery
	ExpiresAt  string   `json:"expiresAt"`
}

func (who *account) factors(role access.Role) factor.Account {
	return factor.Account{Role: role, StoreKey: who.storeKey, ID: who.id}
}

// askFactor asks for the second factor of an account that has one, whose password was right. The error is the response.
func (a *Auth) askFactor(c *api.Call, role access.Role, who *account) error {
	of := who.factors(role)
	var kinds []string
	err := c.Read(func(tx *db.Tx) (err error) {
		kinds, err = kindsOf(tx, of)
		return err
	})
	if err != nil || len(kinds) == 0 {
		return err
	}
	response := pendingLogIn{
		Code: unauthorized, Message: errFactorNeeded.Message, Error: errFactorNeeded.Code, Factors: kinds,
	}
	err = a.db.Write(c.Context(), func(tx *db.Tx) (err error) {
		response.ExpiresAt = api.Timestamp(tx.ServerNow().Add(factor.ChallengeLife), time.UTC)
		response.LoginToken, err = factor.Issue(tx, factor.Challenge{
			Purpose: factor.ToLogIn, Account: of, PasswordSum: factor.SumPassword(who.passwordHash),
		})
		return err
	})
	if err != nil {
		return err
	}
	c.ResponseHeader().Set("WWW-Authenticate", "Bearer")
	return &api.Reply{Status: unauthorized, Body: response}
}

// kindsOf lists what an account can prove itself by; nothing if it has no second factor.
func kindsOf(tx *db.Tx, of factor.Account) (kinds []string, err error) {
	_, totp, err := factor.FindTOTP(tx, of)
	if err != nil {
		return nil, err
	}
	passkeys, err := factor.Passkeys(tx, of)
	if err != nil {
		return nil, err
	}
	if totp {
		kinds = append(kinds, "totp")
	}
	if len(passkeys) > 0 {
		kinds = append(kinds, "passkey")
	}
	if len(kinds) == 0 {
		return nil, nil
	}
	left, err := factor.CodesLeft(tx, of)
	if left > 0 {
		kinds = append(kinds, "recovery")
	}
	return kinds, err
}

// proof is a second factor that a body has: one of three.
type proof struct{ code, recoveryCode, credential string }

func readProof(g *form.Group) proof {
	return proof{
		code:         typedCode(g),
		recoveryCode: g.Key("recoveryCode", form.MaxLength(maxCodeBytes)),
		credential:   g.Verbatim("credential", form.MaxLength(maxCredentialBytes)),
	}
}

// typedCode reads a code of an authenticator app, which shows it in two parts.
func typedCode(g *form.Group, rules ...form.Rule) string {
	return strings.ReplaceAll(g.Key("code", append(rules, form.MaxLength(maxCodeBytes))...), " ", "")
}

// prover checks a proof in a transaction. It ends the challenge of a passkey first, so that it has one answer.
func (a *Auth) prover(
	c *api.Call, given proof, of factor.Account,
) (prove func(tx *db.Tx) error, err error) {
	switch {
	case given.credential != "":
		return a.passkeyProver(c, given.credential, factor.ToUse, nil, of)
	case given.recoveryCode != "":
		return func(tx *db.Tx) error { return factor.UseRecoveryCode(tx, of, given.recoveryCode) }, nil
	default:
		return func(tx *db.Tx) error { return factor.UseCode(tx, of, given.code) }, a.tryCode(c, of, given.code)
	}
}

// tryCode refuses a wrong code, and counts it in a transaction of its own.
func (a *Auth) tryCode(c *api.Call, of factor.Account, code string) error {
	var refusal error
	err := a.db.Write(c.Context(), func(tx *db.Tx) error {
		var locked bool
		var err error
		refusal, locked, err = factor.TryCode(tx, of, code)
		if err == nil && locked {
			err = feature.React(tx, c.Store, CodesLocked{of})
		}
		return err
	})
	return cmp.Or(err, refusal)
}

// passkeyProver is the prover of a passkey. owner gets the account whose passkey it is, if it is not known before.
func (a *Auth) passkeyProver(
	c *api.Call, credential string, purpose factor.Purpose, owner *factor.Account, of factor.Account,
) (prove func(tx *db.Tx) error, err error) {
	site, err := a.siteOf(c)
	if err != nil {
		return nil, err
	}
	answer, err := factor.ReadAnswer(credential)
	if err != nil {
		return nil, err
	}
	var taken factor.Challenge
	err = a.db.Write(c.Context(), func(tx *db.Tx) (err error) {
		taken, err = factor.Take(tx, purpose, answer.Challenge())
		return err
	})
	if err == nil && taken.Account != of {
		err = factor.ErrWrong
	}
	if err != nil {
		return nil, err
	}
	return func(tx *db.Tx) error {
		p, err := factor.UsePasskey(tx, site, taken, answer)
		if owner != nil {
			*owner = p.Account
		}
		return err
	}, nil
}

// finish is the body of the second call of a log-in.
type finish struct {
	token string
	proof
}

func readFinish(g *form.Group) finish {
	return finish{g.Verbatim("login_token", form.NotBlank, form.MaxLength(maxCodeBytes)), readProof(g)}
}

// finishLogIn completes a log-in with a second factor. Attempts are limited like those at passwords, and to
// factor.LoginAttempts.
func (a *Auth) finishLogIn(c *api.Call, given finish) (response pair, err error) {
	err = a.guarded(c, func() (who account, role access.Role, err error) {
		var waiting factor.Challenge
		err = a.db.Write(c.Context(), func(tx *db.Tx) (err error) {
			waiting, err = factor.Attempt(tx, given.token)
			return err
		})
		if err != nil {
			return who, "", err
		}
		err = c.Read(func(tx *db.Tx) (err error) {
			who, err = findAccount(tx, waiting.Account)
			return err
		})
		if err == nil && (!who.active || factor.SumPassword(who.passwordHash) != waiting.PasswordSum) {
			err = errBadCredentials
		}
		return who, waiting.Role, err
	}, func(who *account, role access.Role) error {
		prove, err := a.prover(c, given.proof, who.factors(role))
		if err != nil {
			return err
		}
		response, err = a.begin(c, role, who, true, func(tx *db.Tx) error {
			if err := prove(tx); err != nil {
				return err
			}
			_, err := factor.Take(tx, factor.ToLogIn, given.token)
			return err
		})
		return err
	})
	return response, err
}

// guarded counts a failed log-in by a factor against the limits of failed log-ins, and records it in the audit log.
func (a *Auth) guarded(c *api.Call, find func() (account, access.Role, error),
	run func(who *account, role access.Role) error,
) error {
	now, address := a.db.Now(), c.ClientNetwork()
	left, err := a.addresses.Take(address, now)
	if err != nil {
		left.SetHeaders(c.ResponseHeader())
		return err
	}
	isWrong := func(err error) bool { return errors.Is(err, factor.ErrWrong) || errors.Is(err, errBadCredentials) }
	who, role, err := find()
	if err == nil && who.id != "" {
		var giveBack func()
		if giveBack, err = a.countGuess(c, role, who, ""); err == nil {
			if err = run(&who, role); !isWrong(err) {
				giveBack()
			}
		}
	}
	if isWrong(err) {
		if role != "" {
			c.LogInFailed(who.storeKey, role, who.id)
		}
		return err
	}
	a.addresses.GiveBack(address, now)
	return err
}

// findAccount finds an account by its id. It is empty if there is none.
func findAccount(tx *db.Tx, of factor.Account) (account, error) {
	switch of.Role {
	case access.Administrator:
		a, _, err := admin.FindByID(tx, of.ID)
		return account{id: a.ID, passwordHash: a.PasswordHash, active: a.Active && !a.External}, err
	case access.Seller:
		s, _, err := seller.FindByID(tx, of.StoreKey, of.ID)
		return account{storeKey: s.StoreKey, id: s.ID, passwordHash: s.PasswordHash, active: s.Active}, err
	case access.Customer:
		c, _, err := customer.FindLoginByID(tx, of.StoreKey, of.ID)
		return account{
			storeKey: c.StoreKey, id: c.ID, passwordHash: c.PasswordHash, active: c.Active, temporary: c.Temporary,
		}, err
	}
	return account{}, nil
}

func readLoginToken(g *form.Group) string {
	return g.Verbatim("login_token", form.NotBlank, form.MaxLength(maxCodeBytes))
}

// challengeLogIn makes a challenge for the passkeys of a log-in that waits for a factor.
func (a *Auth) challengeLogIn(c *api.Call, token string) (response requestOptions, err error) {
	site, err := a.siteOf(c)
	if err == nil {
		err = c.Take(a.passkeys, c.ClientNetwork())
	}
	if err != nil {
		return response, err
	}
	err = a.db.Write(c.Context(), func(tx *db.Tx) error {
		waiting, err := factor.Waiting(tx, token)
		if err != nil {
			return err
		}
		response, err = challengeTo(tx, site, waiting.Account)
		return err
	})
	return response, err
}

// challengeTo makes a challenge for the passkeys of an account.
func challengeTo(tx *db.Tx, site factor.Site, of factor.Account) (requestOptions, error) {
	passkeys, err := factor.Passkeys(tx, of)
	if err != nil {
		return requestOptions{}, err
	}
	text, err := factor.Issue(tx, factor.Challenge{Purpose: factor.ToUse, Account: of})
	return newRequestOptions(site, text, passkeys), err
}

// challengeAnyone makes a challenge for a log-in with a passkey alone.
func (a *Auth) challengeAnyone(c *api.Call) (response requestOptions, err error) {
	site, err := a.siteOf(c)
	if err == nil {
		err = c.Take(a.passkeys, c.ClientNetwork())
	}
	if err != nil {
		return response, err
	}
	err = a.db.Write(c.Context(), func(tx *db.Tx) error {
		text, err := factor.Issue(tx, factor.Challenge{Purpose: factor.ToEnter})
		response = newRequestOptions(site, text, nil)
		response.UserVerification = "required"
		return err
	})
	return response, err
}

// entrance is the body of a log-in with a passkey alone, to one of the web apps.
type entrance struct{ app, store, credential string }

// rolesOfApps are the roles that the web apps are for, in the order of apps.
var rolesOfApps = []access.Role{access.Administrator, access.Seller, access.Customer}

func readEntrance(g *form.Group) entrance {
	return entrance{
		app: g.Choice("app", apps, form.NotBlank), store: g.Key("store", form.MaxLength(maxCodeBytes)),
		credential: g.Verbatim("credential", form.NotBlank, form.MaxLength(maxCredentialBytes)),
	}
}

// enter logs in with a passkey alone. The user was verified by the device, so that no other factor is needed.
func (a *Auth) enter(c *api.Call, given entrance) (response pair, err error) {
	role := rolesOfApps[slices.Index(apps, given.app)]
	var owner factor.Account
	err = a.guarded(c, func() (who account, of access.Role, err error) {
		prove, err := a.passkeyProver(c, given.credential, factor.ToEnter, &owner, factor.Account{})
		if err != nil {
			return who, role, err
		}
		err = a.db.Write(c.Context(), func(tx *db.Tx) error {
			if err := prove(tx); err != nil {
				return err
			}
			who, err = findAccount(tx, owner)
			return err
		})
		if err == nil && (owner.Role != role || !who.active) {
			err = factor.ErrWrong
		}
		if err != nil || role == access.Administrator {
			return who, role, err
		}
		home, isActive, err := a.stores.ByCode(c.Context(), given.store)
		if err == nil && (!isActive || home.Key != owner.StoreKey) {
			err = factor.ErrWrong
		}
		return who, role, err
	}, func(who *account, role access.Role) error {
		response, err = a.begin(c, role, who, false, func(*db.Tx) error { return nil })
		return err
	})
	return response, err
}
