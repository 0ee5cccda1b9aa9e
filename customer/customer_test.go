package customer

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"punchcard/level"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/decimal"
	"punchcard/points"
	"punchcard/store"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

func TestMatchKey(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "   ": "", "AB-12": "ab-12", "  Ab-12\t": "ab-12", "+48 123": "+48 123", "ŁÓDŹ": "łódź", "007": "007",
	} {
		if got := matchKey(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[A-Za-z0-9+ -]{0,12}`).Draw(t, "text")
		key := matchKey(text)
		for _, same := range []string{key, strings.ToUpper(text), " " + text + "\n"} {
			if matchKey(same) != key {
				t.Fatalf("%q and %q differ", text, same)
			}
		}
	})
}

func TestIsPhone(t *testing.T) {
	for text, want := range map[string]bool{
		"123": true, "+48123456789": true, "0": true, "": false, "+": false, "++48": false, "48+": false, "12 34": false,
		"12-34": false, "+48a": false, "١٢٣": false, " 123": false,
	} {
		if got := isPhone(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestIsEmail(t *testing.T) {
	for text, want := range map[string]bool{
		"ida@example.com": true, "Ida.Berg+shop@mail.example.com": true, "ü@example.com": true, "a@b.c": true,
		"": false, "ida": false, "@example.com": false, "ida@": false, "ida@example": false, "ida@example.": false,
		"ida@.example": false, "ida@berg@example.com": false, "ida berg@example.com": false, "ida@exam ple.com": false,
		"<ida@example.com>": false, "ida@example.com,ole@example.com": false, "ida@example.com;": false,
		"ida@example.com\r\nBcc:ole@example.com": false, "ida\t@example.com": false,
	} {
		if got := isEmail(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestParseLabels(t *testing.T) {
	for _, c := range []struct {
		text string
		want []Label
	}{
		{"", nil}, {";;", nil}, {"abc", nil}, {":b", nil}, {" :b;a:1", []Label{{"a", "1"}}},
		{"key1:value1;key2:value2", []Label{{"key1", "value1"}, {"key2", "value2"}}},
		{"b:1;a:2;b:3;", []Label{{"b", "1"}, {"a", "2"}, {"b", "3"}}}, {"a:b:c", []Label{{"a", "b:c"}}},
		{" a : b ", []Label{{"a", "b"}}}, {"a:", []Label{{"a", ""}}},
	} {
		if diff := cmp.Diff(c.want, ParseLabels(c.text)); diff != "" {
			t.Errorf("%q: %s", c.text, diff)
		}
	}
}

func TestAveragePurchase(t *testing.T) {
	for _, c := range []struct {
		count        int64
		amount, want decimal.Hundredths
	}{{0, 0, 0}, {1, 999, 999}, {2, 999, 500}, {3, 1_000, 333}, {6, 31_290, 5_215}} {
		if got := (Purchases{Count: c.count, Amount: c.amount}).Average(); got != c.want {
			t.Errorf("%d of %v: %v, want %v", c.count, c.amount, got, c.want)
		}
	}
}

func TestOnlyActiveCustomersAreActive(t *testing.T) {
	for status, want := range map[string]bool{Active: true, New: false, Blocked: false, Deleted: false, "": false} {
		if got := (&Customer{Status: status}).IsActive(); got != want {
			t.Errorf("%q: %v", status, got)
		}
	}
}

func TestLevelValue(t *testing.T) {
	for _, c := range []struct {
		name      string
		tier      string
		purchases Purchases
		account   points.Account
		want      decimal.Hundredths
	}{
		{"purchases", store.TierTransactions, Purchases{Amount: 500, AmountWithoutDelivery: 400},
			points.Account{Earned: 9}, 500},
		{"without excluded ones", store.TierTransactions, Purchases{Amount: 500, ExcludedForLevel: 200},
			points.Account{}, 300},
		{"never below 0", store.TierTransactions, Purchases{Amount: 100, ExcludedForLevel: 200}, points.Account{}, 0},
		{"points earned", store.TierPoints, Purchases{Amount: 900}, points.Account{Earned: 700, Points: 100, Used: 600}, 700},
		{"locked ones do not count", store.TierPoints, Purchases{}, points.Account{Earned: 700, Locked: 200}, 500},
		{"expired ones count", store.TierPoints, Purchases{}, points.Account{Earned: 700, Expired: 700}, 700},
		{"no points below 0", store.TierPoints, Purchases{}, points.Account{Earned: 100, Locked: 200}, 0},
	} {
		s := &store.Store{Settings: store.Settings{TierAssignType: c.tier}}
		if got := levelValue(s, &Customer{Purchases: c.purchases}, c.account); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestDeservedLevel(t *testing.T) {
	tier := func(id string, condition int64) level.Level {
		return level.Level{ID: id, Active: true, ConditionValue: decimal.Whole(condition)}
	}
	off, gone := tier("off", 300), tier("gone", 400)
	off.Active, gone.Deleted = false, true
	ladder := []level.Level{tier("start", 0), tier("silver", 100), tier("gold", 500), off, gone}
	const byAmount, byPoints = store.TierTransactions, store.TierPoints
	for _, c := range []struct {
		name, tier      string
		present, manual string
		value           int64
		want            string
	}{
		{"up", byAmount, "start", "", 100, "silver"},
		{"two up", byAmount, "start", "", 500, "gold"},
		{"stays", byAmount, "silver", "", 499, "silver"},
		{"down", byAmount, "gold", "", 100, "silver"},
		{"two down", byAmount, "gold", "", 0, "start"},
		{"points lift", byPoints, "start", "", 500, "gold"},
		{"points stay", byPoints, "silver", "", 100, "silver"},
		{"points never fall", byPoints, "gold", "", 0, "gold"},
		{"above a level set by hand", byAmount, "silver", "silver", 500, "gold"},
		{"at a level set by hand", byAmount, "silver", "silver", 100, "silver"},
		{"never below a level set by hand", byAmount, "gold", "gold", 0, "gold"},
		{"points never below a level set by hand", byPoints, "gold", "gold", 0, "gold"},
		{"points above a level set by hand", byPoints, "silver", "silver", 500, "gold"},
		{"down from a level switched off", byAmount, "off", "", 100, "silver"},
		{"up from a level switched off", byPoints, "off", "", 500, "gold"},
		{"points do not fall from a level switched off", byPoints, "off", "", 100, "off"},
		{"out of a deleted level", byPoints, "gone", "", 100, "silver"},
		{"out of a deleted level set by hand", byAmount, "gone", "gone", 100, "silver"},
		{"out of no level", byAmount, "", "", 100, "silver"},
		{"below all levels", byAmount, "silver", "", -1, ""},
	} {
		s := &store.Store{Settings: store.Settings{TierAssignType: c.tier}}
		got := deserved(s, ladder, &Customer{LevelID: c.present, ManualLevelID: c.manual}, decimal.Whole(c.value))
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

// Whatever happens, points and a level set by hand keep a customer at least where he is.
func TestNobodyFallsByPointsOrFromAManualLevel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var levels []level.Level
		conditions := rapid.SliceOfNDistinct(rapid.Int64Range(0, 9), 1, 5, rapid.ID[int64]).Draw(t, "conditions")
		for i, condition := range conditions {
			levels = append(levels, level.Level{
				ID: string(rune('a' + i)), Active: rapid.Bool().Draw(t, "active"), ConditionValue: decimal.Whole(condition),
			})
		}
		present := rapid.SampledFrom(levels).Draw(t, "present")
		c := &Customer{LevelID: present.ID}
		s := &store.Store{Settings: store.Settings{TierAssignType: store.TierPoints}}
		if rapid.Bool().Draw(t, "by hand") {
			c.ManualLevelID, s.Settings.TierAssignType = present.ID, store.TierTransactions
		}
		value := decimal.Whole(rapid.Int64Range(0, 10).Draw(t, "value"))
		got, earned := deserved(s, levels, c, value), level.Candidate(levels, value)
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
	s := &store.Store{Settings: store.Settings{TierAssignType: store.TierTransactions}}
	for _, manual := range []string{"", "small"} {
		got := deserved(s, levels, &Customer{LevelID: "small", ManualLevelID: manual}, 0)
		if got.ID != "small" {
			t.Errorf("by hand %q: moved to %s", manual, got.ID)
		}
	}
}
