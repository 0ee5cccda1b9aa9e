package invitation_test

import (
	"errors"
	"testing"
	"time"

	"punchcard/core/feature"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/invitation"
	"punchcard/loyalty/level/shoptest"
	"punchcard/loyalty/message"
	"punchcard/loyalty/message/template"
	"punchcard/platform/check"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

var now = time.Date(2031, 4, 17, 12, 0, 0, 0, time.UTC)

// shop is a store with a level and a customer who invites others.
type shop struct {
	*shoptest.Shop
	referrer string
}

func each(t *testing.T, run func(s shop)) {
	t.Helper()
	dbtest.EachAt(t, func() time.Time { return now }, func(t *testing.T, d *db.DB) {
		s := shop{Shop: shoptest.Open(t, d, "SHOP", nil, shoptest.Level("Base", 0))}
		s.referrer = s.register("ida@example.org", "").ID
		run(s)
		s.Read(func(tx *db.Tx) error {
			_, err := check.RunIn(tx, invitation.Rules(), check.Report{
				Begin:   func(string, int, int) {},
				Finding: func(f check.Finding) { t.Error(f) },
				More:    func(string, int64) {},
			})
			return err
		})
	})
}

// register registers a customer, by a token if it is not empty.
func (s shop) register(email, token string) (c *customer.Customer) {
	s.Helper()
	s.Write(func(tx *db.Tx) (err error) {
		in := customer.Registration{Email: email, FirstName: "Ole", LastName: "Vik", Active: true}
		if in.InvitationID, err = invitation.Claim(tx, s.Store, token); err != nil {
			return err
		}
		if c, err = customer.Register(tx, s.Store, in); err != nil || c.InvitationID == "" {
			return err
		}
		return invitation.Attach(tx, s.Store, c)
	})
	return c
}

func (s shop) invite(email, phone string) (i *invitation.Invitation, err error) {
	err = s.DB.Write(s.Context(), func(tx *db.Tx) (err error) {
		i, err = invitation.Invite(tx, s.Store, s.referrer, email, phone)
		return err
	})
	return i, err
}

// TestMessagesOfOpenInvitations shows that the message of an invitation has its link until somebody has registered by
// it.
func TestMessagesOfOpenInvitations(t *testing.T) {
	each(t, func(s shop) {
		ask := func(m message.Message) (values map[string]string, ok bool) {
			s.Write(func(tx *db.Tx) (err error) {
				values, ok, err = invitation.Secrets[template.CustomerInvitation](tx, s.Store, &m)
				return err
			})
			return values, ok
		}
		byEmail, _ := s.invite("ole@example.org", "")
		byPhone, _ := s.invite("", "+4790000002")
		for _, c := range []struct {
			to   message.Message
			want string
		}{
			{message.Message{Email: "ole@example.org"}, byEmail.Token}, {message.Message{Phone: "+4790000002"}, byPhone.Token},
			{message.Message{Email: "nobody@example.org"}, ""},
		} {
			values, ok := ask(c.to)
			if ok != (c.want != "") || values["token"] != c.want {
				t.Errorf("%+v: %v, %t", c.to, values, ok)
			}
			if ok && values["link"] != "/me/SHOP/register?invitation="+c.want {
				t.Errorf("the link is %s", values["link"])
			}
		}
		s.register("other@example.org", byEmail.Token)
		if values, ok := ask(message.Message{Email: "ole@example.org"}); ok {
			t.Errorf("after the registration: %v", values)
		}
	})
}

// TestForgettingInvitations shows that neither side's contact stays, and that the tokens end.
func TestForgettingInvitations(t *testing.T) {
	dbtest.Both(t)
	each(t, func(s shop) {
		open, _ := s.invite("kim@example.org", "")
		used, _ := s.invite("ole@example.org", "")
		var link string
		s.Write(func(tx *db.Tx) (err error) {
			link, err = invitation.LinkToken(tx, s.Store, s.referrer)
			return err
		})
		s.register("ole@example.org", used.Token)
		s.Write(func(tx *db.Tx) error {
			_, err := invitation.ForgetContact(tx, s.Store, &feature.Identifiers{Emails: []string{"KIM@example.org"}}, "")
			return err
		})
		if got := s.find(open.ID); got.RecipientEmail != "" || got.Token != "" {
			t.Errorf("the open invitation has %s and %s", got.RecipientEmail, got.Token)
		}
		s.Write(func(tx *db.Tx) error {
			_, err := invitation.Forget(tx, s.Store, s.referrer, "")
			return err
		})
		if got := s.find(used.ID); got.RecipientEmail != "" || got.Token != "" || got.Status != invitation.Registered {
			t.Errorf("the used invitation has %s and %s, and is %s", got.RecipientEmail, got.Token, got.Status)
		}
		for _, token := range []string{open.Token, link, ""} {
			s.Write(func(tx *db.Tx) error {
				id, err := invitation.Claim(tx, s.Store, token)
				if id != "" {
					t.Errorf("%q is still a token", token)
				}
				return err
			})
		}
		if _, err := s.invite("ole@example.org", ""); !errors.Is(err, invitation.ErrExists) {
			t.Errorf("a customer is invited: %v", err)
		}
	})
}

func (s shop) find(id string) (i *invitation.Invitation) {
	s.Helper()
	s.Read(func(tx *db.Tx) (err error) {
		i, err = invitation.Find(tx, s.Store.Key, id)
		return err
	})
	return i
}
