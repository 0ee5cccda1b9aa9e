package level

import (
	"encoding/json"
	"math"
	"testing"

	"pgregory.net/rapid"

	"punchcard/core/api"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/decimal"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// tier is an active level with a condition in whole points and a reward in whole percent.
func tier(id string, condition, reward int64) Level {
	return Level{
		ID: id, Active: true, ConditionValue: decimal.Whole(condition).Money(),
		Reward: Reward{Value: decimal.Whole(reward).Rate()},
	}
}

func inactive(l Level) Level {
	l.Active = false
	return l
}

func deleted(l Level) Level {
	l.Deleted = true
	return l
}

func idOf(l *Level) string {
	if l == nil {
		return ""
	}
	return l.ID
}

func TestCandidate(t *testing.T) {
	ladder := []Level{tier("silver", 100, 5), tier("start", 0, 1), tier("gold", 500, 10)}
	for _, c := range []struct {
		name   string
		levels []Level
		value  decimal.Hundredths
		want   string
	}{
		{"nothing earned", ladder, 0, "start"},
		{"just below", ladder, 9_999, "start"},
		{"just reached", ladder, 10_000, "silver"},
		{"in between", ladder, 49_999, "silver"},
		{"highest", ladder, 50_000, "gold"},
		{"far above", ladder, 9_000_000, "gold"},
		{"below all", ladder, -1, ""},
		{"no levels", nil, 100, ""},
		{"no start level", []Level{tier("silver", 100, 5)}, 0, ""},
		{"inactive ones do not count", []Level{tier("start", 0, 1), inactive(tier("silver", 100, 5))}, 20_000, "start"},
		{"deleted ones do not count", []Level{tier("start", 0, 1), deleted(tier("silver", 100, 5))}, 20_000, "start"},
		{"only inactive ones", []Level{inactive(tier("start", 0, 1))}, 0, ""},
		{"larger reward last", []Level{tier("small", 100, 5), tier("large", 100, 6)}, 10_000, "large"},
		{"larger reward first", []Level{tier("large", 100, 6), tier("small", 100, 5)}, 10_000, "large"},
		{"full tie: the older one", []Level{tier("first", 100, 5), tier("second", 100, 5)}, 10_000, "first"},
		{"condition before reward", []Level{tier("start", 0, 50), tier("silver", 100, 5)}, 10_000, "silver"},
	} {
		if got := idOf(Candidate(c.levels, c.value.Money())); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestNext(t *testing.T) {
	ladder := []Level{tier("gold", 500, 10), tier("start", 0, 1), tier("silver", 100, 5)}
	for _, c := range []struct {
		name    string
		levels  []Level
		present string
		value   decimal.Hundredths
		want    string
	}{
		{"from the start", ladder, "start", 0, "silver"},
		{"just below", ladder, "start", 9_999, "silver"},
		{"value is past the next", ladder, "start", 10_000, "gold"},
		{"level is above the value", ladder, "silver", 0, "gold"},
		{"highest", ladder, "gold", 0, ""},
		{"value above all", ladder, "start", 50_000, ""},
		{"in no level", ladder, "", -1, "start"},
		{"in no level with something", ladder, "", 0, "silver"},
		{"inactive ones do not count", []Level{inactive(tier("silver", 100, 5)), tier("gold", 500, 9)}, "", 0, "gold"},
		{"deleted ones do not count", []Level{deleted(tier("silver", 100, 5)), tier("gold", 500, 9)}, "", 0, "gold"},
		{"no levels", nil, "", 0, ""},
	} {
		if got := idOf(Next(c.levels, Find(c.levels, c.present), c.value.Money())); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestFindPassesOverDeletedLevels(t *testing.T) {
	levels := []Level{tier("a", 0, 1), inactive(tier("b", 0, 1)), deleted(tier("c", 0, 1))}
	for id, want := range map[string]string{"a": "a", "b": "b", "c": "", "d": "", "": ""} {
		if got := idOf(Find(levels, id)); got != want {
			t.Errorf("Find(%q) = %q, want %q", id, got, want)
		}
	}
}

// For any levels, a value reaches its candidate and not the next level, and a larger value never earns a
// lower level.
func TestCandidateAndNextSurroundTheValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := rapid.Custom(func(t *rapid.T) Level {
			l := tier("", rapid.Int64Range(0, 5).Draw(t, "condition"), rapid.Int64Range(0, 3).Draw(t, "reward"))
			l.Active, l.Deleted = rapid.Bool().Draw(t, "active"), rapid.Bool().Draw(t, "deleted")
			return l
		})
		levels := rapid.SliceOfN(draw, 0, 6).Draw(t, "levels")
		value := decimal.Whole(rapid.Int64Range(-1, 6).Draw(t, "value")).Money()
		candidate, next, higher := Candidate(levels, value), Next(levels, nil, value), Candidate(levels, value+50)
		for i := range levels {
			l := &levels[i]
			if !l.Active || l.Deleted {
				if l == candidate || l == next {
					t.Fatalf("%+v was chosen", l)
				}
				continue
			}
			reached := l.ConditionValue <= value
			if reached && (candidate == nil || candidate.ConditionValue < l.ConditionValue) {
				t.Fatalf("the candidate %v is below %v", candidate, l)
			}
			if !reached && (next == nil || next.ConditionValue > l.ConditionValue) {
				t.Fatalf("the next level %v is above %v", next, l)
			}
		}
		if candidate != nil && (candidate.ConditionValue > value || higher.ConditionValue < candidate.ConditionValue) {
			t.Fatalf("%v for %v, and %v for more", candidate, value, higher)
		}
		if next != nil && next.ConditionValue <= value {
			t.Fatalf("%v is reached with %v", next, value)
		}
	})
}

func TestPercent(t *testing.T) {
	for _, c := range []struct {
		value       decimal.Hundredths // hundredths of a percent
		asText, raw string
	}{
		{0, "0.00%", "0"},
		{1, "0.01%", "0.0001"},
		{5, "0.05%", "0.0005"},
		{100, "1.00%", "0.01"},
		{500, "5.00%", "0.05"},
		{750, "7.50%", "0.075"},
		{1_500, "15.00%", "0.15"},
		{3_333, "33.33%", "0.3333"},
		{10_000, "100.00%", "1"},
		{12_500, "125.00%", "1.25"},
		{100_000, "1000.00%", "10"},
	} {
		l := Level{Reward: Reward{Value: c.value.Rate()}}
		raw, err := json.Marshal(percent(c.value.Rate()))
		if err != nil || string(raw) != c.raw || l.Percent() != c.asText {
			t.Errorf("%d is %s and %s (%v), want %s and %s", c.value, raw, l.Percent(), err, c.raw, c.asText)
		}
	}
}

func TestSmallPercent(t *testing.T) {
	l := Level{Reward: Reward{Value: 1_500}} // millionths
	raw, err := json.Marshal(percent(l.Reward.Value))
	if err != nil || string(raw) != "0.000015" || l.Percent() != "0.0015%" {
		t.Errorf("%s and %s, %v", raw, l.Percent(), err)
	}
}

func TestPercentIsAHundredthOfItsNumber(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := percent(rapid.Int64Range(0, 1_000_000_000).Draw(t, "percent"))
		raw, err := json.Marshal(p)
		var read float64
		if err == nil {
			err = json.Unmarshal(raw, &read)
		}
		if err != nil || percent(math.Round(read*1e8)) != p {
			t.Fatalf("%d is shown as %s, %v", p, raw, err)
		}
	})
}

func TestTextsFallBackForEachFieldByItself(t *testing.T) {
	l := Level{Translations: []Translation{
		{Locale: "pl", Name: "Srebro"}, {Locale: "en", Name: "Silver", Description: "The second one"},
	}}
	for _, c := range []struct{ wanted, name, description string }{
		{"en", "Silver", "The second one"}, {"pl", "Srebro", "The second one"}, {"pl_PL", "Srebro", "The second one"},
		{"fr", "Silver", "The second one"},
	} {
		locale := api.Locale{Wanted: c.wanted, Default: "en"}
		if name, description := l.Name(locale), l.Description(locale); name != c.name || description != c.description {
			t.Errorf("%s: %q, %q", c.wanted, name, description)
		}
	}
}
