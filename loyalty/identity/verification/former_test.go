package verification_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"punchcard/core/access"
	"punchcard/core/feature"
	"punchcard/loyalty/identity/admin"
	"punchcard/loyalty/identity/auth"
	"punchcard/loyalty/identity/factor"
	"punchcard/loyalty/identity/verification"
	"punchcard/loyalty/message/template"
	"punchcard/platform/db"
)

const (
	adminLogIn   = "admin/login_check"
	resetRequest = "DEFAULT/customer/password/reset/request"
)

// recipients lists where the messages of an event to a user went.
func (s *site) recipients(event, id string) (addresses []string) {
	for _, m := range s.messages(event, id) {
		addresses = append(addresses, m.Email+m.Phone)
	}
	slices.Sort(addresses)
	return addresses
}

func (s *site) restsUntil() (until time.Time) {
	s.Read(func(tx *db.Tx) (err error) {
		until, err = verification.RestsUntil(tx, s.Store.Key, s.ida.ID)
		return err
	})
	return until
}

// TestContactsByStaffRest shows that staff who replace a contact cannot take the account over unnoticed: the former one
// gets a message, the new one gets no link for a day, and no points leave the account for a day.
func TestContactsByStaffRest(t *testing.T) {
	each(t, nil, func(s *site) {
		token, _ := s.logIn(adminLogIn, "admin", plain)
		if !s.restsUntil().IsZero() {
			s.Error("a new account rests")
		}
		s.must(200, token, "PUT", "DEFAULT/customer/"+s.ida.ID, "customer[email]=thief@example.com&customer[phone]=")
		former := []string{"+4790000001", "ida@example.com"}
		if got := s.recipients(template.ContactChanged, s.ida.ID); !slices.Equal(got, former) {
			s.Errorf("of the change hear %v", got)
		}
		rest := s.clock.Now().Add(verification.Rest)
		if got := s.restsUntil(); !got.Equal(rest) {
			s.Errorf("the account rests until %v, want %v", got, rest)
		}
		account := s.must(200, token, "GET", "DEFAULT/admin/customer/"+s.ida.ID+"/account", "")
		if !strings.Contains(account, `"restsUntil"`) {
			s.Errorf("the account does not show its rest: %s", account)
		}
		s.must(200, "", "POST", resetRequest, "username=thief@example.com")
		if got := s.recipients(template.CustomerPasswordReset, s.ida.ID); got != nil {
			s.Errorf("links went to %v", got)
		}
		s.must(200, token, "PUT", "DEFAULT/customer/"+s.ida.ID, "customer[phone]=%2B4790000009")
		s.clock.Advance(verification.Rest)
		s.must(200, "", "POST", resetRequest, "username=thief@example.com")
		link := s.secrets(template.CustomerPasswordReset, s.ida.ID)
		if !s.restsUntil().IsZero() {
			s.Error("the account rests for longer than a day")
		}
		s.must(200, "", "POST", "password/reset", "token="+link["token"]+"&reset[plainPassword]="+chosen)
		want := []string{"+4790000001", "ida@example.com", "thief@example.com"}
		if got := s.recipients(template.PasswordChanged, s.ida.ID); !slices.Equal(got, want) {
			s.Errorf("of the new password hear %v, want %v", got, want)
		}
		if s.restsUntil().IsZero() {
			s.Error("the account does not rest after a new password by a link")
		}
		s.clock.Advance(verification.FormerContactLife)
		if n, err := verification.DeleteExpired(s.DB)(s.Context()); err != nil || n < 4 {
			s.Errorf("the job deleted %d rows: %v", n, err)
		}
	})
}

// TestOneRestingContact shows that the other contact still gets links, that an account without a password of its own
// gets them at once, and that a customer's own change does not rest.
func TestOneRestingContact(t *testing.T) {
	each(t, nil, func(s *site) {
		own, _ := s.logIn(customerLogIn, "ida@example.com", plain)
		s.must(200, own, "PUT", "DEFAULT/customer/"+s.ida.ID, "customer[email]=ida.berg@example.com")
		if got := s.recipients(template.ContactChanged, s.ida.ID); !slices.Equal(got, []string{"ida@example.com"}) {
			s.Errorf("of her own change hear %v", got)
		}
		if !s.restsUntil().IsZero() {
			s.Error("her own change rests")
		}
		token, _ := s.logIn(adminLogIn, "admin", plain)
		s.must(200, token, "PUT", "DEFAULT/customer/"+s.ida.ID, "customer[email]=other@example.com")
		s.must(200, "", "POST", resetRequest, "username=other@example.com")
		if got := s.recipients(template.CustomerPasswordReset, s.ida.ID); !slices.Equal(got, []string{"+4790000001"}) {
			s.Errorf("links went to %v", got)
		}
		s.Write(func(tx *db.Tx) error {
			_, err := tx.Exec("UPDATE customers SET password_hash = '' WHERE customer_id = $1", s.ida.ID)
			return err
		})
		s.must(200, "", "POST", resetRequest, "username=other@example.com")
		if got := s.recipients(template.CustomerPasswordReset, s.ida.ID); !slices.Contains(got, "other@example.com") {
			s.Errorf("without a password, links went to %v", got)
		}
	})
}

