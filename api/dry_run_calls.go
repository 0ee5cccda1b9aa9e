package api

import (
	"maps"
	"net/http"
	"slices"
)

// Final is the reason why a call has no dry run, such as LogsIn. The empty text means that it has one.
type Final string

// Reasons why a call has no dry run. They complete the sentence "A call that ... has no dry run."
const (
	LogsIn        Final = "gives, checks or ends a session or a token"
	HasPassword   Final = "changes a password, a PIN or a second factor, or tries a code for it"
	Uploads       Final = "sends a file or steers an import"
	CallsProvider Final = "calls another server"
	RunsJobs      Final = "runs background work"
)

// Final returns why a write has no dry run, empty if it has one. Uploads have none.
func (e *Endpoint) Final() Final {
	if e.UploadBytes > 0 {
		return Uploads
	}
	return finals[e.Method+" "+e.Path]
}

// HasDryRun reports whether the endpoint writes and can be tried without effect.
func (e *Endpoint) HasDryRun() bool { return e.Method != http.MethodGet && e.Final() == "" }

// Secrets returns the members of the response that hold codes, tokens, links or passwords that the call makes.
func (e *Endpoint) Secrets() []string { return secrets[e.Method+" "+e.Path] }

// finals are the endpoints without a dry run: their calls cannot be undone, or guesses in them have to count.
var finals = map[string]Final{
	"POST /api/login/factor":                                                LogsIn,
	"POST /api/login/factor/challenge":                                      LogsIn,
	"POST /api/login/passkey/challenge":                                     LogsIn,
	"POST /api/login/passkey":                                               LogsIn,
	"POST /api/admin/login_check":                                           LogsIn,
	"POST /api/{storeCode}/admin/login_check":                               LogsIn,
	"POST /api/customer/login_check":                                        LogsIn,
	"POST /api/{loginStore}/customer/login_check":                           LogsIn,
	"POST /api/{loginStore}/member/login_check":                             LogsIn,
	"POST /api/seller/login_check":                                          LogsIn,
	"POST /api/{loginStore}/seller/login_check":                             LogsIn,
	"POST /api/token/refresh":                                               LogsIn,
	"POST /api/{storeCode}/token/refresh":                                   LogsIn,
	"POST /api/session":                                                     LogsIn,
	"POST /oauth/token":                                                     LogsIn,
	"DELETE /api/me/sessions/{session}":                                     LogsIn,
	"POST /api/token/revoke":                                                LogsIn,
	"POST /api/session/logout/{identityProvider}":                           LogsIn,
	"POST /api/{storeCode}/session/logout/{identityProvider}":               LogsIn,
	"POST /api/me/identities/start":                                         LogsIn,
	"POST /api/me/identities":                                               LogsIn,
	"DELETE /api/me/identities/{identity}":                                  LogsIn,
	"POST /api/{storeCode}/seller/identities/start":                         LogsIn,
	"POST /api/{storeCode}/seller/identities":                               LogsIn,
	"DELETE /api/{storeCode}/seller/identities/{identity}":                  LogsIn,
	"POST /api/session/start":                                               LogsIn,
	"POST /api/{storeCode}/session/start":                                   LogsIn,
	"POST /api/session/finish":                                              LogsIn,
	"POST /api/{storeCode}/session/finish":                                  LogsIn,
	"POST /api/setup/link":                                                  LogsIn,
	"POST /api/setup":                                                       LogsIn,
	"POST /api/{storeCode}/till":                                            LogsIn,
	"POST /api/{storeCode}/till/device":                                     LogsIn,
	"POST /api/{storeCode}/till/session":                                    LogsIn,
	"POST /api/{storeCode}/admin/password/change":                           HasPassword,
	"POST /api/admin/password/change":                                       HasPassword,
	"POST /api/{storeCode}/customer/password/change":                        HasPassword,
	"POST /api/{storeCode}/seller/password/change":                          HasPassword,
	"POST /api/me/factors/challenge":                                        HasPassword,
	"POST /api/me/factors/use":                                              HasPassword,
	"POST /api/me/factors/totp":                                             HasPassword,
	"POST /api/me/factors/totp/confirm":                                     HasPassword,
	"DELETE /api/me/factors/totp":                                           HasPassword,
	"POST /api/me/factors/recovery-codes":                                   HasPassword,
	"POST /api/me/factors/passkeys/challenge":                               HasPassword,
	"POST /api/me/factors/passkeys":                                         HasPassword,
	"PUT /api/me/factors/passkeys/{passkey}":                                HasPassword,
	"DELETE /api/me/factors/passkeys/{passkey}":                             HasPassword,
	"POST /api/password/reset/request":                                      HasPassword,
	"POST /api/seller/password/reset/request":                               HasPassword,
	"POST /api/customer/password/reset/request":                             HasPassword,
	"POST /api/{storeCode}/password/reset/request":                          HasPassword,
	"POST /api/{storeCode}/seller/password/reset/request":                   HasPassword,
	"POST /api/{storeCode}/customer/password/reset/request":                 HasPassword,
	"POST /api/password/reset":                                              HasPassword,
	"POST /api/{storeCode}/password/reset":                                  HasPassword,
	"POST /api/{storeCode}/customer/activate/{token}":                       HasPassword,
	"POST /api/{storeCode}/customer/activate-sms/{token}":                   HasPassword,
	"POST /api/{storeCode}/customer/confirm-change/{token}":                 HasPassword,
	"PUT /api/{storeCode}/seller/pin":                                       HasPassword,
	"POST /api/{storeCode}/settings/photo/{name}":                           Uploads,
	"POST /api/{storeCode}/settings/conditions-file":                        Uploads,
	"POST /api/{storeCode}/customer/{customer}/avatar":                      Uploads,
	"POST /api/{storeCode}/admin/import/{import}/cancel":                    Uploads,
	"POST /api/{storeCode}/admin/import/{import}/resume":                    Uploads,
	"POST /api/{storeCode}/admin/import/{import}/undo":                      Uploads,
	"POST /api/{storeCode}/admin/import/{kind}/preview":                     Uploads,
	"POST /api/{storeCode}/admin/customer/import":                           Uploads,
	"POST /api/{storeCode}/points/transfer/import":                          Uploads,
	"POST /api/{storeCode}/admin/transaction/import":                        Uploads,
	"POST /api/{storeCode}/admin/transaction/customer/assign/import":        Uploads,
	"POST /api/{storeCode}/earningRule/{earningRule}/photo":                 Uploads,
	"POST /api/{storeCode}/campaign/{campaign}/codes":                       Uploads,
	"POST /api/{storeCode}/campaign/{campaign}/brand_icon":                  Uploads,
	"POST /api/{storeCode}/campaign/{campaign}/photo":                       Uploads,
	"POST /api/{storeCode}/level/{level}/photo":                             Uploads,
	"POST /api/admin/identity-provider/{identityProvider}/test":             CallsProvider,
	"POST /api/admin/identity-provider/preview":                             CallsProvider,
	"POST /api/{storeCode}/admin/identity-provider/{identityProvider}/test": CallsProvider,
	"POST /api/{storeCode}/admin/identity-provider/preview":                 CallsProvider,
	"POST /api/{storeCode}/admin/notification/gateway/test":                 CallsProvider,
	"POST /api/{storeCode}/message/{message}/test":                          CallsProvider,
	"POST /api/{storeCode}/admin/message/settings/test":                     CallsProvider,
	"POST /api/{storeCode}/admin/mailing/test":                              CallsProvider,
	"POST /api/{storeCode}/admin/journey/test":                              CallsProvider,
	"POST /api/{storeCode}/webhook/subscription/{subscription}/test":        CallsProvider,
	"POST /api/{storeCode}/admin/clock":                                     RunsJobs,
	"POST /api/audit/log/archive":                                           RunsJobs,
	"POST /api/admin/jobs/{name}/run":                                       RunsJobs,
}

