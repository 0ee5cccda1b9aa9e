package campaign

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/fault"
	"punchcard/platform/keytext"
	"punchcard/platform/picture"
)

// fullDraft is a draft with everything that a gift can have.
func fullDraft(t *testing.T, changes fields) Draft {
	t.Helper()
	draft, problems, _ := readForm(t, everything(GiftCode.Name).with(changes))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return draft
}

func (s *shop) update(id string, draft Draft, photos ...picture.Picture) error {
	return s.DB.Write(s.Context(), func(tx *db.Tx) error { return catalogue.Update(tx, s.Store, id, draft, photos...) })
}

func (s *shop) codes(id string) (codes []string) {
	s.Helper()
	s.Write(func(tx *db.Tx) error {
		all, err := CodesOf(tx, s.Store.Key, id)
		codes = all[id]
		return err
	})
	return codes
}

func png(name string) picture.Picture {
	return picture.Picture{Name: name, MIMEType: "image/png", Bytes: []byte("bytes of " + name)}
}

func TestUpdateReplacesAllButWhatWasNotSent(t *testing.T) {
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d, "SHOP")
		id := s.add(func(d *Draft) { *d = fullDraft(t, nil) })
		s.Write(func(tx *db.Tx) error {
			return errors.Join(catalogue.AddPhoto(tx, s.Store, id, png("a.png")),
				catalogue.SetIcon(tx, s.Store, id, png("icon.png")))
		})
		before, _ := s.find(id)
		s.sell(id, 2)
		draft := Draft{Codes: []string{"B", "A", "A"}, Campaign: Campaign{
			Reward: DiscountCode, Cost: 7, Unlimited: true, Activity: Window{From: now, To: now},
			Visibility: Window{AllTime: true}, Definition: Definition{
				Segments: []string{segmentID}, Target: "segment", PushNotificationText: "Again",
				Translations: []Translation{{Locale: "fr", Name: "Dix"}, {Locale: "de", Name: "Zehn"}},
			},
		}}
		if err := s.update(id, draft, png("b.png")); err != nil {
			t.Fatal(err)
		}
		c, k := s.find(id)
		want := draft.Campaign
		want.StoreKey, want.ID, want.Version, want.CreatedAt = s.Store.Key, id, before.Version+1, before.CreatedAt
		want.Definition.Icon = before.Definition.Icon
		want.Definition.Photos = append(slices.Clone(before.Definition.Photos), Image{"", "b.png", "image/png"})
		want.Definition.Translations = []Translation{{ID: 2, Locale: "fr", Name: "Dix"}, {ID: 3, Locale: "de", Name: "Zehn"}}
		if len(c.Definition.Photos) != 2 {
			t.Fatalf("photos %v", c.Definition.Photos)
		}
		want.Definition.Photos[1].ID = c.Definition.Photos[1].ID
		if diff := cmp.Diff(&want, c, sameType); diff != "" {
			t.Error(diff)
		}
		// A was everybody's code and is sold; B is the next one, and the last.
		left := Counters{
			StoreKey: s.Store.Key, CampaignID: id, Version: c.Version, Sold: 2, Customers: 1, NextPosition: 3, LastPosition: 3,
		}
		if k != left {
			t.Errorf("the counters are %+v", k)
		}
		if got := s.codes(id); !slices.Equal(got, draft.Codes) {
			t.Errorf("codes %q", got)
		}
	})
}

// What a campaign is found by follows the update.
func TestUpdatedCampaignIsFoundByWhatItIsNow(t *testing.T) {
	english := api.Locale{Wanted: "en", Default: "en"}
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d, "SHOP")
		id := s.add(func(d *Draft) {
			*d = fullDraft(t, fields{"labels": "old:yes;both:1", "target": "level"})
			d.Definition.Categories = []string{ruleID, otherID}
		})
		if err := s.update(id, fullDraft(t, fields{
			"labels": "both:1;new:yes", "categories.0": segmentID, "translations.en.name": "Fresh", "target": "segment",
			"campaignVisibility.allTimeVisible": "1",
		})); err != nil {
			t.Fatal(err)
		}
		for query, want := range map[string]int{
			"labels[0][key]=old": 0, "labels[0][key]=both": 1, "labels[0][key]=new": 1, "categoryId[]=" + ruleID: 0,
			"categoryId[]=" + otherID: 0, "categoryId[]=" + segmentID: 1, "name=Ten": 0, "name=Fresh": 1, "hasSegment=1": 1,
		} {
			s.Write(func(tx *db.Tx) error {
				found, _, err := catalogue.page(tx, s.Store.Key, ReadFilter(queryOf(t, query)), api.Page{Limit: 10}, english)
				if len(found) != want {
					t.Errorf("%s: %d found", query, len(found))
				}
				return err
			})
		}
		for target, want := range map[string]int{levelID: 0, segmentID: 1} {
			s.Write(func(tx *db.Tx) error {
				found, err := offers(tx, s.Store, Offer{Targets: []string{target}}, api.Page{}, english)
				if len(found) != want {
					t.Errorf("%d offered to %s", len(found), target)
				}
				return err
			})
		}
		if names, _ := s.searched("ten", 10, 0); names != "" {
			t.Errorf("the old name finds %s", names)
		}
		if names, _ := s.searched("fresh", 10, 0); names == "" {
			t.Error("the new name finds nothing")
		}
	})
}

