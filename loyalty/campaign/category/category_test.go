package category

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/level/shoptest"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

var background = context.Background()

const unknown = "018f0000-0000-7000-8000-000000000001"

type shop struct{ *shoptest.Shop }

func newShop(t *testing.T, d *db.DB, code string) *shop {
	t.Helper()
	return &shop{shoptest.Open(t, d, code, nil)}
}

// add creates a category with names such as en=Drinks pl=Napoje.
func (s *shop) add(order int64, active bool, names string) (id string) {
	s.Helper()
	s.Write(func(tx *db.Tx) (err error) {
		id, err = Create(tx, s.Store, Category{SortOrder: order, Active: active, Translations: named(names)})
		return err
	})
	return id
}

func named(names string) (all []Translation) {
	for part := range strings.FieldsSeq(names) {
		locale, name, _ := strings.Cut(part, "=")
		all = append(all, Translation{Locale: locale, Name: name})
	}
	return all
}

func (s *shop) find(id string) (c Category) {
	s.Helper()
	s.Write(func(tx *db.Tx) (err error) {
		c, err = findCategory(tx, s.Store.Key, id)
		return err
	})
	return c
}

func TestCategoryIsReplaced(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s, elsewhere := newShop(t, d, "SHOP"), newShop(t, d, "OTHER")
		id := s.add(-3, true, "en=Drinks pl=Napoje")
		foreign := elsewhere.add(0, true, "en=Elsewhere")
		first := Category{s.Store.Key, id, true, -3, []Translation{{"Drinks", 1, "en"}, {"Napoje", 2, "pl"}}}
		if diff := cmp.Diff(first, s.find(id)); diff != "" {
			t.Error(diff)
		}
		s.Write(func(tx *db.Tx) error {
			return Update(tx, s.Store, id, Category{Translations: named("de=Getränke pl=Nowe")})
		})
		second := Category{s.Store.Key, id, false, 0, []Translation{{"Getränke", 4, "de"}, {"Nowe", 2, "pl"}}}
		if diff := cmp.Diff(second, s.find(id)); diff != "" {
			t.Error(diff)
		}
		for _, active := range []bool{true, true, false} {
			s.Write(func(tx *db.Tx) error { return SetActive(tx, s.Store, id, active) })
			if second.Active = active; !cmp.Equal(second, s.find(id)) {
				t.Errorf("switched to %v: %+v", active, s.find(id))
			}
		}
		for _, other := range []string{foreign, unknown} {
			for _, change := range []func(tx *db.Tx) error{
				func(tx *db.Tx) error { return Update(tx, s.Store, other, first) },
				func(tx *db.Tx) error { return SetActive(tx, s.Store, other, false) },
			} {
				if err := d.Write(background, change); !errors.Is(err, fault.ErrNotFound) {
					t.Errorf("%s: %v", other, err)
				}
			}
		}
		if got := elsewhere.find(foreign); !got.Active || got.Name(api.Locale{Default: "en"}) != "Elsewhere" {
			t.Errorf("the other store's category is %+v", got)
		}
	})
}

func TestNames(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d, "SHOP")
		drinks, food := s.add(0, true, "en=Drinks pl=Napoje"), s.add(0, false, "en=Food")
		nameless := s.add(0, true, "fr=Jouets")
		foreign := newShop(t, d, "OTHER").add(0, true, "en=Elsewhere")
		s.Write(func(tx *db.Tx) error {
			polish := api.Locale{Wanted: "pl", Default: "en"}
			names, query := SelectNames(tx, s.Store.Key, polish, drinks, food, nameless, foreign, unknown)
			err := tx.Run(query)
			if diff := cmp.Diff(map[string]string{drinks: "Napoje", food: "Food", nameless: ""}, names); diff != "" {
				t.Error(diff)
			}
			if err != nil {
				return err
			}
			none, query := SelectNames(tx, s.Store.Key, api.Locale{Default: "en"})
			err = tx.Run(query)
			if len(none) != 0 {
				t.Errorf("names of nothing: %v", none)
			}
			return err
		})
	})
}

func TestCategoriesAreBounded(t *testing.T) {
	d := dbtest.Open(t, dbtest.Config(t, "sqlite"), time.Now)
	s := newShop(t, d, "SHOP")
	s.Write(func(tx *db.Tx) error {
		for range Limit {
			if _, err := Create(tx, s.Store, Category{}); err != nil {
				return err
			}
		}
		return nil
	})
	err := d.Write(background, func(tx *db.Tx) error {
		_, err := Create(tx, s.Store, Category{})
		return err
	})
	if !errors.Is(err, ErrLimit) || !strings.Contains(err.Error(), fmt.Sprint(Limit)) {
		t.Errorf("one more: %v", err)
	}
	newShop(t, d, "OTHER").add(0, true, "en=Elsewhere")
}

