package verification_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/identity/verification"
	"punchcard/loyalty/message/template"
)

// register returns the id of a customer who registered themselves.
func (s *site) register(name string) (id string) {
	s.Helper()
	return s.registered("", "self_register", "customer[plainPassword]="+plain+"&", name)
}

// registered registers a customer whose phone and e-mail address contain the name.
func (s *site) registered(token, path, more, name string) (id string) {
	s.Helper()
	body := s.must(200, token, "POST", "DEFAULT/customer/"+path, more+"customer[firstName]=N&customer[lastName]=N&"+
		"customer[agreement1]=1&customer[email]="+name+"@example.com&customer[phone]=%2B47"+name)
	var made struct{ CustomerID string }
	if err := json.Unmarshal([]byte(body), &made); err != nil {
		s.Fatal(err)
	}
	return made.CustomerID
}

// TestActivationByLink shows that the link activates, verifies the e-mail address only, and works once.
func TestActivationByLink(t *testing.T) {
	each(t, nil, func(s *site) {
		id := s.register("1")
		got := s.secrets(template.CustomerActivation, id)
		if got["link"] != "/me/DEFAULT/activate/"+got["token"] || len(got["code"]) != 6 {
			s.Errorf("the secrets are %v", got)
		}
		if token, _ := s.logIn(customerLogIn, "1@example.com", plain); token != "" {
			s.Error("a new customer can log in")
		}
		again := s.secrets(template.CustomerActivation, id)
		s.must(404, "", "POST", "DEFAULT/customer/activate/unknown", "")
		s.must(200, "", "POST", "DEFAULT/customer/activate/"+got["token"], "")
		who := s.customer(id)
		if who.Status != customer.Active || !who.EmailVerified || who.PhoneVerified {
			s.Errorf("%s, e-mail %t, phone %t", who.Status, who.EmailVerified, who.PhoneVerified)
		}
		for _, token := range []string{got["token"], again["token"]} {
			if body := s.must(404, "", "POST", "DEFAULT/customer/activate/"+token, ""); !strings.Contains(body, "link_used") {
				s.Errorf("a second use: %s", body)
			}
		}
		if token, _ := s.logIn(customerLogIn, "1@example.com", plain); token == "" {
			s.Error("the customer cannot log in")
		}
		messages := s.messages(template.CustomerActivation, id)
		if _, ok := s.attempt(&messages[0]); ok {
			s.Error("an active customer gets a link")
		}
	})
}

func bySMS(settings *store.Settings) { settings.CommunicationMethod = store.BySMS }

// TestActivationByCode shows that the code of an SMS activates within half an hour, and verifies the phone only.
func TestActivationByCode(t *testing.T) {
	each(t, bySMS, func(s *site) {
		id := s.register("22")
		code := s.secrets(template.CustomerActivation, id)["code"]
		s.must(400, "", "POST", "DEFAULT/customer/activate-sms/"+wrong(code), "")
		s.must(400, "", "POST", "DEFAULT/customer/activate-sms/"+code, "phone=%2B4790000001")
		s.must(204, "", "POST", "DEFAULT/customer/activate-sms/"+code, "")
		if who := s.customer(id); who.Status != customer.Active || who.EmailVerified || !who.PhoneVerified {
			s.Errorf("%s, e-mail %t, phone %t", who.Status, who.EmailVerified, who.PhoneVerified)
		}
		s.must(400, "", "POST", "DEFAULT/customer/activate-sms/"+code, "")
		other := s.register("23")
		code = s.secrets(template.CustomerActivation, other)["code"]
		s.clock.Advance(verification.CodeLife)
		s.must(400, "", "POST", "DEFAULT/customer/activate-sms/"+code, "phone=%2B4723")
		s.must(200, "", "POST", "DEFAULT/customer/customer-phone/send-sms-code", "phone=%2B4723")
		code = s.secrets(template.CustomerActivation, other)["code"]
		s.must(204, "", "POST", "DEFAULT/customer/activate-sms/"+code, "phone=%2B4723")
	})
}

// wrong returns another code.
func wrong(code string) string {
	if code[0] == '9' {
		return "0" + code[1:]
	}
	return "9" + code[1:]
}

// TestCodeAttempts shows that codes become invalid after few attempts at a phone, also when they come with a key that
// rolls the request back.
func TestCodeAttempts(t *testing.T) {
	each(t, bySMS, func(s *site) {
		id := s.register("31")
		code := s.secrets(template.CustomerActivation, id)["code"]
		for i := range verification.CodeAttempts {
			s.must(400, "", "POST", "DEFAULT/customer/activate-sms/"+wrong(code), fmt.Sprintf("phone=%%2B4731&n=%d", i))
		}
		s.must(400, "", "POST", "DEFAULT/customer/activate-sms/"+code, "phone=%2B4731")
		s.must(400, "", "POST", "DEFAULT/customer/activate-sms/"+code, "")
		fresh := s.secrets(template.CustomerActivation, id)["code"]
		for range verification.CodeAttempts - 1 {
			s.must(400, "", "POST", "DEFAULT/customer/activate-sms/"+wrong(fresh), "phone=%2B4731")
		}
		s.must(204, "", "POST", "DEFAULT/customer/activate-sms/"+fresh, "phone=%2B4731")
	})
}

