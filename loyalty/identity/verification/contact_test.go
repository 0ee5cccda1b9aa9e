package verification_test

import (
	"strconv"
	"strings"
	"testing"

	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/identity/verification"
	"punchcard/loyalty/level/shoptest"
	"punchcard/loyalty/message/template"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

func confirmed(settings *store.Settings) { settings.ConfirmContactChange = true }

// TestContactChange shows that a customer's own new contacts wait until they are confirmed, and that staff's do not.
func TestContactChange(t *testing.T) {
	each(t, confirmed, func(s *site) {
		path := "DEFAULT/customer/" + s.ida.ID
		ida, _ := s.logIn(customerLogIn, "ida@example.com", plain)
		admin, _ := s.logIn("admin/login_check", "admin", plain)
		s.must(200, ida, "PUT", path, "customer[email]=New@example.com&customer[phone]=%2B4790000009&customer[lastName]=Dahl")
		who := s.customer(s.ida.ID)
		if who.Email != "ida@example.com" || who.Phone != "+4790000001" || who.LastName != "Dahl" {
			s.Errorf("%s, %s, %s", who.Email, who.Phone, who.LastName)
		}
		for token, path := range map[string]string{admin: "admin/customer/", ida: "customer/customer/"} {
			body := s.must(200, token, "GET", "DEFAULT/"+path+s.ida.ID+"/account", "")
			if !strings.Contains(body, "new@example.com") || !strings.Contains(body, "+4790000009") {
				s.Errorf("the account is %s", body)
			}
		}
		var link, code string
		for _, m := range s.messages(template.ContactChange, s.ida.ID) {
			values, _ := s.attempt(&m)
			if m.Email == "new@example.com" {
				link = values["token"]
			} else if m.Phone == "+4790000009" {
				code = values["code"]
			}
		}
		other := s.register("71")
		s.must(200, admin, "POST", "DEFAULT/admin/customer/"+other+"/activate", "")
		thief, _ := s.logIn(customerLogIn, "71@example.com", plain)
		const confirm = "DEFAULT/customer/confirm-change/"
		s.must(404, thief, "POST", confirm+link, "")
		s.must(400, thief, "POST", confirm+code, "")
		s.must(401, "", "POST", confirm+link, "")
		s.must(204, ida, "POST", confirm+link, "")
		s.must(400, ida, "POST", confirm+wrong(code), "")
		s.must(204, ida, "POST", confirm+code, "")
		s.must(404, ida, "POST", confirm+link, "")
		who = s.customer(s.ida.ID)
		if who.Email != "new@example.com" || who.Phone != "+4790000009" || !who.EmailVerified || !who.PhoneVerified {
			s.Errorf("%s, %s", who.Email, who.Phone)
		}
		s.must(200, admin, "PUT", path, "customer[email]=staff@example.com")
		if who = s.customer(s.ida.ID); who.Email != "staff@example.com" {
			s.Errorf("staff's change waits: %s", who.Email)
		}
	})
}

// TestContactChangeRefused shows that only free contacts wait, and that a contact that was taken meanwhile is refused.
func TestContactChangeRefused(t *testing.T) {
	each(t, confirmed, func(s *site) {
		path := "DEFAULT/customer/" + s.ida.ID
		ida, _ := s.logIn(customerLogIn, "ida@example.com", plain)
		s.register("81")
		s.must(400, ida, "PUT", path, "customer[email]=81@example.com")
		s.must(200, ida, "PUT", path, "customer[email]=first@example.com")
		first := s.secrets(template.ContactChange, s.ida.ID)["token"]
		s.must(200, ida, "PUT", path, "customer[email]=82@example.com")
		s.must(404, ida, "POST", "DEFAULT/customer/confirm-change/"+first, "")
		second := s.secrets(template.ContactChange, s.ida.ID)["token"]
		s.register("82")
		body := s.must(400, ida, "POST", "DEFAULT/customer/confirm-change/"+second, "")
		if !strings.Contains(body, "already exists") {
			s.Errorf("a contact of somebody else: %s", body)
		}
	})
}

// TestContactChangeAtOnce shows that a contact that another request takes at the same moment is refused as one that was
// taken before, and that the link works once the contact is free again.
func TestContactChangeAtOnce(t *testing.T) {
	dbtest.Both(t)
	each(t, confirmed, func(s *site) {
		ida, _ := s.logIn(customerLogIn, "ida@example.com", plain)
		s.must(200, ida, "PUT", "DEFAULT/customer/"+s.ida.ID, "customer[email]=new@example.com")
		link := "DEFAULT/customer/confirm-change/" + s.secrets(template.ContactChange, s.ida.ID)["token"]
		taken, answered, first := make(chan error, 1), make(chan struct{}), make(chan error, 1)
		var other *customer.Customer
		go func() {
			first <- s.DB.Write(s.Context(), func(tx *db.Tx) (err error) {
				other, err = customer.Register(tx, s.Store, customer.Registration{Email: "new@example.com"})
				taken <- err
				<-answered
				return err
			})
		}()
		if err := <-taken; err != nil {
			s.Error(err)
		}
		answer := make(chan string, 1)
		go func() {
			status, body := s.ask(ida, "POST", link, "")
			answer <- strconv.Itoa(status) + " " + body
		}()
		if s.DB.Engine() == "postgres" { // SQLite has one writer, for whom the request waits before it begins
			if err := shoptest.UntilBlocked(s.Context(), s.DB); err != nil {
				s.Error(err)
			}
		}
		close(answered)
		if err := <-first; err != nil {
			s.Error(err)
		}
		got := <-answer
		if !strings.HasPrefix(got, "400 ") || !strings.Contains(got, "Customer with such email already exists.") {
			s.Errorf("the confirmation is answered with %s", got)
		}
		s.Write(func(tx *db.Tx) error {
			who, _, err := customer.Lock(tx, s.Store, other.ID)
			if err != nil {
				return err
			}
			return customer.Delete(tx, s.Store, who)
		})
		s.must(204, ida, "POST", link, "")
	})
}

// TestNothingIsLeft shows that the job and the removal of a customer delete what is no longer needed.
func TestNothingIsLeft(t *testing.T) {
	each(t, confirmed, func(s *site) {
		rows := func() (n int64) {
			s.Read(func(tx *db.Tx) (err error) {
				n, err = db.Value[int64](tx, `SELECT (SELECT COUNT(*) FROM verification_tokens)
					+ (SELECT COUNT(*) FROM verification_requests) + (SELECT COUNT(*) FROM contact_changes)`)
				return err
			})
			return n
		}
		ida, _ := s.logIn(customerLogIn, "ida@example.com", plain)
		change := func() {
			s.must(200, ida, "PUT", "DEFAULT/customer/"+s.ida.ID, "customer[email]=new@example.com")
			for range verification.LiveTokens + 2 {
				s.secrets(template.ContactChange, s.ida.ID)
			}
		}
		change()
		if n := rows(); n != 2*verification.LiveTokens+2 {
			s.Errorf("%d rows", n)
		}
		s.clock.Advance(verification.ChangeLife)
		n, err := verification.DeleteExpired(s.DB)(s.Context())
		if err != nil || n != 2*verification.LiveTokens+2 || rows() != 0 {
			s.Errorf("%d deleted: %v", n, err)
		}
		ida, _ = s.logIn(customerLogIn, "ida@example.com", plain)
		change()
		s.Write(func(tx *db.Tx) error {
			_, err := verification.Forget(tx, s.Store, s.ida.ID, "")
			return err
		})
		if n := rows(); n != 1 {
			s.Errorf("%d rows of a removed customer", n)
		}
	})
}
