package auth

import (
	"cmp"
	"time"

	"punchcard/core/feature"
	"punchcard/loyalty/identity/factor"
	"punchcard/platform/job"
)

// Feature returns log-ins and sessions. See docs/behaviour/authentication.md.
func (a *Auth) Feature() feature.Feature {
	return feature.Feature{
		Section: feature.Section{Name: "Sign-in",
			Description: "Exchange a name and password for tokens, renew them, change the password, and end sessions."},
		Endpoints: a.Endpoints(),
		Customers: feature.Personal{
			Exports:       []feature.Export{{Name: "passkeys", Rank: 18, Read: factor.Export}},
			Forget:        []feature.Trace{factor.Forget},
			ForgetDeleted: []feature.Trace{factor.Forget},
			NotHandedOver: "the merged customer cannot log in",
		},
		Jobs: []job.Job{
			{Name: "refresh tokens", Every: time.Hour, Run: a.DeleteExpired},
			{Name: "second factors", Every: time.Hour, Run: factor.DeleteExpired(a.db)},
		},
		On:    []feature.Reaction{feature.On(a.sessionsEnded), feature.On(a.rightsChanged), feature.On(a.customerChanged)},
		Rules: factorRules(),
		Limits: []feature.Limit{
			feature.Seconds("accessTokenLifetime", a.config.TokenLife, "--token-life"),
			feature.Seconds("refreshTokenLifetime", a.config.RefreshLife, "--refresh-life"),
			feature.Seconds("refreshTokenOverlap", RefreshOverlap, ""),
			{Name: "refreshTokenUses", Value: RefreshUses, Unit: "uses"},
			{Name: "sessionsShown", Value: shownSessions, Unit: "sessions"},
			feature.Seconds("sessionRecheck", DefaultRecheck, ""),
			feature.Seconds("factorChallengeLifetime", factor.ChallengeLife, ""),
			{Name: "factorAttempts", Value: factor.LoginAttempts, Unit: "attempts"},
			{Name: "factorWrongCodes", Value: factor.WrongCodes, Unit: "codes"},
			feature.Seconds("factorWrongCodesWindow", factor.WrongCodesWindow, ""),
			feature.Seconds("pinIdle", PINIdle, ""),
			feature.Seconds("factorStepUp", StepUpLife, ""),
			feature.Seconds("stepUpPointsWindow", factor.MovedWindow, ""),
			{Name: "recoveryCodes", Value: factor.RecoveryCodes, Unit: "codes"},
			{Name: "passkeys", Value: factor.MaxPasskeys, Unit: "passkeys"},
			{Name: "passkeyChallengesFromAddress", Value: int64(passkeyLimit.Quota), Unit: "challenges"},
			feature.Seconds("passkeyChallengesFromAddressWindow", passkeyLimit.Window, ""),
			feature.Seconds("keyRecheck", keyRecheck, ""),
			feature.Seconds("keyTokenLifetime", min(keyTokenLife, cmp.Or(a.config.TokenLife, DefaultTokenLife)), ""),
		},
	}
}
