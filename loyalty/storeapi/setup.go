// Package storeapi has the endpoints of stores, settings, languages and the sandbox clock.
package storeapi

import (
	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/platform/form"
	"punchcard/platform/outbound"
)

// Endpoints manage stores, settings and languages. The client checks the addresses among the settings.
func Endpoints(client *outbound.Client, parts Parts) []api.Endpoint {
	anyone, administrator := access.Public(), access.Only(access.Administrator)
	view := access.AdministratorWith(access.Settings, access.View)
	modify := access.AdministratorWith(access.Settings, access.Modify)
	seeStores := access.AdministratorWith(access.Stores, access.View)
	openStores := access.AdministratorWith(access.Stores, access.Modify)
	return append(languageEndpoints(), []api.Endpoint{
		{Method: "GET", Path: "/api/{storeCode}/settings", Access: view, Do: api.Show(showSettings),
			Summary: "Show all settings of a store"},
		{Method: "POST", Path: "/api/{storeCode}/settings", Access: modify, Factor: api.InHandler,
			Do:      api.Write(parts.settings(client), changeSettings(client)),
			Summary: "Change the settings of a store; a switch that is not sent becomes false",
			Audit:   api.Audited("UpdateSettings", "settings")},
		{Method: "GET", Path: "/api/{storeCode}/settings/public", Access: anyone, Do: api.Tell(showPublicSettings),
			Summary: "Show the settings that everybody may know"},
		{Method: "GET", Path: "/api/{storeCode}/settings/activation", Access: anyone, Do: api.Tell(showActivation),
			Summary: "Tell how customers activate their accounts"},
		{Method: "GET", Path: "/api/{storeCode}/settings/activation-method", Access: anyone,
			Do: api.Tell(showActivationMethod), Summary: "Tell by what customers activate their accounts"},
		{Method: "GET", Path: "/api/{storeCode}/settings/choices/{type}", Access: anyone, Do: api.Tell(listChoices),
			Summary: "List the values that a setting or field may have"},
		{Method: "GET", Path: "/api/{storeCode}/settings/choices/smsGatewayConfig", Access: anyone,
			Do: api.Tell(listGatewayFields), Summary: "List the settings of an SMS gateway; there are none"},
		{Method: "GET", Path: "/api/admin/customer-statuses", Access: anyone, Do: api.Tell(listCustomerStatuses),
			Summary: "List the states of customers"},
		{Method: "POST", Path: "/api/store", Access: openStores, Factor: api.Everyday,
			Do: api.Write(api.Body("store", parts.readNewStore), createStore), Summary: "Open a store",
			Audit: api.Audited("CreateStore", "store")},
		{Method: "GET", Path: "/api/store", Access: administrator,
			Do: api.Read(api.InList(sortableStores.Columns, storeFilters), listStores), Summary: "List stores"},
		{Method: "GET", Path: "/api/store/public", Access: anyone,
			Do:      api.Respond(api.InPages(map[string]string(nil)), listPublic),
			Summary: "List the codes and names of active stores"},
		{Method: "GET", Path: "/api/store/{storeId}", Access: administrator, Do: api.Show(showStore),
			Summary: "Show a store"},
		{Method: "PUT", Path: "/api/store/{storeId}", Access: openStores, Factor: api.Everyday,
			Do:      api.Write(api.UnreadBody(func(g *form.Group) { readStoreChange(g.Group("store")) }), changeStore),
			Summary: "Rename a store, or switch it on or off", Audit: api.Audited("UpdateStore", "store")},
		{Method: "PUT", Path: "/api/store/{storeId}/currency", Access: openStores, Factor: api.Everyday,
			Do:      api.Write(api.UnreadBody(func(g *form.Group) { readCurrency(g.Group("store")) }), changeCurrency),
			Summary: "Change the currency of a store without receipts",
			Audit:   api.Audited("UpdateStoreCurrency", "store")},
		{Method: "GET", Path: "/api/{storeCode}/admin/clock", Access: seeStores, Do: api.Show(showClock),
			Summary: "Show the clock of a sandbox store"},
		{Method: "POST", Path: "/api/{storeCode}/admin/clock", Access: openStores, Factor: api.Everyday,
			Do:      api.Respond(api.BodyInStore("clock", readMove), moveClock(parts.Due)).First(inSandbox),
			Summary: "Move the clock of a sandbox store forward and do what becomes due", Stepwise: true,
			Audit: api.Audited("MoveClock", "store"), NoDryRun: api.RunsJobs},
	}...)
}

func languageEndpoints() []api.Endpoint {
	view := access.AdministratorWith(access.Settings, access.View)
	modify := access.AdministratorWith(access.Settings, access.Modify)
	return []api.Endpoint{
		{Method: "GET", Path: "/api/admin/translations", Access: view, Do: api.Show(listLanguages),
			Summary: "List languages"},
		{Method: "POST", Path: "/api/admin/translations", Access: modify, Factor: api.Everyday,
			Do: api.Write(api.Body("translation", readNewLanguage), addLanguage), Summary: "Add a language",
			Audit: api.Audited("CreateLanguage", "language")},
		{Method: "GET", Path: "/api/admin/translations/{code}", Access: view, Do: api.Show(showLanguage),
			Summary: "Show a language with its texts"},
		{Method: "PUT", Path: "/api/admin/translations/{code}", Access: modify, Factor: api.Everyday,
			Do:      api.WriteTo(findLanguage, api.Body("translation", readLanguage), replaceLanguage),
			Summary: "Replace a language", Audit: api.Audited("UpdateLanguage", "language")},
		{Method: "DELETE", Path: "/api/admin/translations/{code}", Access: modify, Factor: api.Everyday,
			Do:      api.Act(removeLanguage),
			Summary: "Remove a language and all translations into it", Audit: api.Audited("DeleteLanguage", "language")},
		{Method: "GET", Path: "/api/translations", Access: access.Public(), Do: api.Read(api.InLocale, showContent),
			Summary: "Show the texts of a language"},
	}
}

// nameLimit is the maximum length of names and other short texts, in characters.
const nameLimit = 255
