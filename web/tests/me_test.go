package tests

import (
	"net/http"
	"strings"
	"testing"

	"punchcard/core/access"
	"punchcard/loyalty/message"
	"punchcard/loyalty/message/template"
	"punchcard/web/webtest"
)

var meScreens = []screen{
	{app: "me", path: "/", name: "rewards", walk: walkRewards},
	{app: "me", path: "/rewards/:campaign", name: "reward", example: exampleReward, walk: walkReward},
	{app: "me", path: "/coupons", name: "coupons", walk: walkCoupons},
	{app: "me", path: "/coupons/:coupon", name: "coupon", example: exampleCoupon, walk: walkCoupon},
	{app: "me", path: "/card", name: "card", walk: walkCard},
	{app: "me", path: "/points", name: "points", walk: walkPoints},
	{app: "me", path: "/inbox", name: "inbox", walk: walkInbox},
	{app: "me", path: "/join", name: "join", walk: walkJoin},
	{app: "me", path: "/account", name: "account", walk: walkMyAccount},
	{app: "me", path: "/account/profile", name: "profile", walk: walkProfile},
	{app: "me", path: "/account/password", name: "password", walk: walkMyPassword},
}

func exampleReward(t *testing.T, s *shop) string {
	t.Helper()
	return "/rewards/" + s.get(t, "/api/DEFAULT/campaign/public/available", "campaigns", 0, "campaignId")
}

func exampleCoupon(t *testing.T, s *shop) string {
	t.Helper()
	of := "/api/DEFAULT/admin/customer/" + annaID(t, s)
	return "/coupons/" + s.get(t, of+"/campaign/bought?canBeUsed=1", "campaigns", 0, "coupon", "id")
}

func walkRewards(t *testing.T, s *shop, p *webtest.Page) {
	p.WaitText("Free delivery")
	p.Click("Gifts and events")
	p.WaitGone("Free delivery")
	p.Click("All")
	p.WaitText("Free delivery")
	p.ClickRole("link", "Card")
	p.WaitText("6100 0001 000")
	p.Click("Close")
	p.WaitText("Free delivery")
}

// walkJoin looks at the program as a visitor sees it.
func walkJoin(t *testing.T, _ *shop, p *webtest.Page) {
	t.Helper()
	p.WaitText("One point for each euro")
	p.WaitText("1 point for each €1.00")
	p.WaitText("Free delivery")
	p.WaitText("From €400.00")
}

// Sites that the store lists may frame the program; joining opens in a new tab, and nothing is stored in the browser.
func TestProgramInAnotherSite(t *testing.T) {
	s := openShop(t)
	const site = "http://127.0.0.1:9"
	framedBy := func(want string) {
		t.Helper()
		answer, err := http.Get(s.base + "/embed/DEFAULT")
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		if policy := answer.Header.Get("Content-Security-Policy"); !strings.HasSuffix(policy, "; frame-ancestors "+want) {
			t.Errorf("the policy is %s, want frame-ancestors %s", policy, want)
		}
	}
	framedBy("'none'")
	var now struct {
		Settings map[string]any `json:"settings"`
	}
	s.call(t, s.admin, "GET", "/api/DEFAULT/settings", nil, &now)
	now.Settings["embedOrigins"] = []string{site}
	s.call(t, s.admin, "POST", "/api/DEFAULT/settings", now, nil)
	framedBy(site)
	p := webtest.Open(t, webtest.Options{Server: s.base})
	p.Go("/embed/DEFAULT?lang=pl")
	p.WaitText("Jak zbierać")
	p.Axe()
	links := webtest.Eval[string](p, `[...document.querySelectorAll('a.button')].map((a) => a.target + a.pathname).join()`)
	if links != "_blank/me/DEFAULT/register,_blank/me/DEFAULT/sign-in" {
		t.Errorf("the page leads to %s", links)
	}
	if stored := webtest.Eval[int](p, "localStorage.length + sessionStorage.length"); stored > 0 {
		t.Errorf("the page stored %d values", stored)
	}
}

func walkReward(t *testing.T, s *shop, p *webtest.Page) {
	p.Click("Get it")
	p.Click("Cancel")
	p.WaitText("How to use it")
}

func walkCoupons(t *testing.T, s *shop, p *webtest.Page) {
	p.WaitText("50 EUR voucher")
	p.ClickRole("tab", "Used")
	p.WaitText("Free delivery")
	p.ClickRole("tab", "Expired")
	p.WaitText("None expired")
}