func TestRefusedUpdateChangesNothing(t *testing.T) {
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s, elsewhere := newShop(t, d, "SHOP"), newShop(t, d, "OTHER")
		id := s.add(nil, "A", "B", "C", "B")
		s.sell(id, 2)
		before, k := s.find(id)
		draft := fullDraft(t, fields{"singleCoupon": "0"})
		draft.Codes = []string{"C", "D", "b"}
		err := s.update(id, draft, png("a.png"))
		if removed, _ := errors.AsType[RemovedCodes](err); !slices.Equal(removed, []string{"A", "B"}) {
			t.Errorf("the update answers %v", err)
		}
		after, counters := s.find(id)
		if diff := cmp.Diff(before, after, sameType) + cmp.Diff(k, counters); diff != "" {
			t.Error(diff)
		}
		if got := s.codes(id); !slices.Equal(got, []string{"A", "B", "C", "B"}) {
			t.Errorf("codes %q", got)
		}
		for of, id := range map[*store.Store]string{elsewhere.Store: id, s.Store: ruleID} {
			err := d.Write(t.Context(), func(tx *db.Tx) error { return catalogue.Update(tx, of, id, draft) })
			if !errors.Is(err, fault.ErrNotFound) {
				t.Errorf("Update in %s: %v", of.Code, err)
			}
		}
	})
}

// A single coupon's code is sold from its first sale on, the codes behind it are not.
func TestFromOneCodeForEverybodyToCodesForEach(t *testing.T) {
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d, "SHOP")
		single := func(d *Draft) { d.SingleCoupon = true }
		id := s.add(single, "ALL", "B", "C")
		draft := func(single bool, codes ...string) Draft {
			return Draft{Codes: codes, Campaign: Campaign{
				Reward: DiscountCode, SingleCoupon: single, Unlimited: true, Activity: Window{AllTime: true},
				Visibility: Window{AllTime: true}, Definition: Definition{Levels: []string{levelID}},
			}}
		}
		if err := s.update(id, draft(true, "NEW", "C")); err != nil {
			t.Fatalf("codes that nobody has: %v", err)
		}
		s.sell(id, 5)
		if err := s.update(id, draft(false, "B", "C")); message(err) != "Removing used coupons (NEW) is not permitted" {
			t.Errorf("everybody's code was removed: %v", err)
		}
		if err := s.update(id, draft(false, "B", "NEW", "C")); err != nil {
			t.Fatal(err)
		}
		c, k := s.find(id)
		if c.UsageLeft(k) != 2 || c.Definition.SingleCode != "" {
			t.Errorf("%d left, everybody's code %q", c.UsageLeft(k), c.Definition.SingleCode)
		}
		s.Write(func(tx *db.Tx) error {
			next, err := NextCodes(tx, s.Store.Key, map[string]int64{id: 3})
			want := map[Place]string{{id, k.NextPosition}: "B", {id, k.NextPosition + 1}: "C"}
			if !maps.Equal(next, want) {
				t.Errorf("sold next: %v, want %v", next, want)
			}
			return err
		})
	})
}

