package security_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"punchcard/app"
	"punchcard/app/servertest"
	"punchcard/loyalty/identity/factor/factortest"
	"punchcard/platform/db"
	"punchcard/platform/db/dbopen"
	"punchcard/platform/db/dbtest"
)

// TestResetFactors lets in an administrator who has lost their authenticator app.
func TestResetFactors(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		config := servertest.Database(t, engine)
		base := servertest.StartServer(t, engine, func(c *app.Config) { c.Database = config })
		who := servertest.LogInAdmin(t, base)
		var made struct{ Secret string }
		begun := who.Form("/api/me/factors/totp", "currentPassword=open")
		if err := json.Unmarshal(begun.Body, &made); err != nil {
			t.Fatalf("%s: %v", begun.Body, err)
		}
		who.Form("/api/me/factors/totp/confirm", "code="+factortest.Code(made.Secret, servertest.StartOfTests))
		logIn := func() int { return who.Form("/api/admin/login_check", "_username=admin&_password=open").Status }
		if got := logIn(); got != 401 {
			t.Errorf("with an authenticator app: %d", got)
		}
		if err := app.ResetFactors(t.Context(), config, "administrator", "", "nobody", io.Discard); !errors.Is(err,
			app.ErrNoAccount) {
			t.Errorf("of nobody: %v", err)
		}
		if err := app.ResetFactors(t.Context(), config, "administrator", "", "admin", io.Discard); err != nil {
			t.Fatal(err)
		}
		if got := logIn(); got != 200 {
			t.Errorf("without the app: %d", got)
		}
	})
}

// TestManyPointsNeedAFactor starts bulk actions and imports that move fewer and more points than need a second factor.
func TestManyPointsNeedAFactor(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		config := servertest.Database(t, engine)
		base := servertest.StartServer(t, engine, func(c *app.Config) { c.Database, c.StepUpPoints = config, 100 })
		who := servertest.LogInAdmin(t, base)
		who.JSON("POST", "/api/DEFAULT/level/create", object{"level": object{"translations": object{"en": object{
			"name": "Base"}}, "active": true, "conditionValue": 0, "reward": object{"name": "Base", "value": 5, "code": "B"}}})
		var customers []string
		for _, name := range []string{"ann", "bo"} {
			id := who.Form("/api/DEFAULT/customer/register", "customer[firstName]=A&customer[lastName]=B"+
				"&customer[agreement1]=1&customer[email]="+name+"@example.org").ID(t)
			customers = append(customers, id)
		}
		codes := addApp(who, "open")
		who.JSON("PUT", "/api/admin/acl/role/1/factor-rule",
			object{"factorRule": object{"required": true, "graceDays": 30}}, 204)
		forgetFactors(t, config)

		bulk := func(want int, action object) {
			t.Helper()
			refusedUse(who, want, jsonReply(who, "/api/DEFAULT/admin/bulk-action", object{"bulkAction": action}), action)
		}
		file := func(want int, query string, lines ...string) {
			t.Helper()
			text := "customerEmail,points,type\n" + strings.Join(lines, "\n") + "\n"
			refusedUse(who, want, sendFile(who, "/api/DEFAULT/points/transfer/import"+query, text), len(lines))
		}
		bulk(200, object{"action": "givePoints", "points": 99.99, "customers": customers[:1]})
		bulk(403, object{"action": "givePoints", "points": 100, "customers": customers[:1]})
		bulk(403, object{"action": "takePoints", "points": 50, "customers": customers})
		change(t, config, `DELETE FROM factor_points`)
		bulk(200, object{"action": "takePoints", "points": 49.99, "customers": customers})
		bulk(403, object{"action": "givePoints", "points": 50, "all": true, "filter": "everybody"})
		change(t, config, `DELETE FROM factor_points`)
		bulk(200, object{"action": "addLabel", "label": object{"key": "a", "value": "b"}, "customers": customers})
		file(200, "", "ann@example.org,99,adding", "bo@example.org,-500,adding")
		file(403, "", "ann@example.org,60,adding", "bo@example.org,-500,adding", "bo@example.org,40,spending")
		file(200, "?dryRun=1", "ann@example.org,100,adding")
		file(403, "", strings.Split(strings.Repeat("nobody,0,adding ", 10_001), " ")[:10_001]...) // not read to its end
		who.JSON("POST", "/api/me/factors/use", object{"recoveryCode": codes[0]}, 204)
		bulk(200, object{"action": "givePoints", "points": 100, "customers": customers[:1]})
		file(200, "", "ann@example.org,100,adding")
	})
}

// addApp adds an authenticator app, and returns the recovery codes.
func addApp(c *client, password string) (recovery []string) {
	c.T.Helper()
	secret, _ := c.JSON("POST", "/api/me/factors/totp", object{"currentPassword": password})["secret"].(string)
	done := c.JSON("POST", "/api/me/factors/totp/confirm", object{"code": factortest.Code(secret,
		servertest.StartOfTests)})
	for _, code := range done["recoveryCodes"].([]any) {
		recovery = append(recovery, code.(string))
	}
	return recovery
}

// forgetFactors makes all sessions forget that a second factor was used.
func forgetFactors(t *testing.T, database app.Database) {
	t.Helper()
	change(t, database, `UPDATE sessions SET factor_at = NULL`)
}

// change changes rows of a database by hand.
func change(t *testing.T, database app.Database, statement string) {
	t.Helper()
	d, err := dbopen.Open(t.Context(), db.Config{
		URL: database.Database, File: filepath.Join(database.Data, "punchcard.db"),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	err = d.Write(t.Context(), func(tx *db.Tx) error {
		_, err := tx.Exec(statement)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func jsonReply(c *client, path string, body any) reply {
	c.T.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		c.T.Fatal(err)
	}
	return c.Send("POST", path, "application/json", string(text))
}

// sendFile sends the file of an import.
func sendFile(c *client, path, text string) reply {
	c.T.Helper()
	return c.Send("POST", path, "multipart/form-data; boundary=end", "--end\r\n"+
		`Content-Disposition: form-data; name="file[file]"; filename="points.csv"`+"\r\n\r\n"+text+"\r\n--end--\r\n")
}

// refusedUse compares a status, and the reason of a refusal.
func refusedUse(c *client, want int, r reply, what any) {
	c.T.Helper()
	isAsked := strings.Contains(string(r.Body), "Use your second factor again")
	if r.Status != want || isAsked != (want == 403) {
		c.T.Errorf("%v: %d %s, want %d", fmt.Sprint(what), r.Status, r.Body, want)
	}
}
