package campaign

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/level"
	"punchcard/loyalty/level/shoptest"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/fault"
	"punchcard/platform/search"
)

var background = context.Background()

var catalogue = &Catalogue{Types: RewardTypes}

// sameType compares reward types, each of which is one value.
var sameType = cmp.Comparer(func(a, b *RewardType) bool { return a == b })

// shop is a store of a test, whose clock does not move from now.
type shop struct{ *shoptest.Shop }

func newShop(t *testing.T, d *db.DB, code string, levels ...level.Level) *shop {
	t.Helper()
	return &shop{shoptest.Open(t, d, code, nil, levels...)}
}

// add makes an unlimited discount for the level with the codes; edit changes the draft.
func (s *shop) add(edit func(*Draft), codes ...string) (id string) {
	s.Helper()
	draft := Draft{Codes: codes, Campaign: Campaign{
		Reward: DiscountCode, Active: true, Unlimited: true, Activity: Window{AllTime: true},
		Visibility: Window{AllTime: true}, Definition: Definition{Levels: []string{levelID}},
	}}
	if edit != nil {
		edit(&draft)
	}
	s.Write(func(tx *db.Tx) (err error) {
		id, err = Create(tx, s.Store, draft)
		return err
	})
	return id
}

func (s *shop) named(name string) string {
	return s.add(func(d *Draft) { d.Definition.Translations = []Translation{{Locale: "en", Name: name}} })
}

func (s *shop) find(id string) (c *Campaign, k Counters) {
	s.Helper()
	s.Write(func(tx *db.Tx) (err error) {
		c, k, err = catalogue.Find(tx, s.Store.Key, id)
		return err
	})
	return c, k
}

func (s *shop) sell(id string, n int64) {
	s.Helper()
	s.Write(func(tx *db.Tx) error {
		locked, err := LockCounters(tx, s.Store.Key, id)
		if err != nil {
			return err
		}
		k := locked[id]
		k.Sold, k.NextPosition, k.Customers = k.Sold+n, k.NextPosition+n, k.Customers+1
		return SaveCounters(tx, k)
	})
}

func TestCreatedCampaignReadsBack(t *testing.T) {
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s, elsewhere := newShop(t, d, "SHOP"), newShop(t, d, "OTHER")
		draft, problems, _ := readForm(t, everything(GiftCode.Name))
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		first := s.add(func(d *Draft) { *d = draft })
		plain := s.add(func(d *Draft) { d.Definition.Translations = []Translation{{Locale: "en"}} }, "X", "Y")
		c, k := s.find(first)
		want := draft.Campaign
		want.StoreKey, want.ID, want.Version, want.CreatedAt = s.Store.Key, first, 1, now
		want.Definition.SingleCode = "A"
		for i := range want.Definition.Translations {
			want.Definition.Translations[i].ID = int64(i) + 1
		}
		if diff := cmp.Diff(&want, c, sameType); diff != "" {
			t.Error(diff)
		}
		if ids := c.Definition.Translations; ids[0].ID != 1 || ids[1].ID != 2 {
			t.Errorf("the translations are %+v", ids)
		}
		unsold := Counters{StoreKey: s.Store.Key, CampaignID: first, Version: 1, NextPosition: 1, LastPosition: 1}
		if k != unsold {
			t.Errorf("the counters are %+v", k)
		}
		c, k = s.find(plain)
		if c.Definition.SingleCode != "" || c.Definition.Translations[0].ID != 3 || k.LastPosition != 2 {
			t.Errorf("the second campaign is %+v, %+v", c, k)
		}
		s.Write(func(tx *db.Tx) error {
			for _, c := range []struct {
				store int64
				id    string
			}{{elsewhere.Store.Key, first}, {s.Store.Key, ruleID}, {s.Store.Key, ""}} {
				if _, _, err := catalogue.Find(tx, c.store, c.id); !errors.Is(err, fault.ErrNotFound) {
					t.Errorf("Find(%d, %q) = %v", c.store, c.id, err)
				}
			}
			found, err := catalogue.FindAll(tx, s.Store.Key, plain, ruleID, first)
			if len(found) != 2 || found[plain].ID != plain || found[first].ID != first {
				t.Errorf("FindAll found %v", found)
			}
			return err
		})
	})
}

