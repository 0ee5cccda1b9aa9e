package campaign

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"punchcard/core/api"
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
