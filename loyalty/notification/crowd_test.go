package notification_test

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"punchcard/loyalty/campaign"
	"punchcard/loyalty/purchase"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// slowWrites counts the writes that the database logs as slow.
type slowWrites struct {
	slog.Handler
	n atomic.Int64
}

func (w *slowWrites) Handle(_ context.Context, r slog.Record) error {
	if r.Level >= slog.LevelWarn {
		w.n.Add(1)
	}
	return nil
}

func (w *slowWrites) Enabled(context.Context, slog.Level) bool { return true }

// Many customers are notified while others buy: each is notified once, every coupon is sold, and the
// notifications are written in small transactions.
func TestCrowdWhileBuyersBuy(t *testing.T) {
	dbtest.Both(t)
	const size = 4_000
	eachShop(t, func(s *shop) {
		slow := &slowWrites{Handler: slog.DiscardHandler}
		config := s.config
		config.Log = slog.New(slow)
		ids := s.crowd(size)
		dbtest.Analyze(s.T, s.db)
		opened := time.Now()
		s.db = dbtest.Open(s.T, config, func() time.Time { return s.clock.Now().Add(time.Since(opened)) })
		id := s.campaign("Sale", nil)
		coffee := s.campaign("Coffee", func(d *campaign.Draft) { d.Definition.PushNotificationText = "" })
		desk := purchase.NewDesk(s.db, campaign.RewardTypes)
		announced := make(chan struct{})
		var bought, longest atomic.Int64
		var buying sync.WaitGroup
		for buyer := range 8 {
			buying.Go(func() {
				for i := 0; ; i++ {
					select {
					case <-announced:
						return
					default:
					}
					began := time.Now()
					_, err := desk.Buy(context.Background(), purchase.Buy{
						Store: s.store, CustomerID: ids[(buyer+8*i)%len(ids)], CampaignID: coffee, Quantity: 1, Locale: "en",
					})
					if err != nil {
						s.Error(err)
						return
					}
					bought.Add(1)
					longest.Store(max(longest.Load(), int64(time.Since(began))))
				}
			})
		}
		began := time.Now()
		s.announces(int64(len(ids)))
		took := time.Since(began)
		close(announced)
		buying.Wait()
		s.Logf("%d were notified in %v; meanwhile %d coupons were sold, the longest wait was %v, %d writes were slow",
			len(ids), took, bought.Load(), time.Duration(longest.Load()), slow.n.Load())
		inboxes := s.inboxes()
		for i, customerID := range ids {
			if got := inboxes[customerID]; len(got) != 1 || got[0] != "Sale" {
				s.Fatalf("customer %d was notified of %v", i, got)
			}
		}
		if n := s.number(`SELECT COUNT(*) FROM purchases`); n != bought.Load() {
			s.Errorf("%d purchases, want %d", n, bought.Load())
		}
		if n := s.number(`SELECT done FROM announcements WHERE campaign_id = $1`, id); n != int64(len(ids)) {
			s.Errorf("%d were looked at", n)
		}
	})
}

// crowd copies one customer n times: rows that differ in their ids, without the effects of a
// registration.
func (s *shop) crowd(n int) []string {
	s.Helper()
	one := s.customers(1)[0]
	ids := make([]string, n)
	for i := range ids {
		ids[i] = db.NewID()
	}
	for part := range slices.Chunk(ids, 500) {
		s.write(func(tx *db.Tx) error {
			for _, c := range []struct{ table, columns, copied string }{
				{"customers", "customer_id, email, " + customerColumns, "v.id, '', " + customerColumns},
				{"accounts", "customer_id, account_id, " + accountColumns, "v.id, v.id, " + accountColumns},
			} {
				if _, err := tx.Exec(`INSERT INTO `+c.table+` (`+c.columns+`) SELECT `+c.copied+` FROM ? AS v (store, id)
					CROSS JOIN `+c.table+` c WHERE c.customer_id = ? AND v.id IS NOT NULL`,
					tx.Among(0, part...), one); err != nil {
					return err
				}
			}
			return nil
		})
	}
	s.write(func(tx *db.Tx) error {
		if _, err := tx.Exec(`DELETE FROM customer_arrivals`); err != nil {
			return err
		}
		_, err := tx.Exec(`UPDATE levels SET customers = $1 WHERE level_id = $2`, n+1, s.low)
		return err
	})
	return append(ids, one)
}

const customerColumns = "store_id, status, phone, loyalty_card, phone_key, loyalty_card_key, first_name, last_name, " +
	"gender, birth_date, agreement1, agreement2, agreement3, level_id, manual_level_id, level_achieved_at, " +
	"level_recalculated_at, pos_id, seller_id, transactions_count, transactions_amount, " +
	"transactions_amount_without_delivery, amount_excluded_for_level, last_transaction_at, password_hash, " +
	"password_temporary, last_login_at, created_at, updated_at, version, address, company, labels, first_name_key, " +
	"last_name_key, city_key, postal_key, amount_excluded_delivery, points_taken_back, anonymized_at"

const accountColumns = "store_id, points, p2p, earned, used, expired, locked, blocked, next_due_at, lots, " +
	"transfers, last_transfer_id"
