package mailing

import (
	"maps"
	"testing"
	"time"

	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/erasure"
	"punchcard/loyalty/message/template"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// Previews and mailings leave out addresses that were refused for good, and channels that lead nowhere.
func TestUndeliverableIsNotReached(t *testing.T) {
	dbtest.Both(t)
	onShop(t, func(t *testing.T, s *shop) {
		ids := s.agreeing(3)
		s.Write(func(tx *db.Tx) error {
			c, err := customer.Find(tx, s.Store.Key, ids[0])
			if err != nil {
				return err
			}
			return tx.Insert("undeliverable_addresses", "store_id, channel, address, reason, since", "",
				[]any{s.Store.Key, template.Email, c.Email, "550 5.1.1", tx.ServerNow().UnixMicro()})
		})
		src := &Source{ID: "preview", Channels: []string{template.Email, template.SMS, template.Push}}
		reached := reachView{Channels: map[string]int{}, Undeliverable: map[string]int{}}
		s.Read(func(tx *db.Tx) error {
			found, err := customer.FindAll(tx, s.Store.Key, ids...)
			if err != nil {
				return err
			}
			for c := range maps.Values(found) {
				if err := reached.add(tx, s.Store, src, []*customer.Customer{c}); err != nil {
					return err
				}
			}
			return nil
		})
		if reached.Agreed != 3 || !maps.Equal(reached.Channels, map[string]int{template.Email: 2}) ||
			!maps.Equal(reached.Undeliverable, map[string]int{template.Email: 1}) {
			t.Errorf("%+v", reached)
		}
		id := s.write(Running, func(m *Mailing) { m.Content.Channels = []string{template.Email} })
		s.send(3)
		if m, mails := s.state(id); m.Recipients != 2 || mails != 2 {
			t.Errorf("%d recipients, %d e-mails", m.Recipients, mails)
		}
	})
}

// Customers who deleted their account are not reached, not even in the inbox.
func TestLeavingCustomersAreNotReached(t *testing.T) {
	onShop(t, func(t *testing.T, s *shop) {
		ids := s.agreeing(3)
		s.Write(func(tx *db.Tx) error {
			c, _, err := customer.Lock(tx, s.Store, ids[0])
			if err != nil {
				return err
			}
			return erasure.Plan(tx, c.StoreKey, c.ID, tx.Now().Add(14*24*time.Hour))
		})
		id := s.write(Running, nil)
		s.send(3)
		if m, mails := s.state(id); m.Recipients != 2 || mails != 2 {
			t.Errorf("%d recipients, %d e-mails", m.Recipients, mails)
		}
		s.Write(func(tx *db.Tx) error { return erasure.Cancel(tx, s.Store.Key, ids[0]) })
		id = s.write(Running, nil)
		s.send(3)
		if m, _ := s.state(id); m.Recipients != 3 {
			t.Errorf("%d recipients after coming back", m.Recipients)
		}
	})
}
