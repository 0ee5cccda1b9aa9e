package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"

	"punchcard/core/access"
	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/identity/admin"
	"punchcard/loyalty/identity/auth"
	"punchcard/loyalty/level"
	"punchcard/loyalty/notification"
	"punchcard/loyalty/points"
	"punchcard/loyalty/purchase"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
	"punchcard/platform/event"
)

const (
	storeCode       = "BENCH"
	spreadCampaigns = 100
	smallCodes      = 10 // codes of the campaign of the scenario one-campaign
	boughtBefore    = 10 // coupons of each customer who has bought: one page
	wealth          = 1_000_000
	atOnce          = 200 // rows that are prepared in one transaction
)

// shop is the content of the prepared database, with tokens to read it.
type shop struct {
	store  *store.Store
	levels []string // the first one is everybody's who has spent nothing

	spread     []string // campaigns
	hot, small string
	places     []string // points of sale of the history
	customers  []string
	quoted     []string // the same, as JSON
	tokens     []string // of the customers
	owners     int      // number of customers, the first ones, who have bought before
	coupons    []string // that they bought, as JSON for mark_as_used
	baskets    []string // the customer and three coupons of each of them, as JSON for checkout
	adminToken string
}

// fill fills an empty database by the operations of the product.
func fill(ctx context.Context, d *db.DB, o *options, clock *pastClock) (*shop, error) {
	s := &shop{owners: o.customers / 2} // five purchases for each customer
	began := time.Now()
	if err := s.open(ctx, d, o.codes); err != nil {
		return nil, err
	}
	// There are no customers yet, so the announcements finish now and none runs during a measurement.
	desk := purchase.NewDesk(d, campaign.RewardTypes)
	if _, err := notification.Announce(desk)(ctx, d, s.store); err != nil {
		return nil, err
	}
	s.customers = make([]string, o.customers)
	err := inParts(ctx, d, o.customers, s.register)
	if err != nil {
		return nil, err
	}
	err = inParts(ctx, d, s.owners, func(tx *db.Tx, from, to int) error { return s.buyBefore(tx, desk, from, to) })
	if err != nil {
		return nil, err
	}
	if err := s.readCoupons(ctx, d); err != nil {
		return nil, err
	}
	if err := s.issue(ctx, d); err != nil {
		return nil, err
	}
	if o.history() {
		if err := s.sellHistory(ctx, d, clock); err != nil {
			return nil, err
		}
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
		s.store, err = store.Create(tx, store.New{
			Code: storeCode, Name: "Bench", Currency: "EUR", Settings: store.DefaultSettings(),
		})
		if err != nil {
			return err
		}
		for _, l := range []struct {
			name  string
			spent decimal.Money // at least, for this level
		}{{"Bronze", 0}, {"Silver", 100_0000}, {"Gold", 1_000_0000}} {
			made, err := level.Create(tx, s.store, level.Level{
				Active: true, ConditionValue: l.spent, Reward: level.Reward{Name: l.name, Code: l.name, Value: 500},
				Translations: []level.Translation{{Locale: "en", Name: l.name}, {Locale: "pl", Name: l.name}},
			})
			if err != nil {
				return err
			}
			s.levels = append(s.levels, made.ID)
		}
		return nil
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
	worth := decimal.Whole(1).Money()
	draft := campaign.Draft{Codes: make([]string, codes), Campaign: campaign.Campaign{
		Reward: campaign.DiscountCode, Active: true, Cost: decimal.Whole(10), Limit: 1e9, LimitPerUser: 1e9,
		DaysValid: 30, Activity: campaign.Window{AllTime: true}, Visibility: campaign.Window{AllTime: true},
		Definition: campaign.Definition{
			Target: "level", Levels: s.levels, PushNotificationText: "Coffee is ready",
			Translations: []campaign.Translation{translation("en"), translation("pl")}, RewardValue: &worth,
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

// inParts adds rows in transactions of some rows each.
func inParts(ctx context.Context, d *db.DB, rows int, add func(tx *db.Tx, from, to int) error) error {
	for from := 0; from < rows; from += atOnce {
		err := d.Write(ctx, func(tx *db.Tx) error { return add(tx, from, min(from+atOnce, rows)) })
		if err != nil {
			return err
		}
	}
	return nil
}

// register adds the customers from one number to another, without passwords, and gives them points.
func (s *shop) register(tx *db.Tx, from, to int) error {
	owners := make([]points.Owner, to-from)
	for i := range owners {
		c, err := customer.Register(tx, s.store, s.person(from+i))
		if err != nil {
			return err
		}
		s.customers[from+i], owners[i] = c.ID, points.Owner{Store: s.store, CustomerID: c.ID}
	}
	return grant(tx, s.store.Key, owners)
}

// person returns the customer with a number. Ten have the same last name, so that a search by it fills a page. Of ten,
// the last has a Chinese first name.
func (s *shop) person(number int) customer.Registration {
	families := max(1, len(s.customers)/10)
	p := customer.Registration{
		FirstName: word((31*number+number/families)%300, 2), LastName: word(number%families, 4),
		Email: fmt.Sprintf("customer-%d@example.com", number), Phone: fmt.Sprintf("+48%09d", number),
		LoyaltyCard: fmt.Sprintf("62%010d", number*104_729), Agreements: [3]bool{true}, Active: true,
	}
	if number%10 == 9 {
		p.FirstName = string([]rune{rune(0x4e00 + number/10%89), rune(0x5e00 + number/10%997)})
	}
	return p
}

// word spells a number in syllables.
func word(number, syllables int) string {
	const consonants, vowels = "bcdfghjklmnprstwz", "aeiouy"
	var letters []byte
	for range syllables {
		letters = append(letters, consonants[number%len(consonants)], vowels[number/len(consonants)%len(vowels)])
		number /= len(consonants) * len(vowels)
	}
	return string(letters)
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
func (s *shop) buyBefore(tx *db.Tx, desk *purchase.Desk, from, to int) error {
	var buys []purchase.Buy
	for i := from; i < to; i++ {
		buys = append(buys, purchase.Buy{
			Store: s.store, CustomerID: s.customers[i], CampaignID: s.spread[i%len(s.spread)], Quantity: boughtBefore,
			Locale: "en",
		})
	}
	sold, err := desk.BuyIn(tx, s.store, buys...)
	for i := 0; err == nil && i < len(sold); i++ {
		err = sold[i].Err
	}
	return err
}

// readCoupons reads the coupons that customers bought before, in an order in which few belong to one customer.
func (s *shop) readCoupons(ctx context.Context, d *db.DB) error {
	type coupon struct {
		ID       string `json:"couponId"`
		Campaign string `json:"campaignId"`
		Customer string `json:"customerId"`
		Code     string `json:"code"`
		Used     bool   `json:"used"`
	}
	codes := map[string][]string{}
	err := d.Read(ctx, func(tx *db.Tx) error {
		return db.Each(tx, func(c *coupon) []any { return []any{&c.ID, &c.Campaign, &c.Customer, &c.Code} },
			func(c coupon) {
				c.Used = true
				codes[c.Customer] = append(codes[c.Customer], c.Code)
				text, _ := json.Marshal(c) // texts and a boolean
				s.coupons = append(s.coupons, string(text))
			}, `SELECT coupon_id, campaign_id, customer_id, code FROM purchases WHERE store_id = $1`, s.store.Key)
	})
	for _, id := range s.customers[:s.owners] {
		of := codes[id]
		s.baskets = append(s.baskets, fmt.Sprintf(`"customer":"%s","coupons":[{"code":%q},{"code":%q},{"code":%q}]`,
			id, of[0], of[1], of[2]))
	}
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(s.coupons), func(i, j int) {
		s.coupons[i], s.coupons[j] = s.coupons[j], s.coupons[i]
	})
	return err
}

// issue signs tokens for the customers and for an administrator with all permissions.
func (s *shop) issue(ctx context.Context, d *db.DB) error {
	a, err := auth.New(ctx, auth.Config{DB: d, Stores: store.NewDirectory(d)})
	if err != nil {
		return err
	}
	for i, id := range s.customers {
		s.quoted = append(s.quoted, strconv.Quote(id))
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
