package trade_test

import (
	"testing"

	"punchcard/platform/db/dbtest"
)

// The currency of a store stays while a basket is reserved: its prices are in it.
func TestCurrencyWhileABasketIsReserved(t *testing.T) {
	dbtest.Both(t)
	eachPair(t, func(p *pair) {
		var id string
		for _, s := range p.admin.Get("/api/store")["stores"].([]any) {
			if s := s.(map[string]any); s["code"] == "DEFAULT" {
				id = s["storeId"].(string)
			}
		}
		change := func(to string, status int) {
			t.Helper()
			p.admin.JSON("PUT", "/api/store/"+id+"/currency", object{"store": object{"currency": to}}, status)
		}
		made := p.post("checkout/reserve", object{"checkout": object{"items": []object{{"grossValue": 10.5}}}})
		change("JPY", 400)
		p.post("checkout/reservation/"+made["reservationId"].(string)+"/cancel", object{})
		change("JPY", 204)
	})
}
