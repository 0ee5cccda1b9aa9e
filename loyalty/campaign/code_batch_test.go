package campaign

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// stock is a campaign with individual codes in a shop.
type stock struct {
	*crowd
	catalogue *Catalogue
	id        string
}

func newStock(t *testing.T, d *db.DB, codes ...string) *stock {
	t.Helper()
	c := newCrowd(t, d, "bronze")
	s := &stock{crowd: c, catalogue: &Catalogue{Types: RewardTypes}}
	one := *c.campaign("bronze")
	one.Unlimited = true
	s.Write(func(tx *db.Tx) (err error) {
		s.id, err = Create(tx, c.Store, Draft{Campaign: one, Codes: codes})
		return err
	})
	return s
}

func (s *stock) order(of CodeBatch) (ordered CodeBatch) {
	s.Helper()
	of.CampaignID = s.id
	s.Write(func(tx *db.Tx) (err error) {
		ordered, err = s.catalogue.OrderCodes(tx, s.Store.Key, of)
		return err
	})
	return ordered
}

func (s *stock) batch(id string) (b CodeBatch) {
	s.Helper()
	s.Write(func(tx *db.Tx) (err error) {
		b, err = findBatch(tx, s.Store.Key, s.id, id)
		return err
	})
	return b
}

func (s *stock) counters() (k Counters) {
	s.Helper()
	s.Write(func(tx *db.Tx) error {
		all, err := CountersOf(tx, s.Store.Key, s.id)
		k = all[s.id]
		return err
	})
	return k
}

// codes are the codes in a state, as the list has them.
func (s *stock) codes(state string) (codes []string) {
	s.Helper()
	k := s.counters()
	s.Write(func(tx *db.Tx) error {
		found, err := codesAfter(tx, k, codeFilter{state: state}, 0, 10_000, 0)
		for _, e := range found {
			codes = append(codes, e.Code)
		}
		return err
	})
	return codes
}

// sell sells the next codes.
func (s *stock) sell(n int64) {
	s.Helper()
	s.Write(func(tx *db.Tx) error {
		k, err := LockCounters(tx, s.Store.Key, s.id)
		if err != nil {
			return err
		}
		of := k[s.id]
		of.Sold += n
		of.NextPosition += n
		return SaveCounters(tx, of)
	})
}

func TestBatchesAreCarriedOutInSteps(t *testing.T) {
	dbtest.Both(t)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newStock(t, d, "SPRING-1")
		ordered := s.order(CodeBatch{Requested: 2*codesAtOnce + 1, Prefix: "VIP-", Length: 8})

		s.Write(func(tx *db.Tx) error { // a step, after which the process ends
			_, err := s.catalogue.fill(tx, &ordered)
			return err
		})
		if b := s.batch(ordered.ID); b.Added != codesAtOnce || b.State != batchRunning || !b.FinishedAt.IsZero() {
			t.Errorf("after one step: %+v", b)
		}
		ended, stop := context.WithCancel(background)
		stop()
		_, _ = s.catalogue.FillBatches(ended, d, s.Store)

		done, err := s.catalogue.FillBatches(background, d, s.Store)
		if err != nil || done < codesAtOnce+1 {
			t.Errorf("added %d, %v", done, err)
		}
		if b := s.batch(ordered.ID); b.Added != b.Requested || b.State != batchFinished || b.FinishedAt.IsZero() {
			t.Errorf("at the end: %+v", b)
		}
		codes := s.codes("")
		if len(codes) != 2*codesAtOnce+2 || codes[0] != "SPRING-1" || len(db.Distinct(codes)) != len(codes) {
			t.Fatalf("%d codes, first %s", len(codes), codes[0])
		}
		if step := codes[1 : codesAtOnce+1]; slices.IsSorted(step) {
			t.Error("the codes of one step are sorted, so that one tells where the next one is")
		}
		for _, code := range codes[1:] {
			random, found := strings.CutPrefix(code, "VIP-")
			if !found || len(random) != 8 || strings.Trim(random, codeAlphabet) != "" {
				t.Fatalf("code %q", code)
			}
		}
		if done, err := s.catalogue.FillBatches(background, d, s.Store); done != 0 || err != nil {
			t.Errorf("once more: %d, %v", done, err)
		}
	})
}

