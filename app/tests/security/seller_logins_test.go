package security_test

import (
	"slices"
	"strings"
	"testing"

	"punchcard/app"
	"punchcard/app/servertest"
	"punchcard/core/access"
	"punchcard/platform/db/dbtest"
)

// rightsOfSellers are the permissions that cover all that a seller with all rights may do.
var rightsOfSellers = map[string][]string{
	access.Sellers: {access.Modify}, access.Customers: {access.Modify}, access.Transactions: {access.Modify},
	access.RewardCampaigns: {access.Modify}, access.PointTransfers: {access.Modify}, access.Security: {access.Modify},
	access.POS: {access.View},
}

// staff returns an administrator with the permissions, and a key that one with all rights made with them.
func staff(t *testing.T, admin *client, name string, permissions map[string][]string) (person, key *client) {
	t.Helper()
	number := servertest.AddRole(t, admin, name, permissions)
	admin.Form("/api/admin/data", "admin[email]="+name+"@example.com&admin[isActive]=1&admin[firstName]=S&"+
		"admin[lastName]=H&admin[plainPassword]=Correct-Horse-7&admin[roles][]="+number).Must(t)
	var granted []object
	for resource, accesses := range permissions {
		if resource != access.Security {
			granted = append(granted, object{"resource": resource, "access": accesses[0]})
		}
	}
	secret := admin.JSON("POST", "/api/admin/key", object{"key": object{"name": name, "permissions": granted}})["secret"]
	return servertest.LogIn(t, admin.Base, "/api/admin/login_check", name+"@example.com", "Correct-Horse-7"),
		&client{T: t, Base: admin.Base, Token: secret.(string)}
}

// Nobody makes, opens or takes over the log-in of a seller who may do what they may not, by whatever call.
func TestSellersAreOpenedByWhoMayAsMuch(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		admin, seller, _ := servertest.StartShop(t, engine)
		id := seller.OwnID()
		at := "/api/DEFAULT/seller/" + id
		calls, allow := callsThatOpen(at, admin.Get(at)["posId"].(string))
		few, fewByKey := staff(t, admin, "few", map[string][]string{
			access.Sellers: {access.Modify}, access.Security: {access.Modify}, access.POS: {access.View},
		})
		all, allByKey := staff(t, admin, "all", rightsOfSellers)
		must := func(c *client, who, method, path, body string, status int, part string) {
			t.Helper()
			got := c.Send(method, path, "application/x-www-form-urlencoded", body)
			if got.Status != status || !strings.Contains(string(got.Body), part) {
				t.Errorf("%s, %s %s %s: %d %s, want %d with %q", who, method, path, body, got.Status, got.Body, status, part)
			}
		}
		var rows []string
		for _, c := range calls {
			rows = append(rows, c.row)
			must(few, "without the rights", c.method, c.path, c.body, c.status, c.part)
			keyStatus, part := c.status, c.part
			if c.byKey == 403 {
				keyStatus, part = 403, ""
			}
			must(fewByKey, "key without the rights", c.method, c.path, c.body, keyStatus, part)
			must(allByKey, "key", c.method, c.path, c.body, c.byKey, "")
		}
		must(admin, "by who may", "PUT", at, allow, 200, "")
		for _, c := range calls[7:10] { // the most rights, and nothing is missing
			must(few, "without the rights", c.method, c.path, c.body, c.status, c.part)
		}
		without := map[string][]string{}
		for resource, granted := range rightsOfSellers {
			if resource != access.PointTransfers {
				without[resource] = granted
			}
		}
		without[access.PointTransfers] = []string{access.View}
		most, _ := staff(t, admin, "most", without)
		must(most, "without points", "POST", at+"/link", "", 403, "POINT_TRANSFER MODIFY")
		must(most, "without points", "DELETE", at+"/factors", "", 403, "POINT_TRANSFER MODIFY")
		for _, c := range calls {
			status := 200
			if c.method == "DELETE" {
				status = 204
			}
			if strings.Contains(c.body, "thief@example.com") {
				continue
			}
			must(all, "with the rights", c.method, c.path, c.body, status, "")
		}
		expectRowsOfSellers(t, rows)
	})
}

// opening is a call that lets somebody sell, with its answers.
type opening struct {
	row, method, path, body string
	status                  int // for who lacks a right
	part                    string
	byKey                   int // for a key that has all rights
}

// callsThatOpen returns calls for the seller at a path, and the body of one that lets them transfer points.
func callsThatOpen(at, pos string) (calls []opening, allow string) {
	fields := func(email string, more ...string) string {
		return "seller[firstName]=Siv&seller[lastName]=Dahl&seller[posId]=" + pos + "&seller[email]=" + email +
			"&" + strings.Join(more, "&")
	}
	const own, password, on = "siv.%C3%A9@example.com", "seller[plainPassword]=Correct-Horse-8", "seller[active]=1"
	provider := "identityProvider[name]=North&identityProvider[issuer]=https://login.example.com&" +
		"identityProvider[clientId]=shop&identityProvider[sellerGrants][0][group]=cashiers"
	const missing = "CUSTOMER MODIFY"
	return []opening{
		{"POST /seller/register", "POST", "/api/DEFAULT/seller/register", fields("new@example.com", password, on),
			403, missing, 403},
		{"PUT /seller/{seller}", "PUT", at, fields("thief@example.com", on), 400, "email", 403},
		{"PUT /seller/{seller}", "PUT", at, fields(own, password, on), 400, "plainPassword", 403},
		{"PUT /seller/{seller}", "PUT", at, fields(own), 200, "sellerId", 200},
		{"PUT /seller/{seller}", "PUT", at, fields(own, on), 400, "active", 200},
		{"", "POST", at + "/deactivate", "", 200, "", 200},
		{"POST /seller/{seller}/activate", "POST", at + "/activate", "", 403, missing, 200},
		{"", "PUT", at, fields("thief@example.com", on), 400, "email", 403},
		{"POST /seller/{seller}/link", "POST", at + "/link", "", 403, missing, 403},
		{"DELETE /seller/{seller}/factors", "DELETE", at + "/factors", "", 403, missing, 403},
		{"", "POST", "/api/DEFAULT/admin/identity-provider", provider, 400, missing, 403},
	}, fields(own, on, "seller[allowPointTransfer]=1")
}

// expectRowsOfSellers finds the writes of sellers that give access and that no call of the test above makes.
func expectRowsOfSellers(t *testing.T, called []string) {
	t.Helper()
	others := []string{"PUT /seller/factor-rule"} // lets nobody in
	for _, e := range app.EndpointTable() {
		row := e.Method + " " + strings.TrimPrefix(e.Path, "/api/{storeCode}")
		if e.Access.Resource == access.Sellers && e.Access.Access == access.Modify && e.Factor.IsAlways() &&
			!slices.Contains(called, row) && !slices.Contains(others, row) {
			t.Errorf("no test shows who may not call %s", row)
		}
	}
}
