package app_test

import (
	"bytes"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"punchcard/app"
	"punchcard/platform/db/dbtest"
)

// putSettings sends the settings of a store back with some of them changed.
func (c *client) putSettings(changed object) {
	c.t.Helper()
	settings := c.get("/api/DEFAULT/settings")["settings"].(object)
	for name, value := range changed {
		settings[name] = value
	}
	c.json("POST", "/api/DEFAULT/settings", object{"settings": settings})
}

var sortsOfPhones = map[string][]string{
	"TH": {"+66812345678", "+66 81 234 5678", "0066812345678", "0812345678", "081-234-5678"},
	"PL": {"+48 600 123 456", "600 123 456", "+48600123456", "0048 600123456", "48600123456", "(600) 123-456"},
}

// However a phone is written, it is one phone: for uniqueness, log-ins, receipts, lists, searches and transfers.
func TestPhones(t *testing.T) {
	for _, engine := range dbtest.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			admin, seller, _ := startShop(t, engine)
			store := "/api/DEFAULT/"
			for country, ways := range sortsOfPhones {
				admin.putSettings(object{"country": country})
				made := admin.json("POST", store+"admin/customer/register", registration(object{
					"email": country + "@example.org", "phone": ways[0], "plainPassword": "Correct-Horse-7"}))
				id := made["customerId"].(string)
				admin.json("POST", store+"admin/customer/"+id+"/activate", object{})
				if shown := admin.get(store + "customer/" + id); shown["phone"] != ways[0] {
					t.Errorf("%s is shown as %v", ways[0], shown["phone"])
				}
				for _, way := range ways {
					admin.json("POST", store+"admin/customer/register", registration(object{
						"email": "other@example.org", "phone": way}), 400)
					number := fmt.Sprint(country, way)
					receiptID := admin.json("POST", store+"transaction", receipt(number, "A", object{"phone": way}))["transactionId"]
					if shown := admin.get(store + "transaction/" + receiptID.(string)); shown["customerId"] != id {
						t.Errorf("%s: a receipt is of %v", way, shown["customerId"])
					}
					for _, list := range []string{"customer?phone=", "customer?strict=1&phone=", "customer?emailOrPhone=",
						"customer?strict=1&emailOrPhone=", "customer?q=", "customer/check?emailOrPhone="} {
						if found := admin.get(store + list + url.QueryEscape(way)); found["total"] != 1.0 {
							t.Errorf("%s%s has %v", list, way, found["total"])
						}
					}
					found := seller.json("POST", store+"pos/search/customer", object{"search": object{"phone": way}})
					if all, _ := found["customers"].([]any); len(all) != 1 {
						t.Errorf("the checkout finds by %s %v", way, found)
					}
				}
				found := admin.get(store + "transaction?customerData_phone=" + url.QueryEscape(ways[1]))
				if found["total"] != float64(len(ways)) {
					t.Errorf("%v receipts by %s", found["total"], ways[1])
				}
				admin.json("PUT", store+"customer/"+id, object{"customer": object{"phone": ways[1]}})
			}
			for text, status := range map[string]int{"600 12a": 400, "()": 400, "++48600": 400, "12": 200, "+1": 200} {
				admin.json("POST", store+"admin/customer/register", registration(object{
					"email": "x" + url.QueryEscape(text) + "@example.org", "phone": text}), status)
			}
		})
	}
}

// A store gets its country after its customers. The command lists those who have one phone, and mends the others.
func TestRepairOfPhones(t *testing.T) {
	for _, engine := range dbtest.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			config := plainConfig(database(t, engine))
			base, stop := runUntil(t, config, testLog{t})
			admin := logInAdmin(t, base)
			admin.json("POST", "/api/DEFAULT/level/create", object{"level": object{"translations": object{"en": object{
				"name": "Base"}}, "active": true, "conditionValue": 0, "reward": object{"name": "Base", "value": 5, "code": "B"}}})
			for email, phone := range map[string]string{
				"ida@example.org": "600 123 456", "ole@example.org": "+48600123456", "eva@example.org": "601123456",
			} {
				admin.json("POST", "/api/DEFAULT/admin/customer/register", registration(object{"email": email, "phone": phone}))
			}
			total := func(query string) any {
				return admin.get("/api/DEFAULT/customer?strict=1&phone=" + url.QueryEscape(query))["total"]
			}
			admin.putSettings(object{"country": "PL"})
			repair := func(apply bool) string {
				var out bytes.Buffer
				if err := app.Repair(t.Context(), config.Database, apply, &out, testLog{t}); err != nil {
					t.Fatal(err)
				}
				return out.String()
			}
			for range 2 {
				if text := repair(false); !strings.Contains(text, "store DEFAULT: keys of 1 customers, 1 with") ||
					!strings.Contains(text, "have the same phone") || !strings.Contains(text, "nothing was changed") {
					t.Errorf("the dry run says %q", text)
				}
			}
			var findings bytes.Buffer
			if n, err := app.Check(t.Context(), config.Database, app.Kinds{}, &findings, testLog{t}); err != nil || n != 2 {
				t.Errorf("%d findings, %v: %s", n, err, &findings)
			}
			if found := total("+48601123456"); found != 0.0 {
				t.Errorf("before the repair, %v", found)
			}
			if text := repair(true); !strings.Contains(text, "store DEFAULT: keys of 1 customers, 1 with") {
				t.Errorf("the repair says %q", text)
			}
			if found := total("+48601123456"); found != 1.0 {
				t.Errorf("after the repair, %v", found)
			}
			if text := repair(true); !strings.Contains(text, "store DEFAULT: keys of 0 customers, 1 with") {
				t.Errorf("the second repair says %q", text)
			}
			stop()
		})
	}
}
