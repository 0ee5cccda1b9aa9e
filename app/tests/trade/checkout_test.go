package trade_test

import (
	"fmt"
	"math"
	"net/http"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"punchcard/app/servertest"
	"punchcard/platform/db/dbtest"
)

// checkout asks what a basket costs, and returns the response.
func checkout(c *client, body object, statuses ...int) object {
	c.T.Helper()
	return c.JSON("POST", "/api/DEFAULT/checkout", object{"checkout": body}, statuses...)
}

// cheaper returns lines with what a checkout leaves of them.
func cheaper(items []object, response object) []object {
	paid := make([]object, len(items))
	for i, line := range response["lines"].([]any) {
		paid[i] = object{"quantity": 1}
		for name, value := range items[i] {
			paid[i][name] = value
		}
		paid[i]["grossValue"] = line.(object)["toPay"]
	}
	return paid
}

// TestCheckoutForecastsTheReceipt compares what a checkout says with what the receipt at the till then brings, under
// settings that round points, lock them, or count them for levels.
func TestCheckoutForecastsTheReceipt(t *testing.T) {
	settings := map[string]object{
		"by money":         {},
		"without delivery": {"excludeDeliveryCostsFromTierAssignment": true, "excludedLevelCategories": []string{"books"}},
		"whole points":     {"pointsRounding": "half_up"},
		"points count":     {"tierAssignType": "points"},
		"what can be spent": {"tierAssignType": "points", "levelDowngradeMode": "after_x_days", "levelDowngradeDays": 30,
			"levelDowngradeBase": "active_points"},
		"points lock": {"tierAssignType": "points", "allTimeNotLocked": false, "pointsDaysLocked": 3},
	}
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		admin, seller, base := servertest.StartShop(t, engine)
		silver := admin.JSON("POST", "/api/DEFAULT/level/create", object{"level": object{"active": true,
			"translations":   object{"en": object{"name": "Silver"}},
			"conditionValue": 25, "reward": object{"name": "Silver", "value": 10, "code": "S"}}})["levelId"].(string)
		rule := func(fields object) {
			for name, value := range (object{"description": "For receipts", "active": true, "allTimeActive": true,
				"target": "level", "levels": []string{base, silver}}) {
				fields[name] = value
			}
			admin.JSON("POST", "/api/DEFAULT/earningRule", object{"earningRule": fields})
		}
		rule(object{"type": "points", "name": "One per euro", "pointValue": 1.37})
		rule(object{"type": "multiply_for_product", "name": "Half for books", "multiplier": 0.5, "skuIds": []string{"BOOK"}})
		rule(object{"type": "product_purchase", "name": "For tea", "pointsAmount": 2, "skuIds": []string{"TEA"}})
		items := []object{
			{"sku": object{"code": "TEA"}, "name": "Tea", "category": "food", "grossValue": 9.99},
			{"sku": object{"code": "BOOK"}, "name": "Book", "category": "books", "grossValue": 14.3},
			{"sku": object{"code": "TEA"}, "name": "Tea", "category": "food", "grossValue": 3.33},
			{"sku": object{"code": "POST"}, "name": "Parcel", "category": "delivery", "grossValue": 4.9},
		}
		n := 0
		for name, changed := range settings {
			t.Run(name, func(t *testing.T) {
				all := object{"excludedDeliverySKUs": []string{"POST"}, "allTimeNotLocked": true, "tierAssignType": "transactions"}
				for name, value := range changed {
					all[name] = value
				}
				putSettings(admin, all)
				for range 2 { // customers
					n++
					who := seller.JSON("POST", "/api/DEFAULT/seller/customer/register", servertest.Registration(object{
						"email": fmt.Sprintf("c%d@example.com", n), "loyaltyCardNumber": fmt.Sprintf("C-%d", n)}))["customerId"]
					for receipt := range 2 { // the second one reaches the next level
						expectForecast(seller, fmt.Sprintf("R-%d-%d", n, receipt), who, items)
					}
				}
			})
		}
	})
}

