package trade_test

import (
	"net/http"
	"testing"

	"punchcard/app/servertest"
	"punchcard/platform/db/dbtest"
)

// reserve keeps a basket.
func reserve(c *client, body object, statuses ...int) object {
	c.T.Helper()
	return c.JSON("POST", "/api/DEFAULT/checkout/reserve", object{"checkout": body}, statuses...)
}

func confirm(c *client, id any, number string, statuses ...int) object {
	c.T.Helper()
	return c.JSON("POST", "/api/DEFAULT/checkout/reservation/"+id.(string)+"/confirm",
		object{"reservation": object{"documentNumber": number}}, statuses...)
}

func cancelReservation(c *client, id any, statuses ...int) object {
	c.T.Helper()
	return c.JSON("POST", "/api/DEFAULT/checkout/reservation/"+id.(string)+"/cancel", object{}, statuses...)
}

// TestReservation keeps a basket with a reward, and confirms it.
func TestReservation(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		admin, seller, base := servertest.StartShop(t, engine)
		reward := admin.JSON("POST", "/api/DEFAULT/campaign", object{"campaign": object{
			"reward": "value_code", "active": true, "costInPoints": 30, "rewardValue": 5, "unlimited": false, "limit": 2,
			"limitPerUser": 2, "levels": []string{base}, "target": "level", "coupons": []string{"A", "B"},
			"campaignActivity": object{"allTimeActive": true}, "campaignVisibility": object{"allTimeVisible": true},
			"translations":         object{"en": object{"name": "Five off"}},
			"pushNotificationText": "Five off", "daysInactive": 0, "daysValid": 0,
		}})["campaignId"]
		who := seller.JSON("POST", "/api/DEFAULT/seller/customer/register", servertest.Registration(object{
			"email": "r@example.com", "loyaltyCardNumber": "R-1"}))["customerId"]
		admin.JSON("POST", "/api/DEFAULT/points/transfer/add", object{"transfer": object{"customer": who, "points": 70}})
		basket := object{"customer": who, "rewards": []any{reward},
			"items": []object{{"grossValue": 12, "sku": object{"code": "TEA"}}}}
		first := reserve(seller, basket)
		if first["toPay"] != 6.4 || first["state"] != "reserved" {
			t.Fatalf("reserved: %v", first)
		}
		second := reserve(seller, basket)
		third := reserve(seller, basket)
		if second["toPay"] != 6.4 || third["toPay"] != 11.4 {
			t.Errorf("to pay: %v, %v, want 6.4, 11.4", second["toPay"], third["toPay"])
		}
		status := admin.Get("/api/DEFAULT/admin/customer/" + who.(string) + "/status")
		if status["points"] != 10.0 || status["blockedPoints"] != 60.0 {
			t.Errorf("points: %v", status)
		}
		done := confirm(seller, first["reservationId"], "R-1")
		if done["state"] != "confirmed" || done["transactionId"] == nil {
			t.Errorf("confirmed: %v", done)
		}
		confirm(seller, first["reservationId"], "R-1")
		confirm(seller, first["reservationId"], "R-2", http.StatusConflict)
		cancelReservation(seller, first["reservationId"], http.StatusConflict)
		cancelReservation(seller, second["reservationId"])
		cancelReservation(seller, second["reservationId"])
		confirm(seller, second["reservationId"], "R-3", http.StatusConflict)
		status = admin.Get("/api/DEFAULT/admin/customer/" + who.(string) + "/status")
		if status["points"] != 40.0 || status["blockedPoints"] != 0.0 || status["usedPoints"] != 30.0 {
			t.Errorf("points: %v", status)
		}
	})
}
