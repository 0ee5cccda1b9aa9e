package verification

import (
	"punchcard/core/access"
	"punchcard/core/api"
)

// Endpoints returns the endpoints.
func (v *Verifier) Endpoints() []api.Endpoint {
	const ofStore = "/api/{storeCode}/"
	const ofOne = "customer/{customer}/"
	modify := access.AdministratorWith(access.Customers, access.Modify)
	view := access.AdministratorWith(access.Customers, access.View)
	post := func(path string, rule access.Rule, factor api.Factor, do api.Operation, summary, event string,
	) api.Endpoint {
		return api.Endpoint{Method: "POST", Path: path, Access: rule, Factor: factor, Do: do, Summary: summary,
			Audit: api.Audited(event, "customer")}
	}
	byName := api.Prepared(api.LenientBody("", readUsername), v.named)
	withSecret := func(e api.Endpoint) api.Endpoint {
		e.NoDryRun = api.HasPassword
		return e
	}
	request := func(path, who string, roles ...access.Role) api.Endpoint {
		return api.Endpoint{Method: "POST", Path: path, Access: access.Public(), Factor: api.NoSession,
			Do:      api.Write(byName, requestReset(roles...)),
			Summary: "Send " + who + " a link for a new password",
			Audit:   api.Audited("RequestPasswordReset", "password"), NoDryRun: api.HasPassword}
	}
	setNew := func(path string) api.Endpoint {
		return api.Endpoint{Method: "POST", Path: path, Access: access.Public(), Factor: api.NoSession,
			Do:      api.Write(newPassword, v.resetPassword),
			Summary: "Choose a new password by a link",
			Audit:   api.Audited("ResetPassword", "password"), NoDryRun: api.HasPassword}
	}
	account := func(path string, rule access.Rule) api.Endpoint {
		return api.Endpoint{Method: "GET", Path: path, Access: rule, Do: api.Show(showAccount),
			Summary: "Show the log-in of a customer: password, contacts to confirm, last message"}
	}
	byPhone := api.Prepared(api.LenientBody("", readPhone), v.ofPhone)
	code := api.Prepared(api.LenientBody("", readPhone), v.countCode)
	const sendSMS = "Send the activation code by SMS"
	return append(v.staffEndpoints(), []api.Endpoint{
		request("/api/password/reset/request", "an administrator, a seller or a customer",
			access.Administrator, access.Seller, access.Customer),
		request("/api/seller/password/reset/request", "a seller", access.Seller),
		request("/api/customer/password/reset/request", "a customer", access.Customer),
		request(ofStore+"password/reset/request", "an administrator or a seller", access.Administrator, access.Seller),
		request(ofStore+"seller/password/reset/request", "a seller", access.Seller),
		request(ofStore+"customer/password/reset/request", "a customer", access.Customer),
		setNew("/api/password/reset"),
		setNew(ofStore + "password/reset"),
		withSecret(post(ofStore+"customer/activate/{token}", access.Public(), api.NoSession,
			api.Act(v.activate), "Activate an account by a link", "ActivateCustomer")),
		withSecret(post(ofStore+"customer/activate-sms/{token}", access.Public(), api.NoSession,
			api.Write(code, v.activateByCode), "Activate an account by a code", "ActivateCustomer")),
		post(ofStore+"customer/activation/request", access.Public(), api.NoSession,
			api.Write(byName, requestActivation), "Send the activation message again", "RequestActivationMessage"),
		post(ofStore+"customer/customer-phone/send-sms-code", access.Public(), api.NoSession,
			api.Write(byPhone, requestCode), sendSMS, "RequestActivationMessage"),
		post(ofStore+"admin/"+ofOne+"send-sms-code", modify, api.Everyday, sendCode, sendSMS,
			"SendActivationMessage"),
		post(ofStore+"seller/"+ofOne+"send-sms-code", access.Only(access.Seller), api.Everyday, sendCode, sendSMS,
			"SendActivationMessage"),
		post(ofStore+"admin/"+ofOne+"send-activation", modify, api.Everyday, sendActivationAgain,
			"Send the activation message again", "SendActivationMessage"),
		post(ofStore+"admin/"+ofOne+"send-password", modify.WithoutKeys(), api.Always, sendPassword,
			"Send a temporary password", "SendTemporaryPassword"),
		withSecret(post(ofStore+"customer/confirm-change/{token}", access.Only(access.Customer), api.Proven,
			api.Write(api.InCall(nil, readConfirmation), v.confirmChange), "Confirm a new e-mail address or phone",
			"ConfirmContact")),
		account(ofStore+"admin/"+ofOne+"account", view),
		account(ofStore+"customer/"+ofOne+"account", access.Only(access.Customer)),
	}...)
}
