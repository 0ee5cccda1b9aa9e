package level

import (
	"encoding/json"
	"errors"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

func write(t *testing.T, d *db.DB, run func(tx *db.Tx) error) {
	t.Helper()
	if err := d.Write(t.Context(), run); err != nil {
		t.Fatal(err)
	}
}

func newStore(t *testing.T, d *db.DB, code string) *store.Store {
	t.Helper()
	var s *store.Store
	write(t, d, func(tx *db.Tx) (err error) {
		s, err = store.Create(tx, store.New{Code: code, Name: code, Currency: "EUR", Settings: store.DefaultSettings()})
		return err
	})
	return s
}

func added(t *testing.T, d *db.DB, s *store.Store, l Level) *Level {
	t.Helper()
	var made *Level
	write(t, d, func(tx *db.Tx) (err error) {
		made, err = Create(tx, s, l)
		return err
	})
	return made
}

// counts returns the customer counts of the store's levels, in the order of creation.
func counts(t *testing.T, d *db.DB, s *store.Store) []int64 {
	t.Helper()
	var n []int64
	write(t, d, func(tx *db.Tx) error {
		levels, err := Counted(tx, s.Key)
		for i := range levels {
			n = append(n, levels[i].Customers)
		}
		return err
	})
	return n
}

func TestCreatedLevelReadsBack(t *testing.T) {
	now := time.Date(2031, 3, 3, 10, 15, 0, 0, time.UTC)
	dbtest.EachAt(t, func() time.Time { return now }, func(t *testing.T, d *db.DB) {
		s, elsewhere := newStore(t, d, "SHOP"), newStore(t, d, "OTHER")
		silver := func() Level {
			l := tier("", 100, 5)
			l.MinOrder, l.Reward.Name, l.Reward.Code = 250, "Five", "F"
			l.Translations = []Translation{
				{Locale: "en", Name: "Silver"}, {Locale: "pl", Name: "Srebro", Description: "Opis"},
			}
			l.SpecialRewards = []SpecialReward{
				{Reward: Reward{"Extra", "E", 700}, Active: true, StartAt: now, EndAt: now.Add(time.Hour)}, {},
			}
			return l
		}
		made, second := added(t, d, s, silver()), added(t, d, s, tier("", 0, 1))
		other := added(t, d, elsewhere, silver())
		if made.StoreKey != s.Key || !made.CreatedAt.Equal(now) || made.Translations[0].ID != 1 ||
			made.Translations[1].ID != 2 || other.Translations[0].ID != 3 || made.SpecialRewards[0].ID == "" ||
			made.SpecialRewards[0].ID == made.SpecialRewards[1].ID || !made.SpecialRewards[1].CreatedAt.Equal(now) {
			t.Errorf("made %+v", made)
		}
		var all []Level
		write(t, d, func(tx *db.Tx) (err error) {
			all, err = All(tx, s.Key)
			return err
		})
		if diff := cmp.Diff([]Level{*made, *second}, all); diff != "" {
			t.Error(diff)
		}
	})
}

func TestMovedKeepsTheCounts(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s, elsewhere := newStore(t, d, "SHOP"), newStore(t, d, "OTHER")
		a, b := added(t, d, s, tier("", 0, 1)).ID, added(t, d, s, tier("", 100, 2)).ID
		added(t, d, elsewhere, tier("", 0, 1))
		for _, step := range []struct {
			from, to string
			want     []int64
		}{
			{"", a, []int64{1, 0}}, {"", a, []int64{2, 0}}, {"", b, []int64{2, 1}}, {a, b, []int64{1, 2}},
			{b, a, []int64{2, 1}}, {a, a, []int64{2, 1}}, {b, "", []int64{2, 0}}, {"", "", []int64{2, 0}},
		} {
			write(t, d, func(tx *db.Tx) error { return move(tx, s.Key, step.from, step.to) })
			if diff := cmp.Diff(step.want, counts(t, d, s)); diff != "" {
				t.Fatalf("from %q to %q: %s", step.from, step.to, diff)
			}
		}
		if diff := cmp.Diff([]int64{0}, counts(t, d, elsewhere)); diff != "" {
			t.Errorf("in the other store: %s", diff)
		}
		failed := errors.New("failed")
		if err := d.Write(t.Context(), func(tx *db.Tx) error {
			return errors.Join(move(tx, s.Key, a, b), failed)
		}); !errors.Is(err, failed) {
			t.Errorf("got %v", err)
		}
		if diff := cmp.Diff([]int64{2, 0}, counts(t, d, s)); diff != "" {
			t.Errorf("after a failed operation: %s", diff)
		}
	})
}

