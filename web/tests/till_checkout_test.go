package tests

import (
	"strings"
	"testing"

	"punchcard/web/webtest"
)

// offerTenOff creates a reward that customers of the till want in a basket: 10 % off for 40 points.
func offerTenOff(t *testing.T, s *shop) {
	t.Helper()
	offerReward(t, s, "Tenth off", map[string]any{"costInPoints": 40, "singleCoupon": false,
		"coupons": []string{"TENTH-1", "TENTH-2"}, "basket": map[string]any{"percentage": 10}})
	offerReward(t, s, "Weekend by the sea", map[string]any{"costInPoints": 9000})
}

// saleOf returns the value of the receipt with a number, 0 if there is none.
func saleOf(t *testing.T, s *shop, number string) float64 {
	t.Helper()
	var list struct {
		Transactions []struct {
			GrossValue float64 `json:"grossValue"`
		} `json:"transactions"`
	}
	path := "/api/DEFAULT/seller/transaction?strict=1&documentNumber=" + number
	s.call(t, s.logIn(t, "till").Token, "GET", path, nil, &list)
	if len(list.Transactions) == 0 {
		return 0
	}
	return list.Transactions[0].GrossValue
}

// billAddsUp compares the last line of a bill with those above it: the sum and at least two discounts.
const billAddsUp = `(() => {
	const cents = (cell) => Math.round(100 * Number(cell.innerText.replace('−', '-').replace(/[^0-9.-]/g, '')))
	const lines = [...document.querySelectorAll('.bill tbody td')].map(cents)
	const due = document.querySelector('.bill tfoot td')
	return lines.length > 2 && due !== null && lines.reduce((a, b) => a + b) === cents(due)
})()`

// TestTillSaleByKeyboard sells two products for a coupon and a reward of the customer, by the keyboard alone. The price
// equals that of the checkout; the reward is bought and both coupons are used for the receipt.
func TestTillSaleByKeyboard(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	id := anna(t, s)
	offerTenOff(t, s)
	p := s.openAs(t, "till", "/till/DEFAULT", webtest.Options{})
	scan(p, annasCard)
	p.WaitFor("button", "Use 50 EUR voucher")
	enter(t, p, "Sell")
	p.WaitUntil("the amount has the focus", `document.activeElement.closest('dialog [data-path="items.0.grossValue"]')`)
	enter(t, p, "Enter lines")
	tabTo(t, p, "textbox", "Product or SKU")
	p.Press("BEANS")
	p.Press("Enter") // as a scanner does
	p.WaitUntil("the amount has the focus", `document.activeElement.closest('[data-path="items.0.grossValue"]')`)
	p.Press("80")
	enter(t, p, "Add a line")
	p.WaitUntil("the new line has the focus", `document.activeElement.closest('[data-path="items.1.sku"]')`)
	p.Press("CUP")
	tabTo(t, p, "textbox", "Amount")
	p.Press("40")
	dialog := p.Within("dialog", "Sale to Anna Nowak")
	dialog.WaitText("To pay: ")
	for _, offer := range []string{"50 EUR voucher", "Tenth off"} {
		tabTo(t, p, "checkbox", offer)
		p.Press("Space")
	}
	tabTo(t, p, "textbox", "Code of a coupon")
	p.Press("NOBODY-HAS-THIS")
	p.Press("Enter")
	dialog.WaitText("There is no such coupon.")
	dialog.WaitText("Takes €50.00 off")
	p.WaitUntil("the sum and the discounts, each by name, make the price", billAddsUp)
	dialog.WaitText("points to the next reward: Weekend by the sea")
	dialog.WaitText("to the level")
	captureTall(p, "till-sale")
	p.Resize(390, 844)
	capture(p, "till-sale-phone")
	p.Resize(1280, 800)
	capture(p, "till-sale-counter")
	enter(t, p, "Pay …")
	p.WaitUntil("the number has the focus", `document.activeElement.closest('dialog [data-path="documentNumber"]')`)
	p.WaitUntil("the same bill", billAddsUp)
	captureTall(p, "till-payment")
	p.Resize(1280, 800)
	capture(p, "till-payment-counter")
	p.Press("S-1")
	p.Press("Enter")
	p.WaitText("Sold: receipt S-1")
	p.WaitText("points to the next reward: Weekend by the sea")
	if value := saleOf(t, s, "S-1"); value <= 0 || value >= 70 {
		t.Errorf("the receipt is of %v", value)
	}
	for _, of := range []string{"50 EUR voucher", "Tenth off"} {
		if n := bought(t, s, id, of, true); n != 1 {
			t.Errorf("%d coupons of %q are used", n, of)
		}
	}
}

