package demo_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"punchcard/app/demo"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/earning"
	"punchcard/loyalty/level"
	"punchcard/loyalty/points"
	"punchcard/loyalty/pos"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/segment"
	"punchcard/loyalty/transaction"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/event"
	"punchcard/platform/testmode"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

const userHash = "the hash of a password"

var catalogue = &campaign.Catalogue{Types: campaign.RewardTypes}

var hooks = transaction.Hooks{
	Earn: earning.New(&purchase.Desk{Catalogue: catalogue}).Earn,
}

var background = context.Background()

// empty is a store with two languages, as it is before the demonstration program is loaded.
func empty(t *testing.T, d *db.DB, settings store.Settings) *store.Store {
	t.Helper()
	var s *store.Store
	write(t, d, func(tx *db.Tx) (err error) {
		for i, code := range []string{"en", "pl"} {
			l := store.Language{Code: code, Name: code, Default: i == 0, Position: int64(i)}
			if err := store.AddLanguage(tx, l); err != nil {
				return err
			}
		}
		s, err = store.Create(tx, store.New{Code: "DEFAULT", Name: "Default store", Currency: "EUR", Settings: settings})
		return err
	})
	return s
}

// settings returns the settings of the demonstration's store.
func settings() store.Settings {
	s := store.DefaultSettings()
	s.Timezone, s.PointsDaysExpiryAfter = "Europe/Warsaw", store.ExpiryNever
	return s
}

func load(t *testing.T, d *db.DB, s *store.Store) string {
	t.Helper()
	var progress bytes.Buffer
	began := time.Now()
	desk := purchase.NewDesk(d, campaign.RewardTypes)
	feature.Connect(d, feature.On(segment.New().Counted))
	if err := demo.Load(background, d, s, desk, hooks, userHash, &progress); err != nil {
		t.Fatal(err)
	}
	t.Logf("loaded in %v", time.Since(began).Round(time.Millisecond))
	return progress.String()
}

func read(t *testing.T, d *db.DB, run func(tx *db.Tx) error) {
	t.Helper()
	if err := d.Read(background, run); err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, d *db.DB, run func(tx *db.Tx) error) {
	t.Helper()
	if err := d.Write(background, run); err != nil {
		t.Fatal(err)
	}
}

// ids lists a column of ids of the store.
func ids(t *testing.T, d *db.DB, s *store.Store, column, table string) []string {
	t.Helper()
	var all []string
	read(t, d, func(tx *db.Tx) (err error) {
		all, err = db.AllValues[string](tx,
			`SELECT `+column+` FROM `+table+` WHERE store_id = $1 ORDER BY `+column, s.Key)
		return err
	})
	return all
}

func customers(t *testing.T, d *db.DB, s *store.Store) map[string]*customer.Customer {
	t.Helper()
	known := ids(t, d, s, "customer_id", "customers")
	var all map[string]*customer.Customer
	read(t, d, func(tx *db.Tx) (err error) {
		all, err = customer.FindAll(tx, s.Key, known...)
		return err
	})
	return all
}

type shelf struct {
	campaigns map[string]*campaign.Campaign
	counters  map[string]campaign.Counters
	codes     map[string][]string
}

func campaigns(t *testing.T, d *db.DB, s *store.Store) (found shelf) {
	t.Helper()
	all := ids(t, d, s, "campaign_id", "campaigns")
	read(t, d, func(tx *db.Tx) (err error) {
		if found.campaigns, err = catalogue.FindAll(tx, s.Key, all...); err != nil {
			return err
		}
		if found.counters, err = campaign.CountersOf(tx, s.Key, all...); err != nil {
			return err
		}
		found.codes, err = campaign.CodesOf(tx, s.Key, all...)
		return err
	})
	return found
}

// bought holds the fields of a purchase that the tests check.
type bought struct {
	customer, campaign, code string
	used                     bool
}

func purchases(t *testing.T, d *db.DB, s *store.Store) []bought {
	t.Helper()
	var all []bought
	read(t, d, func(tx *db.Tx) (err error) {
		all, err = db.All(tx, func(b *bought) []any { return []any{&b.customer, &b.campaign, &b.code, &b.used} },
			`SELECT customer_id, campaign_id, code, used FROM purchases WHERE store_id = $1 ORDER BY coupon_id`, s.Key)
		return err
	})
	return all
}

func TestLoad(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := empty(t, d, settings())
		progress := load(t, d, s)
		everybody, offers, sold := customers(t, d, s), campaigns(t, d, s), purchases(t, d, s)

		used := 0
		for _, b := range sold {
			if b.used {
				used++
			}
		}
		if len(everybody) != 300 || len(sold) < 200 || used < 50 || used == len(sold) {
			t.Fatalf("%d customers, %d purchases, %d used", len(everybody), len(sold), used)
		}
		if want := fmt.Sprintf("%d purchases, %d of them used", len(sold), used); !strings.Contains(progress, want) {
			t.Errorf("progress %q lacks %q", progress, want)
		}
		checkUser(t, d, s, everybody, sold)
		checkLevels(t, d, s, everybody)
		checkCustomers(t, d, everybody)
		checkCampaigns(t, d, offers)
		checkPurchases(t, offers, sold)
		checkLedger(t, d, s, everybody)
		checkEvents(t, d, everybody, len(sold), used)
	})
}

