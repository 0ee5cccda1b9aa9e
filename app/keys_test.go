package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"punchcard/platform/db/dbtest"
)

// disguises change a text as programs do from which it is pasted. It looks the same.
var disguises = map[string]func(text string) string{
	"decomposed":      norm.NFD.String,
	"zero width":      func(text string) string { return text + "\u200b" },
	"byte order mark": func(text string) string { return "\ufeff" + text },
	"directions":      func(text string) string { return "\u202a" + text + "\u202c" },
	"no-break spaces": func(text string) string { return "\u00a0" + text + "\u202f" },
	"soft hyphen":     func(text string) string { return inside(text, "\u00ad") },
	"control":         func(text string) string { return inside(text, "\u007f") + "\u0001" },
	"line break":      func(text string) string { return text + "\r\n" },
}

// inside returns a text with another one after its first character.
func inside(text, other string) string {
	_, first := utf8.DecodeRuneInString(text)
	return text[:first] + other + text[first:]
}

// json posts a body and returns the response, which has one of the statuses.
func (c *client) json(method, path string, body any, statuses ...int) map[string]any {
	c.t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		c.t.Fatal(err)
	}
	return c.expect(c.send(method, path, "application/json", string(text)), method+" "+path, statuses...)
}

func (c *client) get(path string, statuses ...int) map[string]any {
	c.t.Helper()
	return c.expect(c.send("GET", path, "", ""), path, statuses...)
}

func (c *client) expect(r reply, what string, statuses ...int) (found map[string]any) {
	c.t.Helper()
	if len(statuses) == 0 {
		statuses = []int{http.StatusOK}
	}
	if r.status != statuses[0] {
		c.t.Errorf("%s: %d %s, want %d", what, r.status, r.body, statuses[0])
	}
	_ = json.Unmarshal(r.body, &found)
	return found
}

type object = map[string]any

// startShop returns an administrator of a store with a level, a seller there, and the id of its point of sale.
func startShop(t *testing.T, engine string) (admin, seller *client, level string) {
	base := startServer(t, engine, nil)
	admin = logInAdmin(t, base)
	translations := object{"en": object{"name": "Base"}}
	level = admin.json("POST", "/api/DEFAULT/level/create", object{"level": object{"translations": translations,
		"active": true, "conditionValue": 0, "reward": object{"name": "Base", "value": 5, "code": "B"}}})["levelId"].(string)
	pos := admin.json("POST", "/api/DEFAULT/pos", object{"pos": object{"name": "Kiosk", "identifier": "Kiosk-é",
		"location": object{"street": "Quay", "address1": "1", "postal": "0150", "city": "Oslo", "province": "Oslo",
			"country": "NO"}}})["posId"].(string)
	admin.json("POST", "/api/DEFAULT/seller/register", object{"seller": object{"firstName": "Siv", "lastName": "Dahl",
		"email": "siv.é@example.com", "plainPassword": "Correct-Horse-7", "posId": pos, "active": true}})
	seller = logIn(t, base, "/api/DEFAULT/seller/login_check", url.QueryEscape("siv.é@example.com"), "Correct-Horse-7")
	return admin, seller, level
}

// makeGift makes a campaign for a level that gives codes away, and returns its id.
func (c *client) makeGift(level string, codes ...string) string {
	c.t.Helper()
	return c.json("POST", "/api/DEFAULT/campaign", object{"campaign": object{"reward": "gift_code",
		"translations": object{"en": object{"name": "Cake", "usageInstruction": "Eat"}}, "active": true,
		"costInPoints": 0, "unlimited": true, "pushNotificationText": "Cake", "target": "level", "levels": []string{level},
		"daysValid": 10, "daysInactive": 0, "coupons": codes}})["campaignId"].(string)
}

func registration(fields object) object {
	fields["firstName"], fields["lastName"], fields["agreement1"] = "Ida", "Berg", true
	return object{"customer": fields}
}

