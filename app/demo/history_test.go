package demo_test

import (
	"bytes"
	"context"
	"io"
	"testing"
	"time"

	"punchcard/app"
	"punchcard/app/demo"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/membership"
	"punchcard/loyalty/earning"
	"punchcard/loyalty/notification"
	"punchcard/loyalty/points"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/segment"
	"punchcard/loyalty/store"
	"punchcard/loyalty/transaction"
	"punchcard/platform/check"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/event"
)

const fewPeople = 60

// operations returns those of the server.
func operations(desk *purchase.Desk) demo.Operations {
	rules, segments := earning.New(desk), segment.New()
	return demo.Operations{
		Desk: desk, Earning: rules,
		Receipts: transaction.Hooks{Earn: rules.Earn, Returned: desk.Returned, Counted: segments.Recheck},
		Registered: func(tx *db.Tx, s *store.Store, c *customer.Customer) error {
			if err := rules.Registered(tx, s, c); err != nil {
				return err
			}
			return segments.Recheck(tx, s, c.ID)
		},
		Daily:  []store.Work{membership.SettlePoints, purchase.Advance},
		Weekly: []store.Work{notification.NotifyEndings, notification.Announce(desk)},
		Last:   []store.Work{segments.RebuildDue, notification.Announce(desk)},
	}
}

// opened is a store with a history that is to be loaded.
func opened(t *testing.T, d *db.DB, desk *purchase.Desk) *store.Store {
	t.Helper()
	s, until := empty(t, d, settings()), d.Now()
	if err := demo.Open(background, d, s, desk, until, userHash, io.Discard); err != nil {
		t.Fatal(err)
	}
	write(t, d, func(tx *db.Tx) error { return demo.BeginSmallHistory(tx, until, fewPeople) })
	return s
}

func progress(t *testing.T, d *db.DB) (found store.DemoHistory) {
	t.Helper()
	read(t, d, func(tx *db.Tx) (err error) {
		found, err = store.FindDemoHistory(tx)
		return err
	})
	return found
}

func count(t *testing.T, d *db.DB, query string) (n int64) {
	t.Helper()
	read(t, d, func(tx *db.Tx) (err error) {
		n, err = db.Value[int64](tx, query)
		return err
	})
	return n
}

func always(context.Context) (bool, error) { return true, nil }

// An interrupted load continues where it stopped, does nothing twice, and leaves a database without findings, whose
// store has the present clock.
func TestHistory(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		desk := purchase.NewDesk(d, campaign.RewardTypes)
		s := opened(t, d, desk)
		for parts := range 4 {
			ctx, kill := context.WithCancel(background)
			steps := 0
			complete, err := demo.NewHistory(d, s, operations(desk)).WithPeople(fewPeople).Load(ctx,
				func(context.Context) (bool, error) {
					if steps++; steps == 60+13*parts {
						kill()
					}
					return true, nil
				})
			kill()
			if complete || err == nil {
				t.Fatalf("after %d steps: complete %v, error %v", steps, complete, err)
			}
		}
		if p := progress(t, d); p.Complete() || p.Done < 100 {
			t.Fatalf("progress %+v", p)
		}
		load := func() {
			t.Helper()
			history := demo.NewHistory(d, s, operations(desk)).WithPeople(fewPeople)
			if complete, err := history.Load(background, always); !complete || err != nil {
				t.Fatal(complete, err)
			}
		}
		load()
		receipts := count(t, d, `SELECT COUNT(*) FROM transactions`)
		load() // has nothing left to do
		if p := progress(t, d); !p.Complete() || p.Done != p.Steps {
			t.Errorf("progress %+v", p)
		}
		if again := count(t, d, `SELECT COUNT(*) FROM transactions`); again != receipts || receipts < 150 {
			t.Errorf("%d receipts, then %d", receipts, again)
		}
		if n := count(t, d, `SELECT COUNT(*) FROM customers`); n != fewPeople+1 {
			t.Errorf("%d customers", n)
		}
		checkHistory(t, d)
		read(t, d, func(tx *db.Tx) error {
			present, _, err := store.ByCode(tx, "DEFAULT")
			if err == nil && (present.Ahead != 0 || present.Sandbox) {
				t.Errorf("store %+v", present)
			}
			return err
		})
		checkRules(t, d)
	})
}

// checkHistory checks that the year has something of everything, and nothing in the future.
func checkHistory(t *testing.T, d *db.DB) {
	t.Helper()
	for what, query := range map[string]string{
		"purchases":     `SELECT COUNT(*) FROM purchases`,
		"used coupons":  `SELECT COUNT(*) FROM purchases WHERE used`,
		"expired lots":  `SELECT COUNT(*) FROM transfers WHERE state = 'expired'`,
		"notifications": `SELECT COUNT(*) FROM notifications`,
		"returns":       `SELECT COUNT(*) FROM transactions WHERE document_type = 'return'`,
		"members":       `SELECT COUNT(*) FROM segment_members`,
		"pictures":      `SELECT COUNT(*) FROM campaign_images`,
	} {
		if count(t, d, query) == 0 {
			t.Errorf("no %s", what)
		}
	}
	now := d.Now()
	for what, query := range map[string]string{
		"purchase": `SELECT MAX(purchased_at) FROM purchases`,
		"receipt":  `SELECT MAX(purchased_at) FROM transactions`,
		"customer": `SELECT MAX(created_at) FROM customers`,
	} {
		if at := time.UnixMicro(count(t, d, query)); at.After(now) || at.Before(now.AddDate(0, -1, 0)) {
			t.Errorf("last %s at %v", what, at)
		}
	}
	events, _, err := event.List(background, d, 1, 100_000, false)
	if err != nil || len(events) == 0 {
		t.Fatal(len(events), err)
	}
	first, last := events[0].RecordedAt, events[len(events)-1].RecordedAt
	if first.After(now.AddDate(0, -11, 0)) || last.Before(now.AddDate(0, 0, -7)) || last.After(now) {
		t.Errorf("events from %v to %v", first, last)
	}
}

func checkRules(t *testing.T, d *db.DB) {
	t.Helper()
	var found bytes.Buffer
	_, err := check.Run(background, d, app.Kinds{}.Rules(), check.Report{
		Begin: func(string, int, int) {}, More: func(string, int64) {},
		Finding: func(f check.Finding) { found.WriteString(f.String() + "\n") },
	})
	if err != nil || found.Len() > 0 {
		t.Errorf("error %v, findings:\n%s", err, found.String())
	}
}

// The customer who logs in has points, a level and two coupons before the history is loaded, and keeps them.
func TestOpen(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		desk := purchase.NewDesk(d, campaign.RewardTypes)
		s := opened(t, d, desk)
		checkUser(t, d, s, customers(t, d, s), purchases(t, d, s))
		history := demo.NewHistory(d, s, operations(desk)).WithPeople(fewPeople)
		if _, err := history.Load(background, always); err != nil {
			t.Fatal(err)
		}
		read(t, d, func(tx *db.Tx) error {
			login, _, err := customer.FindLogin(tx, s.Key, "user@example.com")
			if err != nil {
				return err
			}
			account, err := points.Balance(tx, s, login.ID)
			if err != nil || account.Points < 1_000_00 {
				t.Errorf("user@example.com has %v points, error %v", account.Points, err)
			}
			return nil
		})
	})
}
