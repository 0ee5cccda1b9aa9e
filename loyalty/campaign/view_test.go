package campaign

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/level"
	"punchcard/platform/db"
)

// shown returns the view of a campaign for administrators, member by member as JSON.
func shown(t *testing.T, c *Campaign, k Counters, codes []string) map[string]string {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Warsaw")
	if err != nil {
		t.Fatal(err)
	}
	levels := []level.Level{
		{ID: "bronze", Customers: 7, Translations: []level.Translation{{Locale: "en", Name: "Bronze"}}},
		{ID: "silver", Customers: 2, Active: true, Translations: []level.Translation{
			{Locale: "en", Name: "Silver"}, {Locale: "pl", Name: "Srebro"}}},
		{ID: "gone", Customers: 4, Deleted: true, Translations: []level.Translation{{Locale: "en", Name: "Gone"}}},
	}
	viewer := &Viewer{
		Store: &store.Store{Zone: zone}, Locale: api.Locale{Wanted: "pl", Default: "en"}, Levels: levels, Now: now,
	}
	if err := catalogue.measure(&db.Tx{}, viewer, []*Campaign{c}, nil); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(viewer.Full(c, k, codes))
	if err != nil {
		t.Fatal(err)
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(text, &raw); err != nil {
		t.Fatal(err)
	}
	members := map[string]string{}
	for name, value := range raw {
		members[name] = string(value)
	}
	return members
}

// plainDiscount is an active campaign for level bronze that is there for all time.
func plainDiscount() *Campaign {
	return &Campaign{
		ID: "c", Reward: DiscountCode, Active: true, Limit: 9, LimitPerUser: 3, Activity: Window{AllTime: true},
		Visibility: Window{AllTime: true}, CreatedAt: now,
		Definition: Definition{Levels: []string{"bronze"}, Translations: []Translation{{Locale: "en", Name: "Ten off"}}},
	}
}

func TestMembersOfACampaign(t *testing.T) {
	for _, c := range []struct {
		name string
		edit func(*Campaign)
		want map[string]string // "-" for a member that must be left out
	}{
		{"names of one level", func(*Campaign) {}, map[string]string{
			"levelNames": `{"bronze":"Bronze"}`, "segmentNames": `[]`, "levels": `["bronze"]`, "segments": `[]`,
			"visibleForCustomersCount": `7`, "limit": `9`, "limitPerUser": `3`, "usageLeft": `4`,
			"usersWhoUsedThisCampaignCount": `2`, "campaignActivity": `{"allTimeActive":true}`,
			"campaignVisibility": `{"allTimeVisible":true}`, "will_be_active_from": "-", "labels": `[]`,
			"categories": `[]`, "rewardCampaignId": `"c"`, "campaignId": `"c"`, "name": `"Ten off"`,
			"createdAt": `"2031-06-01T14:00:00+0200"`, "pointValue": "-", "tax": "-", "transactionPercentageValue": "-",
			"coupons": `["A"]`}},
		{"names of two levels, unknown and deleted ones left out",
			func(c *Campaign) { c.Definition.Levels = []string{"silver", "unknown", "bronze", "gone"} },
			map[string]string{"levelNames": `{"bronze":"Bronze","silver":"Srebro"}`, "visibleForCustomersCount": `9`,
				"levels": `["silver","unknown","bronze","gone"]`}},
		{"no names", func(c *Campaign) { c.Definition.Levels, c.Definition.Segments = nil, []string{"seg"} },
			map[string]string{"levelNames": `[]`, "segmentNames": `[]`, "levels": `[]`, "segments": `["seg"]`,
				"visibleForCustomersCount": `0`}},
		{"without limits", func(c *Campaign) { c.Unlimited = true },
			map[string]string{"limit": "-", "limitPerUser": "-", "unlimited": `true`}},
		{"without limits, one code for all", func(c *Campaign) { c.Unlimited, c.SingleCoupon = true, true },
			map[string]string{"usageLeft": `9223372036854775807`}},
		{"switched off: still counted as visible", func(c *Campaign) { c.Active = false },
			map[string]string{"visibleForCustomersCount": `7`, "active": `false`, "will_be_active_from": "-"}},
		{"not visible now", func(c *Campaign) { c.Visibility = Window{From: now.Add(1e9), To: now.Add(2e9)} },
			map[string]string{"visibleForCustomersCount": `0`, "campaignVisibility": `{"allTimeVisible":false,` +
				`"visibleFrom":"2031-06-01T14:00:01+0200","visibleTo":"2031-06-01T14:00:02+0200"}`}},
		{"not active now", func(c *Campaign) { c.Activity = Window{From: now.Add(1e9), To: now.Add(2e9)} },
			map[string]string{"will_be_active_from": `"2031-06-01T14:00:01+0200"`,
				"will_be_active_to": `"2031-06-01T14:00:02+0200"`, "visibleForCustomersCount": `7`}},
		{"inside its window", func(c *Campaign) { c.Activity = Window{From: now, To: now} },
			map[string]string{"will_be_active_from": "-", "will_be_active_to": "-",
				"campaignActivity": `{"allTimeActive":false,"activeFrom":"2031-06-01T14:00:00+0200",` +
					`"activeTo":"2031-06-01T14:00:00+0200"}`}},
		{"inside its window, switched off",
			func(c *Campaign) { c.Active, c.Activity = false, Window{From: now, To: now} },
			map[string]string{"will_be_active_from": `"2031-06-01T14:00:00+0200"`}},
		{"dates of a campaign for all time are not shown",
			func(c *Campaign) {
				c.Active, c.Activity, c.Visibility = false, Window{true, now, now}, Window{true, now, now}
			},
			map[string]string{"will_be_active_from": "-", "will_be_active_to": "-",
				"campaignActivity": `{"allTimeActive":true}`, "campaignVisibility": `{"allTimeVisible":true}`}},
		{"cashback", func(c *Campaign) { c.Reward, c.Definition.PointValue = Cashback, 250_000 },
			map[string]string{"pointValue": `0.25`, "visibleForCustomersCount": `0`, "transactionPercentageValue": "-"}},
		{"percentage", func(c *Campaign) { c.Reward = PercentageDiscount },
			map[string]string{"transactionPercentageValue": `0`, "usageLeft": `0`, "pointValue": "-"}},
	} {
		subject := plainDiscount()
		c.edit(subject)
		members := shown(t, subject, Counters{Sold: 5, Customers: 2, NextPosition: 6, LastPosition: 9}, []string{"A"})
		for name, want := range c.want {
			got, found := members[name]
			if !found {
				got = "-"
			}
			if got != want {
				t.Errorf("%s: %s is %s, want %s", c.name, name, got, want)
			}
		}
	}
}

func TestCodesAreLeftOutOrAnEmptyList(t *testing.T) {
	if _, found := shown(t, plainDiscount(), Counters{}, nil)["coupons"]; found {
		t.Error("codes that were not asked for are shown")
	}
	if got := shown(t, plainDiscount(), Counters{}, []string{})["coupons"]; got != `[]` {
		t.Errorf("no codes are shown as %s", got)
	}
}

func TestTextsAndTranslationsOfACampaign(t *testing.T) {
	c := plainDiscount()
	c.Definition.Translations = []Translation{
		{ID: 4, Locale: "en", Name: "Ten off", ShortDescription: "Ten", BrandName: "Acme", BrandDescription: "Old",
			ConditionsDescription: "One each", UsageInstruction: "Show it"},
		{ID: 5, Locale: "pl", Name: "Dziesięć", BrandDescription: "Stara"},
	}
	members := shown(t, c, Counters{}, nil)
	got := map[string]string{}
	for name, value := range members {
		if strings.Contains(name, "Description") || strings.HasPrefix(name, "brandName") || name == "name" ||
			name == "usageInstruction" || name == "translations" {
			got[name] = value
		}
	}
	want := map[string]string{
		"name": `"Dziesięć"`, "shortDescription": `"Ten"`, "conditionsDescription": `"One each"`,
		"usageInstruction": `"Show it"`, "brandDescription": `"Stara"`, "brandName": `"Acme"`,
		"translations": `[{"id":4,"locale":"en","name":"Ten off","shortDescription":"Ten",` +
			`"conditionsDescription":"One each","usageInstruction":"Show it","brandDescription":"Old",` +
			`"brandName":"Acme"},{"id":5,"locale":"pl","name":"Dziesięć","brandDescription":"Stara"}]`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestALevelSentTwiceCountsOnce(t *testing.T) {
	c := plainDiscount()
	c.Definition.Levels = []string{"bronze", "bronze"}
	if got := shown(t, c, Counters{}, nil)["visibleForCustomersCount"]; got != "7" {
		t.Errorf("visible for %s", got)
	}
}

// Windows are sent and shown in the store's time zone. Where the clock changes, the offset decides which hour is meant.
func TestWindowsAcrossClockChanges(t *testing.T) {
	for _, c := range []struct{ sent, shown string }{
		{"2031-03-30 01:59", "2031-03-30T01:59:00+0100"},
		{"2031-03-30 03:00", "2031-03-30T03:00:00+0200"},
		{"2031-03-30T02:30+01:00", "2031-03-30T03:30:00+0200"}, // an hour that the clock skips
		{"2031-10-26 01:59", "2031-10-26T01:59:00+0200"},
		{"2031-10-26T02:30+02:00", "2031-10-26T02:30:00+0200"}, // an hour that comes twice
		{"2031-10-26T02:30+01:00", "2031-10-26T02:30:00+0100"},
		{"2031-10-26T00:30:00Z", "2031-10-26T02:30:00+0200"},
		{"2031-10-26 03:00", "2031-10-26T03:00:00+0100"},
		{"2031-07-01", "2031-07-01T00:00:00+0200"},
		{"2031-12-31 23:59", "2031-12-31T23:59:00+0100"},
	} {
		draft, problems, _ := readForm(t, valid().with(fields{
			"campaignActivity.activeFrom": c.sent, "campaignActivity.activeTo": "2032-01-01",
			"campaignVisibility.visibleFrom": "2031-01-01", "campaignVisibility.visibleTo": c.sent,
		}))
		if len(problems) > 0 {
			t.Errorf("%s: %v", c.sent, problems)
		}
		members := shown(t, &draft.Campaign, Counters{}, nil)
		if !strings.Contains(members["campaignActivity"], `"activeFrom":"`+c.shown+`"`) ||
			!strings.Contains(members["campaignVisibility"], `"visibleTo":"`+c.shown+`"`) {
			t.Errorf("%s is shown as %s, %s", c.sent, members["campaignActivity"], members["campaignVisibility"])
		}
		edge := draft.Activity.From
		if !draft.Activity.Contains(edge) || draft.Activity.Contains(edge.Add(-1)) || !draft.Visibility.Contains(edge) ||
			draft.Visibility.Contains(edge.Add(1)) {
			t.Errorf("%s is no edge of its windows", c.sent)
		}
	}
}
