package verification_test

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"punchcard/loyalty/identity/verification"
	"punchcard/loyalty/message/template"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// asAdmin logs in as the first administrator.
func (s *site) asAdmin() string {
	s.Helper()
	token, _ := s.logIn("admin/login_check", "admin", plain)
	return token
}

type invited struct{ AdminID, Path, ExpiresAt string }

// invite sends an invitation and returns it, and the token of its link.
func (s *site) invite(by, path, form string) (made invited, token string) {
	s.Helper()
	if err := json.Unmarshal([]byte(s.must(200, by, "POST", path, form)), &made); err != nil {
		s.Fatal(err)
	}
	return made, made.Path[strings.LastIndex(made.Path, "/")+1:]
}

// choose tries to accept an invitation, and returns the code of the error.
func (s *site) choose(token string) (refusal string) {
	s.Helper()
	status, body := s.ask("", "POST", "password/reset", "token="+token+"&reset[plainPassword]="+chosen)
	if status == 200 {
		return ""
	}
	var problem struct{ Code string }
	if err := json.Unmarshal([]byte(body), &problem); err != nil || problem.Code == "" {
		s.Fatalf("%d %s", status, body)
	}
	return problem.Code
}

const inviting = "admin[email]=new@example.com&admin[firstName]=New&admin[roles][]=1"

// The invited one chooses the password by the link, once and in time. The last link counts.
func TestInvitation(t *testing.T) {
	each(t, nil, func(s *site) {
		by := s.asAdmin()
		first, token := s.invite(by, "admin/invitation", inviting)
		again := "admin/data/" + first.AdminID + "/invitation"
		if list := s.must(200, by, "GET", "admin", ""); !strings.Contains(list, `"invitation":{"expiresAt":"`+
			first.ExpiresAt+`","expired":false}`) {
			s.Errorf("the list has no invitation: %s", list)
		}
		s.must(400, by, "POST", "admin/invitation", inviting) // the address is taken
		s.must(401, "", "POST", "admin/login_check", "username=new@example.com&password=")
		_, second := s.invite(by, again, "")
		if refusal := s.choose(token); refusal != "link_unknown" {
			s.Errorf("the former link: %q", refusal)
		}
		s.clock.Advance(verification.InvitationLife)
		if refusal := s.choose(second); refusal != "link_expired" {
			s.Errorf("too late: %q", refusal)
		}
		by = s.asAdmin()
		if one := s.must(200, by, "GET", "admin/data/"+first.AdminID, ""); !strings.Contains(one, `"expired":true`) {
			s.Errorf("it is not shown as expired: %s", one)
		}
		if sent := s.must(200, "", "POST", "password/reset/request", "username=new@example.com"); len(
			s.messages(template.AdminPasswordReset, first.AdminID)) > 0 {
			s.Errorf("a forgotten password revives the invitation: %s", sent)
		}
		_, third := s.invite(by, again, "")
		if refusal := s.choose(third); refusal != "" {
			s.Errorf("the last link: %s", refusal)
		}
		if refusal := s.choose(third); refusal != "link_used" {
			s.Errorf("a second use: %q", refusal)
		}
		if logged, _ := s.logIn("admin/login_check", "new@example.com", chosen); logged == "" {
			s.Error("they cannot log in")
		}
		for _, method := range []string{"POST", "DELETE"} {
			if refused := s.must(400, by, method, again, ""); !strings.Contains(refused, "not_invited") {
				s.Errorf("after the acceptance: %s", refused)
			}
		}
		if one := s.must(200, by, "GET", "admin/data/"+first.AdminID, ""); strings.Contains(one, "invitation") {
			s.Errorf("it is still shown: %s", one)
		}
	})
}

