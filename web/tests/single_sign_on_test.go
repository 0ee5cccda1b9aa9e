package tests

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"punchcard/loyalty/identity/sso/ssotest"
	"punchcard/web/webtest"
)

var singleSignOnScreens = []screen{
	{
		app: "cockpit", path: "/single-sign-on", name: "single-sign-on", walk: walkSingleSignOn,
		prepare: func(t *testing.T, s *shop) {
			t.Helper()
			s.addProvider(t, "Head office", "https://login.example.com/realms/shops")
		},
	},
	{app: "cockpit", path: "/sso/:provider", name: "sso", example: exampleReturn, walk: walkReturn},
	{app: "till", path: "/sso/:provider", name: "sso", example: exampleReturn, walk: walkReturnToTill},
}

// startProvider starts an identity provider on another site than the shop's, as browsers see it.
func startProvider(t *testing.T) *ssotest.Provider {
	t.Helper()
	provider := ssotest.Start(t, time.Now)
	provider.URL = strings.Replace(provider.URL, "127.0.0.1", "localhost", 1)
	return provider
}

// addProvider adds a provider whose managers get all rights but those of security, and returns its id.
func (s *shop) addProvider(t *testing.T, name, issuer string) string {
	t.Helper()
	var added struct{ ProviderID string }
	s.call(t, s.admin, "POST", "/api/admin/identity-provider", map[string]any{"identityProvider": map[string]any{
		"name": name, "issuer": issuer, "clientId": ssotest.ClientID, "clientSecret": ssotest.Secret, "enabled": true,
		"grants": []any{map[string]any{"group": "managers", "roleId": 3}},
	}}, &added)
	return added.ProviderID
}

// walkSingleSignOn adds a provider, tests it, tries its groups, and removes it.
func walkSingleSignOn(t *testing.T, _ *shop, p *webtest.Page) {
	t.Helper()
	provider := startProvider(t)
	p.Click("Add a provider")
	dialog := p.Within("dialog", "Add a provider")
	dialog.Select("Provider", "Keycloak")
	dialog.WaitText("Replace HOST and REALM.")
	dialog.WaitValue("Issuer", "https://HOST/realms/REALM")
	dialog.WaitValue("Name", "Keycloak")
	redirect := regexp.MustCompile(`http\S+/sso/[0-9a-f-]{36}`).FindString(dialog.Text())
	layouts(p, "provider")
	dialog.Type("Name", "Office")
	dialog.Type("Issuer", "http://shop.example")
	dialog.Click("Test the issuer")
	p.WaitText("Only HTTPS is safe here.")
	dialog.Type("Issuer", "https://127.0.0.1:9/nobody")
	dialog.Click("Test the issuer")
	dialog.WaitFor("alert", "")
	dialog.Type("Issuer", "http://shop.example")
	dialog.Type("Group", "managers")
	dialog.Select("Role", "Reporter admin")
	dialog.Click("Add the provider")
	p.WaitText("Only HTTPS is safe here.")
	p.Axe()
	dialog.Type("Issuer", provider.URL)
	dialog.Click("Test the issuer")
	dialog.WaitText("It answers, and has keys.")
	dialog.Type("Client ID", ssotest.ClientID)
	dialog.Type("Client secret", ssotest.Secret)
	dialog.Click("Add the provider")
	p.WaitText("Office is saved.")
	p.Click("Test Office")
	p.WaitText("Office answers, and has keys.")
	p.Click("Try groups Office")
	preview := p.Within("dialog", "What do groups of Office give?")
	preview.Type("Groups, one on each line", "guests")
	p.WaitText("None of these groups gives anything")
	preview.Type("Groups, one on each line", "managers")
	p.WaitText("The group managers gives the role Reporter admin.")
	p.Axe()
	p.Press("Escape")
	p.ClickRole("cell", "Office…")
	edit := p.Within("dialog", "Office")
	if text := edit.Text(); redirect == "" || !strings.Contains(text, redirect) {
		t.Errorf("the redirect address %q is not that of the saved provider: %s", redirect, text)
	}
	edit.WaitValue("Role", "Reporter admin")
	edit.Type("Name", "Main office")
	edit.Click("Save")
	p.WaitText("Main office is saved.")
	p.ClickRole("radio", "Nobody")
	p.Click("Save")
	p.WaitText("Link your own account with a provider that is switched on first.")
	p.Click("Remove Main office")
	p.Within("dialog", "Remove Main office?").Click("Remove")
	p.WaitText("Main office is removed.")
	walkStoreProviders(t, p, provider.URL)
}

