package trade_test

import (
	"fmt"
	"strings"
	"testing"

	"punchcard/app/servertest"
	"punchcard/platform/db/dbtest"
)

// receiptOf registers a receipt with an e-mail address and a phone, and returns whose it is.
func (p *pair) receiptOf(number, email, phone string) string {
	p.Helper()
	made := p.post("transaction", servertest.Receipt(number, "ALE", object{"email": email, "phone": phone}))
	owner, _ := p.admin.Get("/api/DEFAULT/transaction/" + made["transactionId"].(string))["customerId"].(string)
	return owner
}

// leadPair merges two customers, of whom the second one has a phone too.
func leadPair(t *testing.T, run func(p *pair, email, phone, merge string)) {
	t.Helper()
	dbtest.Both(t)
	eachPair(t, func(p *pair) {
		const phone = "+48601000001"
		p.admin.JSON("PUT", "/api/DEFAULT/customer/"+p.a, object{"customer": object{"phone": "+48601000000"}})
		p.admin.JSON("PUT", "/api/DEFAULT/customer/"+p.b, object{"customer": object{"phone": phone}})
		run(p, fmt.Sprintf(raceEmail, 1), phone, p.merged())
	})
}

// The e-mail address and the phone of a merged customer find the target, wherever a contact finds somebody.
func TestContactsOfAMergedCustomerFindTheTarget(t *testing.T) {
	leadPair(t, func(p *pair, email, phone, _ string) {
		for i, by := range [][2]string{{strings.ToUpper(email), ""}, {"", phone}, {"nobody@example.com", phone}} {
			if owner := p.receiptOf(fmt.Sprintf("LED-%d", i), by[0], by[1]); owner != p.a {
				p.Errorf("a receipt of %v is that of %q", by, owner)
			}
		}
		for _, query := range []string{
			"email=" + email + "&strict=1", "email=" + email[:6], "emailOrPhone=" + email + "&strict=1", "q=" + email,
			"phone=%2B48601000001&strict=1", "phone=601000001", "emailOrPhone=601000001", "q=%2B48601000001",
		} {
			list := p.admin.Get("/api/DEFAULT/customer?" + query)
			if list["total"] != 1.0 || list["customers"].([]any)[0].(map[string]any)["customerId"] != p.a {
				p.Errorf("%s lists %v", query, list["total"])
			}
		}
		p.post("admin/p2p-points-transfer", object{"transfer": object{
			"sender": p.customers[2], "receiver": email, "points": 1}})
		p.post("segment", object{"segment": object{"name": "Led", "active": true, "parts": []object{{"criteria": []object{
			{"type": "customer_list", "customers": []string{email, phone}}}}}}})
	})
}

// Imports by a contact of a merged customer change the target, again and again, and add nobody.
func TestImportsOfContactsThatLead(t *testing.T) {
	leadPair(t, func(p *pair, email, phone, _ string) {
		total := p.admin.Get("/api/DEFAULT/customer")["total"]
		for night := range 2 {
			for _, key := range []string{"email", "phone", "loyaltyCardNumber"} {
				file := "email;phone;loyaltyCardNumber;address.city\n" +
					fmt.Sprintf("%s;%s;CARD-1;Town %d%s\n", email, phone, night, key)
				r := p.admin.Send("POST", "/api/DEFAULT/admin/customer/import?existing=update&key="+key,
					"multipart/form-data; boundary=part", "--part\r\nContent-Disposition: form-data; name=\"file[file]\"; "+
						"filename=\"customers.csv\"\r\n\r\n"+file+"\r\n--part--\r\n")
				if r.Status != 200 || strings.Contains(string(r.Body), `"error"`) {
					p.Errorf("night %d by %s: %d %s", night, key, r.Status, r.Body)
				}
			}
		}
		who := p.admin.Get("/api/DEFAULT/customer/" + p.a)
		if who["email"] != fmt.Sprintf(raceEmail, 0) || who["phone"] != "+48601000000" ||
			who["loyaltyCardNumber"] != "CARD-0" {
			p.Errorf("the contacts of the target changed: %v", who)
		}
		if city := who["address"].(map[string]any)["city"]; city != "Town 1loyaltyCardNumber" {
			p.Errorf("the city of the target is %v", city)
		}
		if now := p.admin.Get("/api/DEFAULT/customer")["total"]; now != total {
			p.Errorf("%v customers after %v", now, total)
		}
	})
}

// A contact leads until somebody proves that it is theirs; staff can free it before. Undoing ends it too.
func TestContactsStopLeading(t *testing.T) {
	leadPair(t, func(p *pair, email, phone, merge string) {
		p.post("settings", object{"settings": object{"accountActivationRequired": true,
			"allTimeNotLocked": true, "tierAssignType": "points"}})
		other := p.post("customer/self_register", servertest.Registration(object{"email": email,
			"plainPassword": "Long-enough-1"}))["customerId"].(string)
		if owner := p.receiptOf("L-1", email, ""); owner != p.a {
			p.Errorf("before it is proved, a receipt is that of %q", owner)
		}
		p.post("admin/customer/"+other+"/activate", object{})
		if owner := p.receiptOf("L-2", email, ""); owner != other {
			p.Errorf("after it is proved, a receipt is that of %q", owner)
		}
		p.admin.Send("DELETE", "/api/DEFAULT/customer/"+other, "", "").Must(t)
		if owner := p.receiptOf("L-3", email, ""); owner != "" {
			p.Errorf("what was proved leads to %q again", owner)
		}
		contacts := "/api/DEFAULT/admin/customer/" + p.a + "/merge/" + merge + "/contacts"
		p.admin.JSON("DELETE", contacts, object{}, 204)
		p.admin.JSON("DELETE", contacts, object{}, 204)
		if owner := p.receiptOf("L-4", "", phone); owner != "" {
			p.Errorf("a contact that was freed leads to %q", owner)
		}
	})
}

// The contacts of a merged customer are free when the target is deleted or erased, and theirs again after an undoing.
func TestContactsLeadToNobodyWhoIsGone(t *testing.T) {
	leadPair(t, func(p *pair, email, _, merge string) {
		p.post("admin/customer/"+p.b+"/merge/"+merge+"/undo", object{}, 204)
		if owner := p.receiptOf("U-1", email, ""); owner != p.b {
			p.Errorf("after an undoing, a receipt is that of %q", owner)
		}
		p.merged()
		p.admin.Send("DELETE", "/api/DEFAULT/customer/"+p.a, "", "").Must(t)
		if owner := p.receiptOf("U-2", email, ""); owner != "" {
			p.Errorf("a receipt is that of %q, who was deleted", owner)
		}
	})
}
