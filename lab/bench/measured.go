package main

// seldom is the key of writes that nobody measures: a person makes them a few times a year, or staff now and then.
const seldom = "seldom"

// measured are the writes that members, tills or the programs of shops call, by the scenario, call or import that
// measures them: the same operation, or one that writes as much. They are named here because rows of the product know
// no benchmark; TestWritesAreMeasured fails for a row that is missing.
var measured = map[string][]string{
	"anonymize": {
		"DELETE /api/{storeCode}/customer/{customer}", "POST /api/{storeCode}/customer/customer/{customer}/delete",
		"POST /api/{storeCode}/admin/customer/{customer}/anonymize",
	},
	"assign": {
		"POST /api/{storeCode}/admin/transaction/customer/assign",
		"POST /api/{storeCode}/customer/transaction/customer/assign",
		"POST /api/{storeCode}/pos/transaction/customer/assign",
		"POST /api/{storeCode}/seller/transaction/customer/assign", "POST /api/{storeCode}/admin/transaction/labels",
		"PUT /api/{storeCode}/customer/transaction/labels/append",
		"POST /api/{storeCode}/customer/transaction/labels/append",
	},
	"buy-spread": {
		"POST /api/{storeCode}/admin/customer/{customer}/campaign/{campaign}/buy",
		"POST /api/{storeCode}/customer/campaign/{campaign}/buy",
		"POST /api/{storeCode}/seller/customer/{customer}/campaign/{campaign}/buy",
		"POST /api/{storeCode}/admin/campaign/cashback/redeem",
		"POST /api/{storeCode}/customer/campaign/cashback/redeem",
	},
	"cancel-deleted-accounts": {
		"POST /api/{storeCode}/points/deleted-accounts/cancel",
	},
	"cancel-purchase": {
		"POST /api/{storeCode}/admin/customer/{customer}/bought/coupon/{coupon}/cancel",
		"POST /api/{storeCode}/seller/customer/{customer}/bought/coupon/{coupon}/cancel",
	},
	"cancel-reservation": {
		"POST /api/{storeCode}/checkout/reservation/{reservation}/cancel",
	},
	"confirm-reservation": {
		"POST /api/{storeCode}/checkout/reservation/{reservation}/confirm",
	},
	"custom-event": {
		"POST /api/{storeCode}/customer/earningRule/{eventName}",
		"POST /api/{storeCode}/customer/earnRule/{eventName}",
		"POST /api/{storeCode}/v1/earnRule/{eventName}/customer/{customer}",
		"POST /api/v1/earnRule/{eventName}/customer/{customer}",
		"POST /api/{storeCode}/earningRule/qrcode/customer/{customer}",
		"POST /api/{storeCode}/earningRule/geolocation/customer/{customer}",
	},
	"extend-reservation": {
		"POST /api/{storeCode}/checkout/reservation/{reservation}/extend",
	},
	"free-merged-contacts": {
		"DELETE /api/{storeCode}/admin/customer/{customer}/merge/{merge}/contacts",
	},
	"import-customers": {
		"POST /api/{storeCode}/admin/customer/import",
	},
	"import-receipts": {
		"POST /api/{storeCode}/points/transfer/import", "POST /api/{storeCode}/admin/transaction/import",
		"POST /api/{storeCode}/admin/transaction/customer/assign/import",
	},
	"log-in": {
		"POST /api/login/factor", "POST /api/login/passkey", "POST /api/admin/login_check",
		"POST /api/{storeCode}/admin/login_check", "POST /api/customer/login_check",
		"POST /api/{loginStore}/customer/login_check", "POST /api/{loginStore}/member/login_check",
		"POST /api/seller/login_check", "POST /api/{loginStore}/seller/login_check", "POST /api/session/finish",
		"POST /api/{storeCode}/session/finish", "POST /api/{storeCode}/till/session",
	},
	"merge": {
		"POST /api/{storeCode}/admin/customer/{customer}/merge",
		"POST /api/{storeCode}/admin/customer/{customer}/merge/{merge}/undo",
	},
	"points": {
		"POST /api/{storeCode}/points/transfer/add", "POST /api/{storeCode}/points/transfer/spend",
		"POST /api/{storeCode}/points/transfer/block", "POST /api/{storeCode}/pos/points/transfer/add",
		"POST /api/{storeCode}/pos/points/transfer/spend", "POST /api/{storeCode}/points/transfer/{transfer}/cancel",
		"POST /api/{storeCode}/points/transfer/{transfer}/activate",
		"POST /api/{storeCode}/points/transfer/{transfer}/expire",
	},
	"profile": {
		"POST /api/{storeCode}/customer/confirm-change/{token}",
		"POST /api/{storeCode}/admin/customer/{customer}/card",
		"POST /api/{storeCode}/seller/customer/{customer}/card",
		"POST /api/{storeCode}/customer/customer/{customer}/card",
		"POST /api/{storeCode}/customer/{customer}/pushy-token",
		"DELETE /api/{storeCode}/customer/{customer}/pushy-token/{token}",
		"PUT /api/{storeCode}/customer/{customer}/label", "POST /api/{storeCode}/customer/{customer}/label",
		"DELETE /api/{storeCode}/customer/{customer}/label",
		"POST /api/{storeCode}/admin/customer/{customer}/activate",
		"POST /api/{storeCode}/admin/customer/{customer}/deactivate",
		"POST /api/{storeCode}/seller/customer/{customer}/activate",
		"POST /api/{storeCode}/seller/customer/{customer}/deactivate", "PUT /api/{storeCode}/customer/{customer}",
		"POST /api/{storeCode}/customer/{customer}/level",
		"POST /api/{storeCode}/customer/{customer}/remove-manually-level",
		"POST /api/{storeCode}/customer/{customer}/pos", "POST /api/{storeCode}/seller/customer/{customer}/pos",
		"POST /api/{storeCode}/admin/customer/{customer}/note",
		"DELETE /api/{storeCode}/admin/customer/{customer}/note/{note}", "POST /api/{storeCode}/invitations/invite",
		"POST /api/{storeCode}/invitation/invite", "POST /api/invitation/invite",
		"POST /api/{storeCode}/customer/invitation/link", "POST /api/{storeCode}/customer/notification/read",
		"POST /api/{storeCode}/customer/notification/{notification}/read",
		"POST /api/{storeCode}/admin/message/undeliverable/forgive",
		"DELETE /api/{storeCode}/admin/customer/{customer}/undeliverable",
		"POST /api/{storeCode}/customer/unsubscribe/{token}",
	},
	"receipt": {
		"POST /api/{storeCode}/seller/transaction", "POST /api/{storeCode}/transaction",
	},
	"refresh": {
		"POST /api/token/refresh", "POST /api/{storeCode}/token/refresh", "POST /api/session", "POST /oauth/token",
	},
	"registration": {
		"POST /api/{storeCode}/admin/customer/register", "POST /api/{storeCode}/customer/register",
		"POST /api/{storeCode}/seller/customer/register",
	},
	"reserve": {
		"POST /api/{storeCode}/checkout/reserve",
	},
	"restore": {
		"POST /api/{storeCode}/transaction/{transaction}/restore",
	},
	"self-registration": {
		"POST /api/{storeCode}/customer/self_register",
	},
	"transfer": {
		"POST /api/{storeCode}/admin/p2p-points-transfer", "POST /api/{storeCode}/admin/p2p-points-tranfer",
		"POST /api/{storeCode}/customer/points/p2p-transfer",
	},
	"use": {
		"POST /api/{storeCode}/admin/campaign/coupons/mark_as_used",
		"POST /api/{storeCode}/customer/campaign/coupons/mark_as_used",
		"POST /api/{storeCode}/seller/coupons/mark_as_used",
	},
	seldom: {
		"POST /api/{storeCode}/customer/password/change", "POST /api/{storeCode}/seller/password/change",
		"DELETE /api/{storeCode}/customer/{customer}/factors", "POST /api/login/factor/challenge",
		"POST /api/login/passkey/challenge", "POST /api/me/factors/challenge", "POST /api/me/factors/use",
		"POST /api/me/factors/totp", "POST /api/me/factors/totp/confirm", "DELETE /api/me/factors/totp",
		"POST /api/me/factors/recovery-codes", "POST /api/me/factors/passkeys/challenge",
		"POST /api/me/factors/passkeys", "PUT /api/me/factors/passkeys/{passkey}",
		"DELETE /api/me/factors/passkeys/{passkey}", "DELETE /api/me/sessions/{session}", "POST /api/token/revoke",
		"POST /api/session/logout/{identityProvider}", "POST /api/{storeCode}/session/logout/{identityProvider}",
		"POST /api/{storeCode}/seller/identities/start", "POST /api/{storeCode}/seller/identities",
		"DELETE /api/{storeCode}/seller/identities/{identity}", "POST /api/session/start",
		"POST /api/{storeCode}/session/start", "POST /api/password/reset/request",
		"POST /api/seller/password/reset/request", "POST /api/customer/password/reset/request",
		"POST /api/{storeCode}/password/reset/request", "POST /api/{storeCode}/seller/password/reset/request",
		"POST /api/{storeCode}/customer/password/reset/request", "POST /api/password/reset",
		"POST /api/{storeCode}/password/reset", "POST /api/{storeCode}/customer/activate/{token}",
		"POST /api/{storeCode}/customer/activate-sms/{token}", "POST /api/{storeCode}/customer/activation/request",
		"POST /api/{storeCode}/customer/customer-phone/send-sms-code",
		"POST /api/{storeCode}/admin/customer/{customer}/send-sms-code",
		"POST /api/{storeCode}/seller/customer/{customer}/send-sms-code",
		"POST /api/{storeCode}/admin/customer/{customer}/send-activation",
		"POST /api/{storeCode}/admin/customer/{customer}/send-password", "POST /api/setup",
		"POST /api/{storeCode}/till", "DELETE /api/{storeCode}/till/{till}", "PUT /api/{storeCode}/seller/pin",
		"POST /api/{storeCode}/customer/{customer}/avatar", "DELETE /api/{storeCode}/customer/{customer}/avatar",
		"POST /api/{storeCode}/admin/customer-view", "PUT /api/{storeCode}/admin/customer-view/{view}",
		"DELETE /api/{storeCode}/admin/customer-view/{view}", "POST /api/{storeCode}/customer/push-subscription",
		"DELETE /api/{storeCode}/customer/push-subscription/{subscription}",
		"POST /api/{storeCode}/admin/message/sent/{message}/resend", "POST /api/{storeCode}/admin/bulk-action",
		"POST /api/{storeCode}/admin/bulk-action/{bulkAction}/stop",
		"POST /api/{storeCode}/admin/bulk-action/{bulkAction}/undo",
	},
}
