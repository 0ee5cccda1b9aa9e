package security_test

import (
	"fmt"
	"strings"
	"testing"

	"punchcard/app/servertest"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/mail/mailtest"
)

// mailbox reads what a mail server receives.
type mailbox struct {
	*testing.T
	server *mailtest.Server
}

// after waits for an e-mail to the address whose text has the beginning, and returns the word that follows it.
func (m mailbox) after(address, beginning string) string {
	m.Helper()
	for {
		got := m.server.Next(m)
		_, rest, found := strings.Cut(got.Text, beginning)
		if found && got.To == address {
			return strings.Fields(rest)[0]
		}
	}
}

// TestAccountsByMail lets a customer, a seller and an administrator do everything that needs an e-mail, by what a mail
// server receives: activation, a new password, a temporary password and a new address.
func TestAccountsByMail(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		m := mailbox{t, mailtest.Start(t)}
		config := servertest.PlainConfig(servertest.Database(t, engine))
		config.SMTP, config.MailFrom, config.PublicURL = m.server.URL(), "loyalty@example.com", "https://loyalty.example"
		config.AllowPrivateAddresses = true
		base := servertest.Run(t, config)
		admin, anybody := servertest.LogInAdmin(t, base), &client{T: t, Base: base}
		admin.Form("/api/DEFAULT/level/create", "level[translations][en][name]=Base&level[active]=1&"+
			"level[conditionValue]=0&level[reward][name]=B&level[reward][value]=0&level[reward][code]=B").Must(t)
		settings := "settings[returns]=1&settings[allTimeNotLocked]=1&settings[allowCustomersProfileEdits]=1&" +
			"settings[accountActivationRequired]=1&settings[confirmContactChange]=1"
		admin.Form("/api/DEFAULT/settings", settings).Must(t)

		ida := anybody.Form("/api/DEFAULT/customer/self_register", "customer[firstName]=Ida&"+
			"customer[lastName]=Berg&customer[email]=ida@example.org&customer[agreement1]=1&"+
			"customer[plainPassword]=Correct-Horse-7").ID(t)
		const site = "https://loyalty.example"
		anybody.Form("/api/DEFAULT/customer/activate/"+m.after("ida@example.org", site+"/me/DEFAULT/activate/"), "").Must(t)
		servertest.LogIn(t, base, "/api/DEFAULT/customer/login_check", "ida@example.org", "Correct-Horse-7")

		anybody.Form("/api/DEFAULT/customer/password/reset/request", "username=ida@example.org").Must(t)
		token := m.after("ida@example.org", site+"/me/DEFAULT/reset/")
		anybody.Form("/api/password/reset", "token="+token+"&reset[plainPassword]=Other-Horse-8").Must(t)
		own := servertest.LogIn(t, base, "/api/DEFAULT/customer/login_check", "ida@example.org", "Other-Horse-8")

		own.Send("PUT", "/api/DEFAULT/customer/"+ida, servertest.FormType, "customer[email]=ida.berg@example.org").Must(t)
		token = m.after("ida.berg@example.org", site+"/me/DEFAULT/confirm/")
		own.Form("/api/DEFAULT/customer/confirm-change/"+token, "").Must(t)
		servertest.LogIn(t, base, "/api/DEFAULT/customer/login_check", "ida.berg@example.org", "Other-Horse-8")

		admin.Form("/api/DEFAULT/admin/customer/register", "customer[firstName]=Olaf&customer[lastName]=Lie&"+
			"customer[email]=olaf@example.org&customer[agreement1]=1").Must(t)
		temporary := m.after("olaf@example.org", "temporary password:")
		got := anybody.Form("/api/DEFAULT/customer/login_check", "username=olaf@example.org&password="+temporary).Must(t)
		if !strings.Contains(got, "password change needed") {
			t.Errorf("a log-in with a temporary password: %s", got)
		}

		pos := admin.Form("/api/DEFAULT/pos", "pos[name]=T&pos[identifier]=T-1&pos[location][street]=S&"+
			"pos[location][address1]=1&pos[location][postal]=1&pos[location][city]=C&pos[location][province]=P&"+
			"pos[location][country]=NO").ID(t)
		admin.Form("/api/DEFAULT/seller/register", "seller[firstName]=Sam&seller[lastName]=Till&"+
			"seller[email]=sam@example.org&seller[plainPassword]=Correct-Horse-7&seller[active]=1&seller[posId]="+pos).Must(t)
		admin.Form("/api/admin/data", "admin[firstName]=Ada&admin[lastName]=Min&admin[email]=ada@example.org&"+
			"admin[plainPassword]=Correct-Horse-7&admin[isActive]=1").Must(t)
		for _, who := range []struct{ name, page, logIn string }{
			{"sam@example.org", "/till/DEFAULT/reset/", "/api/DEFAULT/seller/login_check"},
			{"ada@example.org", "/reset/", "/api/admin/login_check"},
		} {
			anybody.Form("/api/DEFAULT/password/reset/request", "username="+who.name).Must(t)
			body := fmt.Sprintf("token=%s&reset[plainPassword]=Other-Horse-8", m.after(who.name, site+who.page))
			anybody.Form("/api/password/reset", body).Must(t)
			servertest.LogIn(t, base, who.logIn, who.name, "Other-Horse-8")
		}
		servertest.ExpectClean(t, config.Database)
	})
}