// A message has the link of the invitation that it was queued for, and of no other.
func TestInvitationByMail(t *testing.T) {
	each(t, nil, func(s *site) {
		by := s.asAdmin()
		made, _ := s.invite(by, "admin/invitation", inviting+"&admin[byEmail]=1")
		if made.Path != "" {
			s.Errorf("the response shows %s", made.Path)
		}
		mail := s.messages(template.AdminInvitation, made.AdminID)
		if len(mail) != 1 || mail[0].Email != "new@example.com" {
			s.Fatalf("%+v", mail)
		}
		former, ok := s.attempt(&mail[0])
		if !ok || former["link"] != "/invitation/"+former["token"] {
			s.Errorf("%t %v", ok, former)
		}
		s.clock.Advance(time.Minute)
		_, token := s.invite(by, "admin/data/"+made.AdminID+"/invitation", "")
		if _, ok := s.attempt(&mail[0]); ok {
			s.Error("a message of before has a link")
		}
		if refusal := s.choose(former["token"]); refusal != "link_unknown" {
			s.Errorf("the former link: %q", refusal)
		}
		if refusal := s.choose(token); refusal != "" {
			s.Errorf("the last link: %s", refusal)
		}
	})
}

// A link ends when the invitation is withdrawn, and when the invited one is switched off or gets another address.
func TestInvitationEnds(t *testing.T) {
	each(t, nil, func(s *site) {
		by := s.asAdmin()
		for _, c := range []struct{ name, method, path, form string }{
			{"withdrawn", "DELETE", "/invitation", ""},
			{"switched off", "PUT", "", "admin[email]=new@example.com&admin[roles][]=1&admin[isActive]=0"},
			{"another address", "PUT", "", "admin[email]=other@example.com&admin[roles][]=1&admin[isActive]=1"},
		} {
			made, token := s.invite(by, "admin/invitation", inviting)
			status, body := s.ask(by, c.method, "admin/data/"+made.AdminID+c.path, c.form)
			if status/100 != 2 {
				s.Errorf("%s: %d %s", c.name, status, body)
			}
			if refusal := s.choose(token); refusal != "link_unknown" {
				s.Errorf("%s: %q", c.name, refusal)
			}
			if c.method == "PUT" {
				s.must(204, by, "DELETE", "admin/data/"+made.AdminID+"/invitation", "")
			}
			s.must(404, by, "GET", "admin/data/"+made.AdminID, "")
		}
		s.Read(func(tx *db.Tx) error {
			left, err := db.Value[int64](tx, `SELECT COUNT(*) FROM verification_tokens`)
			if left != 0 {
				s.Errorf("%d links are left", left)
			}
			return err
		})
	})
}

// Of an acceptance and a withdrawal at the same time, one counts.
func TestInvitationIsAcceptedOrWithdrawn(t *testing.T) {
	dbtest.Both(t)
	each(t, nil, func(s *site) {
		by := s.asAdmin()
		for range 10 {
			made, token := s.invite(by, "admin/invitation", inviting)
			var refusal string
			var status int
			var both sync.WaitGroup
			both.Go(func() { refusal = s.choose(token) })
			both.Go(func() { status, _ = s.ask(by, "DELETE", "admin/data/"+made.AdminID+"/invitation", "") })
			both.Wait()
			known, _ := s.ask(by, "GET", "admin/data/"+made.AdminID, "")
			if accepted := refusal == ""; accepted != (status == 400) || accepted != (known == 200) {
				s.Errorf("accepted %q, withdrawn %d, shown %d", refusal, status, known)
			}
			s.Write(func(tx *db.Tx) error {
				_, err := tx.Exec(`DELETE FROM administrators WHERE admin_id = $1`, made.AdminID)
				return err
			})
		}
	})
}

// What ends when a seller or an administrator is switched off.
func TestAccess(t *testing.T) {
	each(t, nil, func(s *site) {
		by := s.asAdmin()
		s.logIn("DEFAULT/seller/login_check", "till@example.com", plain)
		s.must(200, by, "POST", "DEFAULT/seller/"+s.seller.ID+"/link", "")
		for path, want := range map[string]string{
			"admin/data/" + s.admin.ID + "/access":         `{"sessions":1,"links":0,"permanentToken":false}`,
			"DEFAULT/seller/" + s.seller.ID + "/access":    `{"sessions":1,"links":1,"permanentToken":false}`,
			"admin/data/" + s.seller.ID + "/access":        "",
			"DEFAULT/seller/" + s.admin.ID + "/access":     "",
			"admin/data/" + s.ida.ID + "/access?a=unknown": "",
		} {
			status := 200
			if want == "" {
				status = 404
			}
			if got := s.must(status, by, "GET", path, ""); want != "" && got != want {
				s.Errorf("%s: %s", path, got)
			}
		}
	})
}