// move counts a customer who changes levels.
func move(tx *db.Tx, storeKey int64, from, to string) error {
	Count(tx, storeKey, from, -1)
	Count(tx, storeKey, to, 1)
	return nil
}

func TestOppositeMovesAtOnce(t *testing.T) {
	dbtest.Both(t)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newStore(t, d, "SHOP")
		a, b := added(t, d, s, tier("", 0, 1)).ID, added(t, d, s, tier("", 100, 2)).ID
		var all sync.WaitGroup
		for i := range 30 {
			from, to := a, b
			if i%3 == 0 {
				from, to = b, a
			}
			all.Go(func() {
				if err := d.Write(t.Context(), func(tx *db.Tx) error { return move(tx, s.Key, from, to) }); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if diff := cmp.Diff([]int64{-10, 10}, counts(t, d, s)); diff != "" {
			t.Error(diff)
		}
	})
}

func TestPageLeavesOutDeletedLevels(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newStore(t, d, "SHOP")
		low, high := added(t, d, s, tier("", 0, 1)).ID, added(t, d, s, inactive(tier("", 100, 2))).ID
		added(t, d, s, deleted(tier("", 50, 1)))
		added(t, d, newStore(t, d, "OTHER"), tier("", 0, 1))
		for _, c := range []struct {
			page api.Page
			want []string
		}{
			{api.Page{Limit: 10}, []string{low, high}},
			{api.Page{Limit: 10, Sort: "conditionValue", Descending: true}, []string{high, low}},
			{api.Page{Limit: 10, Sort: "levelId", Descending: true}, []string{high, low}},
			{api.Page{Limit: 10, Sort: "name"}, []string{low, high}},
			{api.Page{Limit: 1, Offset: 1}, []string{high}},
			{api.Page{Limit: 1, Offset: 2}, nil},
		} {
			write(t, d, func(tx *db.Tx) error {
				found, total, err := readPage(tx, s.Key, false, c.page.OrderBy(sortable), c.page.Limit, c.page.Offset)
				var ids []string
				for i := range found {
					ids = append(ids, found[i].ID)
				}
				if diff := cmp.Diff(c.want, ids); diff != "" || total != 2 {
					t.Errorf("%+v: total %d, %s", c.page, total, diff)
				}
				return err
			})
		}
	})
}

// readForm reads the valid form of a level with the changes; an empty value stays, "-" takes the field out.
func readForm(t *testing.T, changes map[string]string) (Level, string) {
	t.Helper()
	fields := url.Values{}
	for name, value := range map[string]string{
		"level[translations][en][name]": "Silver", "level[active]": "1", "level[conditionValue]": "99.5",
		"level[minOrder]": "10", "level[reward][name]": "Five", "level[reward][value]": "7.5", "level[reward][code]": "F",
	} {
		fields.Set(name, value)
	}
	for name, value := range changes {
		fields.Set(name, value)
		if value == "-" {
			fields.Del(name)
		}
	}
	node, err := form.ParseQuery(fields.Encode())
	if err != nil {
		t.Fatal(err)
	}
	zone, err := time.LoadLocation("Europe/Warsaw")
	if err != nil {
		t.Fatal(err)
	}
	g := form.Read(node, "level")
	l := readLevel(g, store.Languages{{Code: "en", Default: true}, {Code: "pl"}}, &store.Store{Zone: zone})
	var refused *fault.Error
	if !errors.As(g.Err(), &refused) {
		return l, ""
	}
	tree, err := json.Marshal(refused.Detail)
	if err != nil {
		t.Fatal(err)
	}
	return l, string(tree)
}

