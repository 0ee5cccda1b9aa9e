package auth

import (
	"strconv"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/audit"
	"punchcard/core/feature"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/identity/admin"
	"punchcard/loyalty/identity/factor"
	"punchcard/loyalty/identity/seller"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// factorEndpoints are those of docs/behaviour/second-factor.md. Responses to POST must not be stored for an
// Idempotency-Key: they hold secrets, or count attempts.
func (a *Auth) factorEndpoints() []api.Endpoint {
	own := access.Only(access.Administrator, access.Customer, access.Seller).Unenrolled()
	event := func(name string) api.Audit { return api.Audited(name, "factor") }
	public := func(path, summary string, handle func(*api.Call) error, fields func(*form.Group), response any,
	) api.Endpoint {
		return api.Endpoint{Method: "POST", Path: path, Access: access.Public(), Factor: api.NoSession,
			Handle: handle, Summary: summary, Form: fields, Response: response, Unkeyed: true, NoDryRun: api.LogsIn,
			Audit: api.Audited(audit.AuthenticationSuccess, "factor")}
	}
	me := func(method, path, summary, name string, handle func(*api.Call) error, fields func(*form.Group),
		response any,
	) api.Endpoint {
		return api.Endpoint{Method: method, Path: "/api/me/factors" + path, Access: own, Factor: api.InHandler,
			Handle: handle, Summary: summary,
			Form: fields, Response: response, Unkeyed: method == "POST", Audit: event(name),
			NoDryRun: api.HasPassword}
	}
	return append(a.factorRuleEndpoints(),
		public("/api/login/factor", "Complete a log-in with a second factor",
			func(c *api.Call) error { return a.finishLogIn(c) }, api.Reads(readFinish), pair{}),
		public("/api/login/factor/challenge", "Make a challenge for the passkeys of a log-in that waits for a factor",
			a.challengeLogIn, api.Reads(readLoginToken), requestOptions{}),
		public("/api/login/passkey/challenge", "Make a challenge for a log-in with a passkey alone",
			a.challengeAnyone, nil, requestOptions{}),
		public("/api/login/passkey", "Log in with a passkey alone",
			func(c *api.Call) error { return a.enter(c) }, api.Reads(readEntrance), pair{}),
		api.Endpoint{Method: "GET", Path: "/api/me/factors", Access: own, Handle: a.listFactors,
			Summary: "Show the second factors of the caller", Response: ownFactors{}},
		me("POST", "/challenge", "Make a challenge for the passkeys of the caller", "ChallengeFactor",
			a.challengeSelf, nil, requestOptions{}),
		me("POST", "/use", "Use a second factor again, for dangerous calls", "UseFactor",
			func(c *api.Call) error { return a.stepUp(c) },
			api.Reads(readProof), api.NoContent{}),
		me("POST", "/totp", "Begin with the set-up of an authenticator app", "BeginAuthenticatorApp", a.beginTOTP,
			readConfirmation, totpSetUp{}),
		me("POST", "/totp/confirm", "Put an authenticator app to use with its first code", "AddAuthenticatorApp",
			a.confirmTOTP, api.Reads(readCode), recoveryCodes{}),
		me("DELETE", "/totp", "Remove the authenticator app of the caller", "RemoveAuthenticatorApp", a.removeTOTP,
			nil, api.NoContent{}),
		me("POST", "/recovery-codes", "Replace the recovery codes of the caller", "MakeRecoveryCodes",
			a.newRecoveryCodes, readConfirmation, recoveryCodes{}),
		me("POST", "/passkeys/challenge", "Make a challenge for a new passkey", "ChallengePasskey", a.challengePasskey,
			readConfirmation, creationOptions{}),
		me("POST", "/passkeys", "Add a passkey", "AddPasskey", a.addPasskey, api.Reads(readNewPasskey), passkeyAdded{}),
		me("PUT", "/passkeys/{passkey}", "Rename a passkey", "RenamePasskey", a.renamePasskey, api.Reads(readName),
			api.NoContent{}),
		me("DELETE", "/passkeys/{passkey}", "Remove a passkey", "RemovePasskey", a.removePasskey, nil,
			api.NoContent{}),
	)
}

func (a *Auth) factorRuleEndpoints() []api.Endpoint {
	reset := func(path, entity, resource string, handle func(c *api.Call, tx *db.Tx) (factor.Account, error),
	) api.Endpoint {
		return api.Endpoint{Method: "DELETE", Path: path,
			Access: access.AdministratorWith(resource, access.Modify).WithoutKeys(),
			Factor: api.Always, Handle: func(c *api.Call) error { return a.resetFactors(c, handle) },
			Summary: "Remove all second factors of somebody who has lost them, and end their sessions",
			Audit:   api.Audited("ResetFactors", entity), Response: api.NoContent{}}
	}
	view := access.AdministratorWith(access.ACL, access.View)
	modify := access.AdministratorWith(access.ACL, access.Modify)
	seeSellers := access.AdministratorWith(access.Sellers, access.View)
	changeSellers := access.AdministratorWith(access.Sellers, access.Modify)
	const ofRole, ofSellers = "/api/admin/acl/role/{role}/factor-rule", "/api/{storeCode}/seller/factor-rule"
	named := api.Audited("UpdateFactorRule", "factorRule")
	return []api.Endpoint{
		reset("/api/admin/data/{admin}/factors", "admin", access.Admin, administratorToReset),
		reset("/api/{storeCode}/seller/{seller}/factors", "seller", access.Sellers, sellerToReset),
		reset("/api/{storeCode}/customer/{customer}/factors", "customer", access.Customers, customerToReset),
		{Method: "GET", Path: ofRole, Access: view, Handle: getRule(ruleOfRole),
			Summary: "Show whether a role requires a second factor", Response: ruleView{}},
		{Method: "PUT", Path: ofRole, Access: modify.WithoutKeys(), Factor: api.Always, Handle: setRule(ruleOfRole),
			Summary: "Require a second factor of the administrators of a role, or no longer",
			Form:    func(g *form.Group) { readRule(g.Group("factorRule")) }, Response: api.NoContent{}, Audit: named},
		{Method: "GET", Path: ofSellers, Access: seeSellers, Handle: getRule(ruleOfSellers),
			Summary: "Show whether the sellers of a store need a second factor", Response: ruleView{}},
		{Method: "PUT", Path: ofSellers, Access: changeSellers.WithoutKeys(), Factor: api.Always,
			Handle:  setRule(ruleOfSellers),
			Summary: "Require a second factor of the sellers of a store, or no longer",
			Form:    func(g *form.Group) { readRule(g.Group("factorRule")) }, Response: api.NoContent{}, Audit: named},
	}
}

// resetFactors removes all factors of another person, who gets a message if they had some.
func (a *Auth) resetFactors(
	c *api.Call, find func(c *api.Call, tx *db.Tx) (factor.Account, error),
) error {
	return c.Write(func(tx *db.Tx) error {
		of, err := find(c, tx)
		if err != nil {
			return err
		}
		if of.ID == c.Caller.ID {
			return fault.ErrForbidden // their own go one by one
		}
		had, err := factor.Has(tx, of)
		if err == nil && had {
			err = feature.React(tx, c.Store, FactorsRemoved{of})
		}
		if err == nil {
			err = factor.RemoveAll(tx, of.StoreKey, of.ID)
		}
		if err != nil {
			return err
		}
		return a.End(tx, of.ID, "")
	}, c.NoContent)
}

func administratorToReset(c *api.Call, tx *db.Tx) (factor.Account, error) {
	id := c.PathValue("admin")
	return factor.Account{Role: access.Administrator, ID: id}, admin.CheckManages(tx, c.Caller, id)
}

func sellerToReset(c *api.Call, tx *db.Tx) (factor.Account, error) {
	s, err := seller.FindToOpen(tx, c.Caller, c.Store.Key, c.PathValue("seller"))
	return factor.Account{Role: access.Seller, StoreKey: c.Store.Key, ID: s.ID}, err
}

func customerToReset(c *api.Call, tx *db.Tx) (factor.Account, error) {
	who, err := customer.Find(tx, c.Store.Key, c.PathValue("customer"))
	if err != nil {
		return factor.Account{}, err
	}
	audit.Of(tx).SetCustomer(who.ID)
	return factor.Account{Role: access.Customer, StoreKey: c.Store.Key, ID: who.ID}, nil
}

type ruleView struct {
	Required  bool  `json:"required"`
	GraceDays int64 `json:"graceDays"`
}

// readRule reads whether a factor is required, and the grace period in days.
func readRule(g *form.Group) ruleView {
	return ruleView{g.Checkbox("required"),
		g.Integer("graceDays", form.AtLeast(0), form.LessThan(factor.MaxGraceDays+1))}
}

// ruleKey finds what a rule of a path is for.
type ruleKey func(c *api.Call, tx *db.Tx) (storeKey, roleID int64, err error)

func ruleOfSellers(c *api.Call, _ *db.Tx) (storeKey, roleID int64, err error) {
	return c.Store.Key, 0, nil
}

func ruleOfRole(c *api.Call, tx *db.Tx) (storeKey, roleID int64, err error) {
	roleID, err = strconv.ParseInt(c.PathValue("role"), 10, 64)
	if err != nil {
		return 0, 0, fault.ErrNotFound
	}
	return 0, roleID, admin.CheckManagesRole(tx, c.Caller, roleID)
}

func getRule(key ruleKey) func(*api.Call) error {
	return func(c *api.Call) error {
		var response ruleView
		err := c.Read(func(tx *db.Tx) error {
			storeKey, roleID, err := key(c, tx)
			if err != nil {
				return err
			}
			rule, found, err := factor.FindRule(tx, storeKey, roleID)
			response = ruleView{found, rule.GraceDays}
			return err
		})
		if err != nil {
			return err
		}
		return c.OK(response)
	}
}

func setRule(key ruleKey) func(*api.Call) error {
	return func(c *api.Call) error {
		body, err := c.Body()
		if err != nil {
			return err
		}
		g := form.Read(body, "factorRule")
		wanted := readRule(g)
		if err := g.Err(); err != nil {
			return err
		}
		return c.Write(func(tx *db.Tx) error {
			storeKey, roleID, err := key(c, tx)
			if err != nil {
				return err
			}
			if !wanted.Required {
				return factor.RemoveRule(tx, storeKey, roleID)
			}
			return factor.SetRule(tx, storeKey, roleID, wanted.GraceDays)
		}, c.NoContent)
	}
}