func checkUser(t *testing.T, d *db.DB, s *store.Store, everybody map[string]*customer.Customer, sold []bought) {
	t.Helper()
	read(t, d, func(tx *db.Tx) error {
		login, found, err := customer.FindLogin(tx, s.Key, "user@example.com")
		if err != nil || !found || !login.Active || login.Temporary || login.PasswordHash != userHash {
			t.Fatalf("log-in %+v, found %v, error %v", login, found, err)
		}
		account, err := points.Balance(tx, s, login.ID)
		if err != nil || account.Points < 1_000_00 {
			t.Errorf("user@example.com has %v points, error %v", account.Points, err)
		}
		var uses []bool
		for _, b := range sold {
			if b.customer == login.ID {
				uses = append(uses, b.used)
			}
		}
		if len(uses) != 2 || uses[0] == uses[1] {
			t.Errorf("user@example.com has coupons used %v, want two, one of them used", uses)
		}
		for _, c := range everybody {
			if c.ID != login.ID && c.PasswordHash != "" {
				t.Errorf("%s may log in", c.Email)
			}
		}
		return nil
	})
}

func checkLevels(t *testing.T, d *db.DB, s *store.Store, everybody map[string]*customer.Customer) {
	t.Helper()
	in := map[string]int64{}
	for _, c := range everybody {
		in[c.LevelID]++
	}
	read(t, d, func(tx *db.Tx) error {
		levels, err := level.Counted(tx, s.Key)
		if err != nil || len(levels) != 4 {
			t.Fatalf("%d levels, error %v", len(levels), err)
		}
		for _, l := range levels {
			if l.Customers == 0 || l.Customers != in[l.ID] || len(l.Translations) != 2 {
				t.Errorf("level %v counts %d customers, has %d", l.Translations, l.Customers, in[l.ID])
			}
		}
		return nil
	})
}

func checkCustomers(t *testing.T, d *db.DB, everybody map[string]*customer.Customer) {
	t.Helper()
	statuses := map[string]int{}
	for _, c := range everybody {
		statuses[c.Status]++
		age := d.Now().Sub(c.CreatedAt)
		if age < 0 || age > 366*24*time.Hour {
			t.Errorf("%s registered %v ago", c.Email, age)
		}
		name, domain, _ := strings.Cut(c.Email, "@")
		const allowed = "abcdefghijklmnopqrstuvwxyz.0123456789"
		if domain != "example.com" && domain != "example.org" || strings.Trim(name, allowed) != "" {
			t.Errorf("address %s", c.Email)
		}
	}
	for _, status := range []string{customer.New, customer.Active, customer.Blocked} {
		if statuses[status] == 0 {
			t.Errorf("nobody is %s: %v", status, statuses)
		}
	}
}

func checkCampaigns(t *testing.T, d *db.DB, offers shelf) {
	t.Helper()
	rewards := map[*campaign.RewardType]int{}
	inactive, hidden, empty := 0, 0, 0
	for id, c := range offers.campaigns {
		rewards[c.Reward]++
		if !c.ActiveAt(d.Now()) {
			inactive++
		}
		if !c.Visibility.Contains(d.Now()) {
			hidden++
		}
		if c.HasCodes() && c.UsageLeft(offers.counters[id]) == 0 {
			empty++
		}
		for _, w := range c.Definition.Translations {
			if w.Name == "" || w.ShortDescription == "" || w.ConditionsDescription == "" || w.UsageInstruction == "" {
				t.Errorf("campaign %+v lacks a text", w)
			}
		}
		d := &c.Definition
		if len(d.Translations) != 2 || d.Everybody == (len(d.Levels)+len(d.Segments) > 0) {
			t.Errorf("campaign %+v", d)
		}
	}
	for _, reward := range campaign.RewardTypes {
		if rewards[reward] == 0 {
			t.Errorf("no campaign of %s", reward.Name)
		}
	}
	if inactive < 3 || hidden == 0 || empty == 0 {
		t.Errorf("%d campaigns inactive, %d hidden, %d sold out", inactive, hidden, empty)
	}
}

