package tests

import (
	"testing"

	"punchcard/web/webtest"
)

// TestTillDiscounts takes the coupon of a customer and the discount of the level off a receipt before it is registered,
// by the keyboard alone.
func TestTillDiscounts(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	id, code := anna(t, s), couponOf(t, s)
	s.call(t, s.logIn(t, "cockpit").Token, "POST", "/api/DEFAULT/campaign", map[string]any{"campaign": map[string]any{
		"reward": "discount_code", "translations": map[string]any{"en": map[string]any{"name": "Weekend by the sea"}},
		"active": true, "costInPoints": 9000, "everybody": true, "unlimited": true, "pushNotificationText": "For you",
		"singleCoupon": false, "coupons": []string{"SEA-1"}, "daysInactive": 0, "daysValid": 30,
	}}, nil)
	p := s.openAs(t, "till", "/till/DEFAULT", webtest.Options{})
	scan(p, annasCard)
	p.WaitFor("button", "Use 50 EUR voucher")
	p.Click("Register receipt")
	dialog := p.Within("dialog", "Receipt of Anna Nowak")
	dialog.Type("Number of the receipt", "D-1")
	dialog.Type("Amount", "120")
	dialog.Click("Coupons and discounts")
	dialog.WaitText("To pay: ")
	dialog.Type("Code of a coupon", "NOBODY-HAS-THIS")
	p.Press("Enter")
	dialog.WaitText("There is no such coupon.")
	dialog.Type("Code of a coupon", code)
	p.Press("Enter")
	dialog.WaitText("Takes €50.00 off")
	dialog.WaitText("points to the next reward: Weekend by the sea")
	p.Axe()
	capture(p, "till-discounts")
	p.Resize(390, 844)
	p.SetTheme(true)
	capture(p, "till-discounts-narrow-dark")
	p.Axe()
	dialog.Click("Remove the coupon NOBODY-HAS-THIS")
	dialog.WaitGone("There is no such coupon.")
	dialog.Click("Register receipt")
	p.WaitText("Receipt D-1 registered")
	token := s.logIn(t, "till").Token
	var list struct {
		Transactions []struct {
			ID         string  `json:"transactionId"`
			GrossValue float64 `json:"grossValue"`
		} `json:"transactions"`
	}
	s.call(t, token, "GET", "/api/DEFAULT/seller/transaction/D-1", nil, &list)
	if len(list.Transactions) != 1 || list.Transactions[0].GrossValue >= 70 {
		t.Errorf("the receipt is %v", list.Transactions)
	}
	if n := bought(t, s, id, "50 EUR voucher", true); n != 1 {
		t.Errorf("%d vouchers are used", n)
	}
}
