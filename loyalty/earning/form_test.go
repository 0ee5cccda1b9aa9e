package earning

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"punchcard/core/store"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

const (
	levelID   = "0192d9a0-0000-7000-8000-000000000001"
	segmentID = "0192d9a0-0000-7000-8000-000000000002"
	otherID   = "0192d9a0-0000-7000-8000-000000000003"
)

// ofType is the fields that a valid rule of the type has besides the common ones.
var ofType = map[string]string{
	Spending:        "pointValue=1.5",
	ProductPurchase: "skuIds[]=TEA&skuIds[]=TEA&pointsAmount=5",
	MultiplyProduct: "skuIds[]=TEA&multiplier=2",
	MultiplyLabels:  "labelMultipliers[0][key]=bio&labelMultipliers[0][value]=yes&labelMultipliers[0][multiplier]=1",
	InstantReward:   "rewardCampaignId=" + otherID,
	Event:           "eventName=" + loggedIn + "&pointsAmount=0.01",
	CustomEvent:     "eventName=survey done&pointsAmount=25",
	Referral:        "eventName=register&rewardType=both&pointsAmount=3",
	Geolocation:     "latitude=59.9139&longitude=-10.7522&radius=1&pointsAmount=1",
	QRCode:          "code=SCAN&pointsAmount=2",
}

// fields is a valid form of the type with the changes; an empty value takes a field out.
func fields(t *testing.T, ruleType string, changes ...string) url.Values {
	t.Helper()
	values := url.Values{}
	for _, pair := range append(strings.Split("type="+ruleType+"&name=Rule&description=About it&allTimeActive=1&"+
		"target=level&levels[]="+levelID+"&"+ofType[ruleType], "&"), changes...) {
		name, value, _ := strings.Cut(pair, "=")
		head, rest, _ := strings.Cut(name, "[")
		key := "earningRule[" + head + "]"
		if rest != "" {
			key += "[" + rest
		}
		switch {
		case value == "":
			values.Del(key)
		case strings.HasSuffix(key, "[]"):
			values.Add(key, value)
		default:
			values.Set(key, value)
		}
	}
	return values
}

// readFields returns the rule, and the problems by their paths.
func readFields(t *testing.T, values url.Values, keptType string) (Rule, map[string][]string) {
	t.Helper()
	body, err := form.ParseQuery(values.Encode())
	if err != nil {
		t.Fatal(err)
	}
	node := body.Child("earningRule")
	g := form.Read(node)
	rule := New(nil).read(g, node, keptType, &store.Store{Zone: warsaw(t)})
	var refused *fault.Error
	if !errors.As(g.Err(), &refused) {
		return rule, nil
	}
	text, err := json.Marshal(refused.Detail)
	if err != nil {
		t.Fatal(err)
	}
	type field struct {
		Errors   []string
		Children map[string]json.RawMessage
	}
	problems := map[string][]string{}
	var collect func(path string, raw json.RawMessage)
	collect = func(path string, raw json.RawMessage) {
		var f field
		if err := json.Unmarshal(raw, &f); err != nil {
			t.Fatal(err)
		}
		if len(f.Errors) > 0 {
			problems[path] = f.Errors
		}
		for name, child := range f.Children {
			collect(strings.TrimPrefix(path+"."+name, "."), child)
		}
	}
	var tree struct{ Form json.RawMessage }
	if err := json.Unmarshal(text, &tree); err != nil {
		t.Fatal(err)
	}
	collect("", tree.Form)
	return rule, problems
}

func TestValidFormOfEachType(t *testing.T) {
	tea := []string{"TEA"}
	for ruleType, want := range map[string]Rule{
		Spending: {Definition: Definition{
			General: General{PointValue: 1_500_000, LabelsInclusion: AnyLabels},
		}},
		ProductPurchase: {Definition: Definition{SKUs: []string{"TEA", "TEA"}, Points: 500}},
		MultiplyProduct: {Definition: Definition{SKUs: tea, Multiplier: 2_000_000}},
		MultiplyLabels: {Definition: Definition{
			LabelMultipliers: []Factor{{Label: Label{Key: "bio", Value: "yes"}, Multiplier: 1_000_000}},
		}},
		InstantReward: {Definition: Definition{RewardCampaignID: otherID}},
		Event:         {EventName: loggedIn, Definition: Definition{Points: 1}},
		CustomEvent:   {EventName: "survey done", Definition: Definition{Points: 2500}},
		Referral:      {EventName: "register", Definition: Definition{RewardType: "both", Points: 300}},
		Geolocation: {Definition: Definition{
			Circle: Circle{Place: Place{599_139_000, -107_522_000}, Radius: 100}, Points: 100,
		}},
		QRCode: {Definition: Definition{Code: "SCAN", Points: 200}},
	} {
		want.Type, want.Name, want.Description, want.AllTime = ruleType, "Rule", "About it", true
		want.Definition.Levels = []string{levelID}
		got, problems := readFields(t, fields(t, ruleType), "")
		if diff := cmp.Diff(want, got); diff != "" || problems != nil {
			t.Errorf("%s: %v %s", ruleType, problems, diff)
		}
		// The same without the type, for a rule that has it already; another type is ignored.
		if got, problems = readFields(t, fields(t, ruleType, "type=nonsense"), ruleType); problems != nil {
			t.Errorf("%s changed: %v", ruleType, problems)
		} else if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s changed: %s", ruleType, diff)
		}
	}
}