// A code is sold once however often it is in the list; the list is shown as it was sent.
func TestRepeatedCodesAreShownButNeverSold(t *testing.T) {
	var many []string
	for i := range 150 {
		many = append(many, fmt.Sprintf("C%d", i*i%97))
	}
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d, "SHOP")
		for _, codes := range [][]string{
			{}, {"A"}, {"B", "A"}, {"A", "A", "A"}, {"A", "B", "A", "C", "B"}, {"a", "A", "á"}, {"1", "01", "1"}, many,
		} {
			var distinct []string
			for _, code := range codes {
				if !slices.Contains(distinct, code) {
					distinct = append(distinct, code)
				}
			}
			id := s.add(nil, codes...)
			_, k := s.find(id)
			if k.NextPosition != 1 || k.LastPosition != int64(len(distinct)) {
				t.Errorf("%d codes, %d different: counters %+v", len(codes), len(distinct), k)
			}
			s.Write(func(tx *db.Tx) error {
				for _, wanted := range []int{0, 1, 3, len(distinct), len(distinct) + 100} {
					next, err := NextCodes(tx, s.Store.Key, map[string]int64{id: int64(wanted), db.NewID(): 2})
					if err != nil {
						return err
					}
					want := map[Place]string{}
					for i, code := range part(distinct, 0, wanted) {
						want[Place{id, int64(1 + i)}] = code
					}
					if !maps.Equal(next, want) {
						t.Errorf("%d codes: the next %d are %v, want %v", len(codes), wanted, next, want)
					}
				}
				listed, err := CodesOf(tx, s.Store.Key, id)
				if !slices.Equal(listed[id], codes) {
					t.Errorf("%q are listed as %q", codes, listed[id])
				}
				return err
			})
			s.sell(id, 2)
			s.Write(func(tx *db.Tx) error {
				next, err := NextCodes(tx, s.Store.Key, map[string]int64{id: 1})
				if third := part(distinct, 2, 3); len(next) != len(third) || len(third) == 1 && next[Place{id, 3}] != third[0] {
					t.Errorf("%d codes: after two comes %v, want %q", len(codes), next, third)
				}
				return err
			})
		}
	})
}

// part is all[from:to], as far as there are so many.
func part(all []string, from, to int) []string {
	return all[min(from, len(all)):min(to, len(all))]
}

func TestCodesOfManyCampaigns(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s, elsewhere := newShop(t, d, "SHOP"), newShop(t, d, "OTHER")
		first, second := s.add(nil, "B", "A"), s.add(nil, "C")
		other := elsewhere.add(nil, "D")
		s.Write(func(tx *db.Tx) error {
			codes, err := CodesOf(tx, s.Store.Key, second, first, other)
			if diff := cmp.Diff(map[string][]string{first: {"B", "A"}, second: {"C"}}, codes); diff != "" {
				t.Error(diff)
			}
			return err
		})
	})
}

type offerCase struct {
	name   string
	edit   func(*Draft)
	codes  int
	sold   int64
	bought int64
	want   bool
}

// limited changes a draft to the limits.
func limited(limit, perUser int64) func(*Draft) {
	return func(d *Draft) { d.Unlimited, d.Limit, d.LimitPerUser = false, limit, perUser }
}

func visible(from, to time.Duration) func(*Draft) {
	return func(d *Draft) { d.Visibility = Window{From: now.Add(from), To: now.Add(to)} }
}

func reward(kind *RewardType) func(*Draft) {
	return func(d *Draft) { d.Reward, d.SingleCoupon = kind, true }
}

func targets(levels, segments []string) func(*Draft) {
	return func(d *Draft) { d.Definition.Levels, d.Definition.Segments = levels, segments }
}