func walkCoupon(t *testing.T, s *shop, p *webtest.Page) {
	p.WaitFor("img", "QR code: 50 EUR voucher")
	p.WaitFor("img", "Bar code: 50 EUR voucher")
	p.Click("Close")
	p.WaitFor("tab", "Used")
}

func walkCard(t *testing.T, s *shop, p *webtest.Page) {
	p.WaitFor("img", "QR code: Card")
	p.WaitFor("img", "Bar code: Card")
	p.WaitText("6100 0001 000")
}

func walkPoints(t *testing.T, s *shop, p *webtest.Page) {
	p.WaitText("Gold")
	p.WaitText("50 EUR voucher Reward, code GIFT50")
	p.WaitText("How to earn points")
}

func walkInbox(t *testing.T, s *shop, p *webtest.Page) {
	p.WaitUntil("the messages are there", "document.querySelector('.messages, .empty')")
	if p.Count("button", "Mark all as read") == 0 {
		p.WaitText("No messages")
		return
	}
	p.Click("Mark all as read")
	p.WaitFor("link", "Messages, 0 unread")
}

func walkMyAccount(t *testing.T, s *shop, p *webtest.Page) {
	p.WaitText("Anna Nowak")
	p.Click("Polski")
	p.WaitText("Twoje konto")
	p.Click("English")
	p.WaitText("Your account")
	p.Click("Sign out everywhere")
	p.WaitText("This ends your session here")
	p.Click("Cancel")
	p.Click("Sign out")
	p.WaitText("New here?")
	left := webtest.Eval[[]string](p, "Object.keys(localStorage).filter(k => k.includes('.kept.'))")
	if len(left) > 0 {
		t.Errorf("after signing out, %v are still on the device", left)
	}
}

func walkProfile(t *testing.T, s *shop, p *webtest.Page) {
	p.WaitValue("First name", "Anna")
	p.Type("E-mail", "anna")
	p.Click("Save")
	p.WaitText("This is no e-mail address.")
	p.Type("E-mail", "user@example.com")
	p.Type("Town (optional)", "Warszawa")
	p.WaitValue("Region (optional)", "małopolskie")
	p.Select("Country", "Norway")
	p.Type("Company (optional)", "Nowak Roasters")
	p.Click("Send me news and offers")
	p.Click("Save")
	p.WaitText("Tax number (optional): This is needed.")
	p.Type("Tax number (optional)", "5210001122")
	p.Click("Save")
	p.WaitText("Saved.")
	of := "/api/DEFAULT/customer/" + annaID(t, s)
	p.ClickRole("link", "Edit")
	p.Upload("Profile picture:…", noPicture(t))
	p.WaitText("Choose a PNG, JPEG or GIF.")
	p.Upload("Profile picture:…", picture(t))
	p.WaitText("Saved: Profile picture.")
	if got := s.get(t, of, "avatarOriginalName"); got != "logo.png" {
		t.Errorf("the avatar is %q", got)
	}
	p.Click("Remove Profile picture")
	p.Within("dialog", "Remove: Profile picture?").Click("Remove")
	p.WaitForNo("button", "Remove Profile picture")
	if got := s.get(t, of, "address", "city"); got != "Warszawa" {
		t.Errorf("the town is %q", got)
	}
	if got := s.get(t, of, "address", "province"); got != "małopolskie" {
		t.Errorf("the province is %q", got)
	}
	if got := s.get(t, of, "address", "country"); got != "NO" {
		t.Errorf("the country is %q", got)
	}
	if got := s.get(t, of, "company", "name"); got != "Nowak Roasters" {
		t.Errorf("the company is %q", got)
	}
	if got := s.get(t, of, "agreement2"); got != "false" {
		t.Errorf("the consent to news is %s", got)
	}
}

func walkMyPassword(t *testing.T, s *shop, p *webtest.Page) {
	p.Type("Present password", "loyal")
	p.Type("New password", "short")
	p.WaitText("8 characters or more")
	p.WaitUntil("no rule is met", "document.querySelectorAll('.password-rules .met').length === 0")
	p.Type("New password", "Short-1")
	p.WaitUntil("only the length is missing", "document.querySelectorAll('.password-rules .met').length === 3")
	p.Type("New password", "short")
	p.ClickRole("button", "Change password")
	p.WaitText("This is not your present password.")
	p.WaitText("Use at least 8 characters.")
}