// beginSale reserves a sale of 100 to Anna for the reward, and returns its dialog.
func beginSale(p *webtest.Page) *webtest.Page {
	p.Click("Sell")
	dialog := p.Within("dialog", "Sale to Anna Nowak")
	dialog.Type("Amount", "100")
	dialog.ClickRole("checkbox", "Tenth off")
	dialog.WaitText("Takes ")
	p.WaitFor("button", "Pay …")
	dialog.Click("Pay …")
	dialog.WaitText("The price is reserved until")
	return dialog
}

// wantSales compares how many coupons of the reward were bought and used.
func wantSales(t *testing.T, s *shop, customer string, n int) {
	t.Helper()
	all, used := bought(t, s, customer, "Tenth off", false), bought(t, s, customer, "Tenth off", true)
	if all != n || used != n {
		t.Errorf("%d are bought and %d used, want %d", all, used, n)
	}
}

// A number that is taken buys nothing. The sale stays after a reload, and is paid under another number.
func TestTillSaleGoesOn(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	id := anna(t, s)
	offerTenOff(t, s)
	registerSale(t, s, "TAKEN-7", "user@example.com")
	allowCancelling(t, s)
	p := s.openAs(t, "till", "/till/DEFAULT?customer="+id, webtest.Options{})
	p.WaitFor("button", "Sell")
	dialog := beginSale(p)
	dialog.Type("Number of the receipt", "TAKEN-7")
	dialog.Click("Paid: …")
	dialog.WaitText("There is a receipt with this number already.")
	wantSales(t, s, id, 0)
	captureTall(p, "till-number-taken")
	p.Resize(1280, 800)
	p.Reload()
	p.Click("Continue the sale")
	dialog.Type("Number of the receipt", "FREE-7")
	dialog.Click("Paid: …")
	p.WaitText("Sold: receipt FREE-7")
	p.WaitGone("A sale is not finished")
	if value := saleOf(t, s, "FREE-7"); value <= 0 || value >= 100 {
		t.Errorf("the receipt is of %v", value)
	}
	wantSales(t, s, id, 1)
	walkRestoring(t, s, p, id)
}

// allowCancelling lets the seller of the till cancel coupons.
func allowCancelling(t *testing.T, s *shop) {
	t.Helper()
	const sellers = "/api/DEFAULT/seller"
	id := s.get(t, sellers+"?strict=1&email=seller@example.com", "sellers", 0, "sellerId")
	s.call(t, s.admin, "PUT", sellers+"/"+id, map[string]any{"seller": map[string]any{
		"firstName": "Sam", "lastName": "Seller", "email": "seller@example.com", "active": 1, "allowCouponCancel": 1,
		"posId": s.get(t, sellers+"/"+id, "posId"),
	}}, nil)
}

// walkRestoring returns the sale FREE-7 in two parts: the reward that was bought with it comes back with the last one.
func walkRestoring(t *testing.T, s *shop, p *webtest.Page, customer string) {
	t.Helper()
	dialog := p.Within("dialog", "Receipt of Anna Nowak")
	give := func(number, amount string) {
		p.Click("Register receipt")
		dialog.Type("Number of the receipt", number)
		dialog.Type("Amount", amount)
		dialog.Click("Return")
		dialog.Type("Number of the original receipt", "FREE-7")
		dialog.ClickRole("checkbox", "Give back the coupons and rewards of this sale")
	}
	give("BACK-1", "10")
	p.Axe()
	captureTall(p, "till-return")
	p.Resize(1280, 800)
	dialog.Click("Register return")
	p.WaitText("Return BACK-1 registered")
	p.WaitText("The coupons and rewards stay, because the sale is not returned in full.")
	wantSales(t, s, customer, 1)
	give("BACK-2", "200")
	dialog.Click("Register return")
	p.WaitText("Return BACK-2 registered")
	p.WaitText("+40 points")
	if n := bought(t, s, customer, "Tenth off", true); n != 0 {
		t.Errorf("%d coupons are used after the return", n)
	}
}

