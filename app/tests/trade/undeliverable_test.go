package trade_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"punchcard/app/servertest"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/mail/mailtest"
	"punchcard/platform/testwait"
)

// TestForgiveAddresses shows that addresses that were refused for good are listed, that many in an hour need
// attention, and that one call forgives those of a reason.
func TestForgiveAddresses(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		server := mailtest.Start(t)
		config := servertest.PlainConfig(servertest.Database(t, engine))
		config.SMTP, config.MailFrom, config.PublicURL = server.URL(), "loyalty@example.com", "https://loyalty.example/"
		commits := testwait.NewSignal()
		config.OnCommit = commits.Send
		admin := servertest.LogInAdmin(t, servertest.Run(t, config))
		admin.Form("/api/DEFAULT/level/create", "level[translations][en][name]=Base&level[active]=1&"+
			"level[conditionValue]=0&level[reward][name]=B&level[reward][value]=0&level[reward][code]=B").Must(t)
		for i := range 20 {
			address, reason := fmt.Sprintf("c%d@example.org", i), [3]int{5, 1, 1}
			if i >= 15 {
				reason = [3]int{5, 2, 1}
			}
			server.Refuse(address, 550, reason)
			admin.Form("/api/DEFAULT/customer/self_register", "customer[firstName]=Ida&customer[lastName]=Berg&"+
				"customer[email]="+address+"&customer[agreement1]=1&customer[plainPassword]=Correct-Horse-7").Must(t)
		}
		const refused = "/api/DEFAULT/admin/message/undeliverable"
		count := func(query string, n int) bool {
			list := admin.Send("GET", refused+"?"+query, "", "").Must(t)
			return strings.Contains(list, fmt.Sprintf(`"total":%d}`, n))
		}
		commits.Until(t, "all addresses are refused", func() bool { return count("", 20) })
		attention := admin.Send("GET", "/api/DEFAULT/admin/attention", "", "").Must(t)
		if !strings.Contains(attention, `{"kind":"refusedAddresses","total":1,"complete":true,"items":[{"id":"email"`) ||
			!strings.Contains(attention, `"failed":20`) {
			t.Errorf("attention: %s", attention)
		}
		for query, n := range map[string]int{
			"reason=5.2.1": 5, "reason=REFUSED": 20, "reason=5_1": 0, "channel=sms": 0, "until=2001-01-01": 0,
			"from=2001-01-01": 20,
		} {
			if !count(query, n) {
				t.Errorf("%s: not %d", query, n)
			}
		}
		forgive := func(name, value string) string {
			return admin.Form(refused+"/forgive", url.Values{"forgiving[" + name + "]": {value}}.Encode()).Must(t)
		}
		if got := forgive("reason", "5.2.1"); got != `{"forgiven":5}` || !count("", 15) {
			t.Errorf("forgiven %s", got)
		}
		if got := forgive("until", "2001-01-01"); got != `{"forgiven":0}` {
			t.Errorf("forgiven %s", got)
		}
		if got := forgive("from", "2001-01-01"); got != `{"forgiven":15}` || !count("", 0) {
			t.Errorf("forgiven %s", got)
		}
	})
}
