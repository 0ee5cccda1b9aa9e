package level

import (
	"errors"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/fault"
)

func found(t *testing.T, d *db.DB, storeKey int64, id string) *Level {
	t.Helper()
	var l *Level
	write(t, d, func(tx *db.Tx) error {
		levels, err := Counted(tx, storeKey)
		for i := range levels {
			if levels[i].ID == id {
				l = &levels[i]
			}
		}
		return err
	})
	return l
}

func TestUpdateReplacesALevel(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s, elsewhere := newStore(t, d, "SHOP"), newStore(t, d, "OTHER")
		before := added(t, d, s, Level{
			ConditionValue: 100, MinOrder: 5, Active: true, Reward: Reward{"R", "C", 500},
			Translations:   []Translation{{Locale: "en", Name: "Gold"}, {Locale: "pl", Name: "Złoty"}},
			SpecialRewards: []SpecialReward{{Reward: Reward{Name: "One"}}, {Reward: Reward{Name: "Two"}}},
		})
		write(t, d, func(tx *db.Tx) error {
			Count(tx, s.Key, before.ID, 1)
			return nil
		})
		draft := Level{
			ConditionValue: 200, Reward: Reward{"R2", "C2", 600},
			Translations: []Translation{{Locale: "de", Name: "Gold"}, {Locale: "pl", Name: "Złoty poziom", Description: "d"}},
			SpecialRewards: []SpecialReward{
				{ID: before.SpecialRewards[1].ID, Reward: Reward{Name: "Two again"}, Active: true},
				{ID: "unknown", Reward: Reward{Name: "Three"}},
			},
		}
		write(t, d, func(tx *db.Tx) error { return Update(tx, s, before.ID, draft) })
		got := found(t, d, s.Key, before.ID)
		fresh := got.SpecialRewards[1]
		if fresh.ID == "unknown" || fresh.ID == "" || fresh.CreatedAt.IsZero() || fresh.Reward.Name != "Three" {
			t.Errorf("a new special reward is %+v", fresh)
		}
		want := *before
		want.ConditionValue, want.MinOrder, want.Active, want.Reward, want.Customers = 200, 0, false, draft.Reward, 1
		want.Translations = []Translation{
			{Locale: "de", Name: "Gold", ID: before.Translations[1].ID + 1},
			{Locale: "pl", Name: "Złoty poziom", Description: "d", ID: before.Translations[1].ID},
		}
		want.SpecialRewards = []SpecialReward{before.SpecialRewards[1], fresh}
		want.SpecialRewards[0].Reward.Name, want.SpecialRewards[0].Active = "Two again", true
		if diff := cmp.Diff(&want, got); diff != "" {
			t.Error(diff)
		}
		for name, change := range map[string]func(tx *db.Tx) error{
			"unknown":       func(tx *db.Tx) error { return Update(tx, s, db.NewID(), draft) },
			"other store":   func(tx *db.Tx) error { return Update(tx, elsewhere, before.ID, draft) },
			"switch":        func(tx *db.Tx) error { return SetActive(tx, elsewhere, before.ID, true) },
			"switch no one": func(tx *db.Tx) error { return SetActive(tx, s, db.NewID(), true) },
			"delete":        func(tx *db.Tx) error { return Delete(tx, elsewhere, before.ID) },
		} {
			if err := d.Write(t.Context(), change); !errors.Is(err, fault.ErrNotFound) {
				t.Errorf("%s: %v", name, err)
			}
		}
		for _, active := range []bool{true, true, false} {
			write(t, d, func(tx *db.Tx) error { return SetActive(tx, s, before.ID, active) })
			want.Active = active
			if diff := cmp.Diff(&want, found(t, d, s.Key, before.ID)); diff != "" {
				t.Errorf("switched to %v: %s", active, diff)
			}
		}
	})
}

