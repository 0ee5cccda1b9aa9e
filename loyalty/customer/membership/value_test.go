package membership

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/level"
	"punchcard/loyalty/points"
	"punchcard/platform/decimal"
)

func TestLevelValue(t *testing.T) {
	none, atOnce, afterDays := store.DowngradeNever, store.DowngradeAtOnce, store.DowngradeAfterDays
	amounts := store.Settings{TierAssignType: store.TierTransactions}
	net := amounts
	net.ExcludeDeliveryCosts = true
	points_ := func(mode, base string) store.Settings {
		return store.Settings{TierAssignType: store.TierPoints, LevelDowngradeMode: mode, LevelDowngradeBase: base}
	}
	for _, c := range []struct {
		name      string
		settings  store.Settings
		purchases customer.Purchases
		standing  LevelBasis
		want      decimal.Money
	}{
		{"purchases", amounts, customer.Purchases{Amount: 500, AmountWithoutDelivery: 400},
			LevelBasis{Account: points.Account{Earned: 9}}, 500},
		{"without excluded ones", amounts, customer.Purchases{Amount: 500, ExcludedForLevel: 200}, LevelBasis{}, 300},
		{"never below 0", amounts, customer.Purchases{Amount: 100, ExcludedForLevel: 200}, LevelBasis{}, 0},
		{"without delivery", net, customer.Purchases{Amount: 500, AmountWithoutDelivery: 400, ExcludedForLevel: 100},
			LevelBasis{}, 300},
		{"excluded delivery is subtracted once", net,
			customer.Purchases{Amount: 500, AmountWithoutDelivery: 400, ExcludedForLevel: 100, ExcludedDelivery: 100},
			LevelBasis{}, 400},
		{"points earned", points_(none, ""), customer.Purchases{Amount: 900},
			LevelBasis{Account: points.Account{Earned: 700, Points: 100, Used: 600}}, 700_00},
		{"locked ones do not count", points_(atOnce, ""), customer.Purchases{},
			LevelBasis{Account: points.Account{Earned: 700, Locked: 200}}, 500_00},
		{"expired ones count", points_(none, ""), customer.Purchases{},
			LevelBasis{Account: points.Account{Earned: 700, Expired: 700}}, 700_00},
		{"what returns took does not count", points_(none, ""), customer.Purchases{PointsTakenBack: 300},
			LevelBasis{Account: points.Account{Earned: 700}}, 400_00},
		{"no points below 0", points_(none, ""), customer.Purchases{},
			LevelBasis{Account: points.Account{Earned: 100, Locked: 200}}, 0},
		{"active points", points_(afterDays, store.BaseActivePoints), customer.Purchases{PointsTakenBack: 300},
			LevelBasis{points.Account{Earned: 700, Points: 150}, 50}, 150_00},
		{"earned since", points_(afterDays, store.BaseEarnedPoints), customer.Purchases{},
			LevelBasis{points.Account{Earned: 700, Points: 150}, 50}, 50_00},
		{"earned since the last move", points_(afterDays, store.BaseEarnedSinceChange), customer.Purchases{},
			LevelBasis{points.Account{Earned: 700, Points: 150}, 50}, 50_00},
	} {
		s := &store.Store{Settings: c.settings}
		if got := c.standing.Value(s, c.purchases); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestWhoMayFall(t *testing.T) {
	for _, c := range []struct {
		tier, mode string
		want       bool
	}{
		{store.TierTransactions, store.DowngradeNever, true}, {store.TierTransactions, store.DowngradeAfterDays, true},
		{store.TierPoints, store.DowngradeNever, false}, {store.TierPoints, "", false},
		{store.TierPoints, store.DowngradeAtOnce, true}, {store.TierPoints, store.DowngradeAfterDays, false},
	} {
		if got := level.CanDrop(&store.Settings{TierAssignType: c.tier, LevelDowngradeMode: c.mode}); got != c.want {
			t.Errorf("%s %s: %v", c.tier, c.mode, got)
		}
	}
}

func TestDaysUntilTheNextCheck(t *testing.T) {
	warsaw, err := time.LoadLocation("Europe/Warsaw")
	if err != nil {
		t.Fatal(err)
	}
	at := func(text string) time.Time {
		moment, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		return moment
	}
	created := at("2031-03-01T22:59:00Z") // 23:59 in Warsaw
	s := &store.Store{Settings: store.Settings{LevelDowngradeDays: 30}, Zone: warsaw}
	for _, c := range []struct {
		recalculated, now string
		want              int
	}{
		{"", "2031-03-01T22:59:00Z", 30}, {"", "2031-03-01T23:00:00Z", 29}, {"", "2031-03-30T21:59:00Z", 1},
		{"", "2031-03-30T22:00:00Z", 0}, {"", "2031-09-01T00:00:00Z", 0}, // summer time began on 30 March
		{"2031-03-10T12:00:00Z", "2031-03-11T12:00:00Z", 29},
	} {
		who := &customer.Customer{CreatedAt: created}
		if c.recalculated != "" {
			who.LevelRecalculatedAt = at(c.recalculated)
		}
		if got := ExpiresInDays(s, who, at(c.now)); got != c.want {
			t.Errorf("checked %q, now %s: %d days, want %d", c.recalculated, c.now, got, c.want)
		}
	}
}

func TestDeservedLevel(t *testing.T) {
	tier := func(id string, condition int64) level.Level {
		return level.Level{ID: id, Active: true, ConditionValue: decimal.Whole(condition).Money()}
	}
	off, gone := tier("off", 300), tier("gone", 400)
	off.Active, gone.Deleted = false, true
	ladder := []level.Level{tier("start", 0), tier("silver", 100), tier("gold", 500), off, gone}
	const falls, stays = true, false
	for _, c := range []struct {
		name            string
		canDrop         bool
		present, manual string
		value           int64
		want            string
	}{
		{"up", falls, "start", "", 100, "silver"},
		{"two up", falls, "start", "", 500, "gold"},
		{"stays", falls, "silver", "", 499, "silver"},
		{"down", falls, "gold", "", 100, "silver"},
		{"two down", falls, "gold", "", 0, "start"},
		{"up where nobody falls", stays, "start", "", 500, "gold"},
		{"not down where nobody falls", stays, "gold", "", 0, "gold"},
		{"above a level set by hand", falls, "silver", "silver", 500, "gold"},
		{"at a level set by hand", falls, "silver", "silver", 100, "silver"},
		{"never below a level set by hand", falls, "gold", "gold", 0, "gold"},
		{"above one set by hand where nobody falls", stays, "silver", "silver", 500, "gold"},
		{"down from a level switched off", falls, "off", "", 100, "silver"},
		{"up from a level switched off", stays, "off", "", 500, "gold"},
		{"not down from a level switched off", stays, "off", "", 100, "off"},
		{"out of a deleted level", stays, "gone", "", 100, "silver"},
		{"out of a deleted level set by hand", falls, "gone", "gone", 100, "silver"},
		{"out of no level", falls, "", "", 100, "silver"},
		{"below all levels", falls, "silver", "", -1, ""},
	} {
		who := &customer.Customer{LevelID: c.present, ManualLevelID: c.manual}
		got := earnedLevel(ladder, who, decimal.Whole(c.value).Money(), c.canDrop)
		if id := idOf(got); id != c.want {
			t.Errorf("%s: %q, want %q", c.name, id, c.want)
		}
	}
}

func idOf(l *level.Level) string {
	if l == nil {
		return ""
	}
	return l.ID
}

// A customer never drops below a level set by hand, nor, unless levels can drop, below the present one.
func TestNobodyFallsByPointsOrFromAManualLevel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var levels []level.Level
		conditions := rapid.SliceOfNDistinct(rapid.Int64Range(0, 9), 1, 5, rapid.ID[int64]).Draw(t, "conditions")
		for i, condition := range conditions {
			levels = append(levels, level.Level{
				ID: string(rune('a' + i)), Active: rapid.Bool().Draw(t, "active"), ConditionValue: decimal.Whole(condition).Money(),
			})
		}
		present := rapid.SampledFrom(levels).Draw(t, "present")
		c := &customer.Customer{LevelID: present.ID}
		canDrop := rapid.Bool().Draw(t, "by hand")
		if canDrop {
			c.ManualLevelID = present.ID
		}
		value := decimal.Whole(rapid.Int64Range(0, 10).Draw(t, "value")).Money()
		got, earned := earnedLevel(levels, c, value, canDrop), level.Candidate(levels, value)
		if got == nil {
			if earned != nil {
				t.Fatalf("%v is not given", earned)
			}
			return
		}
		if got.ConditionValue < present.ConditionValue || got.ConditionValue < earned.ConditionValue {
			t.Fatalf("from %v to %v, earned %v", present, got, earned)
		}
	})
}

func TestEqualConditionsMoveNobody(t *testing.T) {
	levels := []level.Level{
		{ID: "large", Active: true, Reward: level.Reward{Value: 1_000}},
		{ID: "small", Active: true, Reward: level.Reward{Value: 500}},
	}
	for _, manual := range []string{"", "small"} {
		got := earnedLevel(levels, &customer.Customer{LevelID: "small", ManualLevelID: manual}, 0, true)
		if got.ID != "small" {
			t.Errorf("by hand %q: moved to %s", manual, got.ID)
		}
	}
}