// Going back, also after a reload, and closing the dialog give back what was reserved. A sale that was cancelled at
// another till returns to its basket.
func TestTillSaleIsCancelled(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	id := anna(t, s)
	offerTenOff(t, s)
	p := s.openAs(t, "till", "/till/DEFAULT?customer="+id, webtest.Options{})
	p.WaitFor("button", "Sell")
	dialog := beginSale(p)
	p.Reload()
	p.Click("Continue the sale")
	dialog.Click("Back")
	dialog.WaitText("Takes ")
	p.WaitFor("button", "Pay …")
	dialog.Click("Pay …")
	dialog.WaitText("The price is reserved until")
	s.cancelReservations(t, id)
	dialog.Type("Number of the receipt", "NEVER-1")
	dialog.Click("Paid: …")
	dialog.WaitText("Nothing was bought. Check the price and pay again.")
	dialog.WaitText("The reservation was cancelled.")
	dialog.WaitText("Takes ")
	p.WaitFor("button", "Pay …")
	dialog.Click("Pay …")
	dialog.WaitText("The price is reserved until")
	p.Press("Escape")
	p.WaitGone("A sale is not finished")
	if n := s.cancelReservations(t, id); n != 0 {
		t.Errorf("%d reservations are open", n)
	}
	wantSales(t, s, id, 0)
}

// cancelReservations cancels the open reservations of a customer, and returns how many there were.
func (s *shop) cancelReservations(t *testing.T, customer string) int {
	t.Helper()
	var list struct {
		Reservations []struct{ ReservationID, State string }
	}
	s.call(t, s.admin, "GET", "/api/DEFAULT/admin/customer/"+customer+"/reservations", nil, &list)
	n := 0
	for _, r := range list.Reservations {
		if r.State == "reserved" {
			s.call(t, s.admin, "POST", "/api/DEFAULT/checkout/reservation/"+r.ReservationID+"/cancel", nil, nil)
			n++
		}
	}
	return n
}

// A response that is lost leaves open whether a sale is done. Trying again finds out, also under another number, and
// does nothing twice.
func TestTillSaleLosesResponses(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	id := anna(t, s)
	offerTenOff(t, s)
	p := s.openAs(t, "till", "/till/DEFAULT?customer="+id, webtest.Options{})
	p.WaitFor("button", "Sell")
	webtest.Eval[bool](p, `(() => {
		const send = window.fetch, lost = new Set()
		window.fetch = async (path, options) => {
			const response = await send(path, options), step = String(path).split("?")[0].split("/").pop()
			if (options?.method === "POST" && ["reserve", "confirm"].includes(step) && !lost.has(step)) {
				lost.add(step)
				throw new TypeError("the connection was lost")
			}
			return response
		}
		return true
	})()`)
	p.Click("Sell")
	dialog := p.Within("dialog", "Sale to Anna Nowak")
	dialog.Type("Amount", "100")
	dialog.ClickRole("checkbox", "Tenth off")
	dialog.WaitText("Takes ")
	p.WaitFor("button", "Pay …")
	dialog.Click("Pay …")
	p.WaitFor("button", "Try again")
	dialog.Click("Try again")
	dialog.Type("Number of the receipt", "LOST-1")
	dialog.Click("Paid: …")
	dialog.WaitText("the sale may be done or not")
	dialog.Type("Number of the receipt", "LOST-2")
	dialog.Click("Try again")
	p.WaitText("Sold: receipt LOST-1")
	wantSales(t, s, id, 1)
	if strings.Contains(p.Text(), "A sale is not finished") {
		t.Error("the sale is not finished")
	}
}
