// Package storeapi has the endpoints of stores, settings, languages and the sandbox clock.
package storeapi

import (
	"encoding/json"

	"punchcard/api"
	"punchcard/api/access"
	"punchcard/loyalty/store"
	"punchcard/platform/form"
	"punchcard/platform/outbound"
)

// Endpoints manage stores, settings and languages. The client checks the addresses among the settings.
func Endpoints(client *outbound.Client, hooks Hooks) []api.Endpoint {
	anyone, administrator := access.Public(), access.Only(access.Administrator)
	view := access.AdministratorWith(access.Settings, access.View)
	modify := access.AdministratorWith(access.Settings, access.Modify)
	seeStores := access.AdministratorWith(access.Stores, access.View)
	openStores := access.AdministratorWith(access.Stores, access.Modify)
	return append(languageEndpoints(hooks), []api.Endpoint{
		{Method: "GET", Path: "/api/{storeCode}/settings", Access: view, Handle: getSettings,
			Summary: "Show all settings of a store", Response: settingsAnswer{}},
		{Method: "POST", Path: "/api/{storeCode}/settings", Access: modify, Factor: api.InHandler,
			Handle:  changeSettings(client, hooks),
			Summary: "Change the settings of a store; a switch that is not sent becomes false",
			Form:    describeSettings(client), Response: settingsAnswer{},
			Audit: api.Audited("UpdateSettings", "settings")},
		{Method: "GET", Path: "/api/{storeCode}/settings/public", Access: anyone, Handle: getPublicSettings,
			Summary: "Show the settings that everybody may know", Response: publicAnswer{}},
		{Method: "GET", Path: "/api/{storeCode}/settings/activation", Access: anyone, Handle: getActivation,
			Summary: "Tell how customers activate their accounts", Response: activation{}},
		{Method: "GET", Path: "/api/{storeCode}/settings/activation-method", Access: anyone, Handle: getActivationMethod,
			Summary: "Tell by what customers activate their accounts", Response: activationMethod{}},
		{Method: "GET", Path: "/api/{storeCode}/settings/choices/{type}", Access: anyone, Handle: getChoices,
			Summary: "List the values that a setting or field may have", Response: choicesAnswer{}},
		{Method: "GET", Path: "/api/{storeCode}/settings/choices/smsGatewayConfig", Access: anyone,
			Handle: getGatewayFields, Summary: "List the settings of an SMS gateway; there are none",
			Response: gatewayFields{}},
		{Method: "GET", Path: "/api/admin/customer-statuses", Access: anyone, Handle: getCustomerStatuses,
			Summary: "List the states of customers", Response: statusAnswer{}},
		{Method: "POST", Path: "/api/store", Access: openStores, Factor: api.Everyday,
			Handle: createStore(hooks.ReservedCodes), Summary: "Open a store", Response: storeIdentity{},
			Form: func(g *form.Group) { readStore(g.Group("store")) }, Audit: api.Audited("CreateStore", "store")},
		{Method: "GET", Path: "/api/store", Access: administrator, Handle: listStores,
			Summary: "List stores", Query: api.ListQuery(sortableStores.Columns, storeFilters),
			Response: storeList{}},
		{Method: "GET", Path: "/api/store/public", Access: anyone, Handle: listPublic,
			Summary: "List the codes and names of active stores", Query: api.PageQuery(map[string]string(nil)),
			Response: publicStores{}},
		{Method: "GET", Path: "/api/store/{storeId}", Access: administrator, Handle: getStore,
			Summary: "Show a store", Response: storeView{}},
		{Method: "PUT", Path: "/api/store/{storeId}", Access: openStores, Factor: api.Everyday, Handle: changeStore,
			Summary: "Rename a store, or switch it on or off", Response: api.NoContent{},
			Form:  func(g *form.Group) { readStoreChange(g.Group("store")) },
			Audit: api.Audited("UpdateStore", "store")},
		{Method: "PUT", Path: "/api/store/{storeId}/currency", Access: openStores, Factor: api.Everyday,
			Handle:  hooks.changeCurrency,
			Summary: "Change the currency of a store without receipts", Response: api.NoContent{},
			Form:  func(g *form.Group) { readCurrency(g.Group("store")) },
			Audit: api.Audited("UpdateStoreCurrency", "store")},
		{Method: "GET", Path: "/api/{storeCode}/admin/clock", Access: seeStores, Handle: getClock,
			Summary: "Show the clock of a sandbox store", Response: clockView{}},
		{Method: "POST", Path: "/api/{storeCode}/admin/clock", Access: openStores, Factor: api.Everyday,
			Handle:  moveClock(hooks.ClockMoved),
			Summary: "Move the clock of a sandbox store forward and do what becomes due", Response: movedClock{},
			Form: func(g *form.Group) { readMove(g.Group("clock"), store.Example) }, Stepwise: true,
			Audit: api.Audited("MoveClock", "store"), NoDryRun: api.RunsJobs},
	}...)
}

func languageEndpoints(hooks Hooks) []api.Endpoint {
	view := access.AdministratorWith(access.Settings, access.View)
	modify := access.AdministratorWith(access.Settings, access.Modify)
	return []api.Endpoint{
		{Method: "GET", Path: "/api/admin/translations", Access: view, Handle: listLanguages,
			Summary: "List languages", Response: languageList{}},
		{Method: "POST", Path: "/api/admin/translations", Access: modify, Factor: api.Everyday, Handle: addLanguage,
			Summary: "Add a language", Response: languageView{},
			Form:  func(g *form.Group) { readLanguageForm(g.Group("translation"), readCode) },
			Audit: api.Audited("CreateLanguage", "language")},
		{Method: "GET", Path: "/api/admin/translations/{code}", Access: view, Handle: getLanguage,
			Summary: "Show a language with its texts", Response: languageView{}},
		{Method: "PUT", Path: "/api/admin/translations/{code}", Access: modify, Factor: api.Everyday,
			Handle: changeLanguage, Summary: "Replace a language", Response: languageView{},
			Form:  func(g *form.Group) { readLanguageForm(g.Group("translation"), noCode) },
			Audit: api.Audited("UpdateLanguage", "language")},
		{Method: "DELETE", Path: "/api/admin/translations/{code}", Access: modify, Factor: api.Everyday,
			Handle:  removeLanguage(hooks.LanguageRemoved),
			Summary: "Remove a language and all translations into it", Response: struct{}{},
			Audit: api.Audited("DeleteLanguage", "language")},
		{Method: "GET", Path: "/api/translations", Access: access.Public(), Handle: getContent,
			Summary: "Show the texts of a language", Query: api.LocaleQuery, Response: json.RawMessage{}},
	}
}

// nameLimit is the maximum length of names and other short texts, in characters.
const nameLimit = 255