// joinProgram registers a customer in the app and returns their id. The page is at the register form.
func joinProgram(t *testing.T, s *shop, p *webtest.Page, email string) string {
	t.Helper()
	p.Type("First name", "Ida")
	p.Type("Last name", "Berg")
	p.Type("E-mail", email)
	p.Type("Password", "short")
	p.ClickRole("button", "Register")
	p.WaitText("Use at least 8 characters.")
	p.WaitText("This is needed.") // the terms
	p.Type("Password", "Correct-Horse-7")
	p.Click("I accept the terms of the program")
	p.ClickRole("button", "Register")
	p.WaitText("Welcome, you are registered.")
	return s.get(t, "/api/DEFAULT/customer?strict=1&email="+email, "customers", 0, "customerId")
}

// A customer registers, buys a reward and shows the coupon, which says by itself that the till used it.
func TestFromRegistrationToUsedCoupon(t *testing.T) {
	shop := openShop(t)
	p := webtest.Open(t, webtest.Options{Server: shop.base, Width: 375, Height: 740})
	p.Go("/me/DEFAULT")
	p.WaitText("One point for each euro")
	p.Click("Join")
	p.Axe()
	ida := joinProgram(t, shop, p, "ida@example.org")
	shop.call(t, shop.admin, "POST", "/api/DEFAULT/admin/customer/"+ida+"/activate", nil, nil)
	shop.call(t, shop.admin, "POST", "/api/DEFAULT/points/transfer/add", map[string]any{
		"transfer": map[string]any{"customer": ida, "points": 100}}, nil)
	p.ClickRole("link", "Sign in")
	p.WaitText("New here?") // the page to sign in, which has fields of the same names
	p.Type("E-mail", "ida@example.org")
	p.Type("Password", "Correct-Horse-7")
	p.ClickRole("button", "Sign in")
	p.WaitText("points to spend")
	p.Click("Amber & Oak Free delivery Your…")
	p.Click("Get it")
	p.WaitText("It costs 20 points.")
	p.Within("dialog", "Get Free delivery?").Click("Get it")
	p.WaitFor("img", "QR code: Free delivery")
	p.WaitText("This page changes by itself")
	p.Axe()
	code := webtest.Eval[string](p, "document.querySelector('.code').textContent")
	shop.call(t, shop.logIn(t, "till").Token, "POST", "/api/DEFAULT/seller/coupons/mark_as_used",
		map[string]any{"coupons": []any{map[string]any{"code": code, "used": true}}}, nil)
	p.WaitGone("This page changes by itself")
	p.WaitText("Used")
	p.Axe()
}

// The card and the coupons can be shown without a network, and say how old they are.
func TestCardAndCouponOffline(t *testing.T) {
	shop := openShop(t)
	p := shop.openAs(t, "me", "/me/DEFAULT/card", webtest.Options{
		Language: "pl", Width: 360, Height: 740, Dark: true,
	})
	p.WaitFor("img", "Kod QR: Karta")
	p.Go("/me/DEFAULT/coupons")
	p.WaitText("Do użycia (1)")
	webtest.Eval[bool](p, "navigator.serviceWorker.ready.then(() => true)")
	p.Reload() // with the service worker in control
	p.WaitText("Do użycia (1)")
	p.SetOffline(true)
	p.Reload()
	p.WaitText("Brak połączenia. Stan na")
	coupon := exampleCoupon(t, shop)
	p.ClickRole("link", "Bon 50 EUR…")
	p.WaitPath("/me/DEFAULT" + coupon)
	p.WaitFor("img", "Kod QR: …")
	p.WaitText("Brak połączenia. Stan na")
	p.Axe()
	p.Go("/me/DEFAULT/card")
	p.WaitFor("img", "Kod QR: Karta")
	p.WaitText("6100 0001 000")
	if strings.Contains(p.Text(), "Spróbuj ponownie") {
		t.Error("the card shows an error without a network")
	}
	p.SetOffline(false)
	p.WaitGone("Brak połączenia")
	p.WaitText("6100 0001 000")

	// Another customer chooses a password on the same device, signs in and loses the network: nothing of Anna is left.
	id, email := shop.register(t, "", "customer/self_register")
	shop.call(t, shop.admin, "POST", "/api/DEFAULT/admin/customer/"+id+"/activate", nil, nil)
	p.Go("/me/DEFAULT/reset/" + shop.secret(t, "token", message.Message{
		Event: template.CustomerPasswordReset, Role: access.Customer, RecipientID: id, Email: email,
	}))
	p.Type("Nowe hasło", "Other-Horse-8")
	p.ClickRole("button", "Ustaw hasło")
	p.WaitText("Nowe hasło jest ustawione.")
	p.ClickRole("link", "Zaloguj")
	p.Type("E-mail", email)
	p.Type("Hasło", "Other-Horse-8")
	p.ClickRole("button", "Zaloguj")
	p.WaitText("punktów do wydania")
	p.SetOffline(true)
	for _, page := range []string{"card", "coupons", "points", "profile"} {
		p.Go("/me/DEFAULT/" + page)
		p.WaitText("Brak połączenia")
		for _, of := range []string{"6100 0001 000", "Anna", "Nowak", "50 EUR"} {
			if strings.Contains(p.Text(), of) {
				t.Errorf("%s shows Olaf %q", page, of)
			}
		}
	}
	if left := webtest.Eval[string](p, "JSON.stringify(localStorage)"); strings.Contains(left, "Nowak") {
		t.Errorf("the device still knows %s", left)
	}
	p.SetOffline(false)
	p.WaitGone("Brak połączenia")
}