func TestOptionalFields(t *testing.T) {
	zone := warsaw(t)
	pair := func(key, value string) Label { return Label{Key: key, Value: value} }
	for _, c := range []struct {
		name     string
		ruleType string
		changes  []string
		want     func(*Rule)
	}{
		{"switched on", QRCode, []string{"active=1"}, func(r *Rule) { r.Active = true }},
		{"window", QRCode, []string{"allTimeActive=0", "startAt=2031-05-01 10:00", "endAt=2031-05-01T10:00:01+0200"},
			func(r *Rule) {
				r.AllTime, r.StartAt = false, time.Date(2031, 5, 1, 10, 0, 0, 0, zone)
				r.EndAt = r.StartAt.Add(time.Second)
			}},
		{"segment", QRCode, []string{"target=segment", "segments[]=" + segmentID}, func(r *Rule) {
			r.Definition.Levels, r.Definition.Segments = nil, []string{segmentID}
		}},
		{"the other list is dropped", QRCode, []string{"segments[]=" + segmentID}, func(*Rule) {}},
		{"points of sale", QRCode, []string{"pos[]=" + otherID}, func(r *Rule) { r.Definition.POS = []string{otherID} }},
		{"last rule", Spending, []string{"lastExecutedRule=1"}, func(r *Rule) { r.Definition.LastExecuted = true }},
		{"last rule of no purchase", QRCode, []string{"lastExecutedRule=1"}, func(*Rule) {}},
		{"lists", Spending, []string{"excludedSKUs[]=A", "excludedSKUs[]= B ", "includedLabels[0][key]=a",
			"includedLabels[0][value]=b:c", "excludedLabels[0][key]=d"}, func(r *Rule) {
			g := &r.Definition.General
			g.ExcludedSKUs, g.IncludedLabels = []string{"A", "B"}, []Label{pair("a", "b:c")}
			g.ExcludedLabels = []Label{pair("d", "")}
		}},
		{"lists as texts", Spending, []string{"excludedSKUs=A; B ;;", "includedLabels=a:b:c;d:;nothing",
			"excludedLabels=e:f", "labelsInclusionType=" + IncludeLabels, "excludeDeliveryCost=true", "minOrderValue=10.5"},
			func(r *Rule) {
				r.Definition.General = General{
					PointValue: 1_500_000, ExcludeDeliveryCost: true, ExcludedSKUs: []string{"A", "B"}, LabelsInclusion: IncludeLabels,
					IncludedLabels: []Label{pair("a", "b:c"), pair("d", "")}, ExcludedLabels: []Label{pair("e", "f")},
					MinOrder: 10_5000,
				}
			}},
		{"the older name of the mode", Spending, []string{"inclusionType=" + ExcludeLabels},
			func(r *Rule) { r.Definition.General.LabelsInclusion = ExcludeLabels }},
		{"both names of the mode", Spending, []string{"inclusionType=" + ExcludeLabels,
			"labelsInclusionType=" + IncludeLabels}, func(r *Rule) { r.Definition.General.LabelsInclusion = IncludeLabels }},
		{"labels only", MultiplyProduct, []string{"skuIds[]=", "labels=bio:yes"}, func(r *Rule) {
			r.Definition.SKUs, r.Definition.Labels = nil, []Label{pair("bio", "yes")}
		}},
		{"all products", MultiplyProduct, []string{"skuIds[]=TEA", "labels=bio:yes", "allProducts=1"}, func(r *Rule) {
			r.Definition.SKUs, r.Definition.AllProducts = nil, true
		}},
		{"event under our name", Event, []string{"eventName=platform.customer.logged_in"}, func(*Rule) {}},
		{"limit", CustomEvent, []string{"limit[active]=1", "limit[period]=3 months", "limit[limit]=2"},
			func(r *Rule) { r.Definition.Limit = Limit{true, "3months", 2} }},
		{"limit switched off", QRCode, []string{"limit[active]=0", "limit[period]=forever", "limit[limit]=0"},
			func(r *Rule) { r.Definition.Limit = Limit{Period: "forever"} }},
		{"not by customers", CustomEvent, []string{"customerMayTrigger=0"},
			func(r *Rule) { r.Definition.NotByCustomers = true }},
		{"by customers", CustomEvent, []string{"customerMayTrigger=1"}, func(*Rule) {}},
		{"new accounts", Event, []string{"eventName=" + accountCreated, "levels[]=", "target="}, func(r *Rule) {
			r.EventName, r.Definition.Levels = accountCreated, nil
		}},
	} {
		want, problems := readFields(t, fields(t, c.ruleType), "")
		c.want(&want)
		got, wrong := readFields(t, fields(t, c.ruleType, c.changes...), "")
		if diff := cmp.Diff(want, got); diff != "" || problems != nil || wrong != nil {
			t.Errorf("%s: %v %v %s", c.name, problems, wrong, diff)
		}
	}
}

