package campaign

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"punchcard/api"
	"punchcard/platform/db/dbtest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// now is the present moment of the tests, in whole microseconds as stored.
var now = time.Date(2031, 6, 1, 12, 0, 0, 0, time.UTC)

func clock() time.Time { return now }

// stocked is a campaign that sold some of its coupons, with free codes or, for a single coupon, free uses left.
func stocked(single, unlimited bool, free, sold int64) (*Campaign, Counters) {
	c := &Campaign{Reward: DiscountCode, SingleCoupon: single, Unlimited: unlimited, Limit: 1_000, LimitPerUser: 1_000}
	k := Counters{Sold: sold, NextPosition: sold + 1, LastPosition: sold + free}
	if single {
		c.Limit, k.LastPosition = sold+free, 1
	}
	return c, k
}

// Tests the usage left for all combinations of limits and codes.
func TestUsageLeftFor(t *testing.T) {
	for _, c := range []struct {
		free         int64
		single       bool
		limitPerUser int64
		unlimited    bool
		mine, want   int64
	}{
		{1, true, 1, false, 1, 0},
		{1, true, 10, false, 1, 1},
		{1, true, 1, false, 0, 1},
		{5, true, 5, false, 2, 3},
		{5, false, 5, false, 2, 3},
		{10, false, 1, false, 1, 0},
		{0, false, 10, false, 2, 0},
		{2, false, 10, false, 1, 2},
		{10, false, 10, true, 2, 10},
		{0, false, 10, true, 0, 0},
		{0, false, 10, true, 2, 0},
		{0, false, 10, true, 20, 0},
		{10, false, 3, false, 5, 0}, // the limit was lowered afterwards
	} {
		subject, counters := stocked(c.single, c.unlimited, c.free, c.mine)
		subject.LimitPerUser = c.limitPerUser
		if got := subject.UsageLeftFor(counters, c.mine); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}

func TestUsageLeft(t *testing.T) {
	for _, c := range []struct {
		name              string
		reward            *RewardType
		single, unlimited bool
		codes, sold       int64 // codes in all
		limit, want       int64
	}{
		{"the limit is smaller", DiscountCode, false, false, 5, 0, 3, 3},
		{"the codes are fewer", DiscountCode, false, false, 2, 0, 10, 2},
		{"some are sold", GiftCode, false, false, 8, 3, 5, 2},
		{"the limit is reached", DiscountCode, false, false, 8, 3, 3, 0},
		{"the limit was lowered", DiscountCode, false, false, 8, 5, 3, 0},
		{"the codes are sold out", EventCode, false, false, 3, 3, 9, 0},
		{"no limit, but codes", ValueCode, false, true, 5, 1, 0, 4},
		{"no limit, no codes left", FreeDeliveryCode, false, true, 5, 5, 0, 0},
		{"no limit, one code for all", DiscountCode, true, true, 1, 70, 0, math.MaxInt64},
		{"one code for all", DiscountCode, true, false, 1, 1, 4, 3},
		{"one code for all, used up", DiscountCode, true, false, 1, 4, 4, 0},
		{"one code for all, limit lowered", DiscountCode, true, false, 1, 5, 4, 0},
		{"cashback", Cashback, true, true, 0, 9, 0, math.MaxInt64},
		{"percentage", PercentageDiscount, true, true, 0, 0, 0, 0},
		{"custom", CustomCampaignCode, true, true, 0, 0, 0, 0},
	} {
		subject := &Campaign{Reward: c.reward, SingleCoupon: c.single, Unlimited: c.unlimited, Limit: c.limit}
		counters := Counters{Sold: c.sold, NextPosition: c.sold + 1, LastPosition: c.codes}
		if got := subject.UsageLeft(counters); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

func TestCheckLimits(t *testing.T) {
	for _, c := range []struct {
		name                 string
		reward               *RewardType
		single, unlimited    bool
		free, sold           int64
		limit, perUser, mine int64
		quantity             int64
		want                 error
	}{
		{"codes without limit", DiscountCode, false, true, 2, 5, 0, 0, 5, 2, nil},
		{"codes without limit, one too many", DiscountCode, false, true, 2, 5, 0, 0, 5, 3, ErrNoCoupons},
		{"codes without limit, sold out", DiscountCode, false, true, 0, 5, 0, 0, 0, 1, ErrNoCoupons},
		{"one code for all without limit", DiscountCode, true, true, 0, 5, 0, 0, 5, 1_000, nil},
		{"up to the limit", DiscountCode, false, false, 9, 3, 5, 9, 0, 2, nil},
		{"past the limit", DiscountCode, false, false, 9, 3, 5, 9, 0, 3, ErrLimit},
		{"up to the personal limit", DiscountCode, false, false, 9, 3, 9, 2, 1, 1, nil},
		{"past the personal limit", DiscountCode, false, false, 9, 3, 9, 2, 1, 2, ErrLimitPerCustomer},
		{"past both: the error is that of the limit of all", DiscountCode, false, false, 9, 3, 3, 2, 2, 1, ErrLimit},
		{"past the limit and without codes", DiscountCode, false, false, 0, 3, 3, 9, 0, 1, ErrLimit},
		{"past the personal limit and without codes", GiftCode, false, false, 0, 3, 9, 1, 1, 1, ErrLimitPerCustomer},
		{"within the limits without codes: selling reports it", DiscountCode, false, false, 0, 1, 10, 10, 1, 1, nil},
		{"one code for all, past the limit", EventCode, true, false, 0, 3, 3, 9, 0, 1, ErrLimit},
		{"one code for all, past the personal limit", EventCode, true, false, 0, 3, 9, 1, 1, 1, ErrLimitPerCustomer},
		{"cashback", Cashback, true, true, 0, 3, 0, 0, 3, 1, nil},
		{"percentage", PercentageDiscount, false, false, 0, 3, 0, 0, 3, 1, nil},
		{"custom", CustomCampaignCode, false, false, 0, 3, 0, 0, 3, 1, nil},
	} {
		subject := &Campaign{
			Reward: c.reward, SingleCoupon: c.single, Unlimited: c.unlimited, Limit: c.limit, LimitPerUser: c.perUser,
		}
		counters := Counters{Sold: c.sold, NextPosition: c.sold + 1, LastPosition: c.sold + c.free}
		if got := subject.CheckLimits(counters, c.mine, c.quantity); !errors.Is(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	for err, text := range map[error]string{
		ErrNoCoupons: "No coupons left", ErrLimit: "Limit exceeded", ErrLimitPerCustomer: "Limit per customer exceeded",
	} {
		if err.Error() != text {
			t.Errorf("%q, want %q", err, text)
		}
	}
}

// The usage left that is shown is exactly the number of coupons that can be bought.
func TestUsageLeftIsWhatCanBeBought(t *testing.T) {
	normal := []*RewardType{DiscountCode, FreeDeliveryCode, GiftCode, EventCode, ValueCode}
	rapid.Check(t, func(t *rapid.T) {
		small := func(name string) int64 { return rapid.Int64Range(0, 6).Draw(t, name) }
		c := &Campaign{
			Reward: rapid.SampledFrom(normal).Draw(t, "reward"), SingleCoupon: rapid.Bool().Draw(t, "single"),
			Unlimited: rapid.Bool().Draw(t, "unlimited"), Limit: small("limit"), LimitPerUser: small("limit per user"),
		}
		mine := small("mine")
		sold := mine + small("sold to others")
		k := Counters{Sold: sold, NextPosition: sold + 1, LastPosition: sold + small("codes left")}
		quantity := rapid.Int64Range(1, 8).Draw(t, "quantity")
		hasCode := c.SingleCoupon || quantity <= k.LastPosition-k.Sold
		can := c.CheckLimits(k, mine, quantity) == nil && hasCode
		if shown := quantity <= c.UsageLeft(k) && quantity <= c.UsageLeftFor(k, mine); can != shown {
			t.Fatalf("%+v, %+v, %d of %d: bought %v, shown %v", c, k, quantity, mine, can, shown)
		}
	})
}

func TestWindowIncludesBothEnds(t *testing.T) {
	const tick = time.Microsecond
	from, to := now, now.Add(time.Hour)
	for _, c := range []struct {
		name   string
		window Window
		at     time.Time
		want   bool
	}{
		{"before", Window{From: from, To: to}, from.Add(-tick), false},
		{"first moment", Window{From: from, To: to}, from, true},
		{"between", Window{From: from, To: to}, from.Add(time.Minute), true},
		{"last moment", Window{From: from, To: to}, to, true},
		{"after", Window{From: from, To: to}, to.Add(tick), false},
		{"a single moment", Window{From: from, To: from}, from, true},
		{"another zone", Window{From: from, To: to}, from.In(time.FixedZone("", 7200)), true},
		{"from later than to", Window{From: to, To: from}, from.Add(time.Minute), false},
		{"all time", Window{AllTime: true}, from, true},
		{"all time beats the dates", Window{AllTime: true, From: from, To: to}, to.Add(tick), true},
		{"no dates", Window{}, from, false},
	} {
		if got := c.window.Contains(c.at); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestActiveAndVisible(t *testing.T) {
	always, open := Window{AllTime: true}, Window{From: now, To: now}
	over, ahead := Window{To: now.Add(-1)}, Window{From: now.Add(1), To: now.Add(9)}
	for _, c := range []struct {
		name                 string
		reward               *RewardType
		flag                 bool
		activity, visibility Window
		active, visible      bool
	}{
		{"all time", DiscountCode, true, always, always, true, true},
		{"at the edges", GiftCode, true, open, open, true, true},
		{"switched off: still visible", DiscountCode, false, always, always, false, true},
		{"activity is over", EventCode, true, over, always, false, true},
		{"activity is ahead", EventCode, true, ahead, always, false, true},
		{"no longer visible", ValueCode, true, always, over, true, false},
		{"not yet visible", ValueCode, true, always, ahead, true, false},
		{"cashback is never visible", Cashback, true, always, always, true, false},
		{"percentage is never visible", PercentageDiscount, true, always, always, true, false},
		{"custom", CustomCampaignCode, true, always, always, true, true},
	} {
		subject := &Campaign{Reward: c.reward, Active: c.flag, Activity: c.activity, Visibility: c.visibility}
		if active, visible := subject.ActiveAt(now), subject.VisibleAt(now); active != c.active || visible != c.visible {
			t.Errorf("%s: active %v, visible %v", c.name, active, visible)
		}
	}
}

func TestParseLabels(t *testing.T) {
	for _, c := range []struct {
		text string
		want []Label
	}{
		{"", nil},
		{";", nil},
		{";;;", nil},
		{"key:value;key1:value1", []Label{{"key", "value"}, {"key1", "value1"}}},
		{"key1:value1;key:value", []Label{{"key1", "value1"}, {"key", "value"}}},
		{"type:promotion;", []Label{{"type", "promotion"}}},
		{";;type:promotion;;a:b;", []Label{{"type", "promotion"}, {"a", "b"}}},
		{"type:promotion;type:cashback", []Label{{"type", "promotion"}, {"type", "cashback"}}},
		{"type:cashback;type:cashback", []Label{{"type", "cashback"}, {"type", "cashback"}}},
		{"a:b:c", []Label{{"a", "b:c"}}},
		{"site:https://shop.example:80/x", []Label{{"site", "https://shop.example:80/x"}}},
		{"abc", nil},
		{"abc;a:b", []Label{{"a", "b"}}},
		{"a:", []Label{{"a", ""}}},
		{" a : b ; c : d ", []Label{{"a", "b"}, {"c", "d"}}},
		{"Kraj:Łódź,Gdańsk", []Label{{"Kraj", "Łódź,Gdańsk"}}},
	} {
		if diff := cmp.Diff(c.want, ParseLabels(c.text)); diff != "" {
			t.Errorf("%q: %s", c.text, diff)
		}
	}
}

func TestWhichCampaignsSellTheirOwnCodes(t *testing.T) {
	own := map[*RewardType]bool{
		DiscountCode: true, FreeDeliveryCode: true, GiftCode: true, EventCode: true, ValueCode: true,
	}
	for _, reward := range RewardTypes {
		if got := (&Campaign{Reward: reward}).HasCodes(); got != own[reward] {
			t.Errorf("%s: %v", reward.Name, got)
		}
		if (&Campaign{Reward: reward, SingleCoupon: true}).HasCodes() {
			t.Errorf("%s: a single coupon has codes", reward.Name)
		}
	}
}

func TestTextsFallBackForEachFieldByItself(t *testing.T) {
	c := &Campaign{Definition: Definition{Levels: []string{"a"}, Translations: []Translation{
		{Locale: "en", Name: "Ten off", BrandName: "Acme"}, {Locale: "pl", Name: "Dziesięć"},
	}}}
	brand := func(t *Translation) string { return t.BrandName }
	for wanted, name := range map[string]string{"en": "Ten off", "pl": "Dziesięć", "pl_PL": "Dziesięć", "fr": "Ten off"} {
		locale := api.Locale{Wanted: wanted, Default: "en"}
		if got := c.Name(locale) + ", " + c.Text(locale, brand); got != name+", Acme" {
			t.Errorf("%s: %s", wanted, got)
		}
	}
	if !c.TargetsLevel("a") || c.TargetsLevel("b") || c.TargetsLevel("") {
		t.Error("a campaign for level a is not for level a alone")
	}
}
