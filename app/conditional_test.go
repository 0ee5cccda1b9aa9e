package app_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"punchcard/api/access"
	"punchcard/platform/db/dbtest"
)

// editable is an object that a form of the cockpit edits.
type editable struct {
	path string
	body func(name string) object // of a replacement, with another text each time
}

const changedMeanwhile = `{"error":{"code":412,"message":"Somebody else has changed this meanwhile."}}`

// replace sends a replacement with a tag, which may be empty.
func (c *client) replace(e *editable, name, tag string) reply {
	c.t.Helper()
	text, err := json.Marshal(e.body(name))
	if err != nil {
		c.t.Fatal(err)
	}
	method := "PUT"
	if strings.HasSuffix(e.path, "/settings") && !strings.Contains(e.path, "/admin/") {
		method = "POST"
	}
	request := c.request(method, e.path, "application/json", string(text))
	if tag != "" {
		request.Header.Set("If-Match", tag)
	}
	return send(c.t, request)
}

// tag returns the tag of an object.
func (c *client) tag(path string) string {
	c.t.Helper()
	r := c.send("GET", path, "", "")
	if r.status != 200 || r.header.Get("ETag") == "" {
		c.t.Fatalf("GET %s: %d, ETag %q", path, r.status, r.header.Get("ETag"))
	}
	return r.header.Get("ETag")
}

func levelOf(name string) object {
	return object{"level": object{"translations": object{"en": object{"name": name}}, "active": true, "conditionValue": 0,
		"reward": object{"name": "Base", "value": 5, "code": "B"}}}
}

func hookOf(name string) object {
	return object{"webhookSubscription": object{"url": "https://crm.example/in", "eventName": "*", "description": name}}
}

func categoryOf(name string) object {
	return object{"campaign_category": object{"translations": object{"en": object{"name": name}}, "active": true}}
}

func roleOf(name string) object {
	return object{"role": object{"name": name, "permissions": []object{{"resource": "LEVEL", "access": "VIEW"}}}}
}

func shopOf(name string) object {
	return object{"store": object{"code": "SECOND", "name": name, "currency": "EUR", "active": true}}
}

func languageOf(name string) object {
	return object{"translation": object{"name": name, "content": "{}"}}
}

// editables returns one object of each kind that a form of the cockpit edits.
func editables(admin *client, level string) []editable {
	const store = "/api/DEFAULT/"
	texts := func(name string) object { return object{"en": object{"name": name}} }
	campaign := func(name string) object {
		return object{"campaign": object{"reward": "gift_code", "translations": texts(name), "active": true,
			"pushNotificationText": "Take a look", "costInPoints": 0, "everybody": true, "unlimited": true,
			"singleCoupon": true, "coupons": []string{"A"}, "daysInactive": 0, "daysValid": 0}}
	}
	rule := func(name string) object {
		return object{"earningRule": object{"type": "points", "name": name, "description": "Points", "active": true,
			"allTimeActive": true, "everybody": true, "pointValue": 1}}
	}
	segment := func(name string) object {
		return object{"segment": object{"name": name, "active": true, "parts": []object{{"criteria": []object{
			{"type": "customer_has_labels", "labels": []object{{"key": "tea"}}}}}}}}
	}
	pos := func(name string) object {
		return object{"pos": object{"name": name, "identifier": "P", "location": object{"street": "Quay", "address1": "1",
			"postal": "0150", "city": "Oslo", "province": "Oslo", "country": "NO"}}}
	}
	customer := func(name string) object {
		return object{"customer": object{"firstName": name, "lastName": "Berg", "email": "ida@example.com",
			"agreement1": true}}
	}
	person := func(name string) object {
		return object{"admin": object{"firstName": name, "lastName": "Dahl", "email": "kim@example.com", "roleId": 1,
			"isActive": true, "plainPassword": "Correct-Horse-7"}}
	}
	made := func(path, id string, body func(string) object) string {
		r := admin.json("POST", path, body("First"))
		found, ok := r[id]
		if !ok {
			admin.t.Fatalf("POST %s: %v", path, r)
		}
		return fmt.Sprint(found)
	}
	seller := admin.get(store + "seller")["sellers"].([]any)[0].(object)
	sellerOf := func(name string) object {
		return object{"seller": object{"firstName": name, "lastName": "Dahl", "email": seller["email"],
			"posId": seller["posId"], "active": true}}
	}
	admin.json("POST", "/api/admin/acl/role", roleOf("First"), 204)
	roles := admin.get("/api/admin/acl/role")["roles"].([]any)
	message := admin.get(store + "message?event=oloy.customer.registered&channel=push&language=en")["messages"].([]any)[0]
	messageOf := func(name string) object { return object{"message": object{"content": name, "enabled": true}} }
	settings := func(name string) object {
		now := admin.get(store + "settings")["settings"].(object)
		now["programName"] = name
		return object{"settings": now}
	}
	return []editable{
		{store + "level/" + level, levelOf},
		{store + "campaign/" + made(store+"campaign", "campaignId", campaign), campaign},
		{store + "earningRule/" + made(store+"earningRule", "earningRuleId", rule), rule},
		{store + "segment/" + made(store+"segment", "segmentId", segment), segment},
		{store + "pos/" + made(store+"pos", "posId", pos), pos},
		{store + "customer/" + made(store+"admin/customer/register", "customerId", customer), customer},
		{store + "seller/" + fmt.Sprint(seller["sellerId"]), sellerOf},
		{store + "campaignCategory/" + made(store+"campaignCategory", "campaignCategoryId", categoryOf), categoryOf},
		{store + "webhook/subscription/" + made(store+"webhook/subscription", "webhookSubscriptionId", hookOf), hookOf},
		{"/api/admin/data/" + made("/api/admin/data", "adminId", person), person},
		{"/api/admin/acl/role/" + fmt.Sprint(roles[len(roles)-1].(object)["id"]), roleOf},
		{"/api/store/" + made("/api/store", "storeId", shopOf), shopOf},
		{"/api/admin/translations/pl", languageOf},
		{store + "settings", settings},
		{store + "message/" + message.(object)["id"].(string), messageOf},
	}
}

