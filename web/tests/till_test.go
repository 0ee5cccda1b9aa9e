package tests

import (
	"fmt"
	"strings"
	"testing"

	"punchcard/web/webtest"
)

var tillScreens = []screen{{
	app: "till", path: "/", name: "counter", walk: walkTill,
	example: func(t *testing.T, s *shop) string {
		t.Helper()
		return "?customer=" + anna(t, s)
	},
}}

const annasCard = "61000001000"

// anna returns the id of the demonstration's customer, who has a coupon that can be used.
func anna(t *testing.T, s *shop) string {
	t.Helper()
	return s.get(t, "/api/DEFAULT/customer?strict=1&email=user@example.com", "customers", 0, "customerId")
}

// scan types a text and Enter as a scanner does, wherever the focus is.
func scan(p *webtest.Page, text string) {
	p.WaitUntil("nothing is over the page", "!document.querySelector('dialog[open]') && document.querySelector('#scan')")
	p.Press(text)
	p.Press("Enter")
}

// bought returns how many coupons of a campaign a customer has, all of them or those that were used.
func bought(t *testing.T, s *shop, customer, campaign string, onlyUsed bool) int {
	t.Helper()
	var list struct {
		Campaigns []struct {
			Used     bool `json:"used"`
			Campaign struct {
				Name string `json:"name"`
			} `json:"campaign"`
		} `json:"campaigns"`
	}
	token := s.logIn(t, "till").Token
	s.call(t, token, "GET",
		"/api/DEFAULT/seller/customer/"+customer+"/campaign/bought?includeDetails=1&perPage=100", nil, &list)
	n := 0
	for _, b := range list.Campaigns {
		if b.Campaign.Name == campaign && (b.Used || !onlyUsed) {
			n++
		}
	}
	return n
}

// couponOf returns the code of the coupon that Anna can use.
func couponOf(t *testing.T, s *shop) string {
	t.Helper()
	var list struct {
		Campaigns []struct {
			Coupon struct {
				Code string `json:"code"`
			} `json:"coupon"`
		} `json:"campaigns"`
	}
	token := s.logIn(t, "till").Token
	s.call(t, token, "GET", "/api/DEFAULT/seller/customer/"+anna(t, s)+"/campaign/bought?canBeUsed=1", nil, &list)
	if len(list.Campaigns) == 0 {
		t.Fatal("Anna has no coupon to use")
	}
	return list.Campaigns[0].Coupon.Code // of the demonstration: others are bought later
}

// A day at the till: a card and one touch use a coupon; then a coupon that was used, a reward, a receipt with an error,
// points, and a new customer.
func walkTill(t *testing.T, s *shop, p *webtest.Page) {
	id, code := anna(t, s), couponOf(t, s)
	p.Go("/till/DEFAULT")
	p.WaitText("Ready for the next customer")
	scan(p, annasCard)
	p.WaitFor("heading", "Anna Nowak…")
	p.Click("Use 50 EUR voucher")
	p.WaitText("Used: 50 EUR voucher")
	p.WaitText("50 EUR to spend on anything on our shelves.")
	p.Click("Undo")
	p.WaitText("Not used: 50 EUR voucher")
	p.Click("Use 50 EUR voucher")
	p.WaitText("Used: 50 EUR voucher")
	p.WaitText("No coupons to use now.")
	if n := bought(t, s, id, "50 EUR voucher", true); n != 1 {
		t.Errorf("%d vouchers are used", n)
	}
	p.Axe()

	scan(p, code)
	p.WaitText("This coupon was used already.")
	p.WaitText("Used on")
	p.WaitText(", Harbour") // the point of sale
	p.WaitGone("Used: 50 EUR voucher")
	p.WaitForNo("button", "Use 50 EUR voucher")
	p.Axe()
	p.Click("Anna Nowak")

	p.Click("Buy Birthday gift")
	p.Within("dialog", "Buy “Birthday gift”?").WaitText("Anna Nowak pays 5 points")
	p.Within("dialog", "Buy “Birthday gift”?").Click("Buy")
	p.WaitText("Bought: Birthday gift")
	p.WaitFor("button", "Use Birthday gift")
	p.WaitText("A slice of cake and a coffee, on the house.")

	walkReceipt(t, s, p)

	p.Click("Points")
	dialog := p.Within("dialog", "Points of Anna Nowak")
	dialog.Click("Spend")
	dialog.Type("Number of points", "999999")
	dialog.Click("Spend points")
	dialog.WaitText("There are not enough points.")
	dialog.Click("Add")
	dialog.Type("Number of points", "7")
	dialog.Click("Add points")
	p.WaitText("7 points added")

	walkNewCustomer(t, s, p)
}

