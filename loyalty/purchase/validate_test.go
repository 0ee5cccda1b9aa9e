package purchase

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"punchcard/core/access"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
	"punchcard/platform/decimal"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// Tests the rules of docs/behaviour/offers.md#validation.
func TestJudgePlans(t *testing.T) {
	const (
		limited, codes, free, dear   = "limited", "codes", "free", "dear"
		percentage, custom, cashback = "percentage", "custom", "cashback"
	)
	known := map[string]*campaign.Campaign{
		// Five may be sold, three of them are; two for each customer.
		limited:    {ID: limited, Reward: campaign.DiscountCode, Cost: 1000, SingleCoupon: true, Limit: 5, LimitPerUser: 2},
		codes:      {ID: codes, Reward: campaign.GiftCode, Cost: 500, Unlimited: true},
		free:       {ID: free, Reward: campaign.EventCode, Unlimited: true, SingleCoupon: true},
		percentage: {ID: percentage, Reward: campaign.PercentageDiscount, Unlimited: true, SingleCoupon: true},
		custom:     {ID: custom, Reward: campaign.CustomCampaignCode, Unlimited: true, SingleCoupon: true},
		cashback:   {ID: cashback, Reward: campaign.Cashback, Unlimited: true, SingleCoupon: true},
		dear:       {ID: dear, Reward: campaign.ValueCode, Cost: math.MaxInt64, Unlimited: true, SingleCoupon: true},
	}
	counters := map[string]campaign.Counters{
		limited: {Sold: 3, NextPosition: 4}, codes: {Sold: 1, NextPosition: 2, LastPosition: 3},
	}
	for _, c := range []struct {
		name       string
		bought     map[string]int64
		balance    points.Amount
		additional points.Amount
		plan       string
		fits       string // a 1 or 0 for each
		balanced   bool
	}{
		{"nothing", nil, 0, 0, "", "", true},
		{"one", nil, 1000, 0, limited, "1", true},
		{"up to both limits", nil, 2000, 0, "limited limited", "11", true},
		{"beyond both", nil, 3000, 0, "limited limited limited limited", "1100", false},
		{"beyond the personal limit", map[string]int64{limited: 1}, 2000, 0, "limited limited", "10", true},
		{"personal limit reached", map[string]int64{limited: 2}, 1000, 0, limited, "0", true},
		{"a refused one counts too", map[string]int64{limited: 2}, 999, 0, limited, "0", false},
		{"as many as there are codes", nil, 1500, 0, "codes codes codes", "110", true},
		{"mixed, each counts alone", nil, 2500, 0, "limited codes limited codes", "1111", false},
		{"points that are to come", nil, 2500, 500, "limited codes limited codes", "1111", true},
		{"a hundredth is missing", nil, 2499, 500, "limited codes limited codes", "1111", false},
		{"free ones without end", nil, 0, 0, strings.Repeat("free ", 50), strings.Repeat("1", 50), true},
		{"types without limits", nil, 0, 0, "percentage custom cashback percentage", "1111", true},
		{"one that does not exist", nil, 1000, 0, "unknown limited unknown", "010", true},
		{"more than there are numbers", nil, math.MaxInt64, math.MaxInt64, "dear dear dear", "111", false},
		{"as much as there are numbers", nil, math.MaxInt64, 1, "dear", "1", true},
	} {
		p := plan{campaigns: strings.Fields(c.plan), additional: c.additional}
		v := p.judge(known, counters, shopper{points: c.balance, bought: c.bought})
		fits := ""
		for i, one := range v.Campaigns {
			fits += map[bool]string{true: "1", false: "0"}[one.UsageLimit]
			if one.CampaignID != p.campaigns[i] {
				t.Errorf("%s: answer %d is about %s", c.name, i, one.CampaignID)
			}
		}
		if fits != c.fits || v.FinalUsageLimit == strings.Contains(c.fits, "0") || v.BalancePoints != c.balanced ||
			v.AdditionalPoints != c.additional {
			t.Errorf("%s: %s, %+v", c.name, fits, v)
		}
	}
}

