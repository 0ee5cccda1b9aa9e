package servertest

import (
	"encoding/json"
	"net/http"
	"net/url"
	"testing"
)

// JSON posts a body and returns the response, which has one of the statuses.
func (c *Client) JSON(method, path string, body any, statuses ...int) map[string]any {
	c.T.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		c.T.Fatal(err)
	}
	return c.expect(c.Send(method, path, "application/json", string(text)), method+" "+path, statuses...)
}

// Get is JSON without a body.
func (c *Client) Get(path string, statuses ...int) map[string]any {
	c.T.Helper()
	return c.expect(c.Send("GET", path, "", ""), path, statuses...)
}

func (c *Client) expect(r Reply, what string, statuses ...int) (found map[string]any) {
	c.T.Helper()
	if len(statuses) == 0 {
		statuses = []int{http.StatusOK}
	}
	if r.Status != statuses[0] {
		c.T.Errorf("%s: %d %s, want %d", what, r.Status, r.Body, statuses[0])
	}
	_ = json.Unmarshal(r.Body, &found)
	return found
}

// Object is a JSON object.
type Object = map[string]any

// StartShop returns an administrator of a store with a level, a seller there, and the id of its point of sale.
func StartShop(t *testing.T, engine string) (admin, seller *Client, level string) {
	base := StartServer(t, engine, nil)
	admin = LogInAdmin(t, base)
	translations := Object{"en": Object{"name": "Base"}}
	level = admin.JSON("POST", "/api/DEFAULT/level/create", Object{"level": Object{"translations": translations,
		"active": true, "conditionValue": 0, "reward": Object{"name": "Base", "value": 5, "code": "B"}}})["levelId"].(string)
	pos := admin.JSON("POST", "/api/DEFAULT/pos", Object{"pos": Object{"name": "Kiosk", "identifier": "Kiosk-é",
		"location": Object{"street": "Quay", "address1": "1", "postal": "0150", "city": "Oslo", "province": "Oslo",
			"country": "NO"}}})["posId"].(string)
	admin.JSON("POST", "/api/DEFAULT/seller/register", Object{"seller": Object{"firstName": "Siv", "lastName": "Dahl",
		"email": "siv.é@example.com", "plainPassword": "Correct-Horse-7", "posId": pos, "active": true}})
	seller = LogIn(t, base, "/api/DEFAULT/seller/login_check", url.QueryEscape("siv.é@example.com"), "Correct-Horse-7")
	return admin, seller, level
}

// MakeGift makes a campaign for a level that gives codes away, and returns its id.
func (c *Client) MakeGift(level string, codes ...string) string {
	c.T.Helper()
	return c.JSON("POST", "/api/DEFAULT/campaign", Object{"campaign": Object{"reward": "gift_code",
		"translations": Object{"en": Object{"name": "Cake", "usageInstruction": "Eat"}}, "active": true,
		"costInPoints": 0, "unlimited": true, "pushNotificationText": "Cake", "target": "level", "levels": []string{level},
		"daysValid": 10, "daysInactive": 0, "coupons": codes}})["campaignId"].(string)
}

// Registration is the body that registers a customer with the fields.
func Registration(fields Object) Object {
	fields["firstName"], fields["lastName"], fields["agreement1"] = "Ida", "Berg", true
	return Object{"customer": fields}
}

// Receipt is the body that registers a receipt of one position, with the customer of the fields.
func Receipt(number, sku string, fields Object) Object {
	who := Object{"name": "Ida"}
	for name, value := range fields {
		who[name] = value
	}
	return Object{"transaction": Object{
		"transactionData": Object{"documentNumber": number, "documentType": "sell", "purchaseDate": "2031-04-30"},
		"customerData":    who, "items": []Object{{"sku": Object{"code": sku}, "name": "Ale", "quantity": 1,
			"grossValue": 10, "category": "drinks"}}}}
}
