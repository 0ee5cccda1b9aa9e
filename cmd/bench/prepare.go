package main

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"punchcard/api/access"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/identity/admin"
	"punchcard/loyalty/identity/auth"
	"punchcard/loyalty/level"
	"punchcard/loyalty/notification"
	"punchcard/loyalty/points"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
	"punchcard/platform/event"
	"punchcard/platform/job"
)

const (
	storeCode       = "BENCH"
	spreadCampaigns = 100
	smallCodes      = 10 // codes of the campaign of the scenario one-campaign
	boughtBefore    = 10 // coupons of each customer who has bought: one page
	wealth          = 1_000_000
	atOnce          = 200 // customers registered in one transaction
)

// shop is the content of the prepared database, with tokens to read it.
type shop struct {
	store *store.Store
	level *level.Level

	spread     []string // campaigns
	hot, small string
	customers  []string
	tokens     []string // of the customers
	owners     int      // number of customers, the first ones, who have bought before
	adminToken string
}

// prepare fills an empty database by the operations of the product.
func prepare(ctx context.Context, d *db.DB, o *options) (*shop, error) {
	s := &shop{owners: o.customers / 4}
	if o.grown > 1 {
		s.owners = o.customers / 2 // five purchases for each customer
	}
	began := time.Now()
	if err := s.open(ctx, d, o.codes); err != nil {
		return nil, err
	}
	// There are no customers yet, so the announcements finish now and none runs during a measurement.
	desk := purchase.NewDesk(d, campaign.RewardTypes)
	if _, err := notification.Announce(desk)(ctx, d, s.store); err != nil {
		return nil, err
	}
	for len(s.customers) < o.customers {
		if err := d.Write(ctx, func(tx *db.Tx) error {
			return s.register(tx, min(atOnce, o.customers-len(s.customers)))
		}); err != nil {
			return nil, err
		}
	}
	if err := s.buyBefore(ctx, desk); err != nil {
		return nil, err
	}
	if err := s.issue(ctx, d); err != nil {
		return nil, err
	}
	if err := s.grow(ctx, d, o.grown); err != nil {
		return nil, err
	}
	progress("%s: %d customers and %d codes prepared in %.1f s", d.Engine(), o.customers*o.grown, 2*o.codes,
		time.Since(began).Seconds())
	return s, d.Write(ctx, settle)
}

func (s *shop) open(ctx context.Context, d *db.DB, codes int) error {
	err := d.Write(ctx, func(tx *db.Tx) (err error) {
		for i, code := range []string{"en", "pl"} {
			language := store.Language{Code: code, Name: code, Default: i == 0, Position: int64(i)}
			if err := store.AddLanguage(tx, language); err != nil {
				return err
			}
		}
		if err := admin.CreateRoles(tx); err != nil {
			return err
		}
		settings := store.DefaultSettings()
		s.store, err = store.Create(tx, store.New{
			Code: storeCode, Name: "Bench", Currency: "EUR", Settings: settings,
		})
		if err != nil {
			return err
		}
		s.level, err = level.Create(tx, s.store, level.Level{
			Active: true, Reward: level.Reward{Name: "Bronze", Code: "BRONZE", Value: 500},
			Translations: []level.Translation{{Locale: "en", Name: "Bronze"}, {Locale: "pl", Name: "Brąz"}},
		})
		return err
	})
	for i := 0; err == nil && i < spreadCampaigns; i++ {
		var id string
		id, err = s.campaign(ctx, d, fmt.Sprintf("Coffee %d", i), codes/spreadCampaigns+s.owners)
		s.spread = append(s.spread, id)
	}
	if err == nil {
		s.hot, err = s.campaign(ctx, d, "The coffee that everybody wants", codes)
	}
	if err == nil {
		s.small, err = s.campaign(ctx, d, "Tea", smallCodes)
	}
	return err
}

// campaign creates a campaign with limits that are checked but never reached.
func (s *shop) campaign(ctx context.Context, d *db.DB, name string, codes int) (id string, err error) {
	translation := func(locale string) campaign.Translation {
		return campaign.Translation{
			Locale: locale, Name: name, ShortDescription: "A large one, with milk if you like.",
			ConditionsDescription: "One coupon a visit.", UsageInstruction: "Show the code at the counter.",
			BrandName: "Amber & Oak", BrandDescription: "Coffee roasted next door.",
		}
	}
	draft := campaign.Draft{Codes: make([]string, codes), Campaign: campaign.Campaign{
		Reward: campaign.DiscountCode, Active: true, Cost: decimal.Whole(10), Limit: 1e9, LimitPerUser: 1e9,
		DaysValid: 30, Activity: campaign.Window{AllTime: true}, Visibility: campaign.Window{AllTime: true},
		Definition: campaign.Definition{
			Target: "level", Levels: []string{s.level.ID}, PushNotificationText: "Coffee is ready",
			Translations: []campaign.Translation{translation("en"), translation("pl")},
		},
	}}
	for i := range draft.Codes {
		draft.Codes[i] = fmt.Sprintf("%07d-%s", i, name)
	}
	err = d.Write(ctx, func(tx *db.Tx) (err error) {
		id, err = campaign.Create(tx, s.store, draft)
		return err
	})
	return id, err
}