// TestCodeLimits shows the limits of an address, and of a store for codes without a phone.
func TestCodeLimits(t *testing.T) {
	limited := func() verification.Config { return verification.Config{Codes: tight(4), StoreCodes: tight(2)} }
	eachLimited(t, bySMS, limited, func(s *site) {
		id := s.register("41")
		code := s.secrets(template.CustomerActivation, id)["code"]
		for range 2 {
			s.must(400, "", "POST", "DEFAULT/customer/activate-sms/"+wrong(code), "")
		}
		s.must(429, "", "POST", "DEFAULT/customer/activate-sms/"+code, "")
		s.must(204, "", "POST", "DEFAULT/customer/activate-sms/"+code, "phone=%2B4741")
	})
}

// TestActivationSentAgain shows who can have the message sent again, how often, and to whom it goes.
func TestActivationSentAgain(t *testing.T) {
	each(t, nil, func(s *site) {
		id := s.register("51")
		admin, _ := s.logIn("admin/login_check", "admin", plain)
		seller, _ := s.logIn("DEFAULT/seller/login_check", "till@example.com", plain)
		customers := "DEFAULT/admin/customer/"
		s.must(200, admin, "POST", customers+id+"/send-activation", "")
		s.must(200, admin, "POST", customers+id+"/send-sms-code", "")
		s.must(200, seller, "POST", "DEFAULT/seller/customer/"+id+"/send-sms-code", "")
		s.must(200, "", "POST", "DEFAULT/customer/activation/request", "username=51@example.com")
		s.must(200, "", "POST", "DEFAULT/customer/activation/request", "username=ida@example.com")
		s.must(200, "", "POST", "DEFAULT/customer/customer-phone/send-sms-code", "phone=%2B4751")
		for range verification.MessagesPerHour - 3 {
			s.must(200, admin, "POST", customers+id+"/send-activation", "")
		}
		s.must(429, admin, "POST", customers+id+"/send-activation", "")
		var emails, phones int
		for _, m := range s.messages(template.CustomerActivation, id) {
			if m.Email == "51@example.com" {
				emails++
			} else if m.Phone == "+4751" {
				phones++
			}
		}
		if emails != 5 || phones != 3 {
			s.Errorf("%d messages by e-mail, %d by SMS", emails, phones)
		}
		if n := len(s.messages(template.CustomerActivation, s.ida.ID)); n != 0 {
			s.Errorf("an active customer got %d messages", n)
		}
		s.must(400, admin, "POST", customers+s.ida.ID+"/send-sms-code", "")
		s.must(400, admin, "POST", customers+s.ida.ID+"/send-activation", "")
		s.must(403, seller, "POST", customers+id+"/send-activation", "")
	})
}

// TestTemporaryPassword shows that a customer whom staff registers gets a password that must be changed.
func TestTemporaryPassword(t *testing.T) {
	each(t, nil, func(s *site) {
		admin, _ := s.logIn("admin/login_check", "admin", plain)
		id := s.registered(admin, "register", "", "61")
		account := func(want string) {
			s.Helper()
			if body := s.must(200, admin, "GET", "DEFAULT/admin/customer/"+id+"/account", ""); !strings.Contains(body, want) {
				s.Errorf("the account is %s, want %s", body, want)
			}
		}
		account(`"password":"none"`)
		first := s.secrets(template.TemporaryPassword, id)["password"]
		account(`"password":"temporary"`)
		s.must(200, admin, "POST", "DEFAULT/admin/customer/"+id+"/send-password", "")
		second := s.secrets(template.TemporaryPassword, id)["password"]
		if token, _ := s.logIn(customerLogIn, "61@example.com", first); token != "" {
			s.Error("the former password is still good")
		}
		token, hint := s.logIn(customerLogIn, "61@example.com", second)
		if token == "" || hint != "password change needed" {
			s.Errorf("token %q, hint %q", token, hint)
		}
		s.must(200, token, "POST", "DEFAULT/customer/password/change", "currentPassword="+second+"&plainPassword="+chosen)
		if token, hint := s.logIn(customerLogIn, "61@example.com", chosen); token == "" || hint != "" {
			s.Errorf("token %q, hint %q", token, hint)
		}
		account(`"password":"own"`)
		if n := len(s.messages(template.PasswordChanged, id)); n != 1 {
			s.Errorf("%d messages report the change", n)
		}
		s.must(400, admin, "POST", "DEFAULT/admin/customer/"+id+"/send-password", "")
		messages := s.messages(template.TemporaryPassword, id)
		if _, ok := s.attempt(&messages[0]); ok {
			s.Error("a password of the customer's own was replaced")
		}
	})
}
