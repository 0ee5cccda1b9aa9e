package campaign

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"punchcard/core/api"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/level"
	"punchcard/loyalty/level/shoptest"
	"punchcard/loyalty/segment"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// crowd is a shop with two levels and a segment for each of the labels a, b and off, the last of which is not active.
type crowd struct {
	*shop
	bronze, silver string
	segments       map[string]string // by label
	ids            []string          // of the customers, in the order of registration
}

// newCrowd registers customers, each given by level and labels: "bronze a b".
func newCrowd(t *testing.T, d *db.DB, customers ...string) *crowd {
	t.Helper()
	s := newShop(t, d, "SHOP", shoptest.Level("Bronze", 1), shoptest.Level("Silver", 1))
	c := &crowd{shop: s, bronze: s.Levels[0], silver: s.Levels[1], segments: map[string]string{}}
	for i, words := range customers {
		at, labels, _ := strings.Cut(words, " ")
		in := customer.Registration{
			Email: fmt.Sprintf("c%d@example.com", i), FirstName: "Ida", LastName: "Berg", Active: true,
			LevelID: map[string]string{"bronze": c.bronze, "silver": c.silver}[at],
		}
		for _, label := range strings.Fields(labels) {
			in.Labels = append(in.Labels, customer.Label{Key: label, Value: "x"})
		}
		c.Write(func(tx *db.Tx) error {
			added, err := customer.Register(tx, c.Store, in)
			if err == nil {
				c.ids = append(c.ids, added.ID)
			}
			return err
		})
	}
	for _, label := range []string{"a", "b", "off"} {
		c.segment(label)
	}
	return c
}

func (c *crowd) segment(label string) {
	c.Helper()
	c.Write(func(tx *db.Tx) error {
		added, err := segment.New().Create(tx, c.Store, segment.Draft{
			Name: "Segment " + label, Active: label != "off", Parts: []segment.Part{{Criteria: []segment.Criterion{
				{Type: "customer_has_labels", Fields: &segment.HasLabels{Labels: []segment.Label{{Key: label}}}},
			}}},
		})
		if err == nil {
			c.segments[label] = added.ID
		}
		return err
	})
	if _, err := segment.New().Rebuild(background, c.DB, c.Store.Key, c.segments[label]); err != nil {
		c.Fatal(err)
	}
}

// campaign is one for the levels and segments of the words.
func (c *crowd) campaign(words string) *Campaign {
	one := &Campaign{StoreKey: c.Store.Key, ID: words, Reward: DiscountCode, Visibility: Window{AllTime: true}}
	for word := range strings.FieldsSeq(words) {
		switch word {
		case "bronze":
			one.Definition.Levels = append(one.Definition.Levels, c.bronze)
		case "silver":
			one.Definition.Levels = append(one.Definition.Levels, c.silver)
		case "unknown":
			one.Definition.Levels = append(one.Definition.Levels, ruleID)
			one.Definition.Segments = append(one.Definition.Segments, otherID)
		default:
			one.Definition.Segments = append(one.Definition.Segments, c.segments[word])
		}
	}
	return one
}

func (c *crowd) viewer(campaigns ...*Campaign) (v *Viewer) {
	c.Helper()
	c.Write(func(tx *db.Tx) (err error) {
		levels, err := level.Counted(tx, c.Store.Key)
		if err == nil {
			v, err = catalogue.newViewer(tx, c.Store, api.Locale{Default: "en"}, levels, campaigns...)
		}
		return err
	})
	return v
}

// next is the numbers of the customers that follow one in an audience.
func (c *crowd) next(of *Campaign, after string, limit int) string {
	c.Helper()
	var numbers []string
	c.Write(func(tx *db.Tx) error {
		levels, err := level.All(tx, c.Store.Key)
		if err != nil {
			return err
		}
		ids, err := audienceOf(of.StoreKey, &of.Definition, levels).next(tx, after, limit)
		for _, id := range ids {
			numbers = append(numbers, fmt.Sprint(slices.Index(c.ids, id)))
		}
		return err
	})
	return strings.Join(numbers, " ")
}