// walkStoreProviders does the same for the present store, whose providers let sellers in.
func walkStoreProviders(t *testing.T, p *webtest.Page, issuer string) {
	t.Helper()
	p.ClickRole("tab", "Default store")
	p.Click("Add a provider")
	dialog := p.Within("dialog", "Add a provider")
	dialog.Type("Name", "Shops")
	dialog.Type("Issuer", issuer)
	dialog.Type("Client ID", ssotest.ClientID)
	dialog.Type("Client secret", ssotest.Secret)
	dialog.Type("Group", "managers")
	dialog.Select("Role", "Reporter admin")
	dialog.Click("Add a group: Sellers by group")
	sellers := dialog.Within("group", "Sellers by group")
	sellers.Type("Group", "cashiers")
	sellers.Select("Point of sale", "Do not change")
	layouts(p, "store-provider")
	p.Axe()
	dialog.Click("Add the provider")
	p.WaitText("Shops is saved.")
	layouts(p, "store-providers")
	p.Click("Try groups Shops")
	preview := p.Within("dialog", "What do groups of Shops give?")
	preview.Type("Groups, one on each line", "managers\ncashiers")
	p.WaitText("The group managers gives the role Reporter admin.")
	p.WaitText("The group cashiers lets sellers sign in at the till.")
	layouts(p, "store-preview")
	p.Press("Escape")
	p.ClickRole("radio", "Those whose account is not linked with a provider")
	p.Click("Save")
	p.WaitText("The setting for passwords is saved.")
	p.ClickRole("radio", "All sellers")
	p.Click("Save")
	p.Click("Remove Shops")
	p.Within("dialog", "Remove Shops?").Click("Remove")
	p.WaitText("Shops is removed.")
}

func exampleReturn(*testing.T, *shop) string { return "/sso/unknown" }

// walkReturn comes back from a provider without what it sends.
func walkReturn(t *testing.T, _ *shop, p *webtest.Page) {
	t.Helper()
	p.WaitText("The provider did not sign you in.")
	p.Go("/sso/unknown?state=unknown&code=unknown")
	p.WaitText("This sign-in has expired, was already used, or began in another browser.")
	p.ClickRole("link", "Sign in")
	p.WaitText("Overview") // the walk is signed in
}

// walkReturnToTill comes back to the till from a provider without what it sends. The cockpit hands the browser over.
func walkReturnToTill(t *testing.T, _ *shop, p *webtest.Page) {
	t.Helper()
	p.WaitText("The provider did not sign you in.")
	p.Go("/sso/unknown?state=till.DEFAULT.unknown&code=unknown")
	p.WaitText("This sign-in has expired, was already used, or began in another browser.")
	p.ClickRole("link", "Sign in")
	p.WaitText("Ready for the next customer") // the walk is signed in
}

