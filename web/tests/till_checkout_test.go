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

// TestTillSaleByKeyboard sells two products for a coupon and a reward of the customer, by the keyboard alone. The price
// is that of the checkout; the reward is bought and both coupons are used for the receipt.
func TestTillSaleByKeyboard(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	id := anna(t, s)
	offerTenOff(t, s)
	p := s.openAs(t, "till", "/till/DEFAULT", webtest.Options{})
	scan(p, annasCard)
	p.WaitFor("button", "Use 50 EUR voucher")
	enter(t, p, "Sell")
	p.WaitUntil("the number can be typed", `document.activeElement.closest("dialog") !== null`)
	p.Press("S-1")
	p.Press("Enter")
	p.WaitUntil("the amount has the focus", `document.activeElement.closest('[data-path="items.0.grossValue"]')`)
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
	dialog.WaitText("points to the next reward: Weekend by the sea")
	dialog.WaitText("to the level")
	captureTall(p, "till-sale")
	p.Resize(390, 844)
	capture(p, "till-sale-phone")
	p.Resize(1280, 800)
	capture(p, "till-sale-counter")
	enter(t, p, "Paid: …")
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

// A number that is taken stops a sale after the reward is bought. It says so, stays after a reload, and goes on under
// another number: the reward is bought once.
func TestTillSaleGoesOn(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	id := anna(t, s)
	offerTenOff(t, s)
	registerSale(t, s, "TAKEN-7", "user@example.com")
	p := s.openAs(t, "till", "/till/DEFAULT?customer="+id, webtest.Options{})
	p.Click("Sell")
	dialog := p.Within("dialog", "Sale to Anna Nowak")
	dialog.Type("Number of the receipt", "TAKEN-7")
	dialog.Type("Amount", "100")
	dialog.ClickRole("checkbox", "Tenth off")
	dialog.WaitText("Takes ")
	p.WaitFor("button", "Paid: …")
	dialog.Click("Paid: …")
	dialog.WaitText("Bought: Tenth off")
	dialog.WaitText("There is a receipt with this number already.")
	dialog.WaitText("Not done yet")
	captureTall(p, "till-stopped")
	p.Resize(1280, 800)
	p.Reload()
	p.Click("Continue the sale")
	dialog.WaitText("Bought: Tenth off")
	dialog.Click("Try again")
	dialog.WaitText("There is a receipt with this number already.")
	dialog.Type("Number of the receipt", "FREE-7")
	dialog.Click("Try again")
	p.WaitText("Sold: receipt FREE-7")
	p.WaitGone("A sale is not finished")
	if value := saleOf(t, s, "FREE-7"); value <= 0 || value >= 100 {
		t.Errorf("the receipt is of %v", value)
	}
	if all, used := bought(t, s, id, "Tenth off", false), bought(t, s, id, "Tenth off", true); all != 1 || used != 1 {
		t.Errorf("%d are bought and %d used", all, used)
	}
}

// A response that is lost leaves open whether a step is done. Trying again finds out, and does nothing twice.
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
			const response = await send(path, options), step = String(path).split("/").pop()
			const isStep = ["buy", "transaction", "mark_as_used"].includes(step)
			if (options?.method === "POST" && isStep && !lost.has(step)) {
				lost.add(step)
				throw new TypeError("the connection was lost")
			}
			return response
		}
		return true
	})()`)
	p.Click("Sell")
	dialog := p.Within("dialog", "Sale to Anna Nowak")
	dialog.Type("Number of the receipt", "LOST-1")
	dialog.Type("Amount", "100")
	dialog.ClickRole("checkbox", "Tenth off")
	dialog.WaitText("Takes ")
	p.WaitFor("button", "Paid: …")
	dialog.Click("Paid: …")
	for _, step := range []string{"Buy: Tenth off", "Register receipt LOST-1", "Use: Tenth off"} {
		dialog.WaitText(step)
		dialog.WaitText("it may be done or not")
		dialog.Click("Try again")
	}
	p.WaitText("Sold: receipt LOST-1")
	if all, used := bought(t, s, id, "Tenth off", false), bought(t, s, id, "Tenth off", true); all != 1 || used != 1 {
		t.Errorf("%d are bought and %d used", all, used)
	}
	if strings.Contains(p.Text(), "A sale is not finished") {
		t.Error("the sale is not finished")
	}
}