func TestWhichLevelsCanBeDeleted(t *testing.T) {
	start := Level{Active: true}
	off, high := Level{}, Level{Active: true, ConditionValue: 1}
	for _, c := range []struct {
		name   string
		levels []Level // the first one is deleted
		want   error
	}{
		{"the only one", []Level{start}, ErrLastStart},
		{"the only one to start in", []Level{start, high}, ErrLastStart},
		{"beside one that is off", []Level{start, off, high}, ErrLastStart},
		{"beside another one to start in", []Level{start, start}, nil},
		{"one that is off, beside one to start in", []Level{off, start}, nil},
		{"one that is off, alone", []Level{off, high}, ErrLastStart},
		{"a higher one", []Level{high, start}, nil},
		{"a higher one without a start", []Level{high}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				s := newStore(t, d, "SHOP")
				var ids []string
				for _, l := range c.levels {
					ids = append(ids, added(t, d, s, l).ID)
				}
				err := d.Write(t.Context(), func(tx *db.Tx) error { return Delete(tx, s, ids[0]) })
				if !errors.Is(err, c.want) && err != c.want {
					t.Errorf("%v, want %v", err, c.want)
				}
				if got := found(t, d, s.Key, ids[0]).Deleted; got != (c.want == nil) {
					t.Errorf("deleted is %v", got)
				}
				err = d.Write(t.Context(), func(tx *db.Tx) error { return Delete(tx, s, ids[0]) })
				if c.want == nil && !errors.Is(err, fault.ErrNotFound) {
					t.Errorf("a second time: %v", err)
				}
			})
		})
	}
}

// Neither activation nor replacement takes away the last level that new customers start in.
func TestTheLastLevelToStartInStaysOn(t *testing.T) {
	off := func(l *Level) { l.Active = false }
	start, high := Level{Active: true}, Level{Active: true, ConditionValue: 1}
	for _, c := range []struct {
		name   string
		levels []Level // the first one changes
		change func(l *Level)
		want   error
	}{
		{"the only one", []Level{start}, off, ErrLastStartOff},
		{"the only one to start in", []Level{start, high, {}}, off, ErrLastStartOff},
		{"beside another one to start in", []Level{start, start}, off, nil},
		{"a higher one", []Level{high, start}, off, nil},
		{"a higher one without a start", []Level{high}, off, nil},
		{"one that is off", []Level{{}, high}, off, nil},
		{"raised", []Level{start, high}, func(l *Level) { l.ConditionValue = 1 }, ErrLastStartOff},
		{"raised beside another one", []Level{start, start}, func(l *Level) { l.ConditionValue = 1 }, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				s := newStore(t, d, "SHOP")
				var ids []string
				for _, l := range c.levels {
					ids = append(ids, added(t, d, s, l).ID)
				}
				draft := c.levels[0]
				c.change(&draft)
				ways := []func(tx *db.Tx) error{func(tx *db.Tx) error { return Update(tx, s, ids[0], draft) }}
				if draft.ConditionValue == c.levels[0].ConditionValue {
					ways = append(ways, func(tx *db.Tx) error { return SetActive(tx, s, ids[0], draft.Active) })
				}
				before := found(t, d, s.Key, ids[0])
				for _, way := range ways {
					if err := d.Write(t.Context(), way); !errors.Is(err, c.want) && err != c.want {
						t.Errorf("%v, want %v", err, c.want)
					}
					is := found(t, d, s.Key, ids[0])
					if c.want != nil && (is.Active != before.Active || is.ConditionValue != before.ConditionValue) {
						t.Errorf("refused but changed to %+v", is)
					}
				}
			})
		})
	}
}

// When the two starting levels are deleted concurrently, one stays.
func TestOneLevelToStartInAlwaysStays(t *testing.T) {
	dbtest.Both(t)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newStore(t, d, "SHOP")
		ids := []string{added(t, d, s, Level{Active: true}).ID, added(t, d, s, Level{Active: true}).ID}
		errs := make([]error, 2)
		var running sync.WaitGroup
		for i := range ids {
			running.Go(func() {
				errs[i] = d.Write(t.Context(), func(tx *db.Tx) error { return Delete(tx, s, ids[i]) })
			})
		}
		running.Wait()
		if (errs[0] == nil) == (errs[1] == nil) || !errors.Is(errors.Join(errs...), ErrLastStart) {
			t.Errorf("%v", errs)
		}
	})
}
