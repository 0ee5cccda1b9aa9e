package app

import (
	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/feature"
	"punchcard/platform/limit"
)

// Rates limit how often clients may call, as a number per duration such as 10/5m; 0 means no limit. That many calls may
// come at once, and the allowance is refilled evenly over the duration. Each node counts on its own. An address is an
// IPv4 address or a /64 network of IPv6.
type Rates struct {
	// Wrong passwords lock an account for the network they come from. Those of all networks together have a higher
	// limit, which does not apply to networks from which the account was used before.
	LimitLoginAccountAddress limit.Rate `default:"10/5m" help:"Failed log-ins of an account from an address."`
	LimitLoginAccount        limit.Rate `default:"1000/1h" help:"Failed log-ins of one account; 0 is no limit."`

	LimitLoginAddress limit.Rate `default:"100/100s" help:"Failed log-ins from one address; 0 is no limit."`
	LimitSignIn       limit.Rate `default:"100/10m" help:"Steps of single sign-on from one address; 0 is no limit."`
	LimitRegistration limit.Rate `default:"1000/10m" help:"Self-registrations from one address; 0 is no limit."`
	LimitActivation   limit.Rate `default:"200/1h" help:"Self-registrations with an activation message of one address."`
	LimitCheck        limit.Rate `default:"600/10m" help:"Checks of one address whether a person is known; 0 is no limit."`

	LimitAccountMessage limit.Rate `default:"60/1h" help:"Messages about passwords and activation for one address."`
	LimitCode           limit.Rate `default:"20/30m" help:"Activation codes that one address may try; 0 is no limit."`
	LimitStoreCode      limit.Rate `default:"1000/1h" help:"Activation codes tried in a store without the phone."`

	LimitInvitation limit.Rate `default:"20/24h" help:"Invitations of one customer, refused or not; 0 is no limit."`
	LimitCoupon     limit.Rate `default:"60/10m" help:"Unknown coupon codes that one seller may try; 0 is no limit."`
	LimitGuess      limit.Rate `default:"60/10m" help:"Codes and names in vain of one customer; 0 is no limit."`

	LimitGuessAddress limit.Rate `default:"600/10m" help:"The same of all customers of one address; 0 is no limit."`

	LimitCallback limit.Rate `default:"6000/1m" help:"Cashback callbacks of one user; 0 is no limit."`
	// There is no limit by default, because a shop may send all its requests with one token.
	LimitToken limit.Rate `default:"0" help:"Requests of one user with any token; 0 is no limit."`
}

// limiters are those that endpoints use; auth keeps its own.
type limiters struct {
	registrations, activations, checks, invitations, callbacks, tokens *limit.Limiter
	signIns                                                            *limit.Limiter // of package sso
	guesses                                                            api.Guesses    // of customers
	coupons                                                            api.Guesses    // of sellers
	messages, codes, storeCodes                                        *limit.Limiter // of package verification
}

func (r *Rates) limiters() limiters {
	return limiters{
		signIns:       limit.New("sign-in", r.LimitSignIn, limit.DefaultKeys),
		registrations: limit.New("registration", r.LimitRegistration, limit.DefaultKeys),
		activations:   limit.New("activation", r.LimitActivation, limit.DefaultKeys),
		checks:        limit.New("check", r.LimitCheck, limit.DefaultKeys),
		messages:      limit.New("account-message", r.LimitAccountMessage, limit.DefaultKeys),
		codes:         limit.New("code", r.LimitCode, limit.DefaultKeys),
		storeCodes:    limit.New("store-code", r.LimitStoreCode, limit.DefaultKeys),
		coupons: api.Guesses{
			Role: access.Seller, Callers: limit.New("coupon", r.LimitCoupon, limit.DefaultKeys),
		},
		guesses: api.Guesses{
			Role: access.Customer, Callers: limit.New("guess", r.LimitGuess, limit.DefaultKeys),
			Addresses: limit.New("guess-address", r.LimitGuessAddress, limit.DefaultKeys),
		},
		invitations: limit.New("invitation", r.LimitInvitation, limit.DefaultKeys),
		callbacks:   limit.New("callback", r.LimitCallback, limit.DefaultKeys),
		tokens:      limit.New("token", r.LimitToken, limit.DefaultKeys),
	}
}

// limits returns the rates as GET /api/limits lists them. A value of 0 means no limit.
func (r *Rates) limits() (all []feature.Limit) {
	for _, one := range []struct {
		name    string
		rate    limit.Rate
		unit    string
		setting string
	}{
		{"failedLoginsOfAccountFromAddress", r.LimitLoginAccountAddress, "attempts",
			"--limit-login-account-address"},
		{"failedLoginsOfAccount", r.LimitLoginAccount, "attempts", "--limit-login-account"},
		{"failedLoginsFromAddress", r.LimitLoginAddress, "attempts", "--limit-login-address"},
		{"singleSignOnStepsFromAddress", r.LimitSignIn, "requests", "--limit-sign-in"},
		{"registrationsFromAddress", r.LimitRegistration, "requests", "--limit-registration"},
		{"activationsFromAddress", r.LimitActivation, "requests", "--limit-activation"},
		{"checksFromAddress", r.LimitCheck, "requests", "--limit-check"},
		{"accountMessagesFromAddress", r.LimitAccountMessage, "requests", "--limit-account-message"},
		{"codesFromAddress", r.LimitCode, "attempts", "--limit-code"},
		{"codesInStore", r.LimitStoreCode, "attempts", "--limit-store-code"},
		{"unknownCouponsOfSeller", r.LimitCoupon, "requests", "--limit-coupon"},
		{"invitationsOfCustomer", r.LimitInvitation, "invitations", "--limit-invitation"},
		{"guessesOfCustomer", r.LimitGuess, "attempts", "--limit-guess"},
		{"guessesFromAddress", r.LimitGuessAddress, "attempts", "--limit-guess-address"},
		{"callbacksOfUser", r.LimitCallback, "requests", "--limit-callback"},
		{"requestsOfUser", r.LimitToken, "requests", "--limit-token"},
	} {
		all = append(all, feature.Limit{Name: one.name, Value: int64(one.rate.Quota), Unit: one.unit, Setting: one.setting},
			feature.Seconds(one.name+"Window", one.rate.Window, one.setting))
	}
	return all
}