func receipt(number, sku string, fields object) object {
	who := object{"name": "Ida"}
	for name, value := range fields {
		who[name] = value
	}
	return object{"transaction": object{
		"transactionData": object{"documentNumber": number, "documentType": "sell", "purchaseDate": "2031-04-30"},
		"customerData":    who, "items": []object{{"sku": object{"code": sku}, "name": "Ale", "quantity": 1,
			"grossValue": 10, "category": "drinks"}}}}
}

// Whatever a program adds to a key that is copied from it, the key means the same.
func TestDisguisedKeys(t *testing.T) {
	for _, engine := range dbtest.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			admin, seller, level := startShop(t, engine)
			store := "/api/DEFAULT/"
			ida := admin.json("POST", store+"admin/customer/register", registration(object{
				"email": "ida.é@example.org", "phone": "+4790000001", "loyaltyCardNumber": "Ä0012345", "labels": "origin:café"}))
			id := ida["customerId"].(string)
			admin.json("POST", store+"admin/customer/"+id+"/activate", object{})
			admin.json("POST", store+"transaction", receipt("PA-é/1", "ALÉ-1", object{"email": "ida.é@example.org"}))
			admin.makeGift(level, "SPRÉ-1")
			for name, disguise := range disguises {
				t.Run(name, func(t *testing.T) {
					admin := &client{t: t, base: admin.base, token: admin.token}
					seller := &client{t: t, base: seller.base, token: seller.token}
					path := func(text string) string { return url.PathEscape(disguise(text)) }
					for field, value := range map[string]string{
						"email": "ida.é@example.org", "phone": "+4790000001", "loyaltyCardNumber": "Ä0012345",
					} {
						admin.json("POST", store+"admin/customer/register", registration(object{
							"email": "other@example.org", field: disguise(value)}), 400)
						list := store + "customer?strict=1&" + field + "=" + url.QueryEscape(disguise(value))
						if found := admin.get(list); found["total"] != 1.0 {
							t.Errorf("the list by %s has %v", field, found["total"])
						}
						found := seller.json("POST", store+"pos/search/customer", object{"search": object{field: disguise(value)}})
						if all, _ := found["customers"].([]any); len(all) != 1 {
							t.Errorf("the checkout finds by %s %v", field, found)
						}
						number := fmt.Sprint(name, field)
						made := admin.json("POST", store+"transaction",
							receipt(number, disguise("ALÉ-1"), object{field: disguise(value)}))
						shown := admin.get(store + "transaction/" + made["transactionId"].(string))
						if shown["customerId"] != id {
							t.Errorf("a receipt by %s is of %v", field, shown["customerId"])
						}
						if sku := shown["items"].([]any)[0].(object)["sku"].(object)["code"]; sku != "ALÉ-1" {
							t.Errorf("the SKU is %q", sku)
						}
					}
					admin.get(store + "customer/" + path("Ä0012345"))
					admin.json("POST", store+"transaction", receipt(disguise("PA-é/1"), "X", nil), 400)
					if found := seller.get(store + "seller/transaction/" + path("PA-é/1")); found["total"] != 1.0 {
						t.Errorf("the document has %v receipts", found["total"])
					}
					admin.get(store + "pos/identifier/" + path("Kiosk-é"))
					for _, query := range []string{"ida.é@example.org", "Ä0012345", "4790000001"} {
						if found := admin.get(store + "customer?q=" + url.QueryEscape(disguise(query))); found["total"] != 1.0 {
							t.Errorf("the search for %s finds %v", query, found["total"])
						}
					}
					seller.get(store + "seller/coupons/" + path("SPRÉ-1"))
					logIn(t, admin.base, "/api/DEFAULT/seller/login_check", url.QueryEscape(disguise("siv.é@example.com")),
						"Correct-Horse-7")
					admin.json("PUT", store+"customer/"+id+"/label", object{"labels": []object{
						{"key": disguise("origin"), "value": "café"}}}, 204)
				})
			}
			labels := admin.get(store + "customer/" + id)["labels"].([]any)
			if len(labels) != 1 {
				t.Errorf("the customer has the labels %v", labels)
			}
			if found := admin.get(store + "customer"); found["total"] != 1.0 {
				t.Errorf("there are %v customers", found["total"])
			}
		})
	}
}