// Each object that a form edits has a tag. A replacement with the tag of a former state changes nothing.
func TestConditionalWrites(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		admin, _, level := startShop(t, engine)
		for _, e := range editables(admin, level) {
			first := admin.tag(e.path)
			if again := admin.tag(e.path); again != first {
				t.Errorf("%s: the tag changes by itself", e.path)
			}
			if r := admin.replace(&e, "Mine", first); r.status >= 300 {
				t.Errorf("%s: %d %s", e.path, r.status, r.body)
				continue
			}
			second := admin.tag(e.path)
			if second == first {
				t.Errorf("%s: the tag stays", e.path)
			}
			r := admin.replace(&e, "Theirs", first)
			if r.status != 412 || string(r.body) != changedMeanwhile {
				t.Errorf("%s: %d %s", e.path, r.status, r.body)
			}
			if tag := admin.tag(e.path); tag != second {
				t.Errorf("%s: the refused replacement changed something", e.path)
			}
			for _, tag := range []string{`"other", W/` + strings.TrimPrefix(second, "W/"), "*", ""} {
				if r := admin.replace(&e, "By "+tag, tag); r.status >= 300 {
					t.Errorf("%s with %q: %d %s", e.path, tag, r.status, r.body)
				}
			}
		}
	})
}

// Of concurrent replacements with one tag, one takes effect.
func TestConcurrentConditionalWrites(t *testing.T) {
	dbtest.Both(t)
	onNodes(t, 1, func(t *testing.T, n nodes, _ []string) {
		level := n[0].get("/api/DEFAULT/level")["levels"].([]any)[0].(object)["levelId"].(string)
		e := editable{"/api/DEFAULT/level/" + level, levelOf}
		for round := range 10 {
			tag := n[0].tag(e.path)
			replies := n.atOnce(6, func(node *client, i int) reply {
				return node.replace(&e, fmt.Sprintf("Round %d, %d", round, i), tag)
			})
			done := 0
			for i, r := range replies {
				switch {
				case r.status < 300:
					done++
					name := n[0].get(e.path)["name"]
					if want := fmt.Sprintf("Round %d, %d", round, i); name != want {
						t.Errorf("the level is called %v, want %s", name, want)
					}
				case r.status != 412:
					t.Errorf("%d %s", r.status, r.body)
				}
			}
			if done != 1 {
				t.Errorf("%d of 6 replacements took effect", done)
			}
		}
	})
}

// Who may see an object but not replace it gets no tag.
func TestTagsAreForThoseWhoMayReplace(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		admin, _, level := startShop(t, engine)
		path := "/api/DEFAULT/level/" + level
		for granted, tagged := range map[string]bool{access.View: false, access.Modify: true} {
			key := "key-of-one-who-may-" + granted
			addIntegration(t, admin, addRole(t, admin, granted, map[string][]string{access.Levels: {granted}}), key)
			request := (&client{t: t, base: admin.base}).request("GET", path, "", "")
			request.Header.Set("X-Auth-Token", key)
			r := send(t, request)
			if r.status != 200 || (r.header.Get("ETag") != "") != tagged {
				t.Errorf("%s: %d, ETag %q", granted, r.status, r.header.Get("ETag"))
			}
		}
	})
}
