package campaign

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/decimal"
)

// asking is a request for an availability list, with the campaigns that it shows.
type asking struct {
	name  string
	offer Offer
	asked api.Page
	want  []string
}

func askings(categories []string) []asking {
	yes, no := true, false
	with := func(edit func(*Offer)) Offer {
		f := Offer{Targets: []string{levelID, segmentID}}
		edit(&f)
		return f
	}
	category := func(numbers ...int) Offer {
		return with(func(f *Offer) {
			for _, n := range numbers {
				f.Categories = append(f.Categories, categories[n])
			}
		})
	}
	unsegmented := with(func(f *Offer) { f.ForSegments = &no })
	return []asking{
		{"all", with(func(*Offer) {}), api.Page{}, []string{"plain", "featured", "public", "both", "segment"}},
		{"for those who look after customers", with(func(f *Offer) { f.ForStaff = true }), api.Page{},
			[]string{"plain", "featured", "public", "both", "segment", "custom"}},
		{"featured", with(func(f *Offer) { f.Featured = &yes }), api.Page{}, []string{"featured", "both"}},
		{"not featured", with(func(f *Offer) { f.Featured = &no }), api.Page{}, []string{"plain", "public", "segment"}},
		{"public", with(func(f *Offer) { f.Public = &yes }), api.Page{}, []string{"public", "both"}},
		{"featured, not public", with(func(f *Offer) { f.Featured, f.Public = &yes, &no }), api.Page{}, []string{"featured"}},
		{"for segments", with(func(f *Offer) { f.ForSegments = &yes }), api.Page{}, []string{"segment"}},
		{"for no segment", unsegmented, api.Page{}, []string{"plain", "featured", "public", "both"}},
		{"of a category", category(0), api.Page{}, []string{"featured", "public", "segment"}},
		{"of any of two", category(0, 1), api.Page{}, []string{"featured", "public", "both", "segment"}},
		{"of an empty one", category(2), api.Page{}, nil},
		{"of an empty one and another", category(2, 1), api.Page{}, []string{"public", "both"}},
		{"whatever it is meant for", with(func(f *Offer) { f.Anything, f.Targets = true, nil }), api.Page{},
			[]string{"plain", "featured", "public", "both", "segment", "segment of others", "level of others"}},
		{"of those for segments", with(func(f *Offer) { f.Anything, f.ForSegments = true, &yes }), api.Page{},
			[]string{"segment", "segment of others"}},
		{"for nobody", Offer{}, api.Page{}, nil},
		{"cheapest first", unsegmented, api.Page{Sort: "costInPoints"}, []string{"plain", "both", "public", "featured"}},
		{"dearest first", unsegmented, api.Page{Sort: "costInPoints", Descending: true},
			[]string{"featured", "public", "both", "plain"}},
	}
}

// offers reads an availability list with an empty cache.
func offers(tx *db.Tx, of *store.Store, f Offer, asked api.Page, locale api.Locale) ([]Offered, error) {
	return offersOf(tx, &Catalogue{Types: RewardTypes}, of, f, asked, locale)
}

func offersOf(tx *db.Tx, k *Catalogue, of *store.Store, f Offer, asked api.Page, locale api.Locale) (
	found []Offered, err error) {
	var changes int64
	if err = tx.Run(SelectChanges(of.Key, &changes)); err == nil {
		found, _, err = k.Offers(tx, of, changes, f, asked, locale)
	}
	return slices.Clip(found), err
}

func TestFiltersOfOffers(t *testing.T) {
	dbtest.Both(t)
	categories := []string{db.NewID(), db.NewID(), db.NewID()}
	in := func(edit func(*Draft), numbers ...int) func(*Draft) {
		return func(d *Draft) {
			edit(d)
			for _, n := range numbers {
				d.Definition.Categories = append(d.Definition.Categories, categories[n])
			}
		}
	}
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s, names := newShop(t, d, "SHOP"), map[string]string{}
		for _, c := range []struct {
			name string
			edit func(*Draft)
		}{
			{"plain", func(*Draft) {}},
			{"featured", in(func(d *Draft) { d.Featured, d.Cost = true, 300 }, 0)},
			{"public", in(func(d *Draft) { d.Public, d.Cost = true, 200 }, 0, 1)},
			{"both", in(func(d *Draft) { d.Featured, d.Public, d.Cost = true, true, 100 }, 1)},
			{"segment", in(targets(nil, []string{segmentID}), 0)}, {"segment of others", targets(nil, []string{ruleID})},
			{"level of others", targets([]string{ruleID}, nil)}, {"custom", reward(CustomCampaignCode)},
		} {
			names[s.add(c.edit, "A")] = c.name
		}
		for _, c := range askings(categories) {
			s.Write(func(tx *db.Tx) error {
				found, err := offers(tx, s.Store, c.offer, c.asked, api.Locale{})
				var got []string
				for _, o := range found {
					got = append(got, names[o.id])
				}
				if diff := cmp.Diff(c.want, got); diff != "" {
					t.Errorf("%s: %s", c.name, diff)
				}
				return err
			})
		}
	})
}

func TestCashbackForCustomers(t *testing.T) {
	cashback := func(edit func(*Draft)) func(*Draft) {
		return func(d *Draft) {
			reward(Cashback)(d)
			d.Definition.PointValue = decimal.Whole(1).Rate()
			edit(d)
		}
	}
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s, elsewhere, names := newShop(t, d, "SHOP"), newShop(t, d, "OTHER"), map[string]string{}
		elsewhere.add(cashback(func(*Draft) {}))
		for _, c := range []struct {
			name string
			edit func(*Draft)
		}{
			{"plain", cashback(func(*Draft) {})}, {"a coupon", func(*Draft) {}},
			{"off", cashback(func(d *Draft) { d.Active = false })},
			{"first and last moment", cashback(func(d *Draft) { d.Activity = Window{From: now, To: now} })},
			{"later", cashback(func(d *Draft) { d.Activity = Window{From: now.Add(1000), To: now.Add(2000)} })},
			{"earlier", cashback(func(d *Draft) { d.Activity = Window{From: now.Add(-2000), To: now.Add(-1000)} })},
			{"hidden", cashback(func(d *Draft) { d.Visibility = Window{From: now.Add(1000), To: now.Add(2000)} })},
			{"segment", cashback(targets(nil, []string{segmentID}))}, {"others", cashback(targets([]string{ruleID}, nil))},
		} {
			names[s.add(c.edit)] = c.name
		}
		for _, c := range []struct{ targets, want []string }{
			{nil, nil}, {[]string{levelID}, []string{"plain", "first and last moment", "hidden"}},
			{[]string{segmentID}, []string{"segment"}}, {[]string{ruleID}, []string{"others"}},
			{[]string{segmentID, levelID}, []string{"plain", "first and last moment", "hidden", "segment"}},
		} {
			s.Write(func(tx *db.Tx) error {
				found, err := CashbackFor(tx, s.Store.Key, c.targets)
				var got []string
				for i := range found {
					got = append(got, names[found[i].ID])
				}
				if !slices.Equal(got, c.want) {
					t.Errorf("for %v: %q, want %q", c.targets, got, c.want)
				}
				return err
			})
		}
	})
}