func offerCases() []offerCase {
	const tick = time.Microsecond
	single := func(edit func(*Draft)) func(*Draft) {
		return func(d *Draft) {
			edit(d)
			d.SingleCoupon = true
		}
	}
	return []offerCase{
		{"codes without limit", nil, 3, 2, 9, true},
		{"codes without limit, sold out", nil, 3, 3, 0, false},
		{"no codes", nil, 0, 0, 0, false},
		{"within the limits", limited(5, 2), 9, 4, 1, true},
		{"limit reached", limited(5, 2), 9, 5, 0, false},
		{"limit lowered", limited(3, 2), 9, 5, 0, false},
		{"personal limit reached", limited(5, 2), 9, 4, 2, false},
		{"personal limit lowered", limited(9, 2), 9, 4, 3, false},
		{"within the limits, sold out", limited(50, 20), 9, 9, 0, false},
		{"one code for all without limit", single(func(*Draft) {}), 1, 70, 9, true},
		{"one code for all", single(limited(5, 2)), 1, 4, 1, true},
		{"one code for all, limit reached", single(limited(5, 2)), 1, 5, 0, false},
		{"one code for all, personal limit reached", single(limited(5, 2)), 1, 3, 2, false},
		{"switched off", func(d *Draft) { d.Active = false }, 3, 0, 0, false},
		{"activity is no filter", func(d *Draft) { d.Activity = Window{From: now.Add(9), To: now.Add(9)} }, 3, 0, 0, true},
		{"first visible moment", visible(0, time.Hour), 3, 0, 0, true},
		{"last visible moment", visible(-time.Hour, 0), 3, 0, 0, true},
		{"not yet visible", visible(tick, time.Hour), 3, 0, 0, false},
		{"no longer visible", visible(-time.Hour, -tick), 3, 0, 0, false},
		{"cashback is listed", reward(Cashback), 0, 0, 0, true},
		{"percentage is not", reward(PercentageDiscount), 0, 0, 0, false},
		{"custom is listed", reward(CustomCampaignCode), 0, 0, 0, true},
		{"for the customer's segment", targets(nil, []string{segmentID}), 3, 0, 0, true},
		{"for the customer's level and segment", targets([]string{levelID}, []string{segmentID}), 3, 0, 0, true},
		{"for the customer's level among others", targets([]string{ruleID, levelID, levelID}, nil), 3, 0, 0, true},
		{"for another level", targets([]string{ruleID}, nil), 3, 0, 0, false},
		{"for nobody", targets(nil, nil), 3, 0, 0, false},
	}
}

func TestOffers(t *testing.T) {
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s, elsewhere := newShop(t, d, "SHOP"), newShop(t, d, "OTHER")
		elsewhere.add(nil, "A")
		bought, names := map[string]int64{}, map[string]string{}
		var want []string
		for _, c := range offerCases() {
			codes := make([]string, c.codes)
			for i := range codes {
				codes[i] = fmt.Sprint(i)
			}
			id := s.add(c.edit, codes...)
			s.sell(id, c.sold)
			bought[id], names[id] = c.bought, c.name
			if c.want {
				want = append(want, c.name)
			}
		}
		offered := func(order api.Page, targets ...string) (found []string) {
			s.Write(func(tx *db.Tx) error {
				f := Offer{Targets: db.Distinct(append([]string{levelID, segmentID}, targets...)), ForStaff: true}
				offered, err := offers(tx, s.Store, f, order, api.Locale{})
				for _, id := range f.Left(offered, targets, bought) {
					found = append(found, names[id])
				}
				return err
			})
			return found
		}
		if diff := cmp.Diff(want, offered(api.Page{}, levelID, segmentID, db.NewID())); diff != "" {
			t.Error(diff)
		}
		slices.Reverse(want)
		if diff := cmp.Diff(want, offered(api.Page{Descending: true}, levelID, segmentID)); diff != "" {
			t.Error(diff)
		}
		segments := []string{"for the customer's segment", "for the customer's level and segment"}
		if diff := cmp.Diff(segments, offered(api.Page{}, segmentID)); diff != "" {
			t.Error(diff)
		}
		if got := append(offered(api.Page{}), offered(api.Page{}, db.NewID())...); got != nil {
			t.Errorf("a customer without a target is offered %q", got)
		}
	})
}

// The statement that lists offers and the rules that decide a purchase agree on every campaign.
func TestOffersAgreeWithTheRules(t *testing.T) {
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d, "SHOP")
		codes, bought := []string{"A", "B", "C"}, map[string]int64{}
		var ids []string
		for _, unlimited := range []bool{false, true} {
			for _, single := range []bool{false, true} {
				for _, window := range []Window{{AllTime: true}, {From: now, To: now}, {From: now.Add(1e6), To: now.Add(2e6)}} {
					for sold := range int64(4) {
						for mine := range sold + 1 {
							id := s.add(func(d *Draft) {
								limited(2, 1)(d)
								d.Unlimited, d.SingleCoupon, d.Visibility = unlimited, single, window
							}, codes...)
							s.sell(id, sold)
							ids, bought[id] = append(ids, id), mine
						}
					}
				}
			}
		}
		s.Write(func(tx *db.Tx) error {
			f := Offer{Targets: []string{levelID}}
			offered, err := offers(tx, s.Store, f, api.Page{}, api.Locale{})
			if err != nil {
				return err
			}
			here := f.Left(offered, f.Targets, bought)
			for _, id := range ids {
				c, k, err := catalogue.Find(tx, s.Store.Key, id)
				if err != nil {
					return err
				}
				left := c.VisibleAt(now) && c.UsageLeft(k) > 0 && c.UsageLeftFor(k, bought[id]) > 0
				if got := slices.Contains(here, id); got != left {
					t.Errorf("%+v, %+v, %d bought: offered %v", c, k, bought[id], got)
				}
			}
			return nil
		})
	})
}