// register adds n active customers without passwords and gives them points.
func (s *shop) register(tx *db.Tx, n int) error {
	ids := make([]string, n)
	owners := make([]points.Owner, n)
	for i := range ids {
		number := len(s.customers) + i
		c, err := customer.Register(tx, s.store, customer.Registration{
			Email: fmt.Sprintf("customer-%d@example.com", number), Phone: fmt.Sprintf("+48%09d", number),
			FirstName: "Ida", LastName: "Berg", Agreements: [3]bool{true}, Active: true,
		})
		if err != nil {
			return err
		}
		ids[i], owners[i] = c.ID, points.Owner{Store: s.store, CustomerID: c.ID}
	}
	tx.AfterCommit(func() { s.customers = append(s.customers, ids...) })
	return grant(tx, s.store.Key, owners)
}

// grant gives points to customers.
func grant(tx *db.Tx, storeKey int64, owners []points.Owner) error {
	wallets, err := points.Lock(tx, owners...)
	if err != nil {
		return err
	}
	entries := make([]event.Entry, len(owners))
	for i, owner := range owners {
		_, entries[i] = wallets.Of(owner).Add(points.Grant{
			Value: decimal.Whole(wealth), Issuer: points.ByAdmin, CreatedAt: tx.Now(),
		})
	}
	if err := wallets.Save(); err != nil {
		return err
	}
	return event.Append(tx, storeKey, entries...)
}

// buyBefore buys for the first customers, so that their lists are not empty.
func (s *shop) buyBefore(ctx context.Context, desk *purchase.Desk) error {
	failures := make(chan error, s.owners)
	var buying sync.WaitGroup
	for i, id := range s.customers[:s.owners] {
		buying.Go(func() {
			_, err := desk.Buy(ctx, purchase.Buy{
				Store: s.store, CustomerID: id, CampaignID: s.spread[i%len(s.spread)], Quantity: boughtBefore, Locale: "en",
			})
			failures <- err
		})
		if i%db.GroupLimit == db.GroupLimit-1 {
			buying.Wait() // the queue of writes is bounded
		}
	}
	buying.Wait()
	close(failures)
	for err := range failures {
		if err != nil {
			return err
		}
	}
	return nil
}

// issue signs tokens for the customers and for an administrator with all permissions.
func (s *shop) issue(ctx context.Context, d *db.DB) error {
	a, err := auth.New(ctx, auth.Config{DB: d, Stores: store.NewDirectory(d)})
	if err != nil {
		return err
	}
	for i, id := range s.customers {
		token, err := a.Issue(ctx, &access.Caller{
			Role: access.Customer, ID: id, Username: fmt.Sprintf("customer-%d@example.com", i), StoreKey: s.store.Key,
			Session: db.NewID(),
		}, time.Time{})
		if err != nil {
			return err
		}
		s.tokens = append(s.tokens, token)
	}
	var chief admin.Administrator
	err = d.Write(ctx, func(tx *db.Tx) (err error) {
		chief, err = admin.Create(tx, admin.New{
			Username: "admin", PasswordHash: "none: nobody logs in", Active: true, RoleID: admin.SuperAdmin,
		})
		return err
	})
	if err != nil {
		return err
	}
	s.adminToken, err = a.Issue(ctx, &access.Caller{
		Role: access.Administrator, ID: chief.ID, Username: chief.Username, Master: true, Session: db.NewID(),
	}, time.Time{})
	return err
}

// settle marks the events and announcements of the preparation as done. Otherwise each measured
// server would relay the events and announce all campaigns during the first requests.
func settle(tx *db.Tx) error {
	for _, table := range []string{"events", "event_queue", "customer_arrivals"} {
		if _, err := tx.Exec(`DELETE FROM ` + table); err != nil {
			return err
		}
	}
	return nil
}

const (
	jobsLimit = 30 * time.Minute // for a grown store
	jobsPoll  = 100 * time.Millisecond
)

// runJobs runs the product on the prepared database until each scheduled job has run once. Otherwise each measured
// server would do so first, and read nearly all rows for it.
func (b *bencher) runJobs(ctx context.Context, e *engine) error {
	ctx, cancel := context.WithTimeout(ctx, jobsLimit)
	defer cancel()
	t := &trial{bencher: b, engine: e}
	return t.serveOn(ctx, e.named(templateName), func(*database) error {
		poll := time.NewTicker(jobsPoll)
		defer poll.Stop()
		for {
			ran, err := t.jobsRan(ctx)
			if err != nil || ran {
				return err
			}
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-poll.C:
			}
		}
	})
}

// jobsRan reports whether each scheduled job has run.
func (t *trial) jobsRan(ctx context.Context) (ran bool, err error) {
	err = t.db.Read(ctx, func(tx *db.Tx) error {
		jobs, err := job.Status(tx)
		ran = len(jobs) > 0 && !slices.ContainsFunc(jobs, func(j job.State) bool { return j.LastEndAt.IsZero() })
		return err
	})
	return ran, err
}

// tidyUp vacuums and analyses the new tables, as autovacuum does sooner or later.
func tidyUp(ctx context.Context, d *db.DB) error {
	if d.Engine() == "sqlite" {
		return nil
	}
	return d.Read(ctx, func(tx *db.Tx) error { // outside a transaction
		_, err := tx.Exec(`VACUUM (FREEZE, ANALYZE)`)
		return err
	})
}