func TestPeriodsOfLimits(t *testing.T) {
	for sent, want := range map[string]string{
		"day": "day", "week": "week", "month": "month", "3months": "3months", "6months": "6months", "year": "year",
		"forever": "forever", "1 day": "day", "1 week": "week", "1 month": "month", "3 months": "3months",
		"6 months": "6months", "1 year": "year",
	} {
		r, problems := readFields(t, fields(t, QRCode, "limit[active]=1", "limit[limit]=1", "limit[period]="+sent), "")
		if r.Definition.Limit != (Limit{true, want, 1}) || problems != nil {
			t.Errorf("%s is read as %+v, %v", sent, r.Definition.Limit, problems)
		}
	}
}

var (
	blank, invalid = form.Blank.Message, form.NotValid.Message
	positive, none = "This value should be greater than 0.", "This collection should contain 1 element or more."
	oneOrMore      = "This value should be 1 or more."
	sixDigits      = "This value should have 6 digits or less after the point."
	zeroOrMore     = "This value should be 0 or more."
)

// problem is the valid form of a type with changes, and the messages it gets by the paths of the fields.
type problem struct {
	ruleType string
	changes  []string
	want     map[string][]string
}

func checkProblems(t *testing.T, cases []problem) {
	t.Helper()
	for _, c := range cases {
		_, got := readFields(t, fields(t, c.ruleType, c.changes...), "")
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s %v: %s", c.ruleType, c.changes, diff)
		}
	}
}

func TestProblemsOfEveryType(t *testing.T) {
	checkProblems(t, []problem{
		{QRCode, []string{"type=coupon"}, map[string][]string{"type": {invalid}}},
		{QRCode, []string{"name=", "description= "}, map[string][]string{"name": {blank}, "description": {blank}}},
		{QRCode, []string{"name=" + strings.Repeat("ł", 256)},
			map[string][]string{"name": {"This value is too long. It should have 255 characters or less."}}},
		{QRCode, []string{"allTimeActive="}, map[string][]string{"startAt": {blank}, "endAt": {blank}}},
		{QRCode, []string{"allTimeActive=0", "startAt=2031-05-01 10:00", "endAt=2031-05-01 10:00"},
			map[string][]string{"endAt": {invalid}}},
		{QRCode, []string{"allTimeActive=0", "startAt=tomorrow", "endAt=2031-05-01 10:00"},
			map[string][]string{"startAt": {invalid}}},
		{QRCode, []string{"target="}, map[string][]string{"target": {blank}}},
		{QRCode, []string{"target=", "levels[]="},
			map[string][]string{"target": {blank}, "levels": {ErrNoTarget.Message}, "segments": {ErrNoTarget.Message}}},
		{QRCode, []string{"target=everybody"}, map[string][]string{"target": {invalid}}},
		{QRCode, []string{"levels[]="}, map[string][]string{"levels": {ErrNoTarget.Message}}},
		{QRCode, []string{"target=segment"}, map[string][]string{"segments": {ErrNoTarget.Message}}},
		{QRCode, []string{"levels[]=", "levels[]=gold"}, map[string][]string{"levels": {invalid}}},
		{QRCode, []string{"pos[]=here"}, map[string][]string{"pos": {invalid}}},
		{QRCode, []string{"code=", "pointsAmount=0"}, map[string][]string{"code": {blank}, "pointsAmount": {positive}}},
		{QRCode, []string{"pointsAmount=many"}, map[string][]string{"pointsAmount": {invalid}}},
		{QRCode, []string{"limit[active]=1"}, map[string][]string{"limit.period": {blank}, "limit.limit": {blank}}},
		{QRCode, []string{"limit[active]=1", "limit[period]=hour", "limit[limit]=0"},
			map[string][]string{"limit.period": {invalid}, "limit.limit": {oneOrMore}}},
		{QRCode, []string{"limit[limit]=-1"}, map[string][]string{"limit.limit": {zeroOrMore}}},
	})
}

