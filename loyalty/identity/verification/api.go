package verification

import (
	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/platform/form"
)

// Endpoints returns the endpoints.
func (v *Verifier) Endpoints() []api.Endpoint {
	const ofStore = "/api/{storeCode}/"
	const ofOne = "customer/{customer}/"
	modify := access.AdministratorWith(access.Customers, access.Modify)
	view := access.AdministratorWith(access.Customers, access.View)
	post := func(path string, rule access.Rule, factor api.Factor, handle func(*api.Call) error, summary, event string,
		fields func(g *form.Group), response any) api.Endpoint {
		return api.Endpoint{Method: "POST", Path: path, Access: rule, Factor: factor, Handle: handle, Summary: summary,
			Form: fields, Response: response, Audit: api.Audited(event, "customer")}
	}
	withSecret := func(e api.Endpoint) api.Endpoint {
		e.NoDryRun = api.HasPassword
		return e
	}
	request := func(path, who string, roles ...access.Role) api.Endpoint {
		return api.Endpoint{Method: "POST", Path: path, Access: access.Public(), Factor: api.NoSession,
			Handle:  func(c *api.Call) error { return v.requestReset(c, roles...) },
			Summary: "Send " + who + " a link for a new password", Form: api.Reads(readUsername), Response: success{},
			Audit: api.Audited("RequestPasswordReset", "password"), NoDryRun: api.HasPassword}
	}
	setNew := func(path string) api.Endpoint {
		return api.Endpoint{Method: "POST", Path: path, Access: access.Public(), Factor: api.NoSession,
			Handle: v.resetPassword, Summary: "Choose a new password by a link",
			Query: func(g *form.Group) { g.Verbatim("token") }, // clients may send it in either
			Form:  describeReset, Response: success{},
			Audit: api.Audited("ResetPassword", "password"), NoDryRun: api.HasPassword}
	}
	account := func(path string, rule access.Rule) api.Endpoint {
		return api.Endpoint{Method: "GET", Path: path, Access: rule, Handle: getAccount,
			Summary: "Show the log-in of a customer: password, contacts to confirm, last message", Response: accountView{}}
	}
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
		withSecret(post(ofStore+"customer/activate/{token}", access.Public(), api.NoSession, v.activate,
			"Activate an account by a link", "ActivateCustomer", nil, nil)),
		withSecret(post(ofStore+"customer/activate-sms/{token}", access.Public(), api.NoSession, v.activateByCode,
			"Activate an account by a code", "ActivateCustomer", api.Reads(readPhone), api.NoContent{})),
		post(ofStore+"customer/activation/request", access.Public(), api.NoSession, v.requestActivation,
			"Send the activation message again", "RequestActivationMessage", api.Reads(readUsername), success{}),
		post(ofStore+"customer/customer-phone/send-sms-code", access.Public(), api.NoSession, v.requestCode, sendSMS,
			"RequestActivationMessage", api.Reads(readPhone), nil),
		post(ofStore+"admin/"+ofOne+"send-sms-code", modify, api.Everyday, sendCode, sendSMS,
			"SendActivationMessage", nil, nil),
		post(ofStore+"seller/"+ofOne+"send-sms-code", access.Only(access.Seller), api.Everyday, sendCode, sendSMS,
			"SendActivationMessage", nil, nil),
		post(ofStore+"admin/"+ofOne+"send-activation", modify, api.Everyday, sendActivationAgain,
			"Send the activation message again", "SendActivationMessage", nil, nil),
		post(ofStore+"admin/"+ofOne+"send-password", modify.WithoutKeys(), api.Always, sendPassword,
			"Send a temporary password", "SendTemporaryPassword", nil, nil),
		withSecret(post(ofStore+"customer/confirm-change/{token}", access.Only(access.Customer), api.Proven,
			v.confirmChange, "Confirm a new e-mail address or phone", "ConfirmContact", nil, api.NoContent{})),
		account(ofStore+"admin/"+ofOne+"account", view),
		account(ofStore+"customer/"+ofOne+"account", access.Only(access.Customer)),
	}...)
}
