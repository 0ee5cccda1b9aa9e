package earning

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/transaction"
)

// drawConditions gives rules of all types random conditions.
func drawConditions(t *rapid.T, noon time.Time) []Rule {
	rules := drawRules(t)
	some := rapid.SliceOfDistinct(rapid.SampledFrom([]string{"a", "b"}), rapid.ID)
	mostly := func(name string) bool { return rapid.IntRange(0, 4).Draw(t, name) > 0 }
	for i := range rules {
		r := &rules[i]
		if !mostly("of sales") {
			r.Type = rapid.SampledFrom(New(nil).names).Draw(t, "another type")
			r.EventName = rapid.SampledFrom(Events).Draw(t, "event")
		}
		r.Active, r.AllTime = mostly("active"), mostly("all time")
		r.StartAt = noon.Add(time.Duration(rapid.IntRange(-2, 1).Draw(t, "start")) * time.Hour)
		r.EndAt = r.StartAt.Add(time.Hour)
		if !mostly("everywhere") {
			r.Definition.POS = some.Draw(t, "pos")
		}
		r.Definition.Everybody = mostly("everybody")
		r.Definition.Levels, r.Definition.Segments = some.Draw(t, "levels"), some.Draw(t, "segments")
		if r.Type == InstantReward {
			r.Definition.RewardCampaignID = r.ID
		}
	}
	return rules
}

// TestExplanationsDecide shows that a receipt earns by a rule exactly if the explanation of the rule passes, and that
// the explained points are those of the receipt.
func TestExplanationsDecide(t *testing.T) {
	noon := time.Date(2031, 5, 1, 12, 0, 0, 0, time.UTC)
	rapid.Check(t, func(t *rapid.T) {
		svc, s := New(nil), &store.Store{Zone: time.UTC}
		s.Settings.PointsRounding = rapid.SampledFrom([]string{"", store.PointsFloor}).Draw(t, "rounding")
		rules, sale := svc.inOrder(drawConditions(t, noon)), drawSale(t)
		sale.PurchasedAt, sale.POSID = noon, rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "pos")
		who := Earner{
			LevelID: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "level"), Segments: []string{"b"}, POSID: "a",
			Active: rapid.IntRange(0, 9).Draw(t, "status") > 0,
		}
		result := svc.Evaluate(s, usableFor(who, rules, sale), sale)
		x := explainer{svc: svc, now: noon, store: s, sale: sale, who: who, earns: begin(s, sale, true)}
		x.names.zone = time.UTC
		explained := make([]transaction.ExplainedRule, len(rules))
		for i := range rules {
			explained[i], _ = x.explain(&rules[i])
		}
		f := x.earns.forecast(&s.Settings)
		earned, sum := strings.Split(result.Comment, ", "), Amount(0)
		for i := range rules {
			of := &explained[i]
			gives := slices.Contains(earned, rules[i].Name) ||
				slices.ContainsFunc(result.Rewards, func(r Rule) bool { return r.ID == rules[i].ID })
			if passed := api.AllPassed(of.Explanation); passed != gives {
				t.Errorf("%s of the type %s earns is %t: %+v", rules[i].ID, rules[i].Type, gives, of.Explanation)
			}
			addPoints(of, f)
			sum += of.Points
			if isReward := of.RewardCampaignID != ""; api.AllPassed(of.Explanation) != (of.Points != 0 || isReward && gives) {
				t.Errorf("%s gives %s: %+v", rules[i].ID, of.Points, of.Explanation)
			}
		}
		if f.Points != result.Points || sum != result.Points {
			t.Errorf("%s explained, by rules %s, a receipt earns %s", f.Points, sum, result.Points)
		}
	})
}