// TestChangesOfStaff shows that changes of how sellers and administrators log in are reported to them, and that nobody
// gives a seller a right that they do not have, or takes over a seller who has it.
func TestChangesOfStaff(t *testing.T) {
	each(t, nil, func(s *site) {
		token, _ := s.logIn(adminLogIn, "admin", plain)
		granted := ""
		for i, resource := range []string{"SELLER", "CUSTOMER", "TRANSACTION", "REWARD_CAMPAIGN"} {
			granted += fmt.Sprintf("&role[permissions][%d][resource]=%s&role[permissions][%[1]d][access]=MODIFY", i, resource)
		}
		s.must(204, token, "POST", "admin/acl/role", "role[name]=Shop&role[permissions][4][resource]=POINT_TRANSFER&"+
			"role[permissions][4][access]=VIEW"+granted)
		roles := s.must(200, token, "GET", "admin/acl/role?sort=id&direction=desc&perPage=1", "")
		_, id, _ := strings.Cut(roles, `"id":`)
		id, _, _ = strings.Cut(id, ",")
		s.must(200, token, "POST", "admin/data", "admin[email]=shop@example.com&admin[isActive]=1&admin[firstName]=S&"+
			"admin[lastName]=H&admin[roles][0]="+id+"&admin[plainPassword]="+plain)
		shop, _ := s.logIn(adminLogIn, "shop@example.com", plain)
		pos := s.must(200, token, "POST", "DEFAULT/pos", "pos[name]=T&pos[identifier]=T-1&pos[location][street]=S&"+
			"pos[location][address1]=1&pos[location][postal]=1&pos[location][city]=C&pos[location][province]=P&"+
			"pos[location][country]=NO")
		pos = strings.Split(pos, `"`)[3]
		seller := "DEFAULT/seller/" + s.seller.ID
		body := "seller[firstName]=Sam&seller[lastName]=Till&seller[active]=1&seller[posId]=" + pos
		for _, c := range []struct {
			status      int
			token, form string
			field       string
		}{
			{400, shop, "&seller[email]=till@example.com&seller[allowPointTransfer]=1", "allowPointTransfer"},
			{200, token, "&seller[email]=till@example.com&seller[allowPointTransfer]=1", ""},
			{200, shop, "&seller[email]=till@example.com&seller[allowPointTransfer]=1", ""},
			{400, shop, "&seller[email]=thief@example.com&seller[allowPointTransfer]=1", "email"},
			{400, shop, "&seller[email]=till@example.com&seller[allowPointTransfer]=1&seller[plainPassword]=" + chosen,
				"plainPassword"},
			{200, shop, "&seller[email]=till2@example.com", ""},
		} {
			if got := s.must(c.status, c.token, "PUT", seller, body+c.form); !strings.Contains(got, c.field) {
				s.Errorf("%s: %s", c.form, got)
			}
		}
		s.must(400, shop, "POST", "DEFAULT/seller/register", body+"&seller[email]=new@example.com&seller[plainPassword]="+
			chosen+"&seller[allowPointTransfer]=1")
		if got := s.recipients(template.SellerAccessChanged, s.seller.ID); !slices.Equal(got, []string{"till@example.com"}) {
			s.Errorf("of the seller's change hear %v", got)
		}
		s.must(200, token, "PUT", "admin/data", "admin[email]=new@example.com&admin[firstName]=A&admin[lastName]=D")
		if got := s.recipients(template.AdminAccessChanged, s.admin.ID); !slices.Equal(got, []string{"admin@example.com"}) {
			s.Errorf("of the administrator's change hear %v", got)
		}
	})
}

// TestMessagesAboutFactors shows that people hear when somebody else removes their second factors, and when wrong codes
// lock those of their app.
func TestMessagesAboutFactors(t *testing.T) {
	each(t, nil, func(s *site) {
		token, _ := s.logIn(adminLogIn, "admin", plain)
		other := s.ofOther()
		for _, c := range []struct {
			path, id, gone, locked, contact string
			of                              factor.Account
		}{
			{"DEFAULT/customer/", s.ida.ID, template.CustomerFactorsGone, template.CustomerCodesLocked, "ida@example.com",
				factor.Account{Role: access.Customer, StoreKey: s.Store.Key, ID: s.ida.ID}},
			{"DEFAULT/seller/", s.seller.ID, template.SellerFactorsGone, template.SellerCodesLocked, "till@example.com",
				factor.Account{Role: access.Seller, StoreKey: s.Store.Key, ID: s.seller.ID}},
			{"admin/data/", other, template.AdminFactorsGone, template.AdminCodesLocked, "other@example.com",
				factor.Account{Role: access.Administrator, ID: other}},
		} {
			s.must(204, token, "DELETE", c.path+c.id+"/factors", "")
			if got := s.recipients(c.gone, c.id); len(got) > 0 {
				s.Errorf("%s: without a factor, %v hear of it", c.gone, got)
			}
			s.Write(func(tx *db.Tx) error {
				if _, err := factor.Begin(tx, c.of); err != nil {
					return err
				}
				_, err := tx.Exec(`UPDATE factor_totps SET confirmed_at = created_at WHERE user_id = $1`, c.id)
				return err
			})
			s.must(204, token, "DELETE", c.path+c.id+"/factors", "")
			s.Write(func(tx *db.Tx) error { return feature.React(tx, nil, auth.CodesLocked{Account: c.of}) })
			for _, event := range []string{c.gone, c.locked} {
				if got := s.recipients(event, c.id); !slices.Equal(got, []string{c.contact}) {
					s.Errorf("%s: %v hear of it", event, got)
				}
			}
		}
	})
}

// ofOther adds an administrator and returns their id.
func (s *site) ofOther() (id string) {
	s.Write(func(tx *db.Tx) error {
		a, err := admin.Create(tx, admin.New{
			Username: "other", Email: "other@example.com", PasswordHash: "x", Active: true, RoleID: admin.FullAdmin,
		})
		id = a.ID
		return err
	})
	return id
}
