package trade_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"strings"
	"testing"

	"punchcard/app"
	"punchcard/app/servertest"
	"punchcard/loyalty/earning"
	"punchcard/loyalty/segment"
	"punchcard/platform/db/dbtest"
)

// docs/extending.md shows the files of the examples as they are.
func TestExtendingShowsTheExamples(t *testing.T) {
	page, err := os.ReadFile("../../../docs/extending.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"example_criterion_test.go", "example_rule_test.go", "example_tuesday_test.go"} {
		code, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(page), "```go\n"+string(code)+"```\n") {
			t.Errorf("docs/extending.md does not show %s", file)
		}
	}
}

// A criterion and an earning rule that exist only here are created, shown and evaluated through the API. A program
// without them refuses the database.
func TestKindsCanBeAdded(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		config := servertest.PlainConfig(servertest.Database(t, engine))
		config.Kinds = app.Kinds{
			Criteria: []segment.Kind{weekdayCriterion}, EarningRules: []earning.RuleType{receiptRule, tuesdayRule},
		}
		base, stop := servertest.RunUntil(t, config, servertest.Log(t))
		admin := servertest.LogInAdmin(t, base)
		post := func(path, form string) string {
			t.Helper()
			return admin.Form("/api/DEFAULT/"+path, form).Must(t)
		}
		level := servertest.FirstID(post("level/create", "level[translations][en][name]=L&level[active]=1&"+
			"level[conditionValue]=0&level[reward][name]=L&level[reward][value]=5&level[reward][code]=L"))
		ida := servertest.FirstID(post("admin/customer/register", "customer[firstName]=Ida&customer[lastName]=Berg&"+
			"customer[email]=ida@example.com&customer[agreement1]=1"))
		post("admin/customer/"+ida+"/activate", "")
		rule := servertest.FirstID(post("earningRule", "earningRule[type]=points_for_receipt&earningRule[name]=Receipt&"+
			"earningRule[description]=D&earningRule[active]=1&earningRule[allTimeActive]=1&"+
			"earningRule[target]=level&earningRule[levels][]="+level+"&earningRule[pointsAmount]=25"))
		post("earningRule", "earningRule[type]=double_points_on_tuesdays&earningRule[name]=Tuesday&"+
			"earningRule[description]=D&earningRule[active]=1&earningRule[allTimeActive]=1&"+
			"earningRule[target]=level&earningRule[levels][]="+level)
		sell := func(number, at string) {
			t.Helper()
			admin.Send("POST", "/api/DEFAULT/transaction", servertest.JSONType, `{"transaction":{"transactionData":
				{"documentNumber":"`+number+`","purchaseDate":"`+at+`"},"items":[{"sku":{"code":"TEA"},"name":"Tea",
				"quantity":1,"grossValue":9,"category":"d"}],"customerData":{"name":"Ida","email":"ida@example.com"}}}`).Must(t)
		}
		sell("R-1", "2031-04-30 12:00") // a Wednesday
		sell("R-2", "2031-04-22 12:00") // a Tuesday
		const criterion = "segment[active]=1&segment[parts][0][criteria][0][type]=bought_on_weekday&" +
			"segment[parts][0][criteria][0][weekday]="
		for _, c := range []struct{ weekday, want string }{
			{"wednesday", `"total":1`}, {"thursday", `"total":0`},
		} {
			id := servertest.FirstID(post("segment", "segment[name]="+c.weekday+"&"+criterion+c.weekday))
			for path, want := range map[string]string{
				"": `"type":"bought_on_weekday","weekday":"` + c.weekday + `"`, "/customers": c.want,
			} {
				got := servertest.Exchange(t, admin.Request("GET", "/api/DEFAULT/segment/"+id+path, "", "")).Must(t)
				if !strings.Contains(got, want) {
					t.Errorf("%s%s: %s", c.weekday, path, got)
				}
			}
		}
		if got := admin.Form("/api/DEFAULT/segment", "segment[name]=N&"+criterion+"today"); got.Status != 400 {
			t.Errorf("an unknown day: %+v", got)
		}
		for path, want := range map[string]string{
			"earningRule/" + rule: `"pointsAmount":25`, "admin/customer/" + ida + "/status": `"totalEarnedPoints":75`,
		} {
			if got := admin.Send("GET", "/api/DEFAULT/"+path, "", "").Must(t); !strings.Contains(got, want) {
				t.Errorf("%s: %s", path, got)
			}
		}
		stop()
		expectKnown(t, config)
		config.Kinds = app.Kinds{}
		err := app.Serve(context.Background(), config, io.Discard, servertest.Log(t))
		for _, want := range []string{`unknown type "bought_on_weekday"`, "is points_for_receipt"} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("a start without the kinds: %v", err)
			}
		}
	})
}

// expectKnown checks the rows of further kinds, which only a program without the kinds finds wrong.
func expectKnown(t *testing.T, config app.Config) {
	t.Helper()
	var found bytes.Buffer
	n, err := app.Check(t.Context(), config.Database, config.Kinds, &found, io.Discard)
	if err != nil || n > 0 {
		t.Errorf("with the kinds: %d findings, %v:\n%s", n, err, &found)
	}
	if n, err := app.Check(t.Context(), config.Database, app.Kinds{}, io.Discard, io.Discard); err != nil || n == 0 {
		t.Errorf("without the kinds: %d findings, %v", n, err)
	}
}