// The address of another store that an installed app had before opens that store.
func TestStoreInTheQuery(t *testing.T) {
	shop := openShop(t)
	emptyStore(t, shop)
	p := webtest.Open(t, webtest.Options{Server: shop.base})
	p.Go("/me?store=EMPTY")
	p.WaitUntil("the app shows the store", `document.querySelector('link[rel=manifest]')?.href.includes('/api/EMPTY/')`)
}

// Where there are several stores and the address names none, the user chooses one by its name.
func TestStoreChoice(t *testing.T) {
	shop := openShop(t)
	p := webtest.Open(t, webtest.Options{Server: shop.base, Allow: []string{"404"}})
	p.Go("/me")
	p.WaitText("How to earn")
	p.ClickRole("link", "Sign in")
	p.WaitText("New here?")
	if p.Count("field", "Store") > 0 {
		t.Error("the only store is to be chosen")
	}
	emptyStore(t, shop)
	p.Go("/me")
	p.Select("Store", "Empty store")
	p.WaitUntil("the app shows the store", `document.querySelector('link[rel=manifest]')?.href.includes('/api/EMPTY/')`)
	p.Axe()
	p.Click("Register")
	p.WaitPath("/me/EMPTY/register")
	p.Go("/me/DEFAULT/sign-in")
	p.WaitText("Another store")
	p.Go("/me/NOWHERE")
	p.WaitText("There is no store NOWHERE.")
	p.Select("Store", "Default store")
	p.WaitPath("/me/DEFAULT")
	p.WaitText("How to earn")
}

// A store that writes to its customers by SMS needs the phone, and not the e-mail address.
func TestRegistrationByPhone(t *testing.T) {
	shop := openShop(t)
	var now struct {
		Settings map[string]any `json:"settings"`
	}
	shop.call(t, shop.admin, "GET", "/api/DEFAULT/settings", nil, &now)
	now.Settings["preferredCommunicationMethod"] = "sms"
	now.Settings["accountActivationRequired"] = false
	shop.call(t, shop.admin, "POST", "/api/DEFAULT/settings", now, nil)
	p := webtest.Open(t, webtest.Options{Server: shop.base, Width: 375, Height: 740})
	p.Go("/me/DEFAULT/sign-in")
	p.WaitFor("field", "Phone or e-mail")
	p.Click("Register")
	p.Type("First name", "Ida")
	p.Type("Last name", "Berg")
	p.WaitFor("field", "E-mail (optional)")
	p.Type("Password", "Correct-Horse-7")
	p.Click("I accept the terms of the program")
	p.ClickRole("button", "Register")
	p.WaitText("This is needed.")
	p.Type("Phone", "+4790000077")
	p.ClickRole("button", "Register")
	p.WaitText("points to spend")
}

// A field that takes the focus while a screen appears keeps it, so that no typed text is lost.
func TestFieldKeepsTheFocus(t *testing.T) {
	shop := openShop(t)
	p := webtest.Open(t, webtest.Options{Server: shop.base})
	p.Go("/me/DEFAULT/sign-in")
	p.WaitFor("link", "Activate your account") // the settings that the next screen needs are there
	focused := webtest.Eval[string](p, `(async () => {
		document.querySelector('a[href$="/register"]').click()
		for (let i = 0; i < 1000 && !document.querySelector('input[type=tel]'); i++) await null
		document.querySelector('input[type=tel]').focus()
		for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame)
		return document.activeElement.type ?? document.activeElement.id
	})()`)
	if focused != "tel" {
		t.Errorf("the focus went to %q", focused)
	}
}
