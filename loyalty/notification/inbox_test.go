package notification_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"punchcard/core/feature"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer/privacy"
	"punchcard/loyalty/notification"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/fault"
)

func (s *shop) unread(customerID string) int64 {
	return s.number(`SELECT unread FROM inboxes WHERE customer_id = $1`, customerID)
}

// A notification counts as read once, also after repeated and concurrent requests.
func TestReading(t *testing.T) {
	dbtest.Both(t)
	eachShop(t, func(s *shop) {
		ids := s.customers(2)
		for i := range 3 {
			s.campaign(fmt.Sprint("Sale ", i), nil)
		}
		s.announces(6)
		var first string
		s.read(func(tx *db.Tx) (err error) {
			first, err = db.Value[string](tx, `SELECT notification_id FROM notifications WHERE customer_id = $1`, ids[0])
			return err
		})
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				s.write(func(tx *db.Tx) error { return notification.Read(tx, s.store.Key, ids[0], first) })
			})
		}
		all.Wait()
		if n := s.unread(ids[0]); n != 2 {
			s.Errorf("%d are unread", n)
		}
		err := s.db.Write(s.Context(), func(tx *db.Tx) error { return notification.Read(tx, s.store.Key, ids[1], first) })
		if !errors.Is(err, fault.ErrNotFound) || s.unread(ids[1]) != 3 {
			s.Errorf("somebody else's notification is read: %v", err)
		}
		s.write(func(tx *db.Tx) error { return notification.ReadAll(tx, s.store.Key, ids[0]) })
		s.write(func(tx *db.Tx) error { return notification.ReadAll(tx, s.store.Key, ids[0]) })
		if n := s.unread(ids[0]); n != 0 || s.unread(ids[1]) != 3 {
			s.Errorf("%d are unread, and %d", n, s.unread(ids[1]))
		}
	})
}

// Old notifications are deleted and the counters follow. Nobody is notified of the same campaign
// again.
func TestClean(t *testing.T) {
	eachShop(t, func(s *shop) {
		ids := s.customers(250)
		id := s.campaign("Old", nil)
		s.announces(250)
		s.write(func(tx *db.Tx) error { return notification.ReadAll(tx, s.store.Key, ids[0]) })
		s.at("2031-07-05T10:00:00Z")
		s.campaign("New", nil)
		s.announces(250)
		clean := notification.Clean(24 * time.Hour)
		if n, err := clean(s.Context(), s.db, s.store); n != 250 || err != nil {
			s.Errorf("%d are removed: %v", n, err)
		}
		s.expect("New", ids...)
		if a, b := s.unread(ids[0]), s.unread(ids[1]); a != 1 || b != 1 {
			s.Errorf("%d and %d are unread", a, b)
		}
		s.setActive(id, false)
		s.announces(0)
		s.setActive(id, true)
		s.announces(0)
	})
}

// A customer who became anonymous has no inbox and gets none.
func TestAnonymous(t *testing.T) {
	eachShop(t, func(s *shop) {
		ids := s.customers(2)
		s.campaign("Sale", nil)
		s.announces(2)
		related := privacy.New([]feature.Personal{{Forget: []feature.Trace{notification.Forget}}}, nil)
		s.write(func(tx *db.Tx) error { return privacy.Anonymize(tx, s.store, ids[0]) })
		s.at("2031-07-03T11:00:00Z")
		if _, err := related.ClearAnonymized(s.Context(), s.db, s.store); err != nil {
			s.Fatal(err)
		}
		s.campaign("More", nil)
		s.announces(1)
		s.expect("", ids[0])
		s.expect("More,Sale", ids[1])
		if n := s.number(`SELECT COUNT(*) FROM inboxes`); n != 1 {
			s.Errorf("there are %d inboxes", n)
		}
	})
}

// An export contains all notifications of the customer, and no others.
func TestExport(t *testing.T) {
	eachShop(t, func(s *shop) {
		ids := s.customers(2)
		for i := range 210 {
			s.campaign(fmt.Sprint("Sale ", i), func(d *campaign.Draft) { d.Codes = []string{"A"} })
		}
		s.announces(420)
		var items []any
		for after, more := "", true; more; more = after != "" {
			s.read(func(tx *db.Tx) error {
				page, next, err := notification.Export(tx, s.store, ids[0], after)
				items, after = append(items, page...), next
				return err
			})
		}
		if len(items) != 210 {
			s.Errorf("%d items", len(items))
		}
	})
}