func TestReadPlans(t *testing.T) {
	const id = "00000000-0000-7000-8000-00000000000A"
	list := func(n int) string {
		return `"campaigns":[` + strings.TrimSuffix(strings.Repeat(`{"rewardCampaignId":"`+id+`"},`, n), ",") + `]`
	}
	for _, c := range []struct {
		name, body string
		wants      string // the errors of the answer, or the plan
	}{
		{"whole", `{"campaigns":{"additionalPoints":2.5,` + list(2) + `}}`, "2 2.5"},
		{"no points", `{"campaigns":{` + list(1) + `}}`, "1 0"},
		{"null points", `{"campaigns":{"additionalPoints":null,` + list(1) + `}}`, "1 0"},
		{"empty list", `{"campaigns":{"campaigns":[]}}`, "0 0"},
		{"nothing", `{}`, `{"additionalPoints":{},"campaigns":{"errors":["This value should not be blank."]}}`},
		{"no list", `{"campaigns":{"additionalPoints":1}}`,
			`{"additionalPoints":{},"campaigns":{"errors":["This value should not be blank."]}}`},
		{"a list that is null", `{"campaigns":{"campaigns":null}}`,
			`{"additionalPoints":{},"campaigns":{"errors":["This value should not be blank."]}}`},
		{"a list that is none", `{"campaigns":{"campaigns":"x"}}`,
			`{"additionalPoints":{},"campaigns":{"errors":["This value is not valid."]}}`},
		{"negative points", `{"campaigns":{"additionalPoints":-0.01,` + list(0) + `}}`,
			`{"additionalPoints":{"errors":["This value should be 0 or more."]},"campaigns":{}}`},
		{"points in words", `{"campaigns":{"additionalPoints":"many",` + list(0) + `}}`,
			`{"additionalPoints":{"errors":["This value is not valid."]},"campaigns":{}}`},
		{"no id", `{"campaigns":{"campaigns":[{"rewardCampaignId":"x"},{}]}}`,
			`{"additionalPoints":{},"campaigns":{"children":{` +
				`"0":{"children":{"rewardCampaignId":{"errors":["This value is not valid."]}}},` +
				`"1":{"children":{"rewardCampaignId":{"errors":["This value should not be blank."]}}}}}}`},
		{"as many as may be", `{"campaigns":{` + list(ValidationLimit) + `}}`, "1000 0"},
	} {
		tree, err := form.Decode("application/json", strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		g := form.Read(tree, "campaigns")
		p, err, got := readPlan(g), g.Err(), ""
		if err == nil {
			got = decimal.Hundredths(len(p.campaigns)*100).String() + " " + p.additional.String()
		} else {
			got = childrenOf(t, err)
		}
		if got != c.wants {
			t.Errorf("%s: %s, want %s", c.name, got, c.wants)
		}
		for _, one := range p.campaigns {
			if err == nil && one != strings.ToLower(id) {
				t.Errorf("%s: id %s", c.name, one)
			}
		}
	}
	tree, err := form.Decode("application/json", strings.NewReader(`{"campaigns":{`+list(ValidationLimit+1)+`}}`))
	if err != nil {
		t.Fatal(err)
	}
	g := form.Read(tree, "campaigns")
	readPlan(g)
	if err := g.Err(); fault.KindOf(err) != fault.Fields {
		t.Errorf("one more than may be: %v", err)
	}
}

// childrenOf returns the children of the tree of form errors.
func childrenOf(t *testing.T, err error) string {
	t.Helper()
	var refused *fault.Error
	if !errors.As(err, &refused) {
		t.Fatal(err)
	}
	text, err := json.Marshal(refused.Detail)
	if err != nil {
		t.Fatal(err)
	}
	var tree struct {
		Form struct{ Children json.RawMessage }
	}
	if err := json.Unmarshal(text, &tree); err != nil {
		t.Fatal(err)
	}
	return string(tree.Form.Children)
}

// A validation explains to customers only campaigns that they may know of, and each entry as if those before it were
// bought.
func TestJudgeExplains(t *testing.T) {
	now, all := time.Unix(1, 0), campaign.Window{AllTime: true}
	one := func(edit func(c *campaign.Campaign)) *campaign.Campaign {
		c := &campaign.Campaign{
			Reward: campaign.DiscountCode, Active: true, Activity: all, Visibility: all, Cost: 1000, SingleCoupon: true,
			Limit: 5, LimitPerUser: 1, Definition: campaign.Definition{Levels: []string{"bronze"}},
		}
		edit(c)
		return c
	}
	known := map[string]*campaign.Campaign{
		"mine":   one(func(*campaign.Campaign) {}),
		"off":    one(func(c *campaign.Campaign) { c.Active = false }),
		"unseen": one(func(c *campaign.Campaign) { c.Visibility = campaign.Window{From: now.Add(1), To: now.Add(2)} }),
		"higher": one(func(c *campaign.Campaign) { c.Public, c.Definition.Levels = true, []string{"silver"} }),
		"secret": one(func(c *campaign.Campaign) { c.Definition.Levels = []string{"silver"} }),
		"friends": one(func(c *campaign.Campaign) {
			c.Public, c.Definition.Levels, c.Definition.Segments = true, nil, []string{"friends"}
		}),
	}
	p := &plan{campaigns: strings.Fields("mine mine off unseen higher secret friends unknown")}
	for role, want := range map[access.Role]string{
		access.Customer: "[] [limitReached points] - - [level points] - - -",
		access.Administrator: "[] [limitPerCustomer points] [active points] [visible points] " +
			"[target points] [target points] [target points] -",
	} {
		standing := customer.Standing{Status: customer.Active, LevelID: "bronze"}
		by := shopper{points: 1000, now: now, zone: time.UTC, why: &explainer{role: role, standing: standing}}
		var got []string
		for _, entry := range p.judge(known, map[string]campaign.Counters{}, by).Campaigns {
			if entry.Explanation == nil {
				got = append(got, "-")
				continue
			}
			failed := []string{}
			for _, f := range entry.Explanation {
				if !f.Passed {
					failed = append(failed, f.Rule)
				}
			}
			got = append(got, fmt.Sprint(failed))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%v: %s", role, strings.Join(got, " "))
		}
	}
}
