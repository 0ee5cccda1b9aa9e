package membership

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/level"
	"punchcard/platform/decimal"
)

// TestTheExplainedLevelIsTheEarnedOne shows that all rules pass exactly for the level in which a check leaves a
// customer.
func TestTheExplainedLevelIsTheEarnedOne(t *testing.T) {
	now := time.Date(2031, 7, 3, 10, 0, 0, 0, time.UTC)
	rapid.Check(t, func(t *rapid.T) {
		var levels []level.Level
		for i, condition := range rapid.SliceOfN(rapid.Int64Range(0, 9), 1, 5).Draw(t, "conditions") {
			levels = append(levels, level.Level{
				ID: string(rune('a' + i)), Active: rapid.Bool().Draw(t, "active"),
				Deleted:        rapid.IntRange(0, 9).Draw(t, "gone") == 0,
				ConditionValue: decimal.Whole(condition).Money(),
			})
		}
		c := &customer.Customer{
			Status:    rapid.SampledFrom([]string{customer.Active, customer.Blocked}).Draw(t, "status"),
			LevelID:   rapid.SampledFrom(append(level.IDs(levels), "")).Draw(t, "present"),
			CreatedAt: now.AddDate(0, 0, -rapid.IntRange(0, 60).Draw(t, "age")),
		}
		if rapid.Bool().Draw(t, "by hand") {
			c.ManualLevelID = c.LevelID
		}
		modes := []string{store.DowngradeNever, store.DowngradeAtOnce, store.DowngradeAfterDays}
		s := &store.Store{Zone: time.UTC, Currency: "EUR", Settings: store.Settings{
			TierAssignType:     rapid.SampledFrom([]string{store.TierPoints, store.TierTransactions}).Draw(t, "type"),
			LevelDowngradeMode: rapid.SampledFrom(modes).Draw(t, "mode"),
			LevelDowngradeDays: 30,
		}}
		value := decimal.Whole(rapid.Int64Range(0, 10).Draw(t, "value")).Money()
		want := earnedLevel(levels, c, value, level.CanDrop(&s.Settings) || isDue(s, c, now))
		if want == nil {
			want = level.Find(levels, c.LevelID)
		}
		x := explainLevels(s, levels, c, value, now, api.Locale{})
		for i := range levels {
			l := &levels[i]
			if l.Deleted {
				continue
			}
			v := x.view(l, true)
			if passed := api.AllPassed(v.Explanation); passed != (l == want) || v.Deserved != passed {
				t.Errorf("%s passes is %t, want %v: %+v", l.ID, passed, want, v)
			}
			for _, f := range v.Explanation {
				if !f.Passed && f.Hint == "" {
					t.Errorf("%s: no hint for %s", l.ID, f.Rule)
				}
			}
		}
	})
}