func TestProblemsOfOneType(t *testing.T) {
	checkProblems(t, []problem{
		{Spending, []string{"pointValue="}, map[string][]string{"pointValue": {blank}}},
		{Spending, []string{"pointValue=0"}, map[string][]string{"pointValue": {positive}}},
		{Spending, []string{"pointValue=0.0050001"}, map[string][]string{"pointValue": {sixDigits}}},
		{MultiplyProduct, []string{"multiplier=1.0000001"}, map[string][]string{"multiplier": {sixDigits}}},
		{MultiplyLabels, []string{"labelMultipliers[0][multiplier]=1.0000001"},
			map[string][]string{"labelMultipliers.0.multiplier": {sixDigits}}},
		{Spending, []string{"labelsInclusionType=all"}, map[string][]string{"labelsInclusionType": {invalid}}},
		{Spending, []string{"inclusionType=all"}, map[string][]string{"inclusionType": {invalid}}},
		{Spending, []string{"minOrderValue=-1"}, map[string][]string{"minOrderValue": {zeroOrMore}}},
		{Spending, []string{"excludedLabels[0][value]=x"}, map[string][]string{"excludedLabels.0.key": {blank}}},
		{ProductPurchase, []string{"skuIds[]=", "pointsAmount="},
			map[string][]string{"skuIds": {none}, "pointsAmount": {blank}}},
		{MultiplyProduct, []string{"skuIds[]=", "multiplier=0"},
			map[string][]string{"skuIds": {none}, "labels": {none}, "multiplier": {positive}}},
		{MultiplyLabels, []string{"labelMultipliers[0][key]=", "labelMultipliers[0][value]=",
			"labelMultipliers[0][multiplier]="}, map[string][]string{"labelMultipliers": {none}}},
		{MultiplyLabels, []string{"labelMultipliers[0][key]=", "labelMultipliers[0][multiplier]=0.99"},
			map[string][]string{"labelMultipliers.0.key": {blank}, "labelMultipliers.0.multiplier": {oneOrMore}}},
		{MultiplyLabels, manyFactors(101), map[string][]string{
			"labelMultipliers": {"This collection should contain 100 elements or less."},
		}},
		{MultiplyLabels, manyFactors(100), nil},
		{InstantReward, []string{"rewardCampaignId="}, map[string][]string{"rewardCampaignId": {blank}}},
		{InstantReward, []string{"rewardCampaignId=x"}, map[string][]string{"rewardCampaignId": {invalid}}},
		{Event, []string{"eventName=survey"}, map[string][]string{"eventName": {invalid}}},
		{Event, []string{"eventName=", "pointsAmount=-1"},
			map[string][]string{"eventName": {blank}, "pointsAmount": {positive}}},
		{Event, []string{"eventName=" + accountCreated}, map[string][]string{"levels": {invalid}}},
		{Event, []string{"eventName=" + accountCreated, "levels[]=", "segments[]=" + segmentID, "target=segment"},
			map[string][]string{"segments": {invalid}}},
		{CustomEvent, []string{"eventName="}, map[string][]string{"eventName": {blank}}},
		{Referral, []string{"eventName=login", "rewardType="},
			map[string][]string{"eventName": {invalid}, "rewardType": {blank}}},
		{Geolocation, []string{"latitude=90.0000001", "longitude=-180.0000001", "radius=0.99", "pointsAmount=0.99"},
			map[string][]string{
				"latitude": {invalid}, "longitude": {invalid}, "radius": {oneOrMore}, "pointsAmount": {oneOrMore},
			}},
		{Geolocation, []string{"latitude=", "longitude=east", "radius=", "pointsAmount="}, map[string][]string{
			"latitude": {blank}, "longitude": {invalid}, "radius": {blank}, "pointsAmount": {blank},
		}},
		{Geolocation, []string{"latitude=90", "longitude=-180", "radius=20038"},
			map[string][]string{"radius": {"This value should be less than 20038."}}},
	})
}

// manyFactors are the fields of as many multipliers.
func manyFactors(n int) []string {
	var changes []string
	for i := range n {
		changes = append(changes, fmt.Sprintf("labelMultipliers[%d][key]=k%d", i, i),
			fmt.Sprintf("labelMultipliers[%d][multiplier]=2", i))
	}
	return changes
}