// secrets are the members that a dry run hides. What it shows there would never work.
var secrets = map[string][]string{
	"POST /api/{storeCode}/admin/customer/{customer}/campaign/{campaign}/buy":        {"code"},
	"POST /api/{storeCode}/customer/campaign/{campaign}/buy":                         {"code"},
	"POST /api/{storeCode}/seller/customer/{customer}/campaign/{campaign}/buy":       {"code"},
	"POST /api/{storeCode}/admin/customer/{customer}/bought/coupon/{coupon}/cancel":  {"code"},
	"POST /api/{storeCode}/seller/customer/{customer}/bought/coupon/{coupon}/cancel": {"code"},
	"POST /api/{storeCode}/checkout/reservation/{reservation}/confirm":               {"code"},
	"POST /api/{storeCode}/admin/customer/{customer}/card":                           {"loyaltyCardNumber"},
	"POST /api/{storeCode}/seller/customer/{customer}/card":                          {"loyaltyCardNumber"},
	"POST /api/{storeCode}/customer/customer/{customer}/card":                        {"loyaltyCardNumber"},
	"POST /api/{storeCode}/customer/invitation/link":                                 {"token"},
	"POST /api/{storeCode}/seller/register":                                          {"password"},
	"POST /api/{storeCode}/seller/{seller}/link":                                     {"path"},
	"POST /api/admin/invitation":                                                     {"path"},
	"POST /api/admin/data/{admin}/invitation":                                        {"path"},
	"POST /api/admin/data":                                                           {"apiKey"},
	"POST /api/admin/key":                                                            {"secret"},
	"POST /api/admin/key/{key}/rotate":                                               {"secret"},
	"POST /api/{storeCode}/webhook/subscription":                                     {"signingSecret"},
	"PUT /api/{storeCode}/webhook/subscription/{subscription}":                       {"signingSecret"},
	"POST /api/{storeCode}/webhook/subscription/{subscription}/rotate":               {"signingSecret"},
	"PUT /api/{storeCode}/admin/notification/gateway":                                {"signingSecret"},
	"PUT /api/{storeCode}/admin/message/settings":                                    {"signingSecret"},
}

// DryRunCalls returns the methods and paths of all endpoints without a dry run, or with secrets.
func DryRunCalls() []string {
	return slices.AppendSeq(slices.Sorted(maps.Keys(finals)), maps.Keys(secrets))
}