func TestSetActive(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s, elsewhere := newShop(t, d, "SHOP"), newShop(t, d, "OTHER")
		id, other := s.add(nil, "A"), s.add(nil, "A")
		s.sell(id, 1)
		version := int64(1)
		for _, active := range []bool{false, true, false} {
			s.Write(func(tx *db.Tx) error { return catalogue.SetActive(tx, s.Store, id, active) })
			c, k := s.find(id)
			if c.Active != active || c.Version <= version || k.Version != c.Version || k.Sold != 1 || k.NextPosition != 2 {
				t.Errorf("switched to %v: %+v, %+v", active, c, k)
			}
			version = c.Version
			s.Write(func(tx *db.Tx) error { return catalogue.SetActive(tx, s.Store, id, active) })
			if c, _ := s.find(id); c.Active != active {
				t.Errorf("switched to %v twice: %+v", active, c)
			}
		}
		for _, c := range []struct {
			store *store.Store
			id    string
		}{{elsewhere.Store, other}, {s.Store, ruleID}} {
			err := d.Write(t.Context(), func(tx *db.Tx) error { return catalogue.SetActive(tx, c.store, c.id, false) })
			if !errors.Is(err, fault.ErrNotFound) {
				t.Errorf("SetActive(%s, %s) = %v", c.store.Code, c.id, err)
			}
		}
		if c, _ := s.find(other); !c.Active || c.Version != 1 {
			t.Errorf("the other campaign is %+v", c)
		}
	})
}

// searched lists the names of the campaigns that a search finds on a page.
func (s *shop) searched(query string, limit, offset int) (names string, total int64) {
	s.Helper()
	s.Write(func(tx *db.Tx) error {
		found, all, err := catalogue.matching(tx, s.Store.Key, query, limit, offset)
		var list []string
		for i := range found {
			list = append(list, found[i].Definition.Translations[0].Name)
		}
		names, total = strings.Join(list, ", "), all
		return err
	})
	return names, total
}

func TestSearchByNamesInAllLanguages(t *testing.T) {
	dbtest.Both(t)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s, elsewhere := newShop(t, d, "SHOP"), newShop(t, d, "OTHER")
		s.add(func(d *Draft) {
			d.Definition.Translations = []Translation{
				{Locale: "en", Name: "Ten off", ShortDescription: "Secret"}, {Locale: "pl", Name: "Dziesięć złotych"},
			}
		})
		s.named("Tenth coffee")
		s.named("Free tea")
		elsewhere.named("Ten elsewhere")
		for _, c := range []struct {
			query         string
			limit, offset int
			want          string
			total         int64
		}{
			{"ten", 10, 0, "Ten off, Tenth coffee", 2}, {"ten", 1, 0, "Ten off", 2}, {"ten", 1, 1, "Tenth coffee", 2},
			{"ten", 1, 2, "", 2}, {"ZLOT dzies", 10, 0, "Ten off", 1}, {"cof ten", 10, 0, "Tenth coffee", 1},
			{"ten tea", 10, 0, "", 0}, {"secret", 10, 0, "", 0}, {"ee", 10, 0, "", 0}, {"!", 10, 0, "", 0},
		} {
			if got, total := s.searched(c.query, c.limit, c.offset); got != c.want || total != c.total {
				t.Errorf("%q: %q, total %d, want %q, %d", c.query, got, total, c.want, c.total)
			}
		}
	})
}

