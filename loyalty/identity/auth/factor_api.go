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
	public := func(path, summary string, do api.Operation) api.Endpoint {
		return api.Endpoint{Method: "POST", Path: path, Access: access.Public(), Factor: api.NoSession,
			Do: do, Summary: summary, Unkeyed: true, NoDryRun: api.LogsIn,
			Audit: api.Audited(audit.AuthenticationSuccess, "factor")}
	}
	me := func(method, path, summary, name string, do api.Operation) api.Endpoint {
		return api.Endpoint{Method: method, Path: "/api/me/factors" + path, Access: own, Factor: api.InHandler,
			Do: do, Summary: summary, Unkeyed: method == "POST", Audit: event(name), NoDryRun: api.HasPassword}
	}
	newPasskey := api.Prepared(api.Body("", readNewPasskey), a.takeCreated)
	onPage := func(c *api.Call) error {
		_, err := a.siteOf(c)
		return err
	}
	confirmed := api.BodyInCall("", a.mayChange, readConfirmation)
	undescribed := confirmed.DescribedAs(nil, nil) // clients seldom send bodies by DELETE
	return append(a.factorRuleEndpoints(),
		public("/api/login/factor", "Complete a log-in with a second factor",
			api.Respond(api.Body("", readFinish), a.finishLogIn)),
		public("/api/login/factor/challenge", "Make a challenge for the passkeys of a log-in that waits for a factor",
			api.Respond(api.Body("", readLoginToken), a.challengeLogIn)),
		public("/api/login/passkey/challenge", "Make a challenge for a log-in with a passkey alone",
			api.Tell(a.challengeAnyone)),
		public("/api/login/passkey", "Log in with a passkey alone", api.Respond(api.Body("", readEntrance), a.enter)),
		api.Endpoint{Method: "GET", Path: "/api/me/factors", Access: own, Do: api.Show(listFactors),
			Summary: "Show the second factors of the caller"},
		me("POST", "/challenge", "Make a challenge for the passkeys of the caller", "ChallengeFactor",
			api.Write(api.InCall(nil, a.siteOf), challengeSelf)),
		me("POST", "/use", "Use a second factor again, for dangerous calls", "UseFactor",
			api.Respond(api.Body("", readProof), a.stepUp)),
		me("POST", "/totp", "Begin with the set-up of an authenticator app", "BeginAuthenticatorApp",
			change(confirmed, beginTOTP)),
		me("POST", "/totp/confirm", "Put an authenticator app to use with its first code", "AddAuthenticatorApp",
			api.Respond(api.Body("", readCode), a.confirmTOTP)),
		me("DELETE", "/totp", "Remove the authenticator app of the caller", "RemoveAuthenticatorApp",
			change(undescribed, a.removeTOTP)),
		me("POST", "/recovery-codes", "Replace the recovery codes of the caller", "MakeRecoveryCodes",
			change(confirmed, newRecoveryCodes)),
		me("POST", "/passkeys/challenge", "Make a challenge for a new passkey", "ChallengePasskey",
			change(confirmed, a.challengePasskey).First(onPage)),
		me("POST", "/passkeys", "Add a passkey", "AddPasskey", api.Write(newPasskey, a.addPasskey)),
		me("PUT", "/passkeys/{passkey}", "Rename a passkey", "RenamePasskey",
			api.Write(api.Body("", readName), renamePasskey)),
		me("DELETE", "/passkeys/{passkey}", "Remove a passkey", "RemovePasskey", change(undescribed, a.removePasskey)),
	)
}

func (a *Auth) factorRuleEndpoints() []api.Endpoint {
	reset := func(path, entity, resource string, find func(w *api.Writing) (factor.Account, error)) api.Endpoint {
		return api.Endpoint{Method: "DELETE", Path: path,
			Access: access.AdministratorWith(resource, access.Modify).WithoutKeys(),
			Factor: api.Always, Do: a.resetFactors(find),
			Summary: "Remove all second factors of somebody who has lost them, and end their sessions",
			Audit:   api.Audited("ResetFactors", entity)}
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
		{Method: "GET", Path: ofRole, Access: view, Do: showRule(ruleOfRole),
			Summary: "Show whether a role requires a second factor"},
		{Method: "PUT", Path: ofRole, Access: modify.WithoutKeys(), Factor: api.Always, Do: setRule(ruleOfRole),
			Summary: "Require a second factor of the administrators of a role, or no longer", Audit: named},
		{Method: "GET", Path: ofSellers, Access: seeSellers, Do: showRule(ruleOfSellers),
			Summary: "Show whether the sellers of a store need a second factor"},
		{Method: "PUT", Path: ofSellers, Access: changeSellers.WithoutKeys(), Factor: api.Always,
			Do:      setRule(ruleOfSellers),
			Summary: "Require a second factor of the sellers of a store, or no longer", Audit: named},
	}
}

// resetFactors removes all factors of another person, who gets a message if they had some.
func (a *Auth) resetFactors(find func(w *api.Writing) (factor.Account, error)) api.Operation {
	return api.Act(func(w *api.Writing) (none api.NoContent, err error) {
		of, err := find(w)
		if err == nil && of.ID == w.Caller.ID {
			err = fault.ErrForbidden // their own go one by one
		}
		if err != nil {
			return none, err
		}
		had, err := factor.Has(w.Tx, of)
		if err == nil && had {
			err = feature.React(w.Tx, w.Store, FactorsRemoved{of})
		}
		if err == nil {
			err = factor.RemoveAll(w.Tx, of.StoreKey, of.ID)
		}
		if err == nil {
			err = a.End(w.Tx, of.ID, "")
		}
		return none, err
	})
}

func administratorToReset(w *api.Writing) (factor.Account, error) {
	id := w.PathValue("admin")
	return factor.Account{Role: access.Administrator, ID: id}, admin.CheckManages(w.Tx, w.Caller, id)
}

func sellerToReset(w *api.Writing) (factor.Account, error) {
	s, err := seller.FindToOpen(w.Tx, w.Caller, w.Store.Key, w.PathValue("seller"))
	return factor.Account{Role: access.Seller, StoreKey: w.Store.Key, ID: s.ID}, err
}

func customerToReset(w *api.Writing) (factor.Account, error) {
	who, err := customer.Find(w.Tx, w.Store.Key, w.PathValue("customer"))
	if err != nil {
		return factor.Account{}, err
	}
	w.Entry().SetCustomer(who.ID)
	return factor.Account{Role: access.Customer, StoreKey: w.Store.Key, ID: who.ID}, nil
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

func showRule(key ruleKey) api.Operation {
	return api.Show(func(r *api.Reading) (ruleView, error) {
		storeKey, roleID, err := key(r.Call, r.Tx)
		if err != nil {
			return ruleView{}, err
		}
		rule, found, err := factor.FindRule(r.Tx, storeKey, roleID)
		return ruleView{found, rule.GraceDays}, err
	})
}

func setRule(key ruleKey) api.Operation {
	return api.Write(api.Body("factorRule", readRule), func(w *api.Writing, wanted ruleView) (api.NoContent, error) {
		var none api.NoContent
		storeKey, roleID, err := key(w.Call, w.Tx)
		switch {
		case err != nil:
			return none, err
		case !wanted.Required:
			return none, factor.RemoveRule(w.Tx, storeKey, roleID)
		}
		return none, factor.SetRule(w.Tx, storeKey, roleID, wanted.GraceDays)
	})
}