func TestWhoSeesACampaign(t *testing.T) {
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		c := newCrowd(t, d, "bronze a", "silver b", "bronze", "silver a b", "bronze off", "bronze a b off")
		var campaigns []*Campaign
		cases := []struct{ targets, want string }{
			{"bronze", "0 2 4 5"}, {"silver", "1 3"}, {"bronze silver", "0 1 2 3 4 5"}, {"a", "0 3 5"}, {"b", "1 3 5"},
			{"a b", "0 1 3 5"}, {"b a b", "0 1 3 5"}, {"silver a", "0 1 3 5"}, {"bronze a b", "0 1 2 3 4 5"},
			{"bronze bronze", "0 2 4 5"}, {"off", ""}, {"off a", "0 3 5"}, {"unknown", ""}, {"unknown silver", "1 3"},
		}
		for _, one := range cases {
			campaigns = append(campaigns, c.campaign(one.targets))
		}
		v := c.viewer(campaigns...)
		for i, one := range cases {
			all := c.next(campaigns[i], "", 100)
			if all != one.want || v.sizes[one.targets] != int64(len(strings.Fields(one.want))) {
				t.Errorf("%s: %s, size %d, want %s", one.targets, all, v.sizes[one.targets], one.want)
			}
		}
		for _, one := range []struct {
			after, limit int
			want         string
		}{{-1, 2, "0 1"}, {1, 2, "3 5"}, {3, 2, "5"}, {5, 2, ""}, {-1, 0, ""}} {
			after := ""
			if one.after >= 0 {
				after = c.ids[one.after]
			}
			if got := c.next(c.campaign("a b"), after, one.limit); got != one.want {
				t.Errorf("%d behind %d: %s, want %s", one.limit, one.after, got, one.want)
			}
		}
		shown := v.Reduced(c.campaign("bronze a off unknown"), Counters{})
		segments := api.Names{c.segments["a"]: "Segment a", c.segments["off"]: "Segment off"}
		if diff := cmp.Diff(segments, shown.SegmentNames); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(api.Names{c.bronze: "Bronze"}, shown.LevelNames); diff != "" {
			t.Error(diff)
		}
	})
}

// Only what is visible is counted.
func TestNobodySeesWhatIsHidden(t *testing.T) {
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		c := newCrowd(t, d, "bronze a")
		for _, hidden := range []func(*Campaign){
			func(c *Campaign) { c.Visibility = Window{From: now.Add(time.Hour), To: now.Add(2 * time.Hour)} },
			func(c *Campaign) { c.Reward = Cashback },
			func(c *Campaign) { c.Reward = PercentageDiscount },
		} {
			one := c.campaign("bronze a")
			hidden(one)
			if n := c.viewer(one).sizes[one.ID]; n != 0 {
				t.Errorf("%+v is visible for %d", one, n)
			}
		}
		switchedOff := c.campaign("bronze a")
		if n := c.viewer(switchedOff).sizes[switchedOff.ID]; n != 1 || switchedOff.Active {
			t.Errorf("a campaign that is switched off is visible for %d", n)
		}
	})
}

// A large audience is counted once a minute, and by one request at a time.
func TestLargeAudiencesAreRemembered(t *testing.T) {
	counted := 0
	count := func() (int64, error) { counted++; return int64(counted), nil }
	var all cache
	first := audience{storeKey: 1, segments: []string{"a", "b"}}
	for _, c := range []struct {
		of   audience
		at   time.Duration
		want int64
	}{
		{first, 0, 1}, {first, sizeAge - 1, 1}, {audience{storeKey: 2, segments: first.segments}, 0, 2},
		{audience{storeKey: 1, segments: []string{"a", "b"}}, time.Second, 1}, {first, sizeAge, 3}, {first, sizeAge + 1, 3},
		{audience{storeKey: 1, levels: []level.Level{{ID: "c"}}, segments: []string{"b"}}, 0, 4},
	} {
		if n, err := all.sizeOf(c.of).get(now.Add(c.at), count); n != c.want || err != nil {
			t.Errorf("%+v at %v: %d, %v, want %d", c.of, c.at, n, err, c.want)
		}
	}
}
