package notification_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/membership"
	"punchcard/loyalty/message"
	"punchcard/loyalty/message/template"
	"punchcard/loyalty/purchase"
	"punchcard/platform/db"
	"punchcard/platform/mail"
	"punchcard/platform/mail/mailtest"
	"punchcard/platform/outbound"
)

// postbox is a shop that sends e-mails to a server on loopback.
type postbox struct {
	*shop
	server *mailtest.Server
	config *message.Config
}

func (s *shop) postbox() *postbox {
	server := mailtest.Start(s.T)
	config := &message.Config{
		Links: message.Links{Base: "https://loyalty.example"}, From: "loyalty@example.com",
		Server:  mail.Server{Host: server.Host, Port: server.Port, Security: mail.Optional, Trusted: true},
		Mail:    mail.NewClient(mail.Config{Reach: outbound.Loopback, Clock: s.clock.Now}),
		PerHour: 100, PerAddressHour: 50, PerUnconfirmedDay: 50,
	}
	s.T.Cleanup(config.Mail.Close)
	return &postbox{shop: s, server: server, config: config}
}

// switchOn switches the built-in texts of e-mails and SMS on, in English and Polish.
func (p *postbox) switchOn(events ...string) {
	p.Helper()
	p.write(func(tx *db.Tx) error {
		for _, event := range events {
			for _, channel := range []string{template.Email, template.SMS} {
				for _, language := range []string{"en", "pl"} {
					key := template.Key{Event: event, Channel: channel, Language: language}
					if err := template.Switch(tx, p.store, key.ID(p.store), true); err != nil {
						return err
					}
				}
			}
		}
		return nil
	})
}

// person adds an active customer, who is no newcomer and enters the low level now.
func (p *postbox) person(in customer.Registration) string {
	p.Helper()
	in.LastName, in.Active = "Berg", true
	var id string
	p.write(func(tx *db.Tx) error {
		c, err := customer.Register(tx, p.store, in)
		if err != nil {
			return err
		}
		id = c.ID
		_, err = tx.Exec(`UPDATE customer_arrivals SET quiet = FALSE WHERE store_id = $1`, p.store.Key)
		return err
	})
	return id
}

// expect sends what is due and compares the recipients and subjects.
func (p *postbox) expect(want ...string) {
	p.Helper()
	err := message.NewSender(p.db, store.NewDirectory(p.db), p.config).Settle(p.Context())
	if err != nil {
		p.Fatal(err)
	}
	var got []string
	for range want {
		m := p.server.Next(p.T)
		got = append(got, m.To+": "+m.Subject)
	}
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" || len(p.server.Received) > 0 {
		p.Errorf("%d more e-mails, and (-want +got):\n%s", len(p.server.Received), diff)
	}
}

// queued counts the messages to a customer by their queue.
func (p *postbox) queued(id string) map[string]int {
	p.Helper()
	n := map[string]int{}
	p.read(func(tx *db.Tx) error {
		all, err := message.Of(tx, p.store.Key, id, "", 100)
		for i := range all {
			n[all[i].Queue]++
		}
		return err
	})
	return n
}

// TestNoticesByMail shows that notifications also go out by e-mail and SMS, in the language of the customer, once a
// store switches these texts on; those of campaigns only to customers who agree.
func TestNoticesByMail(t *testing.T) {
	eachShop(t, func(s *shop) {
		p := s.postbox()
		s.write(func(tx *db.Tx) error { return store.AddLanguage(tx, store.Language{Code: "pl", Name: "Polski"}) })
		s.configure(func(settings *store.Settings) {
			settings.TierAssignType, settings.LevelDowngradeMode = store.TierPoints, store.DowngradeAfterDays
			settings.LevelDowngradeDays, settings.LevelDowngradeBase = 20, store.BaseActivePoints
		})
		agreed := [3]bool{true, true, false}
		ida := p.person(customer.Registration{
			FirstName: "Ida", Email: "ida@example.com", Locale: "pl", Agreements: agreed,
		})
		eva := p.person(customer.Registration{FirstName: "Eva", Email: "eva@example.com"})
		ole := p.person(customer.Registration{FirstName: "Ole", Phone: "+48600100200", Agreements: agreed})
		s.campaign("Tea", nil)
		s.announces(3)
		p.expect() // the texts are switched off
		p.switchOn(template.CampaignAvailable, template.PointsEnding, template.CouponEnding, template.LevelEnding)

		cake := s.campaign("Cake", func(d *campaign.Draft) {
			d.DaysValid = 10
			d.Definition.Translations = append(d.Definition.Translations, campaign.Translation{Locale: "pl", Name: "Ciasto"})
		})
		s.announces(3)
		p.expect("ida@example.com: Nowość w programie Loyalty program: Ciasto")
		s.announces(0)

		for _, id := range []string{ida, eva} {
			_, err := s.desk.Buy(s.Context(), purchase.Buy{
				Store: s.store, CustomerID: id, CampaignID: cake, Quantity: 1, Locale: "en",
			})
			if err != nil {
				s.Fatal(err)
			}
		}
		s.grants(eva, 5, 10)
		s.grants(ole, 5, 10)
		s.tells(4)
		p.expect("eva@example.com: Use your points until 2031-07-13",
			"eva@example.com: Your coupon ends on 2031-07-13 12:00",
			"ida@example.com: Twój kupon jest ważny do 2031-07-13 12:00")
		want := map[string]int{"sms_marketing": 1, "sms": 1}
		if diff := cmp.Diff(want, p.queued(ole)); diff != "" {
			t.Errorf("messages to a phone (-want +got):\n%s", diff)
		}

		s.grants(ida, 2000, 100)
		s.write(func(tx *db.Tx) error {
			members, of, err := membership.LockOne(tx, s.store, ida)
			if err != nil {
				return err
			}
			members.PointsChanged(of)
			return members.Save()
		})
		s.at("2031-07-13T10:00:00Z")
		s.tells(1)
		s.tells(0)
		p.expect("ida@example.com: Poziom High obowiązuje do 2031-07-23 00:00")
	})
}

// TestNoticesByMailOnly shows that e-mails go out, to active customers, when the notification itself is switched off.
func TestNoticesByMailOnly(t *testing.T) {
	eachShop(t, func(s *shop) {
		p := s.postbox()
		p.text(template.PointsEnding, template.Inbox, "", "Off", false)
		p.text(template.PointsEnding, template.Email, "{{ first_name }}: {{ points }} until {{ end_date }}", "Hello", true)
		ida := p.person(customer.Registration{FirstName: "Ida", Email: "ida@example.com"})
		eva := p.person(customer.Registration{FirstName: "Eva", Email: "eva@example.com"})
		s.grants(ida, 5, 10)
		s.grants(eva, 5, 10)
		s.write(func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE customers SET status = 'blocked' WHERE customer_id = $1`, eva)
			return err
		})
		s.tells(1)
		p.expect("ida@example.com: Ida: 5 until 2031-07-13")
		s.expect("", ida)
	})
}