func TestFormOfALevel(t *testing.T) {
	l, problems := readForm(t, map[string]string{
		"level[translations][pl][description]": "Opis", "level[specialRewards][0][name]": "Extra",
		"level[specialRewards][0][value]": "100", "level[specialRewards][0][code]": "E",
		"level[specialRewards][0][active]": "1", "level[specialRewards][0][startAt]": "2031-07-01 10:00",
		"level[specialRewards][0][endAt]": "2031-07-01 10:00",
	})
	at := time.Date(2031, 7, 1, 8, 0, 0, 0, time.UTC)
	want := Level{
		Active: true, ConditionValue: 99_5000, MinOrder: 10_0000, Reward: Reward{"Five", "F", 7_500_000},
		Translations:   []Translation{{Locale: "en", Name: "Silver"}, {Locale: "pl", Description: "Opis"}},
		SpecialRewards: []SpecialReward{{Reward: Reward{"Extra", "E", 100_000_000}, Active: true, StartAt: at, EndAt: at}},
	}
	if diff := cmp.Diff(want, l); diff != "" || problems != "" {
		t.Errorf("%s %s", problems, diff)
	}
	l, problems = readForm(t, map[string]string{"level[active]": "-", "level[minOrder]": "-",
		"level[reward][name]": "-", "level[reward][value]": "-", "level[reward][code]": "-"})
	if problems != "" || l.Active || l.MinOrder != 0 || l.SpecialRewards != nil || l.Reward != (Reward{}) {
		t.Errorf("%s, read %+v", problems, l)
	}
}

func TestErrorsInTheFormOfALevel(t *testing.T) {
	blank, negative, invalid := form.Blank.Message, "This value should be 0 or more.", form.NotValid.Message
	special := func(changes map[string]string) map[string]string {
		all := map[string]string{}
		for name, value := range map[string]string{"name": "Extra", "value": "5", "code": "E"} {
			all["level[specialRewards][0]["+name+"]"] = value
		}
		for name, value := range changes {
			all["level[specialRewards][0]["+name+"]"] = value
		}
		return all
	}
	for _, c := range []struct {
		name    string
		changes map[string]string
		path    []string
		message string
	}{
		{"no default name", map[string]string{"level[translations][en][name]": "-", "level[translations][pl][name]": "S"},
			[]string{"translations", "en", "name"}, blank},
		{"no condition", map[string]string{"level[conditionValue]": "-"}, []string{"conditionValue"}, blank},
		{"negative condition", map[string]string{"level[conditionValue]": "-0.01"}, []string{"conditionValue"}, negative},
		{"condition in words", map[string]string{"level[conditionValue]": "ten"}, []string{"conditionValue"}, invalid},
		{"negative order", map[string]string{"level[minOrder]": "-1"}, []string{"minOrder"}, negative},
		{"negative reward", map[string]string{"level[reward][value]": "-5"}, []string{"reward", "value"}, negative},
		{"more than everything off", map[string]string{"level[reward][value]": "150"}, []string{"reward", "value"},
			"This value should be 100 or less."},
		{"special with more than everything off", special(map[string]string{"value": "100.000001"}),
			[]string{"specialRewards", "0", "value"}, "This value should be 100 or less."},
		{"too many digits", map[string]string{"level[reward][value]": "0.0000001"}, []string{"reward", "value"},
			"This value should have 6 digits or less after the point."},
		{"special without name", special(map[string]string{"name": ""}), []string{"specialRewards", "0", "name"}, blank},
		{"special without value", special(map[string]string{"value": ""}), []string{"specialRewards", "0", "value"}, blank},
		{"special ends first", special(map[string]string{"startAt": "2031-07-01 10:00", "endAt": "2031-07-01 09:59"}),
			[]string{"specialRewards", "0", "endAt"}, invalid},
	} {
		_, problems := readForm(t, c.changes)
		type field struct {
			Errors   []string
			Children map[string]json.RawMessage
		}
		var tree struct{ Form field }
		if err := json.Unmarshal([]byte(problems), &tree); err != nil {
			t.Errorf("%s: %v in %q", c.name, err, problems)
			continue
		}
		at := tree.Form
		for _, step := range c.path {
			var next field
			if err := json.Unmarshal(at.Children[step], &next); err != nil {
				t.Errorf("%s: no %s in %s", c.name, step, problems)
			}
			at = next
		}
		if diff := cmp.Diff([]string{c.message}, at.Errors); diff != "" {
			t.Errorf("%s: %s in %s", c.name, diff, problems)
		}
	}
}
