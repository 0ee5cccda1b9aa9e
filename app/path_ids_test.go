package app_test

import (
	"strings"
	"testing"

	"punchcard/platform/db/dbtest"
)

// Ids in paths are not case-sensitive.
func TestIDsInPathsIgnoreCase(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		admin := logInAdmin(t, startServer(t, engine, nil))
		const pos = "pos[name]=T&pos[identifier]=T-1&pos[location][street]=S&pos[location][address1]=1&" +
			"pos[location][postal]=0001&pos[location][city]=Oslo&pos[location][province]=Oslo&pos[location][country]=NO"
		till := strings.ToUpper(firstID(must(t, admin.form("/api/DEFAULT/pos", pos))))
		hook := strings.ToUpper(firstID(must(t, admin.form("/api/DEFAULT/webhook/subscription",
			"webhookSubscription[url]=https://example.com/hook&webhookSubscription[eventName]=*"))))
		for _, c := range []struct{ method, path, body string }{
			{"GET", "pos/" + till, ""}, {"PUT", "pos/" + till, pos}, {"GET", "webhook/subscription/" + hook, ""},
			{"DELETE", "webhook/subscription/" + hook, ""},
		} {
			must(t, admin.send(c.method, "/api/DEFAULT/"+c.path, "application/x-www-form-urlencoded", c.body))
		}
	})
}