func TestReindex(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s, elsewhere := newShop(t, d, "SHOP"), newShop(t, d, "OTHER")
		var ids []string
		for i := range 5 {
			ids = append(ids, s.named(fmt.Sprintf("Ten %d", i)))
		}
		foreign := elsewhere.named("Ten elsewhere")
		s.Write(func(tx *db.Tx) error {
			return errors.Join(search.Remove(tx, s.Store.Key, SearchKind, ids...),
				search.Remove(tx, elsewhere.Store.Key, SearchKind, foreign))
		})
		if names, total := s.searched("ten", 10, 0); names != "" || total != 0 {
			t.Fatalf("an empty index finds %s", names)
		}
		var steps []string
		for after := ""; len(steps) < 9; {
			var last string
			var done int
			s.Write(func(tx *db.Tx) (err error) {
				last, done, err = Reindex(tx, s.Store.Key, after, 2)
				return err
			})
			steps = append(steps, fmt.Sprint(slices.Index(ids, last), " ", done))
			if after = last; after == "" {
				break
			}
		}
		if diff := cmp.Diff([]string{"1 2", "3 2", "4 1", "-1 0"}, steps); diff != "" {
			t.Error(diff)
		}
		if names, _ := s.searched("ten", 10, 0); names != "Ten 0, Ten 1, Ten 2, Ten 3, Ten 4" {
			t.Errorf("found %q", names)
		}
		if names, _ := elsewhere.searched("ten", 10, 0); names != "" {
			t.Errorf("the other store was put into the index: %q", names)
		}
	})
}

func TestPagesOfCampaigns(t *testing.T) {
	dbtest.Both(t)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d, "SHOP")
		newShop(t, d, "OTHER").named("elsewhere")
		var names []string
		for i, cost := range []int64{30, 10, 20} {
			names = append(names, string(rune('a'+i)))
			s.add(func(d *Draft) {
				d.Definition.Translations = []Translation{{Locale: "en", Name: names[i]}}
				d.Cost, d.Activity = 100, Window{AllTime: i == 1, From: now.Add(time.Duration(cost) * time.Hour)}
				if i == 1 {
					d.Cost, d.Activity.From = 50, time.Time{}
				}
			})
		}
		for _, c := range []struct {
			page api.Page
			want string
		}{
			{api.Page{Limit: 10}, "abc"}, {api.Page{Limit: 2}, "ab"}, {api.Page{Limit: 2, Offset: 2}, "c"},
			{api.Page{Limit: 2, Offset: 4}, ""}, {api.Page{Limit: 10, Sort: "unknown", Descending: true}, "cba"},
			{api.Page{Limit: 10, Sort: "costInPoints"}, "bac"},
			{api.Page{Limit: 10, Sort: "costInPoints", Descending: true}, "acb"},
			{api.Page{Limit: 10, Sort: "campaignActivity.activeFrom"}, "cab"},
			{api.Page{Limit: 10, Sort: "campaignActivity.activeFrom", Descending: true}, "bac"},
		} {
			s.Write(func(tx *db.Tx) error {
				found, total, err := catalogue.page(tx, s.Store.Key, Filter{}, c.page, api.Locale{Wanted: "en", Default: "en"})
				got := ""
				for i := range found {
					got += found[i].Definition.Translations[0].Name
				}
				if got != c.want || total != 3 {
					t.Errorf("%+v: %q, total %d, want %q", c.page, got, total, c.want)
				}
				return err
			})
		}
		s.Write(func(tx *db.Tx) error { // every column that can be asked for exists
			for name := range RewardTypes.Sortable() {
				asked := api.Page{Sort: name, Descending: true, Limit: 10}
				if _, _, err := catalogue.page(tx, s.Store.Key, Filter{}, asked, api.Locale{Default: "en"}); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

func TestPurchasesOfAStore(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s, elsewhere := newShop(t, d, "SHOP"), newShop(t, d, "OTHER")
		for i, n := range []int64{2, 0, 3} {
			s.sell(s.add(nil, "A", "B", fmt.Sprint(i)), n)
		}
		for of, want := range map[*shop]int64{s: 5, elsewhere: 0} {
			s.Write(func(tx *db.Tx) error {
				sold, err := Purchases(tx, of.Store.Key)
				if sold != want {
					t.Errorf("%s sold %d, want %d", of.Store.Code, sold, want)
				}
				return err
			})
		}
	})
}

func TestRepeatedSwitchChangesNothing(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d, "SHOP")
		id := s.add(nil, "A")
		s.Write(func(tx *db.Tx) error { return catalogue.SetActive(tx, s.Store, id, true) })
		if c, _ := s.find(id); c.Version != 1 {
			t.Errorf("version %d after a repeated switch", c.Version)
		}
		s.Write(func(tx *db.Tx) error { return catalogue.SetActive(tx, s.Store, id, false) })
		if c, k := s.find(id); c.Version != 2 || k.Version != 2 || c.Active {
			t.Errorf("versions %d and %d, active %v after a switch", c.Version, k.Version, c.Active)
		}
	})
}
