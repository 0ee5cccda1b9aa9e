package campaign

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/form"
)

const otherID = "018f0000-0000-7000-8000-000000000004"

// library are campaigns in the order of their creation; Polish names begin with a P.
var library = []struct {
	name string
	edit func(*Draft)
}{
	{"Tea and cake", func(d *Draft) {
		d.Featured, d.Public = true, true
		d.Definition.Labels = []Label{{"type", "promotion"}, {"type", "cash"}, {"type", "promotion"}, {"x", "50%"}}
		d.Definition.Categories = []string{ruleID, otherID, ruleID}
	}},
	{"tea for two", func(d *Draft) {
		d.Reward, d.Active, d.Definition.FulfillmentTracking = GiftCode, false, true
		d.Definition.Labels = []Label{{"Type", "promotion"}, {"season", "winter"}}
		d.Definition.Levels, d.Definition.Segments = nil, []string{segmentID}
	}},
	{"Money back", func(d *Draft) {
		d.Reward, d.Public = Cashback, true
		d.Definition.Labels = []Label{{"promotion", "type"}}
		d.Definition.Categories = []string{otherID}
	}},
	{"100% off", func(d *Draft) {
		d.Visibility = Window{From: now.Add(-time.Hour), To: now}
		d.Definition.Translations = append(d.Definition.Translations, Translation{Locale: "pl", Name: "P 100 _% '"})
	}},
	{"", func(d *Draft) {
		d.Visibility = Window{From: now.Add(1000), To: now.Add(time.Hour)}
		d.Definition.Translations = []Translation{{Locale: "pl", Name: "Prawie"}, {Locale: "de", BrandName: "x"}}
	}},
}

func (s *shop) fillLibrary() {
	for _, c := range library {
		s.add(func(d *Draft) {
			d.Definition.Translations = []Translation{{Locale: "en", Name: c.name}}
			c.edit(d)
		}, "A")
	}
}

