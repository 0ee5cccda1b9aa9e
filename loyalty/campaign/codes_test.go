package campaign

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// positions shows a list as code@position, in its order.
func positions(list []listed) string {
	var shown []string
	for _, l := range list {
		shown = append(shown, fmt.Sprintf("%s@%d", l.code, l.position))
	}
	return strings.Join(shown, " ")
}

func TestRearrangedCodes(t *testing.T) {
	for _, c := range []struct {
		name   string
		old    string // codes as they were sent
		sold   int64
		reward *RewardType
		single bool
		codes  string
		want   string
		last   int64
	}{
		{"nothing sold", "A B C", 0, DiscountCode, false, "C D", "C@1 D@2", 2},
		{"unchanged", "A B C", 2, DiscountCode, false, "A B C", "A@1 B@2 C@3", 3},
		{"added", "A B C", 2, DiscountCode, false, "A B C D E", "A@1 B@2 C@3 D@4 E@5", 5},
		{"an unsold one removed", "A B C D", 2, DiscountCode, false, "A B D", "A@1 B@2 D@3", 3},
		{"another order", "A B C D", 1, DiscountCode, false, "D C B A", "D@2 C@3 B@4 A@1", 4},
		{"copies of sold and unsold ones", "A B", 1, DiscountCode, false, "B A A B C", "B@2 A@1 A@-1 B@-2 C@3", 3},
		{"all sold, one added", "A B", 2, DiscountCode, false, "A B C", "A@1 B@2 C@3", 3},
		{"one code for everybody now", "A B C", 1, DiscountCode, true, "A B C", "A@1 B@-1 C@-2", 1},
		{"one unsold code for everybody now", "A B C", 1, DiscountCode, true, "C B A", "C@2 B@-1 A@1", 2},
		{"cashback now", "A B C", 2, Cashback, true, "", "A@1 B@2", 2},
	} {
		list, _ := arrange(strings.Fields(c.old), nil, 1, false)
		to := &Campaign{Reward: c.reward, SingleCoupon: c.single}
		got, last, err := rearrange(list, to, strings.Fields(c.codes), c.sold+1)
		if err != nil || positions(got) != c.want || last != c.last {
			t.Errorf("%s: %s, last %d, %v, want %s, last %d", c.name, positions(got), last, err, c.want, c.last)
		}
	}
}

func TestSoldCodesCannotBeRemoved(t *testing.T) {
	list, _ := arrange([]string{"A", "B", "C", "D"}, nil, 1, false)
	for _, c := range []struct{ codes, want string }{
		{"A B C", ""},
		{"C D E", "Removing used coupons (A, B) is not permitted"},
		{"B", "Removing used coupons (A) is not permitted"},
		{"a b", "Removing used coupons (A, B) is not permitted"},
		{"", "Removing used coupons (A, B) is not permitted"},
	} {
		_, _, err := rearrange(list, &Campaign{Reward: DiscountCode}, strings.Fields(c.codes), 3)
		if got := message(err); got != c.want {
			t.Errorf("%q: %q, want %q", c.codes, got, c.want)
		}
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// shelf is a model of a campaign's codes: a list, and the codes that were sold.
type shelf struct {
	list   []string
	has    map[string]bool
	reward *RewardType
	single bool
}

// next is the code that the next purchase takes; ok is false when there is none.
func (s *shelf) next() (code string, ok bool) {
	switch {
	case !s.reward.Fields.Codes:
		return "", true
	case s.single:
		return s.list[0], true
	}
	for _, code := range s.list {
		if !s.has[code] {
			return code, true
		}
	}
	return "", false
}

// After any sales and updates, no code is sold twice, the next one is the first unsold code of the list, and sold
// codes stay in the list.
func TestCodesThroughUpdatesAndSales(t *testing.T) {
	rewards := []*RewardType{DiscountCode, DiscountCode, GiftCode, Cashback}
	code := rapid.SampledFrom([]string{"A", "B", "C", "D", "E", "F"})
	rapid.Check(t, func(t *rapid.T) {
		s := &shelf{list: []string{"A", "B"}, has: map[string]bool{}, reward: DiscountCode}
		list, last := arrange(s.list, nil, 1, false)
		next := int64(1)
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			if rapid.Bool().Draw(t, "sell") {
				wanted, ok := s.next()
				if s.reward.Fields.Codes && !s.single {
					if ok != (next <= last) {
						t.Fatalf("%q after %v: next %d, last %d", s.list, s.has, next, last)
					}
					if !ok {
						continue
					}
					if at := slices.IndexFunc(list, func(l listed) bool { return l.position == next }); list[at].code != wanted {
						t.Fatalf("sold %q, want %q", list[at].code, wanted)
					}
				}
				if wanted != "" {
					s.has[wanted] = true
				}
				next++
				continue
			}
			to := &Campaign{Reward: rapid.SampledFrom(rewards).Draw(t, "reward"), SingleCoupon: rapid.Bool().Draw(t, "single")}
			codes := rapid.SliceOfN(code, 1, 7).Draw(t, "codes")
			var missing []string
			for _, had := range s.list {
				if to.Reward.Fields.Codes && s.has[had] && !slices.Contains(codes, had) && !slices.Contains(missing, had) {
					missing = append(missing, had)
				}
			}
			changed, newLast, err := rearrange(list, to, codes, next)
			if removed, _ := errors.AsType[RemovedCodes](err); !slices.Equal(removed, missing) {
				t.Fatalf("refused for %q, want %q", removed, missing)
			}
			if err != nil {
				continue
			}
			list, last, s.reward, s.single = changed, newLast, to.Reward, to.SingleCoupon
			if s.list = codes; !to.Reward.Fields.Codes {
				s.list = nil
				for _, l := range list {
					s.list = append(s.list, l.code)
				}
			}
		}
	})
}

func TestSavedCodesReadBack(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d, "SHOP")
		id := s.add(nil, "other")
		c, _ := s.find(id)
		rapid.Check(t, func(t *rapid.T) {
			draw := func(name string) []listed {
				codes := rapid.SliceOfN(rapid.SampledFrom([]string{"A", "B", "C", "D", "E"}), 0, 8).Draw(t, name)
				sold := map[string]int64{}
				for i := range rapid.IntRange(0, 2).Draw(t, name+" sold") {
					sold[string(rune('A'+i))] = int64(i + 1)
				}
				list, _ := arrange(codes, sold, 3, rapid.Bool().Draw(t, name+" single"))
				return list
			}
			old, list := draw("old"), draw("new")
			err := d.Write(background, func(tx *db.Tx) error {
				if _, err := tx.Exec(`DELETE FROM campaign_codes WHERE store_id = $1 AND campaign_id = $2`,
					s.Store.Key, id); err != nil {
					return err
				}
				if err := saveCodes(tx, c, nil, old); err != nil {
					return err
				}
				if err := saveCodes(tx, c, old, list); err != nil {
					return err
				}
				got, err := codeList(tx, s.Store.Key, id)
				if diff := cmp.Diff(list, got, cmp.AllowUnexported(listed{})); diff != "" && len(list)+len(got) > 0 {
					t.Errorf("%s became %s instead of %s", positions(old), positions(got), positions(list))
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		})
	})
}
