package security_test

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"punchcard/app"
	"punchcard/app/servertest"
	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/platform/db/dbtest"
)

// guarded matches the paths of ways to sign in, of what opens them, and of points.
var guarded = regexp.MustCompile(`password|/link|factor|identit|invitation|oauth|session|token|login|passkey|/pin$|` +
	`points?/|p2p|merge|anonymize|webhook|api-key`)

// Every write of accounts, roles, keys and security settings, of passwords, links, factors and points needs the factor,
// or has one of the reasons that fit such a write. No row is without an answer.
func TestEveryWriteSaysWhetherItNeedsTheFactor(t *testing.T) {
	fitting := []string{
		api.NoSession.String(), api.Proven.String(), api.NoWrite.String(), api.Restricts.String(), api.TakesBack.String(),
		api.BeganThere.String(), api.InHandler.String(), api.ByPoints(nil).String(),
	}
	others := []string{ // writes that the words of their paths bring here
		"POST /api/{storeCode}/customer/{customer}/pushy-token", // gets messages, and opens nothing
		"DELETE /api/{storeCode}/customer/{customer}/pushy-token/{token}",
		"POST /api/invitation/invite", // of a customer, for a new one
		"POST /api/{storeCode}/invitation/invite", "POST /api/{storeCode}/invitations/invite",
		"POST /api/{storeCode}/customer/invitation/link",
		"POST /api/{storeCode}/webhook/subscription/{subscription}/test",  // sends an example
		"POST /api/{storeCode}/webhook/subscription/{subscription}/retry", // sends what was due
		"POST /api/{storeCode}/webhook/subscription/{subscription}/deliveries/{eventId}/retry",
	}
	resources := []string{access.Admin, access.ACL, access.APIKeys, access.Security}
	n := 0
	for _, e := range app.EndpointTable() {
		if e.Method == http.MethodGet {
			continue
		}
		row := e.Method + " " + e.Path
		isGuarded := slices.Contains(resources, e.Access.Resource) || guarded.MatchString(e.Path)
		switch {
		case e.Factor.String() == "":
			t.Errorf("%s does not say whether it needs the factor", row)
		case !isGuarded:
		case e.Factor.IsAlways() || slices.Contains(fitting, e.Factor.String()):
			n++
		case !slices.Contains(others, row):
			t.Errorf("%s is left without the factor: %s", row, e.Factor)
		}
	}
	if n < 80 {
		t.Errorf("only %d rows are guarded", n)
	}
}

// A session of a web app whose factor was not used gets nowhere at each endpoint that always needs it, be it of
// an administrator, a seller or a customer. With the factor it does.
func TestSessionsWithoutTheFactorAreStopped(t *testing.T) {
	segment := regexp.MustCompile(`\{[^}]*\}`)
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		config := servertest.PlainConfig(servertest.DemoDatabase(t, engine))
		base := servertest.Run(t, config)
		callers := map[access.Role]*client{
			access.Administrator: servertest.LogInAdmin(t, base),
			access.Seller:        servertest.LogIn(t, base, "/api/seller/login_check", "seller@example.com", "open"),
			access.Customer:      servertest.LogIn(t, base, "/api/customer/login_check", "user@example.com", "loyalty"),
		}
		codes := map[access.Role][]string{}
		for role, plain := range map[access.Role]string{
			access.Administrator: "open", access.Seller: "open", access.Customer: "loyalty",
		} {
			codes[role] = addApp(callers[role], plain)
		}
		change(t, config.Database, `UPDATE sessions SET browser = TRUE, factor_at = NULL`)
		asked := 0
		walk := func(stopped bool) {
			for _, e := range app.EndpointTable() {
				if !e.Factor.IsAlways() {
					continue
				}
				path := segment.ReplaceAllString(strings.NewReplacer("{storeCode}", "DEFAULT").Replace(e.Path),
					"01a2238d-0000-7000-8000-000000000000")
				for role, caller := range callers {
					if !slices.Contains(e.Access.Roles, role) {
						continue
					}
					asked++
					got := caller.Send(e.Method, path, "application/json", "{}")
					is := strings.Contains(string(got.Body), "Use your second factor again")
					if is != stopped || is && got.Status != http.StatusForbidden {
						t.Errorf("%s %s by %s: %d %s, want stopped: %v", e.Method, path, role, got.Status, got.Body, stopped)
					}
				}
			}
		}
		walk(true)
		for role, caller := range callers {
			caller.JSON("POST", "/api/me/factors/use", object{"recoveryCode": codes[role][0]}, 204)
		}
		walk(false)
		if asked < 60 {
			t.Errorf("only %d calls were made", asked)
		}
	})
}

