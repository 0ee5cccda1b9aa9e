package app_test

import (
	"net/http"
	"testing"

	"punchcard/platform/db/dbtest"
)

// reserve keeps a basket.
func (c *client) reserve(body object, statuses ...int) object {
	c.t.Helper()
	return c.json("POST", "/api/DEFAULT/checkout/reserve", object{"checkout": body}, statuses...)
}

func (c *client) confirm(id any, number string, statuses ...int) object {
	c.t.Helper()
	return c.json("POST", "/api/DEFAULT/checkout/reservation/"+id.(string)+"/confirm",
		object{"reservation": object{"documentNumber": number}}, statuses...)
}

func (c *client) cancelReservation(id any, statuses ...int) object {
	c.t.Helper()
	return c.json("POST", "/api/DEFAULT/checkout/reservation/"+id.(string)+"/cancel", object{}, statuses...)
}

// TestReservation keeps a basket with a reward, and confirms it.
func TestReservation(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		admin, seller, base := startShop(t, engine)
		reward := admin.json("POST", "/api/DEFAULT/campaign", object{"campaign": object{
			"reward": "value_code", "active": true, "costInPoints": 30, "rewardValue": 5, "unlimited": false, "limit": 2,
			"limitPerUser": 2, "levels": []string{base}, "target": "level", "coupons": []string{"A", "B"},
			"campaignActivity": object{"allTimeActive": true}, "campaignVisibility": object{"allTimeVisible": true},
			"translations":         object{"en": object{"name": "Five off"}},
			"pushNotificationText": "Five off", "daysInactive": 0, "daysValid": 0,
		}})["campaignId"]
		who := seller.json("POST", "/api/DEFAULT/seller/customer/register", registration(object{
			"email": "r@example.com", "loyaltyCardNumber": "R-1"}))["customerId"]
		admin.json("POST", "/api/DEFAULT/points/transfer/add", object{"transfer": object{"customer": who, "points": 70}})
		basket := object{"customer": who, "rewards": []any{reward},
			"items": []object{{"grossValue": 12, "sku": object{"code": "TEA"}}}}
		first := seller.reserve(basket)
		if first["toPay"] != 6.4 || first["state"] != "reserved" {
			t.Fatalf("reserved: %v", first)
		}
		second := seller.reserve(basket)
		third := seller.reserve(basket)
		if second["toPay"] != 6.4 || third["toPay"] != 11.4 {
			t.Errorf("to pay: %v, %v, want 6.4, 11.4", second["toPay"], third["toPay"])
		}
		status := admin.get("/api/DEFAULT/admin/customer/" + who.(string) + "/status")
		if status["points"] != 10.0 || status["blockedPoints"] != 60.0 {
			t.Errorf("points: %v", status)
		}
		done := seller.confirm(first["reservationId"], "R-1")
		if done["state"] != "confirmed" || done["transactionId"] == nil {
			t.Errorf("confirmed: %v", done)
		}
		seller.confirm(first["reservationId"], "R-1")
		seller.confirm(first["reservationId"], "R-2", http.StatusConflict)
		seller.cancelReservation(first["reservationId"], http.StatusConflict)
		seller.cancelReservation(second["reservationId"])
		seller.cancelReservation(second["reservationId"])
		seller.confirm(second["reservationId"], "R-3", http.StatusConflict)
		status = admin.get("/api/DEFAULT/admin/customer/" + who.(string) + "/status")
		if status["points"] != 40.0 || status["blockedPoints"] != 0.0 || status["usedPoints"] != 30.0 {
			t.Errorf("points: %v", status)
		}
	})
}
