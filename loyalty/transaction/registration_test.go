package transaction

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/membership"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/idempotency"
)

// Documents that are registered together have the effects and the errors that they have one after the other, whatever
// customers, numbers and sales they share.
func TestDocumentsOfABatchFollowEachOther(t *testing.T) {
	dbtest.Both(t)
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		together, alone := newShopNamed(t, d, "TOGETHER"), newShopNamed(t, d, "ALONE")
		earns := twiceAsGold(together.gold, alone.gold)
		registrar := NewRegistrar(d, earns)
		mails := []string{"ida@example.com", "ole@example.com", "eva@example.com"}
		buyers := map[*shop][]*customer.Customer{}
		for _, s := range []*shop{together, alone} {
			for _, mail := range mails {
				buyers[s] = append(buyers[s], s.customer(mail, "", ""))
			}
		}
		run := 0
		rapid.Check(t, func(rt *rapid.T) {
			run++
			number := func(label string) string {
				letter := rapid.SampledFrom([]string{"a", "b", "c", "d", "D", "e"}).Draw(rt, label)
				return fmt.Sprint("N", run, letter)
			}
			drafts := make([]Transaction, rapid.IntRange(2, 10).Draw(rt, "documents"))
			for i := range drafts {
				mail := rapid.SampledFrom(append(mails, "nobody@example.com")).Draw(rt, "mail")
				value := rapid.Int64Range(0, 60).Draw(rt, "value")
				if rapid.Bool().Draw(rt, "return") {
					drafts[i] = back(number("number"), mail, value, number("of"))
				} else {
					drafts[i] = document(number("number"), mail, value)
				}
				drafts[i].PurchasedAt = now.AddDate(0, 0, -rapid.IntRange(0, 9).Draw(rt, "days ago"))
			}
			var outcomes []*asked
			together.Write(func(tx *db.Tx) (err error) {
				all := make([]Draft, len(drafts))
				for i := range drafts {
					all[i] = Draft{Store: together.Store, Transaction: drafts[i]}
				}
				outcomes, err = registrar.batch.Try(tx, together.Store, nil, all...)
				return err
			})
			for i := range drafts {
				err := d.Write(t.Context(), func(tx *db.Tx) error {
					_, err := Register(tx, alone.Store, drafts[i], earns)
					return err
				})
				if !sameRefusal(err, outcomes[i].Err) {
					rt.Fatalf("document %d: alone %+v, together %+v", i, err, outcomes[i].Err)
				}
			}
			for i := range mails {
				want, got := alone.standing(buyers[alone][i].ID), together.standing(buyers[together][i].ID)
				if diff := cmp.Diff(want, got); diff != "" {
					rt.Fatalf("%s (-alone +together):\n%s", mails[i], diff)
				}
			}
			if diff := cmp.Diff(alone.documents(), together.documents()); diff != "" {
				rt.Fatalf("documents (-alone +together):\n%s", diff)
			}
		})
	})
}

// twiceAsGold gives a point for each unit of money, and two for customers in one of the levels.
func twiceAsGold(levels ...string) Hooks {
	return Hooks{Earn: func(*db.Tx, *store.Store) (Earnings, []db.Query) {
		return &goldEarnings{levels: levels, of: map[string]points.Amount{}}, nil
	}}
}

type goldEarnings struct {
	levels []string
	of     map[string]points.Amount // by sale
}

func (e *goldEarnings) Decide(sales []Sold) error {
	for _, s := range sales {
		e.of[s.Sale.ID] = hundredths(s.Sale.Amounts.Gross)
		if slices.Contains(e.levels, s.Buyer.LevelID) {
			e.of[s.Sale.ID] *= 2
		}
	}
	return nil
}

func (e *goldEarnings) Others() []string { return nil }

func (e *goldEarnings) Pay(sale *Transaction, buyer *membership.Member, members *membership.Members) error {
	return paid(func(sale *Transaction) points.Amount { return e.of[sale.ID] }).Pay(sale, buyer, members)
}

// A document whose Idempotency-Key was used in the same batch gets the stored response, not a refusal.
func TestKeysWithinABatch(t *testing.T) {
	dbtest.Both(t)
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		request := func(key, text string) *idempotency.Request {
			return idempotency.NewRequest(s.Store.Key, key, nil, text)
		}
		keys := []*idempotency.Request{
			request("a", "S-1"), request("a", "S-1"), request("a", "S-2"), request("b", "S-1"),
		}
		var drafts []Draft
		for _, number := range []string{"S-1", "S-1", "S-2", "S-1"} {
			drafts = append(drafts, Draft{Store: s.Store, Transaction: document(number, "", 1)})
		}
		for range 2 { // the second time, the responses are stored
			var outcomes []*asked
			s.Write(func(tx *db.Tx) (err error) {
				outcomes, err = NewRegistrar(d, Hooks{}).batch.Try(tx, s.Store, keys, drafts...)
				return err
			})
			_, replayed := errors.AsType[*idempotency.Replay](outcomes[1].Err)
			if !replayed || outcomes[2].Err != idempotency.ErrReused ||
				!sameRefusal(outcomes[3].Err, &Refused{Document: errNotUnique}) {
				t.Errorf("outcomes %+v", outcomes)
			}
		}
		if n := len(s.documents()); n != 1 {
			t.Errorf("%d documents", n)
		}
	})
}

func sameRefusal(a, b error) bool {
	one, is := errors.AsType[*Refused](a)
	other, too := errors.AsType[*Refused](b)
	return a == nil && b == nil || is && too && *one == *other
}

// documents describes the documents of the store by their numbers, with the earlier ones from which they differ only in
// case.
func (s *shop) documents() map[string]string {
	s.Helper()
	byNumber := map[string]string{}
	s.Read(func(tx *db.Tx) error {
		type row struct{ number, text string }
		return db.Each(tx, func(r *row) []any { return []any{&r.number, &r.text} },
			func(r row) { byNumber[r.number] = r.text },
			`SELECT document_number, CONCAT(document_type, ' ', gross_value, ' ', returned, ' ', fully_returned, ' ',
				customer_id <> '', ' ', recased_of) FROM transactions WHERE store_id = $1`, s.Store.Key)
	})
	return byNumber
}
