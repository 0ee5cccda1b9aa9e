package app_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

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
		config := plainConfig(database(t, engine))
		config.SMTP, config.MailFrom = s.operator.URL(), "server@example.com"
		config.PublicURL, config.AllowPrivateAddresses = "https://loyalty.example", true
		config.OnCommit = s.commits.Send
		s.base = run(t, config)
		s.master = logInAdmin(t, s.base)
		must(t, s.master.send("PUT", "/api/admin/data", urlencoded, "admin[email]=master@example.org"))
		role := addRole(t, s.master, "Office", map[string][]string{"SETTINGS": {"MODIFY"}})
		must(t, s.master.form("/api/admin/data", "admin[email]=office@example.org&admin[isActive]=1&"+
			"admin[plainPassword]=Correct-Horse-7&admin[roles][]="+role))
		s.office = logIn(t, s.base, "/api/admin/login_check", "office@example.org", "Correct-Horse-7")
		test(s)
		expectClean(t, config.Database)
	})
}

// refused expects a status, and a part of the body.
func (s *security) refused(r reply, status int, part string) {
	s.Helper()
	if r.status != status || !strings.Contains(string(r.body), part) {
		s.Errorf("%d %s, want %d with %s", r.status, r.body, status, part)
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
	text := must(s.T, s.master.send("GET", "/api/DEFAULT/message?language=en&channel="+channel+"&event="+event, "", ""))
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
			s.refused(s.office.send("PUT", "/api/DEFAULT/message/"+id, urlencoded, text), 403, needed)
			s.refused(s.office.send("PUT", "/api/DEFAULT/settings/emails/"+id, urlencoded,
				strings.ReplaceAll(text, "message[", "email[")), 403, needed)
			s.refused(s.office.form("/api/DEFAULT/message", text+
				"&message[channel]=email&message[language]=pl&message[event]="+event), 403, needed)
		}
		own := "&%s[currentPassword]=Correct-Horse-7"
		s.refused(s.office.send("PUT", deliverySettings, urlencoded, s.server()+fmt.Sprintf(own, "messageSettings")), 403,
			needed)
		for _, gateway := range []string{"sms", "push"} {
			body := fmt.Sprintf("messageSettings[email][active]=1&messageSettings[%s][url]=http://127.0.0.1:1/", gateway)
			s.refused(s.office.send("PUT", deliverySettings, urlencoded, body), 403, needed)
		}
		for _, name := range []string{"publicUrl", "messageLinksUrl"} {
			s.refused(s.office.form(storeSettings, on+"&settings["+name+"]=https://evil.example"+fmt.Sprintf(own, "settings")),
				403, needed)
		}
		must(s.T, s.office.send("PUT", "/api/DEFAULT/message/"+s.template("oloy.customer.registered", "email"), urlencoded,
			"message[subject]=S&message[content]=Hello"))
		must(s.T, s.office.send("PUT", deliverySettings, urlencoded, "messageSettings[email][senderName]=Shop"))
		for _, body := range []string{"", "settings[email][senderName]=Shop"} { // would switch all channels off
			s.refused(s.office.send("PUT", deliverySettings, urlencoded, body), 400, "This value should not be blank.")
		}
		must(s.T, s.office.form(storeSettings, on+"&settings[programName]=Shop&settings[publicUrl]="))
	})
}