func TestOrder(t *testing.T) {
	dbtest.Both(t)
	list := []Category{
		{ID: "1", SortOrder: 2, Active: true, Translations: named("en=Tea pl=A")},
		{ID: "2", SortOrder: 1, Translations: named("en=Cake")},
		{ID: "3", SortOrder: 2, Translations: named("en=Coffee pl=Z")},
		{ID: "4", SortOrder: -1, Active: true, Translations: named("en=Cake")},
	}
	for _, c := range []struct {
		sort       string
		descending bool
		locale     string
		want       string
	}{
		{"", false, "en", "4231"}, {"", true, "en", "1324"}, {"", false, "pl", "4213"}, {"unknown", false, "en", "4231"},
		{"name", false, "en", "2431"}, {"name", true, "en", "1324"}, {"name", false, "pl", "1243"},
		{"sortOrder", false, "en", "4213"}, {"active", true, "en", "1423"}, {"campaignCategoryId", true, "en", "4321"},
	} {
		sorted := append([]Category{}, list...)
		sortBy(sorted, api.Page{Sort: c.sort, Descending: c.descending}, api.Locale{Wanted: c.locale, Default: "en"})
		got := ""
		for _, one := range sorted {
			got += one.ID
		}
		if got != c.want {
			t.Errorf("%q in %s, descending %v: %s, want %s", c.sort, c.locale, c.descending, got, c.want)
		}
	}
}

func TestMatches(t *testing.T) {
	c := Category{Translations: named("en=Żółte-Tea pl=Herbata")}
	for _, m := range []struct {
		text   string
		whole  bool
		locale string
		want   bool
	}{
		{"tea", false, "en", true}, {"TEA", false, "en", true}, {"żÓŁTE", false, "en", true}, {"tea", true, "en", false},
		{"żółte-tea", true, "en", true}, {"tea", false, "pl", false}, {"herb", false, "pl", true}, {"tea", false, "fr", true},
	} {
		if got := c.matches(api.Locale{Wanted: m.locale, Default: "en"}, m.text, m.whole); got != m.want {
			t.Errorf("%+v: %v", m, got)
		}
	}
}

func TestForms(t *testing.T) {
	languages := store.Languages{{Code: "en", Default: true}, {Code: "pl"}}
	for _, c := range []struct {
		body string
		want Category
		fine bool
	}{
		{"translations[en][name]= Tea ", Category{Translations: named("en=Tea")}, true},
		{"translations[en][name]=Tea&translations[de_AT][name]=Tee&active=on&sortOrder=-7",
			Category{Translations: named("en=Tea de_AT=Tee"), Active: true, SortOrder: -7}, true},
		{"translations[en][name]=" + strings.Repeat("ż", 255),
			Category{Translations: named("en=" + strings.Repeat("ż", 255))}, true},
		{"translations[en][name]=" + strings.Repeat("ż", 256), Category{}, false},
		{"translations[pl][name]=Herbata", Category{}, false},
		{"translations[en][name]=Tea&translations[1][name]=x", Category{}, false},
		{"translations[en][name]=Tea&sortOrder=1.5", Category{}, false},
		{"translations[en][name]=Tea&sortOrder=1000000000", Category{}, false},
		{"translations[en][name]=Tea&sortOrder=-1000000001", Category{}, false},
	} {
		body, err := form.ParseQuery(c.body)
		if err != nil {
			t.Fatal(err)
		}
		group := form.Read(body)
		got := readForm(group, languages, store.Example)
		if fine := group.Err() == nil; fine != c.fine || fine && !cmp.Equal(got, c.want) {
			t.Errorf("%s: %+v, fine %v", c.body, got, fine)
		}
	}
	for text, want := range map[string]string{
		"1": "on", "true": "on", "YES": "on", "active": "on", "0": "off", "no": "off", "inactive": "off", "": "wrong",
		"Active": "on", "'0'": "off", "2": "wrong", "maybe": "wrong",
	} {
		body, err := form.ParseQuery("active=" + text)
		if err != nil {
			t.Fatal(err)
		}
		group := form.Read(body)
		got := map[bool]string{true: "on", false: "off"}[group.Active()]
		if group.Err() != nil {
			got = "wrong"
		}
		if got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
