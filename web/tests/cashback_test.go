package tests

import (
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"punchcard/web/webtest"
)

var cashbackScreens = []screen{
	{app: "cockpit", path: "/cashback", name: "cashback", prepare: redeemSome, walk: walkCashback},
}

// openProvider starts a payment provider that refuses everything while it is set to, and configures it in the store.
func openProvider(t *testing.T, s *shop, refuses *atomic.Bool) {
	t.Helper()
	provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if refuses.Load() {
			w.WriteHeader(http.StatusPaymentRequired)
		}
	}))
	t.Cleanup(provider.Close)
	s.call(t, s.admin, "POST", "/api/DEFAULT/settings", map[string]any{"settings": map[string]any{
		"allTimeNotLocked": true, "cashbackProviderUrl": provider.URL,
		"cashbackProviderSecret": "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=",
	}}, nil)
}

// redeem exchanges points of the customer of the demonstration.
func redeem(t *testing.T, s *shop, amount string) {
	t.Helper()
	anna := annaID(t, s)
	s.call(t, s.admin, "POST", "/api/DEFAULT/points/transfer/add",
		map[string]any{"transfer": map[string]any{"customer": anna, "points": amount}}, nil)
	s.call(t, s.admin, "POST", "/api/DEFAULT/admin/campaign/cashback/redeem",
		map[string]any{"customerId": anna, "pointsAmount": amount}, nil)
}

// redeemSome makes a message that the provider takes and one that it refuses.
func redeemSome(t *testing.T, s *shop) {
	t.Helper()
	var refuses atomic.Bool
	openProvider(t, s, &refuses)
	redeem(t, s, "25")
	waitFor(t, s, "sent")
	refuses.Store(true)
	redeem(t, s, "40")
	waitFor(t, s, "failed")
}

// waitFor waits until the newest message to the provider has a state.
func waitFor(t *testing.T, s *shop, state string) {
	t.Helper()
	s.commits.Until(t, "the newest message is "+state, func() bool {
		return s.get(t, "/api/DEFAULT/admin/campaign/cashback/messages", "messages", 0, "state") == state
	})
}

// A message that the provider refused is sent again, and points are exchanged for a customer.
func walkCashback(t *testing.T, s *shop, p *webtest.Page) {
	var refuses atomic.Bool
	openProvider(t, s, &refuses)
	refuses.Store(true)
	redeem(t, s, "31")
	waitFor(t, s, "failed")
	p.Select("Any state", "Failed")
	p.Reload() // the message was waiting when the page was opened
	p.WaitText("Answered 402")
	openRow(p, "Anna Nowak")
	p.WaitText("The payment provider did not take this message")
	refuses.Store(false)
	p.Click("Send again")
	p.WaitText("is sent to the provider again.")
	waitFor(t, s, "sent")
	p.Click("Clear filters")

	p.Click("Exchange points for money")
	dialog := p.Within("dialog", "Exchange points for money")
	dialog.Type("Points to exchange", "12")
	dialog.Click("Exchange")
	dialog.WaitText("This is needed.")
	dialog.Type("Customer", "user@example.com")
	dialog.ClickRole("option", "Anna Nowak…")
	dialog.Type("Points to exchange", "9999999")
	dialog.WaitText("There are not enough points.")
	dialog.Type("Points to exchange", "12")
	dialog.WaitText("Worth")
	dialog.Click("Exchange")
	p.WaitText("12 points of Anna Nowak are exchanged for")
	if amount := s.get(t, "/api/DEFAULT/admin/campaign/cashback/messages", "messages", 0, "amount"); amount != "0.6" {
		t.Errorf("the provider pays %s", amount)
	}
}