func checkPurchases(t *testing.T, offers shelf, sold []bought) {
	t.Helper()
	type key struct{ campaign, of string }
	codes, mine, total := map[key]int{}, map[key]int64{}, map[string]int64{}
	for _, b := range sold {
		c := offers.campaigns[b.campaign]
		codes[key{b.campaign, b.code}]++
		mine[key{b.campaign, b.customer}]++
		total[b.campaign]++
		if b.code == "" || !slices.Contains(offers.codes[b.campaign], b.code) {
			t.Errorf("code %q is none of the campaign", b.code)
		}
		if !c.SingleCoupon && codes[key{b.campaign, b.code}] > 1 {
			t.Errorf("code %s sold twice", b.code)
		}
		if !c.Unlimited && (mine[key{b.campaign, b.customer}] > c.LimitPerUser || total[b.campaign] > c.Limit) {
			t.Errorf("limit of %s passed", c.Definition.Translations[0].Name)
		}
	}
	for id, k := range offers.counters {
		if k.Sold != total[id] {
			t.Errorf("campaign counts %d purchases, has %d", k.Sold, total[id])
		}
	}
}

func checkLedger(t *testing.T, d *db.DB, s *store.Store, everybody map[string]*customer.Customer) {
	t.Helper()
	read(t, d, func(tx *db.Tx) error {
		for id := range everybody {
			account, err := points.Balance(tx, s, id)
			if err != nil {
				return err
			}
			transfers, err := points.Every(tx, s.Key, id)
			if err != nil {
				return err
			}
			var left points.Amount
			for _, transfer := range transfers {
				left += transfer.Available // a spend has none
			}
			if account.Points < 0 || account.Points != left || account.Earned != account.Points+account.Used {
				t.Errorf("account %+v, lots hold %v", account, left)
			}
		}
		return nil
	})
}

func checkEvents(t *testing.T, d *db.DB, everybody map[string]*customer.Customer, sold, used int) {
	t.Helper()
	all, _, err := event.List(background, d, 1, 100_000, false)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	for _, e := range all {
		got[e.Type[strings.LastIndex(e.Type, ".")+1:]]++
	}
	for kind, want := range map[string]int{
		"CustomerWasRegistered": len(everybody), "AccountWasCreated": len(everybody),
		"CustomerWasMovedToLevel": len(everybody), "CampaignWasBoughtByCustomer": sold, "CampaignUsageWasChanged": used,
	} {
		if got[kind] != want {
			t.Errorf("%d events %s, want %d", got[kind], kind, want)
		}
	}
	if got["PointsWereAdded"] < len(everybody) || got["PointsWereSpent"] == 0 {
		t.Errorf("%d grants and %d spends", got["PointsWereAdded"], got["PointsWereSpent"])
	}
}

// Every demonstration looks the same: on either database, at the same moment, with other ids.
func TestLoadDrawsTheSame(t *testing.T) {
	testmode.SkipQuick(t)
	moment := time.Date(2031, 3, 30, 10, 15, 0, 0, time.UTC)
	var pictures []map[string]any
	for _, engine := range dbtest.Engines {
		d := dbtest.Open(t, dbtest.Config(t, engine), func() time.Time { return moment })
		s := empty(t, d, settings())
		load(t, d, s)
		picture := map[string]any{}
		for _, c := range customers(t, d, s) {
			picture[c.Email] = []any{c.FirstName, c.LastName, c.Phone, c.Address, c.Labels, c.CreatedAt, c.Status}
			read(t, d, func(tx *db.Tx) error {
				account, err := points.Balance(tx, s, c.ID)
				picture[c.Email+" account"] = []any{account.Points, account.Earned, account.Used}
				return err
			})
		}
		offers := campaigns(t, d, s)
		for id, c := range offers.campaigns {
			picture[c.Definition.Translations[0].Name] = []any{c.Activity, offers.codes[id], offers.counters[id].Sold}
		}
		pictures = append(pictures, picture)
	}
	for _, other := range pictures[1:] {
		for name, first := range pictures[0] {
			if second := other[name]; !reflect.DeepEqual(first, second) {
				t.Errorf("%s: %v, then %v", name, first, second)
			}
		}
	}
}

func TestLoadTwiceIsRefused(t *testing.T) {
	testmode.SkipQuick(t)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := empty(t, d, settings())
		load(t, d, s)
		err := demo.Load(background, d, s, purchase.NewDesk(d, campaign.RewardTypes), hooks, userHash, io.Discard)
		if !errors.Is(err, pos.ErrTaken) {
			t.Errorf("the second time: %v", err)
		}
		if n := len(customers(t, d, s)); n != 300 {
			t.Errorf("%d customers", n)
		}
	})
}

// A receipt that fails ends the load with its error.
func TestLoadReportsAFailedReceipt(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s, failed := empty(t, d, settings()), errors.New("no such segment")
		feature.Connect(d, feature.On(func(*db.Tx, *store.Store, transaction.Counted) error { return failed }))
		err := demo.Load(background, d, s, purchase.NewDesk(d, campaign.RewardTypes), hooks, userHash, io.Discard)
		if !errors.Is(err, failed) || !strings.Contains(err.Error(), "R-0") {
			t.Errorf("it returns %v", err)
		}
	})
}