func queryOf(t *testing.T, text string) *form.Node {
	t.Helper()
	tree, err := form.ParseFilters(text)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// listed is the numbers of the library's campaigns that a filter lets through, in the order of the list.
func (s *shop) listed(f Filter, asked api.Page, locale api.Locale) string {
	s.Helper()
	var numbers []string
	s.Write(func(tx *db.Tx) error {
		found, total, err := catalogue.page(tx, s.Store.Key, f, asked, locale)
		for _, c := range found {
			numbers = append(numbers, fmt.Sprint(slices.IndexFunc(library, func(l struct {
				name string
				edit func(*Draft)
			}) bool {
				return l.name == c.Name(api.Locale{Default: "en"})
			})))
		}
		if asked.Offset == 0 && asked.Limit > 5 && int64(len(found)) != total {
			s.Errorf("%+v: %d of %d", f, len(found), total)
		}
		return err
	})
	return strings.Join(numbers, " ")
}

func TestFilters(t *testing.T) {
	dbtest.Both(t)
	english := api.Locale{Wanted: "en", Default: "en"}
	polish := api.Locale{Wanted: "pl", Default: "en"}
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d, "SHOP")
		newShop(t, d, "OTHER").fillLibrary()
		s.fillLibrary()
		for _, c := range []struct {
			query  string
			locale api.Locale
			want   string
		}{
			{"", english, "0 1 2 3 4"},
			{"active=1", english, "0 2 3 4"}, {"active=TRUE", english, "0 2 3 4"}, {"active=0", english, "1"},
			{"active=maybe", english, "1"}, {"active=", english, "0 1 2 3 4"}, {"active[]=1", english, "0 1 2 3 4"},
			{"isPublic=on", english, "0 2"}, {"isFeatured=yes", english, "0"}, {"isFeatured=no", english, "1 2 3 4"},
			{"isFulfillmentTracking=1", english, "1"}, {"isPublic=1&isFeatured=0", english, "2"},
			{"hasSegment=1", english, "1"}, {"hasSegment=0", english, "0 2 3 4"}, {"hasSegment=maybe", english, "0 1 2 3 4"},
			{"campaignType=gift_code", english, "1"}, {"campaignType=Gift_code", english, ""}, {"campaignType=x", english, ""},
			{"labels[0][key]=type&labels[0][value]=promotion", english, "0"},
			{"labels[0][key]=type", english, "0"}, {"labels[0][key]=Type", english, "1"},
			{"labels[0][value]=promotion", english, "0 1"}, {"labels[0][value]=Promotion", english, ""},
			{"labels[0][key]=type&labels[0][value]=winter", english, ""},
			{"labels[0][value]=promotion&labels[1][key]=season", english, "1"},
			{"labels[a][key]=type&labels[b][value]=cash&labels[c][key]=", english, "0"},
			{"labels[0][key]=type&labels[0][value]=", english, "0"},
			{"labels[]=type", english, "0 1 2 3 4"}, {"labels=type", english, "0 1 2 3 4"},
			{"labels[0][value]=50%25", english, "0"}, {"labels[0][value]=50", english, ""},
			{"name=tea", english, "1"}, {"name=ea", english, "0 1"}, {"name=Tea+and+cake", english, "0"},
			{"name=Tea%2Band", english, ""}, {"name=Tea%2520and", english, "0"},
			{"name=100%2525", english, "3"}, {"name=100%25", english, "3"},
			{"name=Tea%2500", english, ""}, {"name=%25ff", english, ""},
			{"name=_", english, ""}, {"name=_%25", polish, "3"}, {"name='", polish, "3"}, {"name=P", polish, "3 4"},
			{"name=P", english, ""}, {"name=Tea", polish, ""}, {"name=Prawie", api.Locale{Wanted: "pl_PL", Default: "pl"}, ""},
			{"categoryId[]=" + ruleID, english, "0"}, {"categoryId[]=" + strings.ToUpper(otherID), english, "0 2"},
			{"categoryId[0]=" + ruleID + "&categoryId[5]=" + otherID, english, "0 2"},
			{"categoryId[]=" + db.NewID(), english, ""}, {"categoryId[]=drinks", english, ""},
			{"categoryId=" + ruleID, english, "0 1 2 3 4"}, {"categoryId[]=", english, "0 1 2 3 4"},
			{"categoryId[]=" + otherID + "&isPublic=1&campaignType=cashback&labels[0][key]=promotion&name=M", english, "2"},
		} {
			if got := s.listed(ReadFilter(queryOf(t, c.query)), api.Page{Limit: 10}, c.locale); got != c.want {
				t.Errorf("%s in %s: %q, want %q", c.query, c.locale.Wanted, got, c.want)
			}
		}
		seller := Filter{Active: new(true), WithoutExchanged: true, VisibleAt: now}
		if got := s.listed(seller, api.Page{Limit: 10}, english); got != "0 3" {
			t.Errorf("for sellers: %q", got)
		}
	})
}

// Any number of labels may be asked for, but not so many that the database refuses.
func TestManyLabels(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d, "SHOP")
		var asked url.Values = map[string][]string{}
		id := s.add(func(d *Draft) {
			for i := range LabelConditions {
				d.Definition.Labels = append(d.Definition.Labels, Label{fmt.Sprint("k", i), strings.Repeat("ż", labelLimit)})
				asked.Set(fmt.Sprintf("labels[%d][key]", i), fmt.Sprint("k", i))
			}
		})
		s.Write(func(tx *db.Tx) error {
			found, total, err := catalogue.page(tx, s.Store.Key, ReadFilter(queryOf(t, asked.Encode()+"&labels[200][key]=none")),
				api.Page{Limit: 10}, api.Locale{Default: "en"})
			if total != 1 || found[0].ID != id {
				t.Errorf("%d found", total)
			}
			return err
		})
	})
}