// A seller links their account at the till and signs in with it, until their groups no longer allow it. Somebody new
// gets an account by a group.
func TestSingleSignOnAtTheTill(t *testing.T) {
	t.Parallel()
	s, provider := openShop(t), startProvider(t)
	s.call(t, s.admin, "POST", "/api/DEFAULT/admin/identity-provider", map[string]any{"identityProvider": map[string]any{
		"name": "Shops", "issuer": provider.URL, "clientId": ssotest.ClientID, "clientSecret": ssotest.Secret,
		"enabled": true, "sellerGrants": []any{
			map[string]any{"group": "cashiers", "posId": s.get(t, "/api/DEFAULT/pos", "pos", 0, "posId")},
		},
	}}, nil)
	provider.SignIn("sam", jwt.MapClaims{"groups": []string{"cashiers"}})
	p := webtest.Open(t, webtest.Options{Server: s.base, Width: 1100, Height: 760, Allow: []string{"400", "401"}})
	p.Go("/till/DEFAULT")
	p.WaitFor("button", "Sign in with Shops")
	layouts(p, "till-sign-in")
	p.Axe()
	typeSignIn(t, p, "seller@example.com", "open")
	p.WaitText("Ready for the next customer")
	p.Click("Your account: Sam Seller")
	p.ClickRole("menuitem", "Linked accounts")
	dialog := p.Within("dialog", "Linked accounts")
	dialog.WaitText("Not linked")
	layouts(p, "till-linked-accounts")
	p.Axe()
	dialog.Click("Link Shops")
	p.WaitText("Your account is linked.")
	signOut := func(name string) {
		t.Helper()
		p.Click("Your account: " + name)
		p.ClickRole("menuitem", "Sign out")
		p.WaitFor("button", "Sign in with Shops")
	}
	signOut("Sam Seller")
	p.Click("Sign in with Shops")
	p.WaitFor("button", "Your account: Sam Seller")
	p.Reload()
	p.WaitFor("button", "Your account: Sam Seller")
	signOut("Sam Seller")
	provider.SignIn("sam", jwt.MapClaims{"groups": []string{"guests"}})
	enter(t, p, "Sign in with Shops")
	p.WaitText("None of your groups has rights here.")
	layouts(p, "till-refused")
	p.ClickRole("link", "Sign in")
	provider.SignIn("new", jwt.MapClaims{"groups": []string{"cashiers"}, "email": "new@example.org", "given_name": "Nela"})
	p.Click("Sign in with Shops")
	p.WaitFor("button", "Your account: Nela")
	expectCallsOf(t, p, provider)
}

// An administrator links their account, signs in with it, and unlinks it. The provider is on another site, so that the
// browser keeps cookies from it that are not for it.
func TestSingleSignOn(t *testing.T) {
	s, provider := openShop(t), startProvider(t)
	s.addProvider(t, "Office", provider.URL)
	s.addAdministrator(t, "Shop", "ola@example.org", permission("CUSTOMER", "VIEW"))
	provider.SignIn("ola", jwt.MapClaims{"groups": []string{"managers"}})
	p := s.openWith(t, "cockpit", "/DEFAULT/customers", s.logInAs(t, "ola@example.org", firstPassword), webtest.Options{})
	own := func() *webtest.Page {
		p.Click("Your account: Ola Lis")
		p.ClickRole("menuitem", "Linked accounts")
		return p.Within("dialog", "Linked accounts")
	}
	dialog := own()
	dialog.WaitText("Not linked")
	p.Axe()
	dialog.Click("Link Office")
	p.WaitText("Your account is linked.")
	p.Click("Your account: Ola Lis")
	p.ClickRole("menuitem", "Sign out")
	p.WaitFor("button", "Sign in with Office")
	p.Axe()
	p.Click("Sign in with Office")
	p.WaitFor("link", "Campaigns") // which the groups give
	dialog = own()
	dialog.Click("Unlink Office")
	p.WaitText("The account is unlinked.")
	expectCallsOf(t, p, provider)
}

// expectCallsOf expects the calls of a provider, which is another server, and no problem besides.
func expectCallsOf(t *testing.T, p *webtest.Page, provider *ssotest.Provider) {
	t.Helper()
	for _, problem := range p.Problems() {
		if problem != "" && !strings.Contains(problem, provider.URL) {
			t.Error(problem)
		}
	}
}
