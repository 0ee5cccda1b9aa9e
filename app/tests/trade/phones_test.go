package trade_test

import (
	"bytes"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"punchcard/app"
	"punchcard/app/servertest"
	"punchcard/platform/db/dbtest"
)

// putSettings sends the settings of a store back with some of them changed.
func putSettings(c *client, changed object) {
	c.T.Helper()
	settings := c.Get("/api/DEFAULT/settings")["settings"].(object)
	for name, value := range changed {
		settings[name] = value
	}
	c.JSON("POST", "/api/DEFAULT/settings", object{"settings": settings})
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
			admin, seller, _ := servertest.StartShop(t, engine)
			store := "/api/DEFAULT/"
			for country, ways := range sortsOfPhones {
				putSettings(admin, object{"country": country})
				made := admin.JSON("POST", store+"admin/customer/register", servertest.Registration(object{
					"email": country + "@example.org", "phone": ways[0], "plainPassword": "Correct-Horse-7"}))
				id := made["customerId"].(string)
				admin.JSON("POST", store+"admin/customer/"+id+"/activate", object{})
				if shown := admin.Get(store + "customer/" + id); shown["phone"] != ways[0] {
					t.Errorf("%s is shown as %v", ways[0], shown["phone"])
				}
				for _, way := range ways {
					admin.JSON("POST", store+"admin/customer/register", servertest.Registration(object{
						"email": "other@example.org", "phone": way}), 400)
					number := fmt.Sprint(country, way)
					receiptID := admin.JSON("POST", store+"transaction", servertest.Receipt(number, "A", object{
						"phone": way}))["transactionId"]
					if shown := admin.Get(store + "transaction/" + receiptID.(string)); shown["customerId"] != id {
						t.Errorf("%s: a receipt is of %v", way, shown["customerId"])
					}
					for _, list := range []string{"customer?phone=", "customer?strict=1&phone=", "customer?emailOrPhone=",
						"customer?strict=1&emailOrPhone=", "customer?q=", "customer/check?emailOrPhone="} {
						if found := admin.Get(store + list + url.QueryEscape(way)); found["total"] != 1.0 {
							t.Errorf("%s%s has %v", list, way, found["total"])
						}
					}
					found := seller.JSON("POST", store+"pos/search/customer", object{"search": object{"phone": way}})
					if all, _ := found["customers"].([]any); len(all) != 1 {
						t.Errorf("the checkout finds by %s %v", way, found)
					}
				}
				found := admin.Get(store + "transaction?customerData_phone=" + url.QueryEscape(ways[1]))
				if found["total"] != float64(len(ways)) {
					t.Errorf("%v receipts by %s", found["total"], ways[1])
				}
				admin.JSON("PUT", store+"customer/"+id, object{"customer": object{"phone": ways[1]}})
			}
			for text, status := range map[string]int{"600 12a": 400, "()": 400, "++48600": 400, "12": 200, "+1": 200} {
				admin.JSON("POST", store+"admin/customer/register", servertest.Registration(object{
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
			config := servertest.PlainConfig(servertest.Database(t, engine))
			base, stop := servertest.RunUntil(t, config, servertest.Log(t))
			admin := servertest.LogInAdmin(t, base)
			admin.JSON("POST", "/api/DEFAULT/level/create", object{"level": object{"translations": object{"en": object{
				"name": "Base"}}, "active": true, "conditionValue": 0, "reward": object{"name": "Base", "value": 5, "code": "B"}}})
			for email, phone := range map[string]string{
				"ida@example.org": "600 123 456", "ole@example.org": "+48600123456", "eva@example.org": "601123456",
			} {
				admin.JSON("POST", "/api/DEFAULT/admin/customer/register", servertest.Registration(object{"email": email,
					"phone": phone}))
			}
			total := func(query string) any {
				return admin.Get("/api/DEFAULT/customer?strict=1&phone=" + url.QueryEscape(query))["total"]
			}
			putSettings(admin, object{"country": "PL"})
			repair := func(apply bool) string {
				var out bytes.Buffer
				if err := app.Repair(t.Context(), config.Database, apply, &out, servertest.Log(t)); err != nil {
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
			if n, err := app.Check(t.Context(), config.Database, app.Kinds{}, &findings,
				servertest.Log(t)); err != nil || n != 2 {
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
