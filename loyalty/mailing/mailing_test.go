package mailing

import (
	"fmt"
	"testing"
	"time"

	"punchcard/loyalty/campaign/campaigntest"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/level/shoptest"
	"punchcard/loyalty/message"
	"punchcard/loyalty/message/template"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/fault"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

type shop struct {
	campaigntest.Shop
	svc   *Service
	clock *dbtest.Clock
}

func onShop(t *testing.T, run func(t *testing.T, s *shop)) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		clock := dbtest.NewClock(time.Date(2031, 1, 10, 12, 0, 0, 0, time.UTC))
		d := dbtest.Open(t, dbtest.Config(t, engine), clock.Now)
		run(t, &shop{campaigntest.Open(t, d, nil, shoptest.Level("Bronze", 0), shoptest.Level("Silver", 500)),
			New(&message.Config{Links: message.Links{Base: "https://api.example"}, Mailbox: true}, nil), clock})
	})
}

// agreeing returns the ids of customers who agree to marketing messages.
func (s *shop) agreeing(n int) []string {
	s.Helper()
	ids := make([]string, n)
	for i := range ids {
		ids[i] = s.Customer(func(r *customer.Registration) {
			r.Agreements[1], r.FirstName = true, fmt.Sprint("Ida", i)
		})
	}
	return ids
}

// write stores a mailing in a state.
func (s *shop) write(state string, edit func(*Mailing)) string {
	s.Helper()
	m := &Mailing{
		StoreKey: s.Store.Key, Name: "Spring", State: state, Content: Content{
			Channels: []string{template.Email, template.Inbox}, Audience: toEverybody, Words: Words{
				Link: "https://shop.example/spring", Texts: map[string]Text{"en": {Subject: "Hello {{ first_name }}",
					Content: "You have {{ points }} points: {{ link }}", Short: "{{ first_name }}, look: {{ link }}"}},
			},
		},
	}
	if edit != nil {
		edit(m)
	}
	s.Write(func(tx *db.Tx) error {
		m.ID, m.CreatedAt = tx.NewID(), tx.Now()
		return table.Insert(tx, m)
	})
	return m.ID
}

func (s *shop) send(wantVisited int64) {
	s.Helper()
	n, err := s.svc.Send(s.Context(), s.DB, s.Store)
	if err != nil || n != wantVisited {
		s.Errorf("%d customers were visited, %v; want %d", n, err, wantVisited)
	}
}

// state returns a mailing, and the number of its e-mails.
func (s *shop) state(id string) (m *Mailing, mails int64) {
	s.Helper()
	s.Read(func(tx *db.Tx) (err error) {
		if m, err = findMailing(tx, s.Store.Key, id); err != nil {
			return err
		}
		counts, err := message.CountMailing(tx, s.Store.Key, id)
		for _, n := range counts[template.Email] {
			mails += n
		}
		return err
	})
	return m, mails
}

func (s *shop) act(id, name string) error {
	return s.DB.Write(s.Context(), func(tx *db.Tx) error {
		m, err := lockMailing(tx, s.Store.Key, id)
		if err == nil {
			err = m.act(tx, name)
		}
		return err
	})
}

// A mailing reaches everybody once: by e-mail those who agree, in the inbox also the others.
func TestMailingReachesEverybodyOnce(t *testing.T) {
	onShop(t, func(t *testing.T, s *shop) {
		s.agreeing(chunk + 3)
		s.Customers(5, 0) // who do not agree
		s.send(0)
		id := s.write(Running, nil)
		s.send(chunk + 8)
		m, mails := s.state(id)
		if m.State != Finished || m.Recipients != chunk+8 || mails != chunk+3 {
			t.Errorf("%s: %d recipients, %d e-mails", m.State, m.Recipients, mails)
		}
		s.send(0)
		mailOnly := s.write(Running, func(m *Mailing) { m.Content.Channels = []string{template.Email} })
		s.send(chunk + 8)
		if m, mails := s.state(mailOnly); m.Recipients != chunk+3 || mails != chunk+3 {
			t.Errorf("by e-mail: %d recipients, %d e-mails", m.Recipients, mails)
		}
	})
}

// A run that was interrupted goes on, and customers whom it had visited already get nothing again.
func TestMailingGoesOn(t *testing.T) {
	dbtest.Both(t)
	onShop(t, func(t *testing.T, s *shop) {
		all := s.agreeing(chunk + 10)
		id := s.write(Running, func(m *Mailing) { m.Content.Audience, m.Content.Customers = toCustomers, all })
		if n, more, err := s.svc.step(t.Context(), s.DB, s.Store, id); n != chunk || !more || err != nil {
			t.Fatalf("%d, %v, %v", n, more, err)
		}
		s.Write(func(tx *db.Tx) error { // as if the progress had been lost
			_, err := tx.Exec(`UPDATE mailings SET after_id = '', visited = 0 WHERE store_id = $1`, s.Store.Key)
			return err
		})
		s.send(chunk + 10)
		if m, mails := s.state(id); m.Recipients != chunk+10 || mails != chunk+10 || m.State != Finished {
			t.Errorf("%s: %d recipients, %d e-mails", m.State, m.Recipients, mails)
		}
	})
}

// It begins at its time, waits while too many messages wait, and can be paused, continued and stopped.
func TestStatesOfMailings(t *testing.T) {
	onShop(t, func(t *testing.T, s *shop) {
		s.agreeing(3)
		id := s.write(Draft, func(m *Mailing) { m.SendAt = s.clock.Now().Add(time.Hour) })
		expect := func(action, want string) {
			t.Helper()
			if err := s.act(id, action); err != nil {
				t.Errorf("%s: %v", action, err)
			}
			if m, _ := s.state(id); m.State != want {
				t.Errorf("%s after %s, want %s", m.State, action, want)
			}
		}
		expect("send", Scheduled)
		s.send(0)
		expect("stop", Draft)
		expect("send", Scheduled)
		s.clock.Advance(time.Hour)
		s.send(3)
		if m, _ := s.state(id); m.State != Finished || m.StartedAt.IsZero() {
			t.Errorf("%s", m.State)
		}
		for name := range actions {
			if err := s.act(id, name); fault.KindOf(err) != fault.Conflict {
				t.Errorf("%s of a finished mailing: %v", name, err)
			}
		}
		id = s.write(Draft, nil)
		expect("send", Running)
		expect("pause", Paused)
		s.send(0)
		expect("resume", Running)
		expect("stop", Stopped)
		s.send(0)
		s.clock.Advance(settleAfter + time.Hour)
		if n, err := Settle(t.Context(), s.DB, s.Store); n != 2 || err != nil {
			t.Errorf("%d settled, %v", n, err)
		}
		if m, _ := s.state(id); !m.Settled {
			t.Error("not settled")
		}
	})
}

func TestTextsOfMailings(t *testing.T) {
	c := Words{Texts: map[string]Text{"en": {Short: "en"}, "pl": {Short: "pl"}}}
	for _, test := range []struct{ wanted, usual, want string }{
		{"pl", "en", "pl"}, {"pl_PL", "en", "pl"}, {"de", "en", "en"}, {"", "pl_PL", "pl"}, {"de", "fr", "en"},
	} {
		if got := c.in(test.wanted, test.usual).Short; got != test.want {
			t.Errorf("%s, then %s: %s, want %s", test.wanted, test.usual, got, test.want)
		}
	}
}