func walkReceipt(t *testing.T, s *shop, p *webtest.Page) {
	p.Click("Register receipt")
	dialog := p.Within("dialog", "Receipt of Anna Nowak")
	dialog.Click("Register receipt")
	dialog.WaitText("This is needed.")
	p.Axe()
	dialog.Type("Number of the receipt", "T-1")
	p.Press("Enter") // as a scanner does
	p.WaitUntil("the amount has the focus", `document.activeElement.closest('[data-path="items.0.grossValue"]')`)
	dialog.Type("Amount", "20,50")
	dialog.WaitText("Earns")
	dialog.Click("Register receipt")
	p.WaitText("Receipt T-1 registered")
	p.WaitText("Anna Nowak: +")
	token := s.logIn(t, "till").Token
	var list struct {
		Transactions []struct {
			GrossValue float64 `json:"grossValue"`
		} `json:"transactions"`
	}
	s.call(t, token, "GET", "/api/DEFAULT/seller/transaction/T-1", nil, &list)
	if len(list.Transactions) != 1 || list.Transactions[0].GrossValue != 20.5 {
		t.Errorf("the receipt is %v", list.Transactions)
	}
}

func walkNewCustomer(t *testing.T, s *shop, p *webtest.Page) {
	scan(p, "olga@example.org")
	p.WaitText("Nothing was found for “olga@example.org”")
	p.Click("New customer")
	dialog := p.Within("dialog", "New customer")
	dialog.WaitValue("E-mail", "olga@example.org")
	dialog.Type("First name", "Olga")
	dialog.Click("Register")
	dialog.WaitText("This is needed.")
	p.Axe()
	dialog.Type("Last name", "Zima")
	dialog.Click("The customer accepts the terms of the program")
	dialog.Click("Register")
	p.WaitText("Registered: Olga Zima")
	p.WaitFor("heading", "Olga Zima…")
	s.get(t, "/api/DEFAULT/customer?strict=1&email=olga@example.org", "customers", 0, "loyaltyCardNumber")
	scan(p, "Nowa")
	p.WaitText("match “Nowa”")
	p.Axe()
	p.Press("Escape")
	p.WaitText("Recent customers")
	p.WaitText("Olga Zima")
}

// Without a network the till shows what it knows, and keeps what is entered until the server has confirmed it.
func TestTillOffline(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	id := anna(t, s)
	p := s.openAs(t, "till", "/till/DEFAULT", webtest.Options{})
	scan(p, annasCard)
	p.WaitFor("button", "Use 50 EUR voucher")
	webtest.Eval[bool](p, `navigator.serviceWorker.ready.then(() => true)`)

	p.SetOffline(true)
	p.Reload()
	p.WaitText("As of")
	p.Axe()
	p.Click("Use 50 EUR voucher")
	p.WaitText("Not confirmed: 50 EUR voucher")
	for _, number := range []string{"OFF-1", "TAKEN-1"} {
		p.Click("Register receipt")
		dialog := p.Within("dialog", "Receipt of Anna Nowak")
		dialog.Type("Number of the receipt", number)
		dialog.Type("Amount", "10")
		dialog.WaitText("The points are shown once the server can be reached.")
		dialog.Click("Register receipt")
		p.WaitText("Not confirmed: Receipt: " + number)
	}
	scan(p, "77001")
	p.WaitText("“77001” is not known on this device")
	p.Axe()
	p.Reload()
	p.WaitText("3 not confirmed")
	if text := p.Text(); strings.Contains(text, "Used:") || strings.Contains(text, "registered") {
		t.Errorf("it shows something as done: %s", text)
	}
	if n := bought(t, s, id, "50 EUR voucher", true); n != 0 {
		t.Errorf("%d vouchers are used", n)
	}

	token := s.logIn(t, "till").Token
	taken := map[string]any{
		"transactionData": map[string]string{"documentNumber": "TAKEN-1"}, "customerId": id,
		"items": []any{map[string]any{
			"sku": map[string]string{"code": "A"}, "name": "A", "quantity": 1, "grossValue": 5, "category": "till",
		}},
	}
	s.call(t, token, "POST", "/api/DEFAULT/seller/transaction", map[string]any{"transaction": taken}, nil)
	p.SetOffline(false)
	p.WaitText("There is a receipt with this number already.")
	p.WaitText("1 not confirmed")
	p.WaitGone("It is kept here")
	done := p.Within("region", "Confirmed after waiting")
	done.WaitText("Use: 50 EUR voucher")
	done.WaitText("Receipt: OFF-1")
	done.WaitText("+10 points")
	p.Axe()
	done.Click("Close")
	p.WaitGone("Confirmed after waiting")
	if n := bought(t, s, id, "50 EUR voucher", true); n != 1 {
		t.Errorf("%d vouchers are used", n)
	}
	s.call(t, token, "GET", "/api/DEFAULT/seller/transaction/OFF-1", nil, nil)
	p.Reload()
	p.WaitText("There is a receipt with this number already.")
	p.Click("Dismiss")
	p.WaitGone("not confirmed")
}

