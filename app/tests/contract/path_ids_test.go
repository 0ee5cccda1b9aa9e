package contract_test

import (
	"strings"
	"testing"

	"punchcard/app/servertest"
	"punchcard/platform/db/dbtest"
)

// Ids in paths are not case-sensitive.
func TestIDsInPathsIgnoreCase(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		admin := servertest.LogInAdmin(t, servertest.StartServer(t, engine, nil))
		const pos = "pos[name]=T&pos[identifier]=T-1&pos[location][street]=S&pos[location][address1]=1&" +
			"pos[location][postal]=0001&pos[location][city]=Oslo&pos[location][province]=Oslo&pos[location][country]=NO"
		till := strings.ToUpper(admin.Form("/api/DEFAULT/pos", pos).ID(t))
		hook := strings.ToUpper(admin.Form("/api/DEFAULT/webhook/subscription",
			"webhookSubscription[url]=https://example.com/hook&webhookSubscription[eventName]=*").ID(t))
		for _, c := range []struct{ method, path, body string }{
			{"GET", "pos/" + till, ""}, {"PUT", "pos/" + till, pos}, {"GET", "webhook/subscription/" + hook, ""},
			{"DELETE", "webhook/subscription/" + hook, ""},
		} {
			admin.Send(c.method, "/api/DEFAULT/"+c.path, "application/x-www-form-urlencoded", c.body).Must(t)
		}
	})
}
