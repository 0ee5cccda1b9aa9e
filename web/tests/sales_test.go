package tests

import (
	"testing"

	"punchcard/web/webtest"
)

var salesScreens = []screen{
	{app: "cockpit", path: "/transactions", name: "transactions", walk: walkTransactions},
	{app: "cockpit", path: "/transactions/new", name: "transaction-new", walk: walkNewTransaction},
	{
		app: "cockpit", path: "/transactions/:transaction", name: "transaction",
		example: func(t *testing.T, s *shop) string {
			t.Helper()
			return "/transactions/" + registerSale(t, s, "SHOWN-1", "user@example.com")
		},
		walk: walkTransaction,
	},
}

// registerSale registers a sale of two items, unless there is one with the number, and returns its id.
func registerSale(t *testing.T, s *shop, number, email string) string {
	t.Helper()
	list := "/api/DEFAULT/transaction?strict=1&documentNumber=" + number
	if s.get(t, list, "total") == "0" {
		s.call(t, s.admin, "POST", "/api/DEFAULT/transaction", map[string]any{"transaction": map[string]any{
			"transactionData": map[string]any{"documentNumber": number},
			"customerData":    map[string]any{"name": "Anna Nowak", "email": email},
			"items": []any{
				map[string]any{
					"sku": map[string]any{"code": "BEANS"}, "name": "Beans", "category": "coffee", "quantity": 2, "grossValue": 30,
				},
				map[string]any{
					"sku": map[string]any{"code": "CUP"}, "name": "Cup", "category": "things", "quantity": 1, "grossValue": 10,
				},
			},
			"labels": []any{map[string]any{"key": "channel", "value": "phone"}},
		}}, nil)
	}
	return s.get(t, list, "transactions", 0, "transactionId")
}

func walkTransactions(t *testing.T, s *shop, p *webtest.Page) {
	registerSale(t, s, "LISTED-1", "user@example.com")
	p.Type("Search by number", "LISTED")
	p.WaitText("LISTED-1")
	p.Select("Sales and returns", "Returns")
	p.WaitText("Nothing matches.")
	p.Select("Sales and returns", "Sales")
	p.WaitText("LISTED-1")
	p.Type("From", "2031-01-01")
	p.Press("Tab")
	p.WaitText("Nothing matches.")
	p.Click("Register a receipt")
	p.WaitText("Add an item")
}

// A receipt shows what it will earn before it is registered; an incomplete one shows what is missing.
func walkNewTransaction(t *testing.T, s *shop, p *webtest.Page) {
	p.Type("Number", "WALK-1")
	p.Type("Customer (optional)", "user@example.com")
	p.ClickRole("option", "Anna Nowak…")
	p.WaitText("Choose another")
	p.Click("Register")
	p.WaitText("Some fields need another value.")
	p.Type("Value", "12,50")
	p.WaitText("Earns")
	p.Click("Register")
	p.WaitText("Receipt WALK-1 is registered.")
	const list = "/api/DEFAULT/transaction?documentNumber=WALK-1"
	if gross := s.get(t, list, "transactions", 0, "grossValue"); gross != "12.5" {
		t.Errorf("its value is %s", gross)
	}
	s.get(t, list, "transactions", 0, "customerId")
}

// A part of a sale is taken back, and a receipt of nobody gets a customer.
func walkTransaction(t *testing.T, s *shop, p *webtest.Page) {
	p.WaitText("channel: phone")
	p.Click("Take goods back")
	d := p.Within("dialog", "Take goods of SHOWN-1 back")
	d.Type("Number of the return", "SHOWN-1")
	d.Click("Beans")
	d.Click("Take back…")
	p.WaitText("There is a receipt with this number already.")
	d.Type("Number of the return", "SHOWN-1-R")
	d.Click("Take back…")
	p.WaitText("Goods of SHOWN-1 are taken back.")
	p.WaitText("SHOWN-1-R")
	const list = "/api/DEFAULT/transaction?documentNumber=SHOWN-1-R"
	if gross := s.get(t, list, "transactions", 0, "grossValue"); gross != "10" {
		t.Errorf("the return has the value %s", gross)
	}
	id := registerSale(t, s, "NOBODY-1", "nobody-known@example.org")
	p.Go("/DEFAULT/transactions/" + id)
	p.Click("Match with a customer")
	p.Click("Match")
	p.WaitText("This is needed.")
	p.Type("Customer", "user@example.com")
	p.ClickRole("option", "Anna Nowak…")
	p.Click("Match")
	p.WaitText("NOBODY-1 belongs to Anna Nowak now.")
	p.WaitGone("This receipt belongs to nobody")
	s.get(t, "/api/DEFAULT/transaction/"+id, "customerId")
}