// A response that was lost is asked for again with the same key, after a reload: nothing happens twice.
func TestTillSendsOnce(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	id := anna(t, s)
	p := s.openAs(t, "till", "/till/DEFAULT?customer="+id, webtest.Options{})
	p.WaitFor("button", "Buy Birthday gift")
	webtest.Eval[bool](p, `(() => {
		const send = window.fetch
		window.fetch = async (path, options) => {
			const response = await send(path, options)
			if (String(path).endsWith("/buy")) throw new TypeError("the connection was lost")
			return response
		}
		return true
	})()`)
	p.Click("Buy Birthday gift")
	p.Within("dialog", "Buy “Birthday gift”?").Click("Buy")
	p.WaitText("Not confirmed: Birthday gift")
	p.Reload()
	p.WaitGone("not confirmed")
	p.WaitFor("button", "Use Birthday gift")
	if n := bought(t, s, id, "Birthday gift", false); n != 1 {
		t.Errorf("%d birthday gifts were bought", n)
	}
}

// Signing out asks first if something waits, and deletes what the device knows of customers.
func TestTillSignOut(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	p := s.openAs(t, "till", "/till/DEFAULT?customer="+anna(t, s), webtest.Options{})
	p.WaitFor("button", "Use 50 EUR voucher")
	p.SetOffline(true)
	p.Click("Use 50 EUR voucher")
	p.WaitText("1 not confirmed")
	p.Click("Your account: Sam Seller")
	p.Click("Sign out")
	dialog := p.Within("dialog", "1 entry is not confirmed")
	dialog.Click("Cancel")
	p.SetOffline(false)
	p.WaitGone("1 not confirmed")
	p.Click("Your account: Sam Seller")
	p.Click("Sign out")
	p.WaitFor("heading", "Till")
	if left := webtest.Eval[string](p, "JSON.stringify(localStorage)"); strings.Contains(left, "Nowak") {
		t.Errorf("the device still knows %s", left)
	}
}

// The switches of a seller hide what the seller may not do.
func TestTillSwitches(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	s.call(t, s.admin, "POST", "/api/DEFAULT/seller/register", map[string]any{"seller": map[string]any{
		"firstName": "New", "lastName": "Hand", "email": "new@example.com", "plainPassword": "Correct-Horse-7",
		"posId": s.get(t, "/api/DEFAULT/pos", "pos", 0, "posId"), "active": true, "allowCouponUse": false,
		"allowCouponLookup": false, "allowTransactions": false, "allowPointTransfer": false,
	}}, nil)
	var login tokens
	s.call(t, "", "POST", "/api/DEFAULT/seller/login_check",
		map[string]string{"username": "new@example.com", "password": "Correct-Horse-7"}, &login)
	p := s.openWith(t, "till", "/till/DEFAULT", login, webtest.Options{})
	scan(p, annasCard)
	p.WaitFor("button", "Buy Birthday gift")
	for _, name := range []string{"Use 50 EUR voucher", "Register receipt", "Points"} {
		p.WaitForNo("button", name)
	}
	scan(p, couponOf(t, s))
	p.WaitText("Nothing was found for")
}

// annasBars are the widths of bars and gaps of Anna's card number in Code 128.
const annasBars = "2112142231121232211231221231221231221231221231221232211231221231221231221123312331112"

// The camera reads a card. Where there is none, and without HTTPS, the till says why it is not offered.
func TestTillCamera(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	p := s.openAs(t, "till", "/till/DEFAULT", webtest.Options{})
	p.WaitText("Ready for the next customer")
	webtest.Eval[bool](p, `(navigator.mediaDevices.getUserMedia = () =>
		Promise.reject(new DOMException("none", "NotFoundError")), true)`)
	p.Click("Camera")
	p.WaitText("No camera was found.")
	p.Axe()
	p.Within("dialog", "Camera").Click("Close")
	webtest.Eval[bool](p, fmt.Sprintf(`(() => {
		const canvas = document.createElement("canvas")
		canvas.width = 640
		canvas.height = 480
		const context = canvas.getContext("2d")
		const draw = () => {
			context.fillStyle = "#fff"
			context.fillRect(0, 0, 640, 480)
			context.fillStyle = "#000"
			let x = 60
			for (const [i, width] of [...%q].entries()) {
				if (i %% 2 === 0) context.fillRect(x, 120, 3 * width, 200)
				x += 3 * width
			}
		}
		setInterval(draw, 50)
		navigator.mediaDevices.getUserMedia = async () => canvas.captureStream(20)
		return true
	})()`, annasBars))
	p.Click("Camera")
	p.WaitFor("heading", "Anna Nowak…")

	webtest.Eval[bool](p, `(Object.defineProperty(window, "isSecureContext", {value: false}), true)`)
	p.Click("Your account: Sam Seller")
	p.Click("Polski")
	p.WaitText("Aparat działa tylko przez HTTPS.")
}

// Rewards for which the points are not enough are apart from those that the customer can buy.
func TestRewardsNotYet(t *testing.T) {
	s := openShop(t)
	newcomer(t, s, "Nina", "Null", "nina@example.org")
	p := s.openAs(t, "till", "/till/DEFAULT", webtest.Options{})
	p.WaitText("Ready for the next customer")
	scan(p, "nina@example.org")
	p.WaitFor("heading", "Nina Null…")
	p.Within("region", "Not enough points yet").WaitText("points missing")
	if text := p.Within("region", "Can buy").Text(); strings.Contains(text, "missing") {
		t.Errorf("rewards that cannot be bought are among the others: %s", text)
	}
}
