package trade_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"punchcard/app/servertest"
	"punchcard/platform/db/dbtest"
)

// questions ask a branch about its customer, at another time unless at is empty.
func (b *branch) questions(at string) (answers string) {
	b.Helper()
	query, field := "", ""
	if at != "" {
		query, field = "&at="+at, `"at":"`+at+`",`
	}
	const items = `"items":[{"sku":{"code":"TEA"},"name":"Tea","quantity":1,"grossValue":9,"category":"d"}]`
	of := "admin/customer/" + b.customer + "/"
	for _, q := range []struct{ method, path, body string }{
		{"GET", of + "campaign/available?explain=1" + query, ""},
		{"GET", of + "campaign/available?additionalPoints=0" + query, ""},
		{"POST", of + "campaign/validate?explain=1" + query,
			`{"campaigns":{"campaigns":[{"rewardCampaignId":"` + b.soon + `"}]}}`},
		{"POST", "transaction/simulate?explain=1" + query, `{"transaction":{` + items + `,"customerData":{"name":"Ida",
			"email":"ida@example.com"}}}`},
		{"GET", of + "levels?explain=1" + query, ""},
		{"GET", of + "segments?explain=1" + query, ""},
		{"POST", "checkout", `{"checkout":{` + field + `"customer":"` + b.customer + `","rewards":["` + b.soon + `"],` +
			items + `}}`},
	} {
		answers += b.admin.Send(q.method, "/api/"+b.code+"/"+q.path, servertest.JSONType, q.body).Must(b.T) + "\n"
	}
	return regexp.MustCompile(`"member":(true|false)`).ReplaceAllString(answers, "") // of the present
}

// Answers to administrators about another time are those of that time, and nothing else changes.
func TestAnswersAboutAnotherTimeComeTrue(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		config := servertest.PlainConfig(servertest.Database(t, engine))
		admin := servertest.LogInAdmin(t, servertest.Run(t, config))
		b := openBranch(t, admin, "TRY", "1")
		b.post("earningRule", "earningRule[type]=points&earningRule[name]=May&earningRule[description]=x&"+
			"earningRule[active]=1&earningRule[startAt]=2031-05-01 00:00&"+
			"earningRule[endAt]=2031-05-20 00:00&earningRule[everybody]=1&"+
			"earningRule[pointValue]=1")
		began, forecasts := time.Date(2031, 5, 1, 12, 0, 0, 0, time.UTC), map[int]string{}
		present, own := b.questions(""), b.state()
		steps := []int{1, 8, 20, 40}
		for _, days := range steps {
			forecasts[days] = b.questions(began.AddDate(0, 0, days).Format(time.RFC3339))
			if again := b.questions(""); again != present || b.state() != own {
				t.Errorf("the present is another one after a question about %d days later: %s, want %s", days, again, present)
			}
		}
		at := 0
		for _, days := range steps {
			b.post("admin/clock", fmt.Sprintf("clock[forward]=P%dD", days-at))
			at = days
			if got := b.questions(""); got != forecasts[days] {
				t.Errorf("after %d days\n%s\nwant\n%s", days, got, forecasts[days])
			}
		}
		b.refuses()
	})
}

// refuses asks what is refused.
func (b *branch) refuses() {
	b.Helper()
	of := "/api/" + b.code + "/admin/customer/" + b.customer + "/"
	for _, c := range []struct {
		who                *client
		method, path, body string
		want               int
		text               string
	}{
		{b.admin, "GET", of + "levels?at=soon", "", http.StatusBadRequest, "not valid"},
		{b.admin, "GET", of + "segments?at=2041-01-01", "", http.StatusBadRequest, "1830 days from now"},
		{b.admin, "GET", of + "campaign/available?at=2020-01-01", "", http.StatusBadRequest, "1830 days from now"},
		{b.admin, "POST", "/api/" + b.code + "/checkout", `{"checkout":{"at":"1999-01-01","items":[{"grossValue":1}]}}`,
			http.StatusBadRequest, "1830 days from now"},
		{b.own, "GET", "/api/" + b.code + "/customer/campaign/available?at=2031-06-01", "", http.StatusForbidden,
			"Forbidden"},
		{b.own, "POST", "/api/" + b.code + "/customer/campaign/validate?at=2031-06-01", `{"campaigns":{"campaigns":[]}}`,
			http.StatusForbidden, "Forbidden"},
	} {
		got := c.who.Send(c.method, c.path, servertest.JSONType, c.body)
		if got.Status != c.want || !strings.Contains(string(got.Body), c.text) {
			b.Errorf("%s %s: %+v", c.method, c.path, got)
		}
	}
}