// expectForecast registers the receipt of a basket, and compares what it brings with what a checkout says before.
func expectForecast(c *client, number string, customerID any, items []object) {
	c.T.Helper()
	said := checkout(c, object{"customer": customerID, "items": items})
	got := c.JSON("POST", "/api/DEFAULT/seller/transaction", object{"transaction": object{
		"transactionData": object{"documentNumber": number}, "customerId": customerID, "items": cheaper(items, said)}})
	earned, after := said["points"].(object), said["after"].(object)
	want := object{"points": earned["earned"], "balance": after["points"], "lockedPoints": after["lockedPoints"],
		"levelId": after["levelId"], "levelChanges": after["levelChanges"]}
	for name := range got {
		if want[name] == nil {
			delete(got, name)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		c.T.Errorf("receipt %s (-checkout +receipt):\n%s", number, diff)
	}
	sum := 0.0
	for _, of := range earned["rules"].([]any) {
		sum += of.(object)["points"].(float64)
	}
	if math.Round(100*sum) != math.Round(100*earned["earned"].(float64)) {
		c.T.Errorf("receipt %s: the rules give %v: %v", number, sum, earned)
	}
}

// TestCheckoutRights shows who may ask, and that the rights of a seller are theirs alone.
func TestCheckoutRights(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		admin, seller, _ := servertest.StartShop(t, engine)
		basket := object{"items": []object{{"grossValue": 5}}}
		coupons := object{"items": []object{{"grossValue": 5}}, "coupons": []object{{"code": "NONE"}}}
		id := seller.OwnID()
		change := func(fields object) {
			for name, value := range (object{"firstName": "Siv", "lastName": "Dahl", "email": "siv.é@example.com",
				"posId": admin.Get("/api/DEFAULT/pos")["pos"].([]any)[0].(object)["posId"], "active": true}) {
				fields[name] = value
			}
			admin.JSON("PUT", "/api/DEFAULT/seller/"+id, object{"seller": fields})
		}
		checkout(seller, coupons)
		change(object{"allowTransactions": true, "allowCouponLookup": false})
		checkout(seller, basket)
		checkout(seller, coupons, http.StatusForbidden)
		change(object{"allowTransactions": false, "allowCouponLookup": true})
		checkout(seller, basket, http.StatusForbidden)
		campaigns, customers := object{"resource": "REWARD_CAMPAIGN", "access": "VIEW"},
			object{"resource": "CUSTOMER", "access": "VIEW"}
		for _, c := range []struct {
			permissions []object
			want        int
		}{
			{[]object{campaigns}, http.StatusForbidden}, {[]object{customers}, http.StatusForbidden},
			{[]object{campaigns, customers}, http.StatusOK},
		} {
			made := admin.JSON("POST", "/api/admin/key", object{"key": object{"name": fmt.Sprint("Shop ", len(c.permissions)),
				"permissions": c.permissions, "stores": []string{"DEFAULT"}}})
			key := client{T: t, Base: admin.Base, Token: made["secret"].(string)}
			checkout(&key, coupons, c.want)
		}
	})
}

// TestCheckoutLimits shows that what is too large is refused before it is computed.
func TestCheckoutLimits(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		_, seller, _ := servertest.StartShop(t, engine)
		many := func(n int, of object) []object {
			all := make([]object, n)
			for i := range all {
				all[i] = of
			}
			return all
		}
		most := object{"grossValue": 9999999999.99, "quantity": 999999999.999}
		got := checkout(seller, object{"items": many(1000, most), "coupons": many(20, object{"code": "A"})})
		if got["value"] != 9999999999990.0 {
			t.Errorf("the largest basket has the value %v", got["value"])
		}
		for name, body := range map[string]object{
			"items":   {"items": many(1001, object{"grossValue": 1})},
			"coupons": {"items": many(1, object{"grossValue": 1}), "coupons": many(21, object{"code": "A"})},
			"rewards": {"items": many(1, object{"grossValue": 1}), "customer": "C-1",
				"rewards": slices.Repeat([]string{servertest.Nobody}, 21)},
			"value":      {"items": many(1, object{"grossValue": 10000000000})},
			"digits":     {"items": many(1, object{"grossValue": 1.001})},
			"no lines":   {"items": many(0, nil)},
			"no value":   {"items": many(1, object{"name": "Tea"})},
			"quantity":   {"items": many(1, object{"grossValue": 1, "quantity": 0})},
			"rewards of": {"items": many(1, object{"grossValue": 1}), "rewards": []string{servertest.Nobody}},
		} {
			if checkout(seller, body, http.StatusBadRequest)["form"] == nil {
				t.Errorf("%s: no errors of the form", name)
			}
		}
	})
}