// TestSecuritySettingsNeedThePassword shows how a master changes security settings, and what the change leaves behind:
// an entry in the audit log, and an e-mail to the masters by the operator's server.
func TestSecuritySettingsNeedThePassword(t *testing.T) {
	eachSecurity(t, func(s *security) {
		s.refused(s.master.send("PUT", deliverySettings, urlencoded, s.server()), 400, "current password")
		s.refused(s.master.send("PUT", deliverySettings, urlencoded, s.server("currentPassword", "wrong")), 400,
			"This value should be the user's current password.")
		if got := must(s.T, s.master.send("GET", deliverySettings, "", "")); strings.Contains(got, s.other.Host) {
			s.Errorf("a refused change was stored: %s", got)
		}
		must(s.T, s.master.send("PUT", deliverySettings, urlencoded, s.server("currentPassword", "open")))
		got := s.operator.Next(s.T)
		if got.To != "master@example.org" || !strings.Contains(got.Text, "messageSettings[email]") ||
			!strings.Contains(got.Text, "store DEFAULT") || got.From != "server@example.com" {
			s.Errorf("the masters got %+v", got)
		}
		log := must(s.T, s.master.send("GET", "/api/audit/log?eventType=UpdateMessageSettings", "", ""))
		if !strings.Contains(log, `"total":1`) || !strings.Contains(log, s.other.Host) || strings.Contains(log, "open\"") {
			s.Errorf("audit log: %s", log)
		}
		must(s.T, s.master.send("PUT", deliverySettings, urlencoded, s.server())) // as it is
		must(s.T, s.office.send("PUT", deliverySettings, urlencoded, s.server("email][senderName", "Shop")))

		must(s.T, s.master.form(storeSettings, on+
			"&settings[publicUrl]=https://evil.example/&settings[currentPassword]=open"))
		if got := s.operator.Next(s.T); !strings.Contains(got.Text, "settings[publicUrl]") {
			s.Errorf("the masters got %+v", got)
		}
		must(s.T, s.office.form(storeSettings, on+"&settings[publicUrl]=https://evil.example&settings[programName]="+
			url.QueryEscape("Look at https://evil.example")))

		role := addRole(s.T, s.master, "Security", map[string][]string{"SETTINGS": {"MODIFY"}, "SECURITY": {"MODIFY"}})
		const key = "key-of-an-integration"
		addIntegration(s.T, s.master, role, key)
		integration := &client{t: s.T, base: s.base}
		s.refused(integration.send("PUT", deliverySettings+"?auth_token="+key, urlencoded,
			"messageSettings[email][active]=1"), 403, "password")
	})
}

// TestMessagesToAdministratorsAreTheServersOwn asks for a password of the administrator while every setting of the
// store is an attacker's: the link still goes out by the flags of the server, and leads to the server.
func TestMessagesToAdministratorsAreTheServersOwn(t *testing.T) {
	eachSecurity(t, func(s *security) {
		must(s.T, s.master.send("PUT", deliverySettings, urlencoded,
			s.server("currentPassword", "open", "email][active", "0")))
		must(s.T, s.master.form(storeSettings, on+"&settings[publicUrl]=https://evil.example&settings[currentPassword]=open&"+
			"settings[messageLinksUrl]=https://shop.example&settings[programName]="+url.QueryEscape("https://evil.example")))
		reset := s.template("oloy.admin.password_reset", "email")
		text := "message[enabled]=1&message[subject]=S&message[content]=x&message[currentPassword]=open"
		s.refused(s.master.send("PUT", "/api/DEFAULT/message/"+reset, urlencoded, text), 400, "fixed")
		s.refused(s.master.form("/api/DEFAULT/message/"+reset+"/deactivate", ""), 400, "fixed")
		s.refused(s.master.form("/api/DEFAULT/message/"+reset+"/test", "message[to]=a@example.org&message[subject]=S&"+
			"message[content]=x"), 400, "fixed")
		s.refused(s.master.form("/api/DEFAULT/message", text+"&message[channel]=email&message[language]=pl&"+
			"message[event]=oloy.admin.password_reset"), 400, "fixed")

		anybody := &client{t: s.T, base: s.base}
		must(s.T, anybody.form("/api/password/reset/request", "username=master@example.org"))
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
			return strings.Contains(must(s.T, s.master.send("GET", "/api/DEFAULT/admin/message/status", "", "")), working)
		})
	})
}

// TestLinksOfAStore shows that links to customers lead to the origin that the store sets.
func TestLinksOfAStore(t *testing.T) {
	eachSecurity(t, func(s *security) {
		for _, wrong := range []string{"http://shop.example", "https://shop.example/path", "https://shop.example/",
			"https://user@shop.example", "shop.example", "https://Shop.example", "https://shop.example?a", "https://"} {
			s.refused(s.master.form(storeSettings, on+"&settings[currentPassword]=open&settings[messageLinksUrl]="+
				url.QueryEscape(wrong)), 400, "messageLinksUrl")
		}
		must(s.T, s.master.form(storeSettings, on+"&settings[currentPassword]=open&"+
			"settings[messageLinksUrl]=https://shop.example:8443"))
		must(s.T, s.master.form("/api/DEFAULT/level/create", "level[translations][en][name]=Base&level[active]=1&"+
			"level[conditionValue]=0&level[reward][name]=B&level[reward][value]=0&level[reward][code]=B"))
		must(s.T, s.master.form("/api/DEFAULT/customer/self_register", "customer[firstName]=Ida&customer[lastName]=Berg&"+
			"customer[email]=ida@example.org&customer[agreement1]=1&customer[plainPassword]=Correct-Horse-7"))
		m := mailbox{s.T, s.operator}
		must(s.T, s.master.form("/api/DEFAULT/customer/activate/"+
			m.after("ida@example.org", "https://shop.example:8443/me/DEFAULT/activate/"), ""))
	})
}
