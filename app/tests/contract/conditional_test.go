package contract_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"punchcard/app/servertest"
	"punchcard/core/access"
	"punchcard/platform/db/dbtest"
)

// editable is an object that a form of the cockpit edits.
type editable struct {
	path string
	body func(name string) object // of a replacement, with another text each time
}

const changedMeanwhile = `{"error":{"code":412,"message":"Somebody else has changed this meanwhile."}}`

// replace sends a replacement with a tag, which may be empty.
func replace(c *client, e *editable, name, tag string) reply {
	c.T.Helper()
	text, err := json.Marshal(e.body(name))
	if err != nil {
		c.T.Fatal(err)
	}
	method := "PUT"
	if strings.HasSuffix(e.path, "/settings") && !strings.Contains(e.path, "/admin/") {
		method = "POST"
	}
	request := c.Request(method, e.path, "application/json", string(text))
	if tag != "" {
		request.Header.Set("If-Match", tag)
	}
	return servertest.Send(c.T, request)
}

// tag returns the tag of an object.
func tag(c *client, path string) string {
	c.T.Helper()
	r := c.Send("GET", path, "", "")
	if r.Status != 200 || r.Header.Get("ETag") == "" {
		c.T.Fatalf("GET %s: %d, ETag %q", path, r.Status, r.Header.Get("ETag"))
	}
	return r.Header.Get("ETag")
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
		r := admin.JSON("POST", path, body("First"))
		found, ok := r[id]
		if !ok {
			admin.T.Fatalf("POST %s: %v", path, r)
		}
		return fmt.Sprint(found)
	}
	seller := admin.Get(store + "seller")["sellers"].([]any)[0].(object)
	sellerOf := func(name string) object {
		return object{"seller": object{"firstName": name, "lastName": "Dahl", "email": seller["email"],
			"posId": seller["posId"], "active": true}}
	}
	admin.JSON("POST", "/api/admin/acl/role", roleOf("First"), 204)
	roles := admin.Get("/api/admin/acl/role")["roles"].([]any)
	message := admin.Get(store + "message?event=oloy.customer.registered&channel=push&language=en")["messages"].([]any)[0]
	messageOf := func(name string) object {
		return object{"message": object{"content": name, "enabled": true}}
	}
	settings := func(name string) object {
		now := admin.Get(store + "settings")["settings"].(object)
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
		admin, _, level := servertest.StartShop(t, engine)
		for _, e := range editables(admin, level) {
			first := tag(admin, e.path)
			if again := tag(admin, e.path); again != first {
				t.Errorf("%s: the tag changes by itself", e.path)
			}
			if r := replace(admin, &e, "Mine", first); r.Status >= 300 {
				t.Errorf("%s: %d %s", e.path, r.Status, r.Body)
				continue
			}
			second := tag(admin, e.path)
			if second == first {
				t.Errorf("%s: the tag stays", e.path)
			}
			r := replace(admin, &e, "Theirs", first)
			if r.Status != 412 || string(r.Body) != changedMeanwhile {
				t.Errorf("%s: %d %s", e.path, r.Status, r.Body)
			}
			if tag := tag(admin, e.path); tag != second {
				t.Errorf("%s: the refused replacement changed something", e.path)
			}
			for _, tag := range []string{`"other", W/` + strings.TrimPrefix(second, "W/"), "*", ""} {
				if r := replace(admin, &e, "By "+tag, tag); r.Status >= 300 {
					t.Errorf("%s with %q: %d %s", e.path, tag, r.Status, r.Body)
				}
			}
		}
	})
}

// Of concurrent replacements with one tag, one takes effect.
func TestConcurrentConditionalWrites(t *testing.T) {
	dbtest.Both(t)
	servertest.OnNodes(t, 1, func(t *testing.T, n nodes, _ []string) {
		level := n[0].Get("/api/DEFAULT/level")["levels"].([]any)[0].(object)["levelId"].(string)
		e := editable{"/api/DEFAULT/level/" + level, levelOf}
		for round := range 10 {
			tag := tag(n[0], e.path)
			replies := n.AtOnce(6, func(node *client, i int) reply {
				return replace(node, &e, fmt.Sprintf("Round %d, %d", round, i), tag)
			})
			done := 0
			for i, r := range replies {
				switch {
				case r.Status < 300:
					done++
					name := n[0].Get(e.path)["name"]
					if want := fmt.Sprintf("Round %d, %d", round, i); name != want {
						t.Errorf("the level is called %v, want %s", name, want)
					}
				case r.Status != 412:
					t.Errorf("%d %s", r.Status, r.Body)
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
		admin, _, level := servertest.StartShop(t, engine)
		path := "/api/DEFAULT/level/" + level
		for granted, tagged := range map[string]bool{access.View: false, access.Modify: true} {
			key := "key-of-one-who-may-" + granted
			servertest.AddIntegration(t, admin, servertest.AddRole(t, admin, granted,
				map[string][]string{access.Levels: {granted}}), key)
			request := (&client{T: t, Base: admin.Base}).Request("GET", path, "", "")
			request.Header.Set("X-Auth-Token", key)
			r := servertest.Send(t, request)
			if r.Status != 200 || (r.Header.Get("ETag") != "") != tagged {
				t.Errorf("%s: %d, ETag %q", granted, r.Status, r.Header.Get("ETag"))
			}
		}
	})
}
