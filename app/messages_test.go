package app_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"punchcard/platform/db/dbtest"
	"punchcard/platform/mail/mailtest"
	"punchcard/platform/testwait"
)

// TestMessages registers a customer, who activates the account by the link that a mail server receives. A store's
// own server takes the place of the operator's, also after a restart.
func TestMessages(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		operator, own := mailtest.Start(t), mailtest.Start(t)
		config := plainConfig(database(t, engine))
		config.SMTP, config.MailFrom, config.PublicURL = operator.URL(), "loyalty@example.com", "https://loyalty.example/"
		config.AllowPrivateAddresses = true
		commits := testwait.NewSignal()
		config.OnCommit = commits.Send
		base, stop := runUntil(t, config, testLog{t})
		admin := logInAdmin(t, base)
		must(t, admin.form("/api/DEFAULT/level/create", "level[translations][en][name]=Base&level[active]=1&"+
			"level[conditionValue]=0&level[reward][name]=B&level[reward][value]=0&level[reward][code]=B"))
		must(t, admin.form("/api/DEFAULT/customer/self_register", "customer[firstName]=Ida&customer[lastName]=Berg&"+
			"customer[email]=ida@example.org&customer[agreement1]=1&customer[plainPassword]=Correct-Horse-7"))
		got := operator.Next(t)
		_, after, found := strings.Cut(got.Text, "https://loyalty.example/me/DEFAULT/activate/")
		if !found || got.From != "loyalty@example.com" || got.To != "ida@example.org" {
			t.Fatalf("received %+v", got)
		}
		token, _, _ := strings.Cut(after, "\n")
		anybody := &client{t: t, base: base}
		must(t, anybody.form("/api/DEFAULT/customer/activate/"+token, ""))
		logIn(t, base, "/api/DEFAULT/customer/login_check", "ida@example.org", "Correct-Horse-7")

		const settings = "/api/DEFAULT/admin/message/settings"
		must(t, admin.send("PUT", settings, urlencoded, url.Values{
			"messageSettings[email][active]": {"1"}, "messageSettings[email][senderAddress]": {"shop@example.com"},
			"messageSettings[email][host]": {own.Host}, "messageSettings[email][port]": {fmt.Sprint(own.Port)},
			"messageSettings[email][security]": {"optional"}, "messageSettings[currentPassword]": {"open"},
		}.Encode()))
		stop()
		base = run(t, config)
		admin = logInAdmin(t, base)
		must(t, admin.form(settings+"/test", "channel=email&address=me@example.org"))
		if got := own.Next(t); got.From != "shop@example.com" || got.To != "me@example.org" {
			t.Errorf("received %+v", got)
		}
		must(t, admin.form("/api/DEFAULT/customer/self_register", "customer[firstName]=Eva&customer[lastName]=Berg&"+
			"customer[email]=eva@example.org&customer[agreement1]=1&customer[plainPassword]=Correct-Horse-7"))
		if got := own.Next(t); got.To != "eva@example.org" {
			t.Errorf("received %+v", got)
		}
		commits.Until(t, "both messages are listed as sent", func() bool {
			list := must(t, admin.send("GET", "/api/DEFAULT/admin/message/sent?state=sent", "", ""))
			return strings.Contains(list, `"total":2`) && !strings.Contains(list, token)
		})
		expectClean(t, config.Database)
	})
}
