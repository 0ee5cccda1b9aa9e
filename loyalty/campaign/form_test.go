package campaign

import (
	"encoding/json"
	"errors"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"punchcard/core/store"
	"punchcard/platform/decimal"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

const (
	levelID   = "018f0000-0000-7000-8000-000000000001"
	segmentID = "018f0000-0000-7000-8000-000000000002"
	ruleID    = "018f0000-0000-7000-8000-000000000003"

	negative   = "This value should be 0 or more."
	notAbove   = "This value should be greater than 0."
	belowZero  = "This value should be greater than or equal to 0."
	notInteger = "This value should be of type integer."
	notURL     = "This value is not a valid URL."
	moneyLimit = "This value should be less than 999999999."
)

// fields are the members of the form below campaign, by their path: limit, translations.en.name.
type fields map[string]string

// valid is the shortest form of a discount that has no errors.
func valid() fields {
	return fields{
		"reward": DiscountCode.Name, "translations.en.name": "Ten off", "active": "1", "costInPoints": "10.5",
		"pushNotificationText": "Now", "target": "level", "levels.0": levelID, "limit": "10", "limitPerUser": "2",
		"coupons.0": "A", "daysInactive": "0", "daysValid": "30",
	}
}

// with changes fields; the value "-" takes a field out.
func (f fields) with(changes fields) fields {
	f = maps.Clone(f)
	maps.Copy(f, changes)
	maps.DeleteFunc(f, func(_, value string) bool { return value == "-" })
	return f
}

// readForm returns the draft, the errors by path, and the names of the outermost fields of the error tree. A form
// without an error is given one, so that the names can be seen.
func readForm(t *testing.T, f fields) (Draft, map[string][]string, []string) {
	t.Helper()
	values := url.Values{}
	for path, value := range f {
		values.Set("campaign["+strings.ReplaceAll(path, ".", "][")+"]", value)
	}
	node, err := form.ParseQuery(values.Encode())
	if err != nil {
		t.Fatal(err)
	}
	zone, err := time.LoadLocation("Europe/Warsaw")
	if err != nil {
		t.Fatal(err)
	}
	g := form.Read(node, "campaign")
	shop := &store.Store{Currency: "EUR", Zone: zone}
	draft := RewardTypes.readForm(g, store.Languages{{Code: "en", Default: true}, {Code: "pl"}}, shop)
	g.AddFormError(fault.New(fault.Fields, "shown", "shown"))
	var refused *fault.Error
	if !errors.As(g.Err(), &refused) || refused.Kind != fault.Fields {
		t.Fatalf("the form's error is %v", g.Err())
	}
	text, err := json.Marshal(refused.Detail)
	if err != nil {
		t.Fatal(err)
	}
	var tree struct{ Form field }
	if err := json.Unmarshal(text, &tree); err != nil {
		t.Fatal(err)
	}
	problems := map[string][]string{}
	for name, child := range tree.Form.Children {
		child.collect(name, problems)
	}
	return draft, problems, slices.Sorted(maps.Keys(tree.Form.Children))
}

type field struct {
	Errors   []string
	Children map[string]field
}

func (f field) collect(path string, problems map[string][]string) {
	if len(f.Errors) > 0 {
		problems[path] = f.Errors
	}
	for name, child := range f.Children {
		child.collect(path+"."+name, problems)
	}
}

// one is the errors of a form with a single message in some fields.
var blank, invalid, noItems = form.Blank.Message, form.NotValid.Message, form.NoItems.Message

func one(message string, paths ...string) map[string][]string {
	problems := map[string][]string{}
	for _, path := range paths {
		problems[path] = []string{message}
	}
	return problems
}

func both(a, b map[string][]string) map[string][]string {
	maps.Copy(a, b)
	return a
}

func TestChildrenOfTheErrorTree(t *testing.T) {
	everywhere := []string{
		"active", "campaignActivity", "campaignVisibility", "categories", "costInPoints", "coupons", "daysInactive",
		"daysValid", "featured", "labels", "levels", "limit", "limitPerUser", "moreInformationLink", "public",
		"pushNotificationText", "reward", "rewardValue", "segments", "singleCoupon", "target", "tax", "taxPriceValue",
		"translations", "unlimited",
	}
	for _, c := range []struct {
		name    string
		changes fields
		further []string
	}{
		{"nothing", nil, nil},
		{"unknown reward", fields{"reward": "lottery"}, nil},
		{"discount", fields{"reward": DiscountCode.Name}, nil},
		{"free delivery", fields{"reward": FreeDeliveryCode.Name}, nil},
		{"event", fields{"reward": EventCode.Name}, nil},
		{"value", fields{"reward": ValueCode.Name}, nil},
		{"gift", fields{"reward": GiftCode.Name}, []string{"fulfillmentTracking"}},
		{"cashback", fields{"reward": Cashback.Name}, []string{"pointValue", "cashbackProvider"}},
		{"percentage", fields{"reward": PercentageDiscount.Name}, []string{"transactionPercentageValue"}},
		{"custom", fields{"reward": CustomCampaignCode.Name}, []string{"connectType"}},
		{"custom, not connected", fields{"reward": CustomCampaignCode.Name, "connectType": "none"}, []string{"connectType"}},
		{"custom, connected", fields{"reward": CustomCampaignCode.Name, "connectType": "qrcode"},
			[]string{"connectType", "earningRuleId"}},
	} {
		_, _, children := readForm(t, c.changes)
		if diff := cmp.Diff(slices.Sorted(slices.Values(append(c.further, everywhere...))), children); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

func TestNothingSent(t *testing.T) {
	_, problems, _ := readForm(t, nil)
	want := both(one(blank, "reward", "translations.en.name", "pushNotificationText", "costInPoints", "target",
		"limit", "limitPerUser", "daysInactive", "daysValid"), one(noItems, "levels", "segments", "coupons"))
	if diff := cmp.Diff(want, problems); diff != "" {
		t.Error(diff)
	}
}

// Which fields a reward type demands when nothing but the common ones is sent.
func TestRequiredFieldsOfARewardType(t *testing.T) {
	normal := both(one(blank, "costInPoints", "limit", "limitPerUser", "daysInactive", "daysValid"),
		one(noItems, "coupons"))
	for reward, want := range map[string]map[string][]string{
		DiscountCode.Name: normal, FreeDeliveryCode.Name: normal, GiftCode.Name: normal, EventCode.Name: normal,
		ValueCode.Name:          normal,
		Cashback.Name:           one(blank, "pointValue"),
		PercentageDiscount.Name: one(blank, "transactionPercentageValue", "daysInactive", "daysValid"),
		CustomCampaignCode.Name: {},
	} {
		_, problems, _ := readForm(t, fields{
			"reward": reward, "translations.en.name": "Ten off", "pushNotificationText": "Now", "target": "level",
			"levels.0": levelID,
		})
		if diff := cmp.Diff(want, problems); diff != "" {
			t.Errorf("%s: %s", reward, diff)
		}
	}
}

func TestErrorsOfTextsAndTargets(t *testing.T) {
	expectErrors(t, valid(), []formCase{
		{"valid", fields{}, nil},
		{"unknown reward", fields{"reward": "Discount_code"}, one(invalid, "reward")},
		{"name in another language only", fields{"translations.en.name": "-", "translations.pl.name": "Dziesięć"},
			one(blank, "translations.en.name")},
		{"name of blanks", fields{"translations.en.name": "  "}, one(blank, "translations.en.name")},
		{"name too long", fields{"translations.en.name": strings.Repeat("ż", 256)},
			one("This value is too long. It should have 255 characters or less.", "translations.en.name")},
		{"name just long enough", fields{"translations.en.name": strings.Repeat("ż", 255)}, nil},
		{"a further language", fields{"translations.de_AT.name": "Zehn"}, nil},
		{"no language", fields{"translations.e1.name": "Zehn"}, one(invalid, "translations")},
		{"no push text", fields{"pushNotificationText": ""}, one(blank, "pushNotificationText")},
		{"link", fields{"moreInformationLink": "https://shop.example/ten?a=b#c"}, nil},
		{"link without scheme", fields{"moreInformationLink": "shop.example"}, one(notURL, "moreInformationLink")},
		{"link to a script", fields{"moreInformationLink": "javascript:alert(1)"}, one(notURL, "moreInformationLink")},
		{"link without host", fields{"moreInformationLink": "https:///ten"}, one(notURL, "moreInformationLink")},
		{"unknown target", fields{"target": "everybody"}, one(invalid, "target")},
		{"no target", fields{"target": "-"}, one(blank, "target")},
		{"no levels and no segments", fields{"levels.0": "-"}, one(noItems, "levels", "segments")},
		{"level without levels", fields{"levels.0": "-", "segments.0": segmentID}, one(noItems, "levels")},
		{"segment without segments", fields{"target": "segment"}, one(noItems, "segments")},
		{"segment", fields{"target": "segment", "segments.0": segmentID, "levels.0": "-"}, nil},
		{"malformed level", fields{"levels.0": "gold"},
			both(one(invalid, "levels"), one(noItems, "segments"))},
		{"malformed level beside a good one", fields{"levels.1": "gold"}, one(invalid, "levels")},
		{"malformed segment", fields{"segments.0": "42"}, one(invalid, "segments")},
		{"malformed category", fields{"categories.0": "shoes"}, one(invalid, "categories")},
	})
}

func TestErrorsOfNumbers(t *testing.T) {
	expectErrors(t, valid(), []formCase{
		{"free", fields{"costInPoints": "0"}, nil},
		{"negative cost", fields{"costInPoints": "-0.01"}, one(negative, "costInPoints")},
		{"cost in words", fields{"costInPoints": "ten"}, one(invalid, "costInPoints")},
		{"limits of 0 count as missing", fields{"limit": "0", "limitPerUser": "0"}, one(blank, "limit", "limitPerUser")},
		{"negative limits", fields{"limit": "-1", "limitPerUser": "-1"}, one(negative, "limit", "limitPerUser")},
		{"limits in words", fields{"limit": "ten", "limitPerUser": "1.5"}, one(invalid, "limit", "limitPerUser")},
		{"no limits, but unlimited", fields{"unlimited": "1", "limit": "-", "limitPerUser": "-"}, nil},
		{"limits are ignored when unlimited", fields{"unlimited": "on", "limit": "-5", "limitPerUser": "x"}, nil},
		{"no codes, though everybody gets one", fields{"singleCoupon": "1", "coupons.0": "-"},
			one(noItems, "coupons")},
		{"blank codes only", fields{"coupons.0": "  "}, one(noItems, "coupons")},
		{"code too long", fields{"coupons.0": strings.Repeat("x", 256)},
			one("This value is too long. It should have 255 characters or less.", "coupons")},
		{"negative days", fields{"daysInactive": "-1", "daysValid": "-1"}, one(negative, "daysInactive", "daysValid")},
		{"days in parts", fields{"daysInactive": "0.5"}, one(invalid, "daysInactive")},
		{"no tax", fields{"tax": "0"}, nil},
		{"highest tax", fields{"tax": "98"}, nil},
		{"negative tax", fields{"tax": "-1"}, one(belowZero, "tax")},
		{"tax of 99", fields{"tax": "99"}, one("This value should be less than 99.", "tax")},
		{"tax with a fraction", fields{"tax": "22.5"}, one(notInteger, "tax")},
		{"money", fields{"rewardValue": "0.01", "taxPriceValue": "999999998.99"}, nil},
		{"money of 0", fields{"rewardValue": "0", "taxPriceValue": "0"}, one(notAbove, "rewardValue", "taxPriceValue")},
		{"too much money", fields{"rewardValue": "999999999", "taxPriceValue": "999999999"},
			one(moneyLimit, "rewardValue", "taxPriceValue")},
	})
}

func TestErrorsOfWindows(t *testing.T) {
	expectErrors(t, valid(), []formCase{
		{"not all time without dates",
			fields{"campaignActivity.allTimeActive": "0", "campaignVisibility.allTimeVisible": "0"},
			one(blank, "campaignActivity.activeFrom", "campaignActivity.activeTo", "campaignVisibility.visibleFrom",
				"campaignVisibility.visibleTo")},
		{"half a window", fields{"campaignActivity.activeFrom": "2031-06-01 10:00"},
			one(blank, "campaignActivity.activeTo")},
		{"no date", fields{"campaignVisibility.visibleFrom": "2031-02-30", "campaignVisibility.visibleTo": "soon"},
			one(invalid, "campaignVisibility.visibleFrom", "campaignVisibility.visibleTo")},
		{"from later than to",
			fields{"campaignActivity.activeFrom": "2031-06-02", "campaignActivity.activeTo": "2031-06-01"}, nil},
		{"all time with dates", fields{"campaignActivity.allTimeActive": "1", "campaignActivity.activeFrom": "2031-06-02"},
			nil},
	})
}

func TestErrorsOfSpecialRewards(t *testing.T) {
	percentage := func(value string) fields {
		return fields{"reward": PercentageDiscount.Name, "transactionPercentageValue": value}
	}
	expectErrors(t, valid(), []formCase{
		{"percentage", percentage("0"), nil},
		{"highest percentage", percentage("99"), nil},
		{"negative percentage", percentage("-1"), one(belowZero, "transactionPercentageValue")},
		{"all of it", percentage("100"), one("This value should be less than 100.", "transactionPercentageValue")},
		{"percentage with a fraction", percentage("7.5"), one(notInteger, "transactionPercentageValue")},
		{"percentage in words", percentage("half"), one(invalid, "transactionPercentageValue")},
		{"cashback for nothing", fields{"reward": Cashback.Name, "pointValue": "0"}, nil},
		{"negative cashback", fields{"reward": Cashback.Name, "pointValue": "-1"}, one(negative, "pointValue")},
		{"provider", fields{"reward": Cashback.Name, "pointValue": "1", "cashbackProvider": "payprovider"}, nil},
		{"unknown provider", fields{"reward": Cashback.Name, "pointValue": "1", "cashbackProvider": "bank"},
			one(invalid, "cashbackProvider")},
		{"ignored fields of cashback", fields{"reward": Cashback.Name, "pointValue": "1", "costInPoints": "-1", "limit": "x",
			"daysValid": "-1"}, nil},
		{"connected", fields{"reward": CustomCampaignCode.Name, "connectType": "geolocation", "earningRuleId": ruleID}, nil},
		{"unknown connection", fields{"reward": CustomCampaignCode.Name, "connectType": "radio"},
			one(invalid, "connectType")},
		{"malformed rule", fields{"reward": CustomCampaignCode.Name, "connectType": "qrcode", "earningRuleId": "x"},
			one(invalid, "earningRuleId")},
		{"rule without a connection", fields{"reward": CustomCampaignCode.Name, "connectType": "none", "earningRuleId": "x"},
			nil},
	})
}

type formCase struct {
	name    string
	changes fields
	want    map[string][]string
}

func expectErrors(t *testing.T, form fields, cases []formCase) {
	t.Helper()
	for _, c := range cases {
		_, problems, _ := readForm(t, form.with(c.changes))
		if c.want == nil {
			c.want = map[string][]string{}
		}
		if diff := cmp.Diff(c.want, problems); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

// everything is a form with every field of every reward type.
func everything(reward string) fields {
	return fields{
		"reward": reward, "active": "true", "featured": "1", "public": "yes", "unlimited": "0", "singleCoupon": "1",
		"translations.en.name": " Ten off ", "translations.en.brandName": "Acme", "translations.fr.name": "Dix",
		"translations.pl.name": "", "costInPoints": "10.5", "pointValue": "0.25", "cashbackProvider": "payprovider",
		"transactionPercentageValue": "15", "connectType": "qrcode", "earningRuleId": strings.ToUpper(ruleID),
		"fulfillmentTracking": "1", "target": "level", "levels.0": strings.ToUpper(levelID), "segments.0": segmentID,
		"limit": "10", "limitPerUser": "2", "coupons.0": "A", "coupons.1": "A", "coupons.2": " 007 ", "coupons.3": "",
		"daysInactive": "1", "daysValid": "30", "categories.0": ruleID, "labels": "a:b;c", "tax": "22",
		"campaignActivity.activeFrom": "2031-01-05 10:59", "campaignActivity.activeTo": "2031-07-05T10:59:30Z",
		"campaignVisibility.visibleFrom": "2031-07-05", "campaignVisibility.visibleTo": "2031-07-06 00:00",
		"pushNotificationText": "Now", "moreInformationLink": "http://shop.example", "rewardValue": "9.99",
		"taxPriceValue": "0.01",
	}
}

// TestWhatAFormKeeps shows what each reward type keeps of a form with every field.
func TestWhatAFormKeeps(t *testing.T) {
	reward, tax, price := decimal.Hundredths(999).Money(), int64(22), decimal.Hundredths(1).Money()
	common := func() Draft {
		return Draft{Campaign: Campaign{
			Active: true, Featured: true, Public: true,
			Activity: Window{From: time.Date(2031, 1, 5, 9, 59, 0, 0, time.UTC),
				To: time.Date(2031, 7, 5, 10, 59, 30, 0, time.UTC)},
			Visibility: Window{AllTime: true}, Unlimited: true, SingleCoupon: true,
			Definition: Definition{
				Translations: []Translation{{Locale: "en", Name: "Ten off", BrandName: "Acme"}, {Locale: "fr", Name: "Dix"}},
				Target:       "level", Levels: []string{levelID}, Categories: []string{ruleID}, Labels: []Label{{"a", "b"}},
				PushNotificationText: "Now", MoreInformationLink: "http://shop.example",
				RewardValue: &reward, Tax: &tax, TaxPriceValue: &price,
			},
		}}
	}
	visible := Window{From: time.Date(2031, 7, 4, 22, 0, 0, 0, time.UTC), To: time.Date(2031, 7, 5, 22, 0, 0, 0, time.UTC)}
	normal := func(d *Draft) {
		d.Cost, d.Unlimited, d.Limit, d.LimitPerUser, d.Visibility = 1_050, false, 10, 2, visible
		d.DaysInactive, d.DaysValid, d.Codes = 1, 30, []string{"A", "A", "007"}
	}
	for kind, edit := range map[string]func(d *Draft){
		DiscountCode.Name: normal, FreeDeliveryCode.Name: normal, EventCode.Name: normal, ValueCode.Name: normal,
		GiftCode.Name: func(d *Draft) {
			normal(d)
			d.Definition.FulfillmentTracking = true
		},
		Cashback.Name: func(d *Draft) {
			d.Definition.PointValue, d.Definition.CashbackProvider = 250_000, "payprovider"
		},
		PercentageDiscount.Name: func(d *Draft) {
			d.Definition.Percentage, d.DaysInactive, d.DaysValid = 15, 1, 30
		},
		CustomCampaignCode.Name: func(d *Draft) {
			d.Definition.ConnectType, d.Definition.EarningRuleID, d.Visibility = "qrcode", ruleID, visible
		},
	} {
		got, problems, _ := readForm(t, everything(kind))
		want := common()
		want.Reward = RewardTypes.find(kind)
		edit(&want)
		if diff := cmp.Diff(want, got, sameType); diff != "" || len(problems) > 0 {
			t.Errorf("%s: %v %s", kind, problems, diff)
		}
	}
}

func TestFieldsThatAreNotSent(t *testing.T) {
	got, problems, _ := readForm(t, valid().with(fields{"active": "-", "target": "segment", "segments.0": segmentID}))
	want := Draft{Codes: []string{"A"}, Campaign: Campaign{
		Reward: DiscountCode, Cost: 1_050, Limit: 10, LimitPerUser: 2, DaysValid: 30,
		Activity: Window{AllTime: true}, Visibility: Window{AllTime: true},
		Definition: Definition{
			Translations: []Translation{{Locale: "en", Name: "Ten off"}}, Target: "segment",
			Segments: []string{segmentID}, PushNotificationText: "Now",
		},
	}}
	if diff := cmp.Diff(want, got, sameType); diff != "" || len(problems) > 0 {
		t.Errorf("%v %s", problems, diff)
	}
}

func TestFieldsWithoutMeaningAreIgnored(t *testing.T) {
	for kind, extra := range map[string]fields{
		Cashback.Name:           {"pointValue": "1", "campaignVisibility.allTimeVisible": "1"},
		PercentageDiscount.Name: {"transactionPercentageValue": "5", "campaignVisibility.allTimeVisible": "1"},
		CustomCampaignCode.Name: {},
	} {
		if _, problems, _ := readForm(t, valid().with(extra).with(fields{"reward": kind})); len(problems) > 0 {
			t.Errorf("%s: %v", kind, problems)
		}
	}
}

func TestBlankTaxIsNone(t *testing.T) {
	if got, _, _ := readForm(t, valid().with(fields{"tax": ""})); got.Definition.Tax != nil {
		t.Errorf("tax %d", *got.Definition.Tax)
	}
}