func TestAddedCodesAreSoldAfterTheOthers(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newStock(t, d, "A", "B", "B")
		s.sell(1)
		add := func(codes ...string) (known map[string]bool) {
			s.Write(func(tx *db.Tx) (err error) {
				known, err = s.catalogue.AddCodes(tx, s.Store.Key, s.id, codes)
				return err
			})
			return known
		}
		if diff := cmp.Diff(map[string]bool{"A": true, "B": true}, add("C", "A", "B", "D")); diff != "" {
			t.Error(diff)
		}
		for state, want := range map[string]string{"": "A B C D", codeSold: "A", codeFree: "B C D"} {
			if got := strings.Join(s.codes(state), " "); got != want {
				t.Errorf("%q: %s, want %s", state, got, want)
			}
		}
		s.sell(3)
		add("E")
		if k := s.counters(); k.NextPosition != 5 || k.LastPosition != 5 {
			t.Errorf("%+v", k)
		}
		// A replacement with the whole list works as before, and one that keeps the codes changes none.
		one := *s.campaign("bronze")
		one.Unlimited = true
		for _, draft := range []Draft{
			{Campaign: one, KeepCodes: true}, {Campaign: one, Codes: []string{"E", "D", "C", "B", "A", "F"}},
		} {
			s.Write(func(tx *db.Tx) error { return s.catalogue.Update(tx, s.Store, s.id, draft) })
			want := "A B C D E"
			if !draft.KeepCodes {
				want += " F"
			}
			if got := strings.Join(s.codes(""), " "); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		}
	})
}

func TestFreeCodesAreDeletedInSteps(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		codes := make([]string, codesAtOnce+10)
		for i := range codes {
			codes[i] = fmt.Sprint("CODE-", i)
		}
		s := newStock(t, d, codes...)
		s.sell(2)
		ordered := s.order(CodeBatch{Requested: 5, Length: 8})
		var steps []int64
		for n := int64(1); n > 0; {
			s.Write(func(tx *db.Tx) (err error) {
				n, err = s.catalogue.deleteFree(tx, s.Store.Key, s.id)
				return err
			})
			steps = append(steps, n)
		}
		if diff := cmp.Diff([]int64{codesAtOnce, 8, 0}, steps); diff != "" {
			t.Error(diff)
		}
		if b := s.batch(ordered.ID); b.State != batchStopped {
			t.Errorf("%+v", b)
		}
		if got := strings.Join(s.codes(""), " "); got != "CODE-0 CODE-1" {
			t.Error(got)
		}
	})
}

func TestCampaignsWithoutIndividualCodesGetNone(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newStock(t, d, "ALL")
		one := *s.campaign("bronze")
		one.Unlimited, one.SingleCoupon = true, true
		s.Write(func(tx *db.Tx) error {
			return s.catalogue.Update(tx, s.Store, s.id, Draft{Campaign: one, Codes: []string{"ALL"}})
		})
		err := d.Write(background, func(tx *db.Tx) error {
			_, err := s.catalogue.AddCodes(tx, s.Store.Key, s.id, []string{"X"})
			return err
		})
		if !errors.Is(err, ErrNoIndividualCodes) {
			t.Error(err)
		}
	})
}

func TestCodesOfAnUpload(t *testing.T) {
	if got := splitText(" A\nB, C;\tD \r\n\n A b "); !slices.Equal(got, []string{"A", "B", "C", "D", "A b"}) {
		t.Errorf("%q", got)
	}
	for file, want := range map[string][]string{
		"A\nB\n":                              {"A", "B"},
		"\ufeffname;Code\nx;\"A;1\"\ny;B\n":   {"A;1", "B"},
		"code,name\r\n\"A\"\"1\",x\r\n,y\r\n": {`A"1`},
		"A\tx\nB\ty":                          {"A", "B"},
		"Code,State\n'=A-1,free\n'＝B,free\n":  {"=A-1", "＝B"}, // as our export writes them
	} {
		got, err := splitCSV([]byte(file))
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %q, %v", file, got, err)
		}
	}
	var r uploadReport
	long := strings.Repeat("x", codeLimit+1)
	if got := r.usable([]string{"A", "B", "A", long, "C\x01", "A"}); !slices.Equal(got, []string{"A", "B"}) {
		t.Errorf("%q", got)
	}
	want := uploadReport{Skipped: 4, Reasons: []skipped{
		{duplicateInUpload, 2, []string{"A", "A"}}, {longerThanAllowed, 1, []string{long[:40] + "…"}},
		{withControlLetters, 1, []string{"C\x01"}},
	}}
	if diff := cmp.Diff(want, r); diff != "" {
		t.Error(diff)
	}
}

func TestRandomCodesUseTheWholeAlphabet(t *testing.T) {
	counts := map[rune]int{}
	for range 2000 {
		for _, c := range randomCode(10) {
			counts[c]++
		}
	}
	if len(counts) != len(codeAlphabet) {
		t.Errorf("%d characters", len(counts))
	}
	for c, n := range counts {
		if n < 450 || n > 850 { // 645 expected, standard deviation 25
			t.Errorf("%c occurs %d times", c, n)
		}
	}
}
