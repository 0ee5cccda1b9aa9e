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

// TestMessages registers a customer, who activates the account by the link that a mail server receives. A store's
// own server takes the place of the operator's, also after a restart.
func TestMessages(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		operator, own := mailtest.Start(t), mailtest.Start(t)
		config := servertest.PlainConfig(servertest.Database(t, engine))
		config.SMTP, config.MailFrom, config.PublicURL = operator.URL(), "loyalty@example.com", "https://loyalty.example/"
		config.AllowPrivateAddresses = true
		commits := testwait.NewSignal()
		config.OnCommit = commits.Send
		base, stop := servertest.RunUntil(t, config, servertest.Log(t))
		admin := servertest.LogInAdmin(t, base)
		admin.Form("/api/DEFAULT/level/create", "level[translations][en][name]=Base&level[active]=1&"+
			"level[conditionValue]=0&level[reward][name]=B&level[reward][value]=0&level[reward][code]=B").Must(t)
		admin.Form("/api/DEFAULT/customer/self_register", "customer[firstName]=Ida&customer[lastName]=Berg&"+
			"customer[email]=ida@example.org&customer[agreement1]=1&customer[plainPassword]=Correct-Horse-7").Must(t)
		got := operator.Next(t)
		_, after, found := strings.Cut(got.Text, "https://loyalty.example/me/DEFAULT/activate/")
		if !found || got.From != "loyalty@example.com" || got.To != "ida@example.org" {
			t.Fatalf("received %+v", got)
		}
		token, _, _ := strings.Cut(after, "\n")
		anybody := &client{T: t, Base: base}
		anybody.Form("/api/DEFAULT/customer/activate/"+token, "").Must(t)
		servertest.LogIn(t, base, "/api/DEFAULT/customer/login_check", "ida@example.org", "Correct-Horse-7")

		const settings = "/api/DEFAULT/admin/message/settings"
		admin.Send("PUT", settings, servertest.FormType, url.Values{
			"messageSettings[email][active]": {"1"}, "messageSettings[email][senderAddress]": {"shop@example.com"},
			"messageSettings[email][host]": {own.Host}, "messageSettings[email][port]": {fmt.Sprint(own.Port)},
			"messageSettings[email][security]": {"optional"}, "messageSettings[currentPassword]": {"open"},
		}.Encode()).Must(t)
		stop()
		base = servertest.Run(t, config)
		admin = servertest.LogInAdmin(t, base)
		admin.Form(settings+"/test", "channel=email&address=me@example.org").Must(t)
		if got := own.Next(t); got.From != "shop@example.com" || got.To != "me@example.org" {
			t.Errorf("received %+v", got)
		}
		admin.Form("/api/DEFAULT/customer/self_register", "customer[firstName]=Eva&customer[lastName]=Berg&"+
			"customer[email]=eva@example.org&customer[agreement1]=1&customer[plainPassword]=Correct-Horse-7").Must(t)
		if got := own.Next(t); got.To != "eva@example.org" {
			t.Errorf("received %+v", got)
		}
		commits.Until(t, "both messages are listed as sent", func() bool {
			list := admin.Send("GET", "/api/DEFAULT/admin/message/sent?state=sent", "", "").Must(t)
			return strings.Contains(list, `"total":2`) && !strings.Contains(list, token)
		})
		servertest.ExpectClean(t, config.Database)
	})
}