func TestPhotosAndIcon(t *testing.T) {
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s, elsewhere := newShop(t, d, "SHOP"), newShop(t, d, "OTHER")
		id, other := s.add(nil, "A"), s.add(nil, "B")
		content := func(imageID string) (text string) {
			s.Write(func(tx *db.Tx) error {
				bytes, err := imageContent(tx, s.Store.Key, id, imageID)
				if text = string(bytes); errors.Is(err, fault.ErrNotFound) {
					return nil
				}
				return err
			})
			return text
		}
		s.Write(func(tx *db.Tx) error {
			return errors.Join(catalogue.AddPhoto(tx, s.Store, id, png("a.png")),
				catalogue.AddPhoto(tx, s.Store, id, png("b.png")),
				catalogue.SetIcon(tx, s.Store, id, png("icon.png")))
		})
		c, k := s.find(id)
		first, second, icon := c.Definition.Photos[0], c.Definition.Photos[1], *c.Definition.Icon
		shown := []string{first.Name, content(first.ID), second.Name, content(second.ID), icon.Name, content(icon.ID)}
		want := []string{"a.png", "bytes of a.png", "b.png", "bytes of b.png", "icon.png", "bytes of icon.png"}
		if !slices.Equal(shown, want) {
			t.Errorf("stored %q", shown)
		}
		if c.Version != 4 || k.Version != 4 {
			t.Errorf("versions %d and %d after three changes", c.Version, k.Version)
		}
		for _, foreign := range []func(tx *db.Tx) error{
			func(tx *db.Tx) error { return catalogue.RemovePhoto(tx, s.Store, other, first.ID) },
			func(tx *db.Tx) error { return catalogue.RemovePhoto(tx, elsewhere.Store, id, first.ID) },
			func(tx *db.Tx) error { return catalogue.RemovePhoto(tx, s.Store, id, icon.ID) },
			func(tx *db.Tx) error { return catalogue.RemovePhoto(tx, s.Store, id, ruleID) },
			func(tx *db.Tx) error { return catalogue.AddPhoto(tx, elsewhere.Store, id, png("a.png")) },
			func(tx *db.Tx) error { return catalogue.SetIcon(tx, s.Store, ruleID, png("a.png")) },
			func(tx *db.Tx) error { return catalogue.RemoveIcon(tx, elsewhere.Store, id) },
		} {
			if err := d.Write(t.Context(), foreign); !errors.Is(err, fault.ErrNotFound) {
				t.Errorf("what is not there answers %v", err)
			}
		}
		s.Write(func(tx *db.Tx) error {
			return errors.Join(catalogue.RemovePhoto(tx, s.Store, id, first.ID),
				catalogue.SetIcon(tx, s.Store, id, png("new.png")))
		})
		c, _ = s.find(id)
		if len(c.Definition.Photos) != 1 || c.Definition.Photos[0] != second || c.Definition.Icon.Name != "new.png" ||
			content(first.ID)+content(icon.ID) != "" || content(c.Definition.Icon.ID) != "bytes of new.png" {
			t.Errorf("after removing: %+v, %+v", c.Definition.Photos, c.Definition.Icon)
		}
		last := *c.Definition.Icon
		for range 2 {
			s.Write(func(tx *db.Tx) error { return catalogue.RemoveIcon(tx, s.Store, id) })
		}
		if c, _ = s.find(id); c.Definition.Icon != nil || content(last.ID) != "" || c.Version != 7 {
			t.Errorf("after removing the icon: %+v, version %d", c.Definition.Icon, c.Version)
		}
	})
}

func TestPhotosAreBounded(t *testing.T) {
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d, "SHOP")
		id := s.add(nil, "A")
		for i := range PhotoLimit - 1 {
			s.Write(func(tx *db.Tx) error { return catalogue.AddPhoto(tx, s.Store, id, png(fmt.Sprint(i))) })
		}
		draft := Draft{Codes: []string{"A"}, Campaign: Campaign{Reward: DiscountCode}}
		if err := s.update(id, draft, png("99"), png("100")); err != nil {
			t.Fatal(err)
		}
		if err := s.update(id, draft, png("101")); err != nil {
			t.Fatal(err)
		}
		err := d.Write(t.Context(), func(tx *db.Tx) error { return catalogue.AddPhoto(tx, s.Store, id, png("102")) })
		if c, _ := s.find(id); !errors.Is(err, ErrPhotoLimit) || len(c.Definition.Photos) != PhotoLimit ||
			c.Definition.Photos[PhotoLimit-1].Name != "99" {
			t.Errorf("%v, %d photos", err, len(c.Definition.Photos))
		}
	})
}

// Labels come from people: whatever they write, keys and values are clean parts of it in its order.
func FuzzParseLabels(f *testing.F) {
	for _, text := range []string{"", ";;", "a:b;c:d", "a:b:c", "abc", " a : b ;", "a:;:b;:", "ż:ó;\x00:\xff"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		labels := ParseLabels(text)
		entries := slices.DeleteFunc(strings.Split(text, ";"), func(entry string) bool {
			return !strings.Contains(entry, ":")
		})
		if len(labels) != len(entries) {
			t.Fatalf("%q: %d labels of %d entries", text, len(labels), len(entries))
		}
		var again []string
		for i, label := range labels {
			key, value, _ := strings.Cut(entries[i], ":")
			if label.Key != keytext.Clean(key) || label.Value != keytext.Clean(value) {
				t.Errorf("%q: entry %q is %q", text, entries[i], label)
			}
			again = append(again, label.Key+":"+label.Value)
		}
		if !slices.Equal(ParseLabels(strings.Join(again, ";")), labels) {
			t.Errorf("%q: %q does not read back", text, again)
		}
	})
}