func TestOrders(t *testing.T) {
	dbtest.Both(t)
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d, "SHOP")
		s.fillLibrary()
		for _, c := range []struct {
			sort       string
			descending bool
			locale     string
			want       string
		}{
			{"name", false, "en", "3 2 0 1 4"}, {"name", true, "en", "4 1 0 2 3"},
			{"name", false, "pl", "2 3 4 0 1"}, {"name", false, "pl_PL", "2 3 4 0 1"}, {"name", false, "fr", "3 2 0 1 4"},
			{"campaignVisibility.visibleFrom", false, "en", "3 4 0 1 2"},
			{"campaignVisibility.visibleFrom", true, "en", "0 1 2 4 3"},
			{"pointValue", true, "en", "0 1 3 4 2"}, {"fulfillmentTracking", true, "en", "1 0 2 3 4"},
			{"limit", false, "en", "0 1 2 3 4"}, {"reward", true, "en", "1 0 3 4 2"}, {"campaignId", true, "en", "4 3 2 1 0"},
		} {
			asked := api.Page{Sort: c.sort, Descending: c.descending, Limit: 10}
			if got := s.listed(Filter{}, asked, api.Locale{Wanted: c.locale, Default: "en"}); got != c.want {
				t.Errorf("%s in %s, descending %v: %s, want %s", c.sort, c.locale, c.descending, got, c.want)
			}
		}
		second := api.Page{Sort: "name", Limit: 2, Offset: 1}
		if got := s.listed(Filter{}, second, api.Locale{Wanted: "pl", Default: "en"}); got != "3 4" {
			t.Errorf("a later page: %s", got)
		}
	})
}

func TestActiveNames(t *testing.T) {
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d, "SHOP")
		s.fillLibrary()
		for _, c := range []struct {
			locale api.Locale
			want   []string
		}{
			{api.Locale{Wanted: "en", Default: "en"}, []string{"Tea and cake", "Money back", "100% off", ""}},
			{api.Locale{Wanted: "pl_PL", Default: "en"}, []string{"Tea and cake", "Money back", "P 100 _% '", "Prawie"}},
		} {
			s.Write(func(tx *db.Tx) error {
				found, err := activeNames(tx, s.Store.Key, c.locale)
				var got []string
				for _, one := range found {
					got = append(got, one.Name)
				}
				if diff := cmp.Diff(c.want, got); diff != "" {
					t.Errorf("%s: %s", c.locale.Wanted, diff)
				}
				return err
			})
		}
	})
}

// The page that a list reads and the statements that make it hold at 10,000 campaigns.
func BenchmarkTenThousandCampaigns(b *testing.B) {
	for _, engine := range dbtest.EnginesOf(b) {
		b.Run(engine, func(b *testing.B) {
			d := dbtest.Open(b, dbtest.Config(b, engine), time.Now)
			var s *store.Store
			err := d.Write(background, func(tx *db.Tx) (err error) {
				s, err = store.Create(tx, store.New{Code: "SHOP", Currency: "EUR", Settings: store.DefaultSettings()})
				for i := 0; i < 10_000 && err == nil; i++ {
					_, err = Create(tx, s, Draft{Codes: []string{"A"}, Campaign: Campaign{
						Reward: DiscountCode, Active: i%2 == 0, Public: i%5 == 0, Unlimited: true,
						Activity: Window{AllTime: true}, Visibility: Window{AllTime: true},
						Definition: Definition{
							Levels: []string{levelID}, Labels: []Label{{"type", fmt.Sprint(i % 100)}},
							Categories: []string{ruleID}, PushNotificationText: strings.Repeat("x", 500),
							Translations: []Translation{
								{Locale: "en", Name: fmt.Sprintf("Campaign %d", i), ShortDescription: strings.Repeat("x", 1000)},
								{Locale: "pl", Name: fmt.Sprintf("Kampania %d", i)},
							},
						},
					}})
				}
				return err
			})
			if err != nil {
				b.Fatal(err)
			}
			locale := api.Locale{Wanted: "pl", Default: "en"}
			for _, c := range []struct{ query, sort string }{
				{"", ""}, {"", "name"}, {"", "costInPoints"}, {"active=1", ""}, {"isPublic=1&active=1", ""},
				{"labels[0][key]=type&labels[0][value]=7", ""}, {"labels[0][value]=7", ""}, {"name=7", ""},
				{"categoryId[]=" + ruleID, "tax"},
			} {
				b.Run(c.query+" by "+c.sort, func(b *testing.B) {
					tree, err := form.ParseQuery(c.query)
					if err != nil {
						b.Fatal(err)
					}
					for b.Loop() {
						err := d.Read(background, func(tx *db.Tx) error {
							_, _, err := catalogue.page(tx, s.Key, ReadFilter(tree), api.Page{Limit: 10, Sort: c.sort}, locale)
							return err
						})
						if err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		})
	}
}
