package journey

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/decimal"
)

// Whatever customers do, and wherever runs of the jobs are interrupted, each entry with a message has one message and
// one gift, and nobody gets a gift without an entry.
func TestGiftsHappenOnce(t *testing.T) {
	dbtest.Both(t)
	onShop(t, func(t *testing.T, s *shop) {
		seed := rand.Uint64()
		t.Logf("seed %d", seed)
		random := rand.New(rand.NewPCG(seed, 0))
		s.Configure(func(settings *store.Settings) {
			settings.MarketingMessagesMost, settings.MarketingMessagesDays = 6, 10
		})
		reward := s.Campaign("Coffee", func(d *campaign.Draft) {
			d.Unlimited, d.SingleCoupon, d.Limit, d.LimitPerUser, d.Codes = false, true, 12, 3, []string{"CUP"}
		})
		journeys := []string{
			s.start("welcome", gift(3)), s.start("birthday", gift(5)),
			s.start("purchase", func(j *Journey) { gift(2)(j); j.Content.Delay = 1 }),
			s.start("purchase", func(j *Journey) { j.Content.Gift.CampaignID = reward }),
			s.start("lapsed", func(j *Journey) { gift(7)(j); j.Content.Days, j.Content.Delay = 4, 1 }),
			s.start("points_ending", func(j *Journey) { gift(1)(j); j.Content.Days = 3 }),
			s.start("level_near", func(j *Journey) { gift(4)(j); j.Content.Missing = decimal.Whole(200).Money() }),
		}
		members := []string{s.member(), s.member(born("1990-01-20"))}
		for range 70 {
			who := members[random.IntN(len(members))]
			switch random.IntN(7) {
			case 0:
				members = append(members, s.member(born(s.clock.Now().Add(3*day).Format(time.DateOnly))))
			case 1, 2:
				s.buys(who, int64(1+random.IntN(200)))
			case 3:
				s.Give(who, points.Grant{Value: decimal.Whole(10), ValidDays: 5})
			case 4:
				s.edit(journeys[random.IntN(len(journeys))], func(tx *db.Tx, j *Journey) {
					if j.Active = !j.Active; j.Active {
						j.turnOn(tx)
					}
				})
			default:
				s.clock.Advance(time.Duration(random.IntN(40)) * time.Hour)
			}
			s.interrupted(random.IntN(60))
		}
		s.run()
		s.run()
		s.giftsMatch(members)
	})
}

// interrupted runs the jobs on two nodes, and ends both at a statement.
func (s *shop) interrupted(at int) {
	s.Helper()
	ctx, stop := context.WithCancel(s.Context())
	defer stop()
	var statements atomic.Int64
	count := func() {
		if statements.Add(1) == int64(at) {
			stop()
		}
	}
	s.statement.Store(&count)
	defer s.statement.Store(nil)
	var nodes sync.WaitGroup
	for range 2 {
		nodes.Go(func() {
			_, err := Receipts(s.DB)(ctx)
			if err == nil {
				_, err = s.svc.Run(ctx, s.DB, s.Store)
			}
			if err != nil && !errors.Is(err, context.Canceled) && ctx.Err() == nil {
				s.Error(err)
			}
		})
	}
	nodes.Wait()
}

// giftsMatch compares entries with the messages and gifts of members.
func (s *shop) giftsMatch(members []string) {
	s.Helper()
	total := 0
	for _, id := range members {
		var sent, given int
		var entries []Entry
		mails := map[string]int{}
		for _, d := range s.mails(id) {
			mails[d.MailingID]++
		}
		s.Read(func(tx *db.Tx) (err error) {
			entries, err = entryTable.All(tx, `SELECT * FROM journey_entries
				WHERE store_id = $1 AND customer_id = $2`, s.Store.Key, id)
			return err
		})
		for i := range entries {
			e := &entries[i]
			if e.State == Sent {
				sent++
			}
			if e.TransferID != "" || e.CouponID != "" {
				given++
			}
			want := 0
			if e.State == Sent {
				want = 1
			}
			if mails[e.ID] != want {
				s.Errorf("%d e-mails of an entry that is %s", mails[e.ID], e.State)
			}
		}
		if got := s.gifts(id); got != given || sent != given || len(mails) != sent {
			s.Errorf("%d gifts of %d entries with gifts and %d with messages, %d e-mails", got, given, sent, len(mails))
		}
		total += sent
	}
	s.Logf("%d messages", total)
	if total == 0 {
		s.Error("no messages")
	}
}

// gifts returns how many points transfers and coupons a customer got from journeys.
func (s *shop) gifts(customerID string) (n int) {
	s.Helper()
	s.Read(func(tx *db.Tx) error {
		all, err := points.Every(tx, s.Store.Key, customerID)
		for i := range all {
			if all[i].Issuer == points.BySystem && all[i].Comment == "Hello" {
				n++
			}
		}
		if err != nil {
			return err
		}
		bought, err := points.Bought(tx, s.Store.Key, customerID)
		for _, times := range bought[customerID] {
			n += int(times)
		}
		return err
	})
	return n
}
