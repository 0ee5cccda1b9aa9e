package contract_test

import (
	"fmt"
	"net/url"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"punchcard/app/servertest"
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

// Whatever a program adds to a key that is copied from it, the key means the same.
func TestDisguisedKeys(t *testing.T) {
	for _, engine := range dbtest.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			admin, seller, level := servertest.StartShop(t, engine)
			store := "/api/DEFAULT/"
			ida := admin.JSON("POST", store+"admin/customer/register", servertest.Registration(object{
				"email": "ida.é@example.org", "phone": "+4790000001", "loyaltyCardNumber": "Ä0012345", "labels": "origin:café"}))
			id := ida["customerId"].(string)
			admin.JSON("POST", store+"admin/customer/"+id+"/activate", object{})
			admin.JSON("POST", store+"transaction", servertest.Receipt("PA-é/1", "ALÉ-1", object{"email": "ida.é@example.org"}))
			admin.MakeGift(level, "SPRÉ-1")
			for name, disguise := range disguises {
				t.Run(name, func(t *testing.T) {
					admin := &client{T: t, Base: admin.Base, Token: admin.Token}
					seller := &client{T: t, Base: seller.Base, Token: seller.Token}
					path := func(text string) string { return url.PathEscape(disguise(text)) }
					for field, value := range map[string]string{
						"email": "ida.é@example.org", "phone": "+4790000001", "loyaltyCardNumber": "Ä0012345",
					} {
						admin.JSON("POST", store+"admin/customer/register", servertest.Registration(object{
							"email": "other@example.org", field: disguise(value)}), 400)
						list := store + "customer?strict=1&" + field + "=" + url.QueryEscape(disguise(value))
						if found := admin.Get(list); found["total"] != 1.0 {
							t.Errorf("the list by %s has %v", field, found["total"])
						}
						found := seller.JSON("POST", store+"pos/search/customer", object{"search": object{field: disguise(value)}})
						if all, _ := found["customers"].([]any); len(all) != 1 {
							t.Errorf("the checkout finds by %s %v", field, found)
						}
						number := fmt.Sprint(name, field)
						made := admin.JSON("POST", store+"transaction",
							servertest.Receipt(number, disguise("ALÉ-1"), object{field: disguise(value)}))
						shown := admin.Get(store + "transaction/" + made["transactionId"].(string))
						if shown["customerId"] != id {
							t.Errorf("a receipt by %s is of %v", field, shown["customerId"])
						}
						if sku := shown["items"].([]any)[0].(object)["sku"].(object)["code"]; sku != "ALÉ-1" {
							t.Errorf("the SKU is %q", sku)
						}
					}
					admin.Get(store + "customer/" + path("Ä0012345"))
					admin.JSON("POST", store+"transaction", servertest.Receipt(disguise("PA-é/1"), "X", nil), 400)
					if found := seller.Get(store + "seller/transaction/" + path("PA-é/1")); found["total"] != 1.0 {
						t.Errorf("the document has %v receipts", found["total"])
					}
					admin.Get(store + "pos/identifier/" + path("Kiosk-é"))
					for _, query := range []string{"ida.é@example.org", "Ä0012345", "4790000001"} {
						if found := admin.Get(store + "customer?q=" + url.QueryEscape(disguise(query))); found["total"] != 1.0 {
							t.Errorf("the search for %s finds %v", query, found["total"])
						}
					}
					seller.Get(store + "seller/coupons/" + path("SPRÉ-1"))
					servertest.LogIn(t, admin.Base, "/api/DEFAULT/seller/login_check", url.QueryEscape(disguise("siv.é@example.com")),
						"Correct-Horse-7")
					admin.JSON("PUT", store+"customer/"+id+"/label", object{"labels": []object{
						{"key": disguise("origin"), "value": "café"}}}, 204)
				})
			}
			labels := admin.Get(store + "customer/" + id)["labels"].([]any)
			if len(labels) != 1 {
				t.Errorf("the customer has the labels %v", labels)
			}
			if found := admin.Get(store + "customer"); found["total"] != 1.0 {
				t.Errorf("there are %v customers", found["total"])
			}
		})
	}
}