// The points that one person moves add up, by whatever calls. Other people have their own sum.
func TestPointsOfAPersonAddUp(t *testing.T) {
	dbtest.Both(t)
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		config := servertest.Database(t, engine)
		base := servertest.StartServer(t, engine, func(c *app.Config) { c.Database, c.StepUpPoints = config, 100 })
		who := servertest.LogInAdmin(t, base)
		who.JSON("POST", "/api/DEFAULT/level/create", object{"level": object{"translations": object{"en": object{
			"name": "Base"}}, "active": true, "conditionValue": 0, "reward": object{"name": "Base", "value": 5, "code": "B"}}})
		var ids []string
		for _, name := range []string{"ann", "bo"} {
			ids = append(ids, who.Form("/api/DEFAULT/customer/register", "customer[firstName]=A&"+
				"customer[lastName]=B&customer[agreement1]=1&customer[email]="+name+"@example.org").ID(t))
		}
		addApp(who, "open")
		change(t, config, `UPDATE sessions SET browser = TRUE, factor_at = NULL`)
		move := func(want int, path, points string, more ...string) {
			t.Helper()
			request := who.Request("POST", "/api/DEFAULT/"+path, "application/x-www-form-urlencoded",
				"transfer[customer]="+ids[0]+"&transfer[sender]="+ids[0]+"&transfer[receiver]="+ids[1]+"&transfer[points]="+points)
			for i := 0; i < len(more); i += 2 {
				request.Header.Set(more[i], more[i+1])
			}
			refusedUse(who, want, servertest.Send(t, request), path+" "+points)
		}
		move(200, "points/transfer/add", "60", "Dry-Run", "true")
		move(403, "points/transfer/add", "100", "Dry-Run", "true")
		move(200, "points/transfer/add", "60")
		move(403, "points/transfer/add", "40")
		move(403, "points/transfer/spend", "40", "Dry-Run", "true")
		move(400, "points/transfer/add", "-5")
		move(200, "points/transfer/spend", "20")
		move(200, "admin/p2p-points-transfer", "10")
		move(403, "points/transfer/block", "10")
		move(200, "points/transfer/block", "9.99")
		move(403, "points/transfer/add", "1")
		refusedUse(who, 403, jsonReply(who, "/api/DEFAULT/admin/bulk-action", object{"bulkAction": object{
			"action": "givePoints", "points": 1, "customers": ids[:1]}}), "a bulk action")
		refusedUse(who, 403, sendFile(who, "/api/DEFAULT/points/transfer/import",
			"customerEmail,points,type\nann@example.org,1,adding\n"), "a file")
		change(t, config, `UPDATE factor_points SET hour = hour - 24`)
		move(403, "points/transfer/add", "1")
		change(t, config, `UPDATE factor_points SET hour = hour - 1`)
		move(200, "points/transfer/add", "99.99")
	})
}

// A journey gives points to however many customers, so that writing one and turning it on needs the permission to give
// points, and the factor.
func TestGiftsOfJourneysNeedTheFactor(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		config := servertest.PlainConfig(servertest.DemoDatabase(t, engine))
		base := servertest.Run(t, config)
		who := servertest.LogInAdmin(t, base)
		const all = "/api/DEFAULT/admin/journey"
		fields := func(points string) string {
			return "journey[recipe]=welcome&journey[name]=Hello&journey[channels][]=inbox&journey[gift][points]=" + points +
				"&journey[texts][en][short]=Welcome"
		}
		addApp(who, "open")
		id := who.Form(all, fields("5")).ID(t)
		campaigns := map[string][]string{access.RewardCampaigns: {access.Modify}}
		servertest.AddIntegration(t, who, servertest.AddRole(t, who, "Campaigns", campaigns), "key-of-the-campaigns")
		editor := &client{T: t, Base: base, Token: "key-of-the-campaigns"}
		change(t, config.Database, `UPDATE sessions SET browser = TRUE, factor_at = NULL`)
		write := func(c *client, want int, method, path, body, part string) {
			t.Helper()
			request := c.Request(method, path, "application/x-www-form-urlencoded", body)
			if c == editor {
				request.Header.Del("Authorization")
				request.Header.Set("X-Auth-Token", c.Token)
			}
			got := servertest.Send(t, request)
			if got.Status != want || !strings.Contains(string(got.Body), part) {
				t.Errorf("%s %s %s: %d %s, want %d with %q", method, path, body, got.Status, got.Body, want, part)
			}
		}
		const asked, forbidden = "Use your second factor again", "POINT_TRANSFER"
		write(who, 403, "POST", all, fields("1"), asked)
		write(who, 403, "PUT", all+"/"+id, fields("6"), asked)
		write(who, 403, "POST", all+"/"+id+"/activate", "", asked)
		write(who, 200, "POST", all, fields("0"), "journeyId")
		write(who, 200, "POST", all+"/"+id+"/deactivate", "", "")
		write(editor, 403, "POST", all, fields("1"), forbidden)
		write(editor, 403, "PUT", all+"/"+id, fields("5"), forbidden)
		write(editor, 403, "POST", all+"/"+id+"/activate", "", forbidden)
		write(editor, 400, "POST", all, fields("1000001"), "points")
		write(editor, 200, "PUT", all+"/"+id, fields("0"), "")
		write(editor, 200, "POST", all+"/"+id+"/activate", "", "")
	})
}
