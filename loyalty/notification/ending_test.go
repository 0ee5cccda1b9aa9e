package notification_test

import (
	"context"
	"testing"
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer/membership"
	"punchcard/loyalty/notification"
	"punchcard/loyalty/points"
	"punchcard/loyalty/purchase"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/decimal"
	"punchcard/platform/event"
)

// tells runs the job and expects it to notify this many customers.
func (s *shop) tells(want int64) {
	s.Helper()
	got, err := notification.NotifyEndings(context.Background(), s.db, s.store)
	if err != nil || got != want {
		s.Errorf("%d were notified of endings, want %d: %v", got, want, err)
	}
}

// grants adds whole points that expire at the end of the day this many days ahead.
func (s *shop) grants(customerID string, whole int64, days int) {
	s.Helper()
	s.write(func(tx *db.Tx) error {
		owner := points.Owner{Store: s.store, CustomerID: customerID}
		_, err := points.Change(tx, owner, func(w *points.Wallet) ([]event.Entry, error) {
			_, entry := w.Add(points.Grant{
				Value: decimal.Whole(whole), Issuer: points.ByAdmin, CreatedAt: tx.Now(), ValidDays: days,
			})
			return []event.Entry{entry}, nil
		})
		return err
	})
}

// Customers are notified once, the configured number of days before the end by the clock of the
// store.
func TestPointsEnding(t *testing.T) {
	eachShop(t, func(s *shop) {
		ids := s.customers(4)
		s.grants(ids[0], 5, 10)
		s.grants(ids[0], 7, 10)
		s.grants(ids[0], 9, 30)
		s.grants(ids[1], 5, 11)
		s.grants(ids[2], 5, 9) // too late for a notification ten days ahead
		s.tells(1)
		s.tells(0)
		if n := s.number(`SELECT COUNT(*) FROM notifications WHERE customer_id = $1 AND details LIKE '%"points":12,%'`,
			ids[0]); n != 1 {
			s.Error("the sum of the day is wrong")
		}
		s.at("2031-07-03T21:59:59Z")
		s.tells(0)
		s.at("2031-07-03T22:00:00Z")
		s.tells(1)
		s.expect("points_ending", ids[:2]...)
		s.expect("", ids[2:]...)
	})
}

// Missed days are caught up, unless they are over.
func TestEndingsAfterDowntime(t *testing.T) {
	eachShop(t, func(s *shop) {
		ids := s.customers(4)
		s.tells(0)
		s.grants(ids[0], 5, 11)
		s.grants(ids[1], 5, 13)
		s.grants(ids[2], 5, 22)
		s.grants(ids[3], 5, 23)
		s.at("2031-07-15T10:00:00Z")
		s.tells(2)
		s.expect("", ids[0], ids[3])
		s.expect("points_ending", ids[1], ids[2])
		s.configure(func(settings *store.Settings) { settings.ExpirePointsNotificationDays = 20 })
		s.tells(1)
		s.configure(func(settings *store.Settings) { settings.ExpirePointsNotificationDays = 5 })
		s.tells(0)
		s.expect("points_ending", ids[1:]...)
	})
}

// Each of many endings on one day is notified once, across steps and nodes.
func TestManyEndings(t *testing.T) {
	eachShop(t, func(s *shop) {
		ids := s.customers(130)
		for _, id := range ids {
			s.grants(id, 1, 10)
		}
		ctx, stop := context.WithCancel(context.Background())
		stopAtCommit(s.db, 2, stop)
		if got, err := notification.NotifyEndings(ctx, s.db, s.store); err != nil || got != 100 {
			s.Fatalf("%d were notified: %v", got, err)
		}
		s.db = dbtest.Open(s.T, s.config, s.clock.Now)
		s.tells(30)
		s.expect("points_ending", ids...)
	})
}

func TestCouponsEnding(t *testing.T) {
	eachShop(t, func(s *shop) {
		ids := s.customers(60)
		s.at("2031-07-03T08:00:00Z")
		days := func(n int64) string {
			return s.campaign("Coffee", func(d *campaign.Draft) { d.DaysValid = n })
		}
		desk := purchase.NewDesk(s.db, campaign.RewardTypes)
		buy := func(customerID, campaignID string) []purchase.Coupon {
			coupons, err := desk.Buy(s.Context(), purchase.Buy{
				Store: s.store, CustomerID: customerID, CampaignID: campaignID, Quantity: 1, Locale: "en",
			})
			if err != nil {
				s.Fatal(err)
			}
			return coupons
		}
		ten, eleven := days(10), days(11)
		for _, id := range ids {
			buy(id, ten)
		}
		buy(ids[0], eleven)
		buy(ids[1], days(0))
		s.tells(60)
		s.tells(0)
		s.at("2031-07-04T08:00:00Z")
		s.tells(1)
		s.expect("coupon_ending,coupon_ending", ids[0])
		s.expect("coupon_ending", ids[1:]...)
	})
}

func TestLevelsEnding(t *testing.T) {
	eachShop(t, func(s *shop) {
		s.configure(func(settings *store.Settings) {
			settings.TierAssignType, settings.LevelDowngradeMode = store.TierPoints, store.DowngradeAfterDays
			settings.LevelDowngradeDays, settings.LevelDowngradeBase = 20, store.BaseActivePoints
		})
		ids := s.customers(3)
		for _, id := range ids[:2] {
			s.grants(id, 2000, 100)
			s.write(func(tx *db.Tx) error {
				members, of, err := membership.LockOne(tx, s.store, id)
				if err != nil {
					return err
				}
				members.PointsChanged(of)
				return members.Save()
			})
		}
		s.move(ids[1], s.high) // by hand: it does not end
		s.at("2031-07-12T10:00:00Z")
		s.tells(0)
		s.at("2031-07-13T00:00:00Z")
		s.tells(1)
		s.at("2031-07-13T10:00:00Z")
		s.tells(0)
		s.expect("level_ending", ids[0])
		s.expect("", ids[1:]...)
	})
}

// A day without midnight comes and passes like any other.
func TestEndingsAroundADayWithoutMidnight(t *testing.T) {
	eachShop(t, func(s *shop) {
		zone, err := time.LoadLocation("America/Santiago")
		if err != nil {
			s.Fatal(err)
		}
		s.store.Zone, s.store.Settings.Timezone = zone, zone.String()
		s.at("2027-08-24T16:00:00Z")
		ids := s.customers(4)
		for i, id := range ids {
			s.grants(id, 5, 10+i) // on 3, 4, 5 and 6 September; the clock skips midnight on the 5th
		}
		for i, now := range []string{
			"2027-08-24T16:00:00Z", "2027-08-25T16:00:00Z", "2027-08-26T16:00:00Z", "2027-08-27T16:00:00Z",
		} {
			s.at(now)
			s.tells(1)
			s.tells(0)
			s.expect("points_ending", ids[i])
		}
		s.at("2027-09-05T03:59:59Z") // the last second of 4 September
		s.tells(0)
		s.at("2027-09-06T16:00:00Z")
		s.tells(0)
	})
}
