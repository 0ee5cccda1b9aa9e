package transaction

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/membership"
	"punchcard/loyalty/level"
	"punchcard/loyalty/level/shoptest"
	"punchcard/loyalty/points"
	"punchcard/loyalty/pos"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/decimal"
	"punchcard/platform/event"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

var now = time.Date(2031, 7, 3, 10, 15, 0, 0, time.UTC)

func clock() time.Time { return now }

// shop is a store with the levels Bronze, from the start, and Gold, from 100, where a sale earns its value.
type shop struct {
	*shoptest.Shop
	bronze, gold string
}

func newShop(t *testing.T, d *db.DB) *shop {
	t.Helper()
	return newShopNamed(t, d, "SHOP")
}

func newShopNamed(t *testing.T, d *db.DB, code string) *shop {
	t.Helper()
	s := shoptest.Open(t, d, code, func(settings *store.Settings) {
		settings.ExcludedDeliverySKUs = []string{"POST"}
		settings.ExcludedLevelSKUs = []string{"GIFT"}
	}, level.Level{Active: true}, level.Level{Active: true, ConditionValue: decimal.Whole(100).Money()})
	return &shop{s, s.Levels[0], s.Levels[1]}
}

func (s *shop) customer(email, phone, card string) *customer.Customer {
	s.Helper()
	var c *customer.Customer
	s.Write(func(tx *db.Tx) (err error) {
		c, err = customer.Register(tx, s.Store, customer.Registration{
			Email: email, Phone: phone, LoyaltyCard: card, FirstName: "Ida", LastName: "Berg", Active: true,
		})
		return err
	})
	return c
}

func (s *shop) till(name string) string {
	s.Helper()
	var p *pos.POS
	s.Write(func(tx *db.Tx) (err error) {
		p, err = pos.Create(tx, s.Store.Key, pos.Details{Identifier: name, Name: name})
		return err
	})
	return p.ID
}

// earnsItsValue gives a point for each unit of money.
var earnsItsValue = Hooks{Earn: func(*db.Tx, *store.Store) (Earnings, []db.Query) {
	return paid(func(sale *Transaction) points.Amount { return hundredths(sale.Amounts.Gross) }), nil
}}

// paid gives points for a sale.
type paid func(sale *Transaction) points.Amount

func (paid) Decide([]Sold) error { return nil }

func (paid) Others() []string { return nil }

func (p paid) Pay(sale *Transaction, buyer *membership.Member, members *membership.Members) error {
	if value := p(sale); value > 0 {
		members.Pay(buyer, points.Grant{
			Value: value, Issuer: points.BySystem, TransactionID: sale.ID, CreatedAt: clock(),
		})
	}
	return nil
}

// document is a sale of one line of the value to whom the e-mail address names.
func document(number, email string, value int64) Transaction {
	return Transaction{
		DocumentNumber: number, Type: Sell, Items: []Item{line("TEA", "drinks", value)},
		CustomerData: CustomerData{Name: "Ida", Email: email},
	}
}

// back is a return of the sale over the value.
func back(number, email string, value int64, of string) Transaction {
	t := document(number, email, value)
	t.Type, t.RevisedDocument = Return, of
	return t
}

func (s *shop) try(draft Transaction) (made *Transaction, err error) {
	err = s.DB.Write(s.Context(), func(tx *db.Tx) (err error) {
		made, err = Register(tx, s.Store, draft, earnsItsValue)
		return err
	})
	return made, err
}

// send registers a document together with those that others send.
func (s *shop) send(r *Registrar, draft Transaction) error {
	_, err := r.Register(s.Context(), Draft{Store: s.Store, Transaction: draft})
	return err
}

func (s *shop) register(draft Transaction) *Transaction {
	s.Helper()
	made, err := s.try(draft)
	if err != nil {
		s.Fatal(err)
	}
	return made
}

func (s *shop) assign(number string, who *customer.Customer) error {
	return s.DB.Write(s.Context(), func(tx *db.Tx) error {
		_, err := Assign(tx, s.Store, number, who, earnsItsValue)
		return err
	})
}

// standing holds the sums of a customer after purchases.
type standing struct {
	Count                                int64
	Amount, Without, Excluded, Delivered decimal.Hundredths
	Points                               points.Amount
	Gold                                 bool
	LastAt                               string
}

func (s *shop) standing(id string) standing {
	s.Helper()
	var is standing
	s.Write(func(tx *db.Tx) error {
		c, err := customer.Find(tx, s.Store.Key, id)
		if err != nil {
			return err
		}
		account, err := points.Balance(tx, s.Store, id)
		p := c.Purchases
		is = standing{
			p.Count, hundredths(p.Amount), hundredths(p.AmountWithoutDelivery), hundredths(p.ExcludedForLevel),
			hundredths(p.ExcludedDelivery), account.Points,
			c.LevelID == s.gold, "",
		}
		if !p.LastAt.IsZero() {
			is.LastAt = p.LastAt.Format(time.DateOnly)
		}
		return err
	})
	return is
}

func (s *shop) find(id string) *Transaction {
	s.Helper()
	var t *Transaction
	s.Write(func(tx *db.Tx) (err error) {
		t, err = Find(tx, s.Store.Key, id)
		return err
	})
	return t
}

func hundredths(m decimal.Money) decimal.Hundredths { return decimal.Hundredths(m / 100) }

func whole(n int64) decimal.Hundredths { return decimal.Whole(n) }

func TestMatchingGoesByPriority(t *testing.T) {
	dbtest.Both(t)
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		ida := s.customer("ida@example.com", "+4790000001", "NO-1")
		ole := s.customer("ole@example.com", "+4790000002", "NO-2")
		ann := s.customer("ann@example.com", "+4790000003", "NO-3")
		off := s.customer("off@example.com", "+4790000004", "NO-4")
		s.Write(func(tx *db.Tx) error { return customer.Deactivate(tx, s.Store, off.ID) })
		byCard := []store.Identification{{Priority: 3, Field: "email"}, {Priority: 1, Field: "loyaltyCardNumber"}}
		for i, c := range []struct {
			name     string
			data     CustomerData
			priority []store.Identification // nil for the default
			wants    string
		}{
			{"nothing known", CustomerData{Name: "Ida Berg"}, nil, ""},
			{"e-mail address first", CustomerData{Email: " IDA@example.com ", LoyaltyCard: "NO-2", Phone: "+4790000003"}, nil,
				ida.ID},
			{"then the card", CustomerData{Email: "who@example.com", LoyaltyCard: " no-2", Phone: "+4790000003"}, nil, ole.ID},
			{"then the phone", CustomerData{Phone: "+4790000003"}, nil, ann.ID},
			{"not who is switched off", CustomerData{Email: "off@example.com"}, nil, ""},
			{"but the next who is not", CustomerData{Email: "off@example.com", Phone: "+4790000003"}, nil, ann.ID},
			{"the store's own priority", CustomerData{Email: "ida@example.com", LoyaltyCard: "NO-2"}, byCard, ole.ID},
			{"without a field that is not in it", CustomerData{Phone: "+4790000003"}, byCard, ""},
			{"no part of a value", CustomerData{Email: "ida@example"}, nil, ""},
		} {
			s.Store.Settings.Identification = store.DefaultSettings().Identification
			if c.priority != nil {
				s.Store.Settings.Identification = c.priority
			}
			draft := document(fmt.Sprint("D-", i), "", 1)
			draft.CustomerData = c.data
			made := s.register(draft)
			if stored := s.find(made.ID); made.CustomerID != c.wants || stored.CustomerID != c.wants ||
				stored.AssignedAt.IsZero() != (c.wants == "") {
				t.Errorf("%s: found %q, stored %q since %v, want %q", c.name, made.CustomerID, stored.CustomerID,
					stored.AssignedAt, c.wants)
			}
		}
	})
}

func TestSumsOfACustomer(t *testing.T) {
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		ida := s.customer("ida@example.com", "", "")
		sale := document("S-1", "ida@example.com", 90)
		sale.Items = append(sale.Items, line("POST", "x", 5), line("GIFT", "x", 20))
		sale.PurchasedAt = now.AddDate(0, 0, -3)
		s.register(sale)
		for _, step := range []struct {
			name  string
			draft Transaction
			want  standing
		}{
			{"an older sale", func() Transaction {
				older := document("S-2", "ida@example.com", 10)
				older.PurchasedAt = now.AddDate(-1, 0, 0)
				return older
			}(), standing{2, whole(125), whole(120), whole(20), 0, whole(125), true, "2031-06-30"}},
			{"a return of tea", back("R-1", "ida@example.com", 30, "S-1"),
				standing{2, whole(95), whole(90), whole(20), 0, whole(95), false, "2031-06-30"}},
			{"the rest of the other sale, and more", back("R-2", "ida@example.com", 50, "S-2"),
				standing{1, whole(85), whole(80), whole(20), 0, whole(85), false, "2031-06-30"}},
			{"nothing is left to return", back("R-3", "ida@example.com", 50, "S-2"),
				standing{1, whole(85), whole(80), whole(20), 0, whole(85), false, "2031-06-30"}},
			{"all comes back at once", back("R-4", "ida@example.com", 1000, "S-1"),
				standing{0, 0, 0, 0, 0, 0, false, ""}},
		} {
			s.register(step.draft)
			if diff := cmp.Diff(step.want, s.standing(ida.ID)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", step.name, diff)
			}
		}
	})
}

// The last sale of a customer is found in an index, which a customer with many returned sales does not make slower.
func TestPlanOfTheLastSale(t *testing.T) {
	dbtest.Both(t)
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		var lines []string
		err := d.Write(t.Context(), func(tx *db.Tx) (err error) {
			if tx.Engine() == "postgres" { // tables without statistics
				if _, err := tx.Exec(`SET LOCAL enable_seqscan = off`); err != nil {
					return err
				}
			}
			lines, err = dbtest.Plan(tx, lastSaleQuery, []any{int64(1), db.NewID()})
			return err
		})
		plan := strings.Join(lines, "\n")
		if err != nil || !strings.Contains(plan, "transactions_last_sale") || strings.Contains(plan, "Sort") ||
			strings.Contains(plan, "TEMP B-TREE") {
			t.Errorf("%v\n%s", err, plan)
		}
	})
}

// The exclusions of a sale are those of its day, also for its returns.
func TestExclusionsStayAsTheyWere(t *testing.T) {
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		ida := s.customer("ida@example.com", "", "")
		sale := document("S-1", "ida@example.com", 10)
		sale.Items = []Item{line("POST", "x", 10), line("GIFT", "x", 10), line("TEA", "x", 10)}
		s.register(sale)
		s.Store.Settings.ExcludedDeliverySKUs, s.Store.Settings.ExcludedLevelSKUs = nil, []string{"TEA"}
		returned := back("R-1", "ida@example.com", 0, "S-1")
		returned.Items = []Item{line("POST", "x", 10), line("GIFT", "x", 10)}
		made := s.register(returned)
		want := standing{1, whole(10), whole(10), 0, 0, whole(10), false, "2031-07-03"}
		if diff := cmp.Diff(want, s.standing(ida.ID)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(Excluded{LevelSKUs: []string{"TEA"}}, s.find(made.ID).Excluded); diff != "" {
			t.Errorf("the return's own lists (-want +got):\n%s", diff)
		}
	})
}

func TestRefusals(t *testing.T) {
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		s.customer("ida@example.com", "", "")
		s.customer("ole@example.com", "", "")
		s.register(document("IDA", "ida@example.com", 10))
		s.register(document("NOBODY", "nobody@example.com", 10))
		s.register(back("BACK", "ida@example.com", 1, "IDA"))
		unknownTill := document("NEW", "ida@example.com", 1)
		unknownTill.POSID = "00000000-0000-7000-8000-000000000000"
		all := back("IDA", "ida@example.com", 1, "BACK")
		all.POSID = unknownTill.POSID
		ahead := document("NEW", "ida@example.com", 1)
		ahead.PurchasedAt = now.Add(24*time.Hour + time.Second)
		for _, c := range []struct {
			name  string
			draft Transaction
			want  Refused
		}{
			{"a number that is taken", document("IDA", "ole@example.com", 1), Refused{Document: errNotUnique}},
			{"an unknown till", unknownTill, Refused{POSUnknown: true}},
			{"a return of nothing", back("NEW", "ida@example.com", 1, ""), Refused{Revised: errNoSale}},
			{"a return of what is not there", back("NEW", "ida@example.com", 1, "ida"), Refused{Revised: errNoSale}},
			{"a return of a return", back("NEW", "ida@example.com", 1, "BACK"), Refused{Revised: errNotASale}},
			{"a return by somebody else", back("NEW", "ole@example.com", 1, "IDA"), Refused{Revised: errWrongOwner}},
			{"everything", all, Refused{Document: errNotUnique, POSUnknown: true, Revised: errNotASale}},
			{"a date two days ahead", ahead, Refused{Ahead: true}},
		} {
			err := s.DB.Write(s.Context(), func(tx *db.Tx) error {
				_, err := Register(tx, s.Store, c.draft, Hooks{Ahead: 24 * time.Hour})
				return err
			})
			refused, is := errors.AsType[*Refused](err)
			if !is || *refused != c.want {
				t.Errorf("%s: %#v, want %#v", c.name, err, c.want)
			}
		}
	})
}

func TestReturnsThatTakeNoPoints(t *testing.T) {
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		ida := s.customer("ida@example.com", "", "")
		s.register(document("S-1", "ida@example.com", 10))
		s.Store.Settings.Returns = false
		s.register(back("R-1", "ida@example.com", 4, "S-1"))
		want := standing{1, whole(6), whole(6), 0, 0, whole(10), false, "2031-07-03"}
		if diff := cmp.Diff(want, s.standing(ida.ID)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// Pending points of the sale are taken first, then the balance. Points that the customer no longer has are not owed.
func TestReturnTakesPendingPointsFirst(t *testing.T) {
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		ida := s.customer("ida@example.com", "", "")
		s.register(document("S-1", "ida@example.com", 10))
		s.Store.Settings.AllTimeNotLocked, s.Store.Settings.PointsDaysLocked = false, 7
		s.register(document("S-2", "ida@example.com", 20))
		s.register(document("S-3", "ida@example.com", 30))
		account := func() (a points.Account) {
			s.Write(func(tx *db.Tx) (err error) {
				a, err = points.Balance(tx, s.Store, ida.ID)
				return err
			})
			return a
		}
		for _, step := range []struct {
			draft          Transaction
			locked, points int64
		}{
			{back("R-1", "ida@example.com", 5, "S-2"), 45, 10},
			{back("R-2", "ida@example.com", 15, "S-2"), 30, 10},
			{back("R-3", "ida@example.com", 4, "S-1"), 30, 6},
		} {
			made := s.register(step.draft)
			if a := account(); a.Locked != whole(step.locked) || a.Points != whole(step.points) ||
				a.Earned != a.Points+a.Used+a.Expired+a.Locked+a.Blocked {
				t.Errorf("after %s: %+v, want %d locked and %d points", made.DocumentNumber, a, step.locked, step.points)
			}
		}
		s.Write(func(tx *db.Tx) error {
			_, err := points.Change(tx, points.Owner{Store: s.Store, CustomerID: ida.ID},
				func(w *points.Wallet) ([]event.Entry, error) {
					_, entry, err := w.Spend(whole(5), "", points.ByAdmin)
					return []event.Entry{entry}, err
				})
			return err
		})
		last := s.register(back("R-4", "ida@example.com", 6, "S-1"))
		if a := account(); a.Points != 0 || a.Locked != whole(30) {
			t.Errorf("the balance is %v, locked are %v", a.Points, a.Locked)
		}
		s.Write(func(tx *db.Tx) error {
			moved, err := points.OfTransactions(tx, s.Store.Key, last.ID, last.RevisedID)
			if moved[last.ID] != whole(1) || moved[last.RevisedID] != whole(10) {
				t.Errorf("the return took %v, its sale earned %v", moved[last.ID], moved[last.RevisedID])
			}
			return err
		})
	})
}

func TestAssignmentBringsTheReturnsAlong(t *testing.T) {
	dbtest.Both(t)
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		ida := s.customer("ida@example.com", "", "")
		sale := document("S-1", "", 150)
		sale.PurchasedAt = now.AddDate(0, -1, 0)
		s.register(sale)
		s.register(back("R-1", "", 10, "S-1"))
		s.register(back("R-2", "", 20, "S-1"))
		refused := func(number string, want *fault.Error) {
			t.Helper()
			refusal, is := errors.AsType[*Refused](s.assign(number, ida))
			if !is || refusal.Document != want {
				t.Errorf("assigning %s: %+v, want %s", number, refusal, want)
			}
		}
		refused("R-1", errWrongOwner)
		refused("S-9", errNoTransaction)
		if err := s.assign("S-1", ida); err != nil {
			t.Fatal(err)
		}
		want := standing{1, whole(120), whole(120), 0, 0, whole(120), true, "2031-06-03"}
		if diff := cmp.Diff(want, s.standing(ida.ID)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		refused("S-1", errAlreadyAssigned)
		refused("R-2", errAlreadyAssigned)
		s.register(back("R-3", "ida@example.com", 120, "S-1"))
		want = standing{}
		if diff := cmp.Diff(want, s.standing(ida.ID)); diff != "" {
			t.Errorf("all came back (-want +got):\n%s", diff)
		}
	})
}

func TestTillCountsItsSalesLessTheirReturns(t *testing.T) {
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		north, south := s.till("north"), s.till("south")
		for _, draft := range []Transaction{
			document("S-1", "", 10), document("S-2", "", 20), back("R-1", "", 4, "S-1"), back("R-2", "", 99, "S-2"),
		} {
			if draft.POSID = north; draft.Type == Return {
				draft.POSID = south // goods may come back anywhere
			}
			s.register(draft)
		}
		s.Write(func(tx *db.Tx) error {
			tills, err := pos.FindAll(tx, s.Store.Key, north, south)
			if n := tills[north]; n.Amount != whole(6).Money() || n.Count != 1 {
				t.Errorf("north has %v of %d sales", n.Amount, n.Count)
			}
			if n := tills[south]; n.Amount != 0 || n.Count != 0 {
				t.Errorf("south has %v of %d sales", n.Amount, n.Count)
			}
			return err
		})
	})
}

// If many clients send the same document at the same time, exactly one succeeds.
func TestOneDocumentSentManyTimes(t *testing.T) {
	dbtest.Both(t)
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		ida := s.customer("ida@example.com", "", "")
		registrar := NewRegistrar(d, earnsItsValue)
		const tills = 12
		results := make([]error, tills)
		var all sync.WaitGroup
		for i := range tills {
			all.Go(func() {
				if i%2 == 0 {
					_, results[i] = s.try(document("S-1", "ida@example.com", 10))
				} else {
					results[i] = s.send(registrar, document("S-1", "ida@example.com", 10))
				}
			})
		}
		all.Wait()
		won := 0
		for _, err := range results {
			refused, is := errors.AsType[*Refused](err)
			switch {
			case err == nil:
				won++
			case !is || *refused != Refused{Document: errNotUnique}:
				t.Error(err)
			}
		}
		want := standing{1, whole(10), whole(10), 0, 0, whole(10), false, "2031-07-03"}
		if diff := cmp.Diff(want, s.standing(ida.ID)); diff != "" || won != 1 {
			t.Errorf("%d were believed (-want +got):\n%s", won, diff)
		}
	})
}

// If tills send the documents of a file while it is imported, each is registered by one of them and refused to the
// other.
func TestImportOfDocumentsThatArrive(t *testing.T) {
	dbtest.Both(t)
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		const documents = 40
		won, failures := atomic.Int64{}, make([]error, documents+1)
		judge := func(err error) error {
			refused, is := errors.AsType[*Refused](err)
			if err == nil {
				won.Add(1)
			} else if is && *refused == (Refused{Document: errNotUnique}) {
				return nil
			}
			return err
		}
		var all sync.WaitGroup
		all.Go(func() {
			var receipts []*receipt
			failures[documents] = s.DB.Write(s.Context(), func(tx *db.Tx) error {
				receipts = nil
				for i := range documents {
					draft := document(fmt.Sprint("S-", i), "", 10)
					receipts = append(receipts, &receipt{Transaction: &draft})
				}
				return registerWhole(tx, s.Store, receipts, earnsItsValue)
			})
			for _, r := range receipts {
				if err := judge(r.err); err != nil {
					failures[documents] = err
				}
			}
		})
		for i := range documents {
			all.Go(func() {
				_, err := s.try(document(fmt.Sprint("S-", i), "", 10))
				failures[i] = judge(err)
			})
		}
		all.Wait()
		if err := errors.Join(failures...); err != nil || won.Load() != documents {
			t.Errorf("%d of %d documents were registered: %v", won.Load(), documents, err)
		}
	})
}

// Sales, returns of one sale, and assignments at the same time leave sums that agree with the documents.
func TestManyDocumentsAtTheSameTime(t *testing.T) {
	dbtest.Both(t)
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		ida := s.customer("ida@example.com", "", "")
		registrar, north := NewRegistrar(d, earnsItsValue), s.till("north")
		first := document("S-0", "ida@example.com", 50)
		first.POSID = north
		s.register(first)
		s.register(document("OPEN", "", 40))
		var all sync.WaitGroup
		failures := make([]error, 33)
		for i := range 16 {
			all.Go(func() {
				draft := document(fmt.Sprint("S-", i+1), "ida@example.com", 10)
				draft.POSID, draft.Labels = north, []Label{{"day", "1"}}
				draft.Items[0].Labels = []Label{{"b", fmt.Sprint(i % 3)}, {"a", fmt.Sprint(i % 2)}}
				failures[i] = s.send(registrar, draft)
			})
			all.Go(func() {
				failures[16+i] = s.send(registrar, back(fmt.Sprint("R-", i+1), "ida@example.com", 5, "S-0"))
			})
		}
		all.Go(func() { failures[32] = s.assign("OPEN", ida) })
		all.Wait()
		if err := errors.Join(failures...); err != nil {
			t.Fatal(err)
		}
		// 50 - 50 (16 returns of 5, six of which found nothing left) + 16 × 10 + 40
		want := standing{17, whole(200), whole(200), 0, 0, whole(200), true, "2031-07-03"}
		if diff := cmp.Diff(want, s.standing(ida.ID)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// After any sales, returns and assignments, a customer's sums are those of the sales minus their returns.
func TestSumsAgreeWithTheDocuments(t *testing.T) {
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		ids := 0
		rapid.Check(t, func(rt *rapid.T) {
			ids++
			mail := fmt.Sprintf("c%d@example.com", ids)
			who := s.customer(mail, "", "")
			var sales, open []string
			for i := range rapid.IntRange(1, 8).Draw(rt, "documents") {
				number := fmt.Sprintf("%d-%d", ids, i)
				value := rapid.Int64Range(0, 40).Draw(rt, "value")
				switch rapid.SampledFrom([]string{"sale", "return", "nobody", "assign"}).Draw(rt, "what") {
				case "sale":
					sale := document(number, mail, value)
					sale.PurchasedAt = now.AddDate(0, 0, -rapid.IntRange(0, 30).Draw(rt, "days ago"))
					s.register(sale)
					sales = append(sales, number)
				case "nobody":
					s.register(document(number, "", value))
					open = append(open, number)
				case "return":
					if len(sales) > 0 {
						s.register(back(number, mail, value, rapid.SampledFrom(sales).Draw(rt, "of")))
					}
					if len(open) > 0 {
						s.register(back(number+"o", "", value, open[0]))
					}
				case "assign":
					if len(open) > 0 {
						if err := s.assign(open[0], who); err != nil {
							rt.Fatal(err)
						}
						sales, open = append(sales, open[0]), open[1:]
					}
				}
			}
			var want standing
			s.Write(func(tx *db.Tx) error {
				return OfCustomers(tx, s.Store.Key, []string{who.ID}, func(t *Transaction) {
					if t.Type != Sell {
						return
					}
					want.Amount += hundredths(t.Left().Gross)
					want.Without += hundredths(t.Left().WithoutDelivery)
					if !t.FullyReturned {
						want.Count++
						want.LastAt = max(want.LastAt, t.PurchasedAt.Format(time.DateOnly))
					}
				})
			})
			got := s.standing(who.ID)
			if got.Amount != want.Amount || got.Without != want.Without || got.Count != want.Count ||
				got.Points != want.Amount || got.LastAt != want.LastAt {
				rt.Fatalf("%+v, the documents say %+v", got, want)
			}
		})
	})
}

func TestDisownedDocumentsStay(t *testing.T) {
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		ida := s.customer("ida@example.com", "", "")
		ole := s.customer("ole@example.com", "", "")
		ofOle := s.register(document("S-1", "ole@example.com", 1))
		ofIda := s.register(document("S-2", "ida@example.com", 1))
		s.Write(func(tx *db.Tx) error {
			return disown(tx, s.Store, customer.Changed{After: &customer.Customer{ID: ida.ID, Status: customer.Deleted}})
		})
		ofOle, ofIda = s.find(ofOle.ID), s.find(ofIda.ID)
		if ofOle.CustomerID != ole.ID || ofIda.CustomerID != "" {
			t.Errorf("%q and %q", ofOle.CustomerID, ofIda.CustomerID)
		}
	})
}

// Completely returned sales are left out, and items are read only on request.
func TestSalesOfCustomers(t *testing.T) {
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		ida, ole := s.customer("ida@example.com", "", ""), s.customer("ole@example.com", "", "")
		none := s.customer("none@example.com", "", "")
		for _, draft := range []Transaction{
			document("S-1", "ida@example.com", 1), document("S-2", "ole@example.com", 2),
			document("S-3", "ida@example.com", 3), document("S-4", "nobody@example.com", 4),
			back("R-1", "ida@example.com", 1, "S-1"), back("R-2", "ida@example.com", 1, "S-3"),
		} {
			s.register(draft)
		}
		for withItems, want := range map[bool]map[string]decimal.Hundredths{
			true: {ida.ID: whole(3), ole.ID: whole(2)}, false: {ida.ID: 0, ole.ID: 0},
		} {
			got := map[string]decimal.Hundredths{}
			s.Write(func(tx *db.Tx) error {
				clear(got)
				return SalesOf(tx, s.Store.Key, []string{ida.ID, ole.ID, none.ID}, withItems, func(sale *Sale) {
					got[sale.CustomerID] += 0
					for _, item := range sale.Items {
						got[sale.CustomerID] += hundredths(item.GrossValue)
					}
				})
			})
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("with items %t (-want +got):\n%s", withItems, diff)
			}
		}
	})
}

func TestFiltersOfLists(t *testing.T) {
	dbtest.Both(t)
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		ida := s.customer("ida@example.com", "", "")
		north := s.till("north")
		for i, draft := range []Transaction{
			{DocumentNumber: "A_1", CustomerData: CustomerData{Name: "Ida Berg", Email: "ida@example.com", Phone: "+47900"},
				POSID: north, Labels: []Label{{"Channel", "Shop"}, {"day", "first"}}},
			{DocumentNumber: "A%2", CustomerData: CustomerData{Name: "IDAHO", LoyaltyCard: "NO-7"},
				Labels: []Label{{"day", "shop"}}},
			{DocumentNumber: "01890000-0000-7000-8000-000000000001", CustomerData: CustomerData{Name: "Ole"}},
		} {
			draft.Type, draft.Items = Sell, []Item{line("TEA", "x", int64(i+1))}
			draft.PurchasedAt = time.Date(2031, 7, i+1, 23, 30, 0, 0, time.UTC)
			s.register(draft)
		}
		s.register(back("B-1", "ida@example.com", 1, "A_1"))
		for query, want := range map[string]string{
			"":                                 "A_1 A%2 01890000-0000-7000-8000-000000000001 B-1",
			"customerData_name=IDA":            "A_1 A%2 B-1",
			"customerData_name=ida&strict=1":   "B-1",
			"customerData_email=IDA@EXAMPLE":   "A_1 B-1",
			"customerData_phone=900":           "A_1",
			"customerData_loyaltyCardNumber=o": "A%2",
			"documentNumber=_":                 "A_1",
			"documentNumber=%25":               "A%2",
			"documentNumber=7000":              "01890000-0000-7000-8000-000000000001",
			"documentNumber=01890000-0000-7000-8000-000000000001&strict=1": "01890000-0000-7000-8000-000000000001",
			"customerId=" + strings.ToUpper(ida.ID):                        "A_1 B-1",
			"customerId=nobody":                                            "",
			"documentType=return":                                          "B-1",
			"posId=" + north:                                               "A_1",
			"purchaseDateFrom=2031-07-02":                                  "A%2 01890000-0000-7000-8000-000000000001 B-1",
			"purchaseDateTo=2031-07-01":                                    "A_1",
			"purchaseDateFrom=2031-07-01+23:30&purchaseDateTo=2031-07-02T23:30:00Z": "A_1 A%2",
			"purchaseDateFrom=soon":                        "A_1 A%2 01890000-0000-7000-8000-000000000001 B-1",
			"grossValueFrom=2":                             "A%2 01890000-0000-7000-8000-000000000001",
			"grossValueFrom=1.01&grossValueTo=2.00":        "A%2",
			"labels[0][key]=day":                           "A_1 A%2",
			"labels[0][value]=SHOP":                        "A_1 A%2",
			"labels[0][key]=channel&labels[0][value]=shop": "A_1",
			"labels[0][key]=day&labels[1][key]=Channel":    "A_1",
			"labels[0][key]=da":                            "",
		} {
			node, err := form.ParseQuery(query)
			if err != nil {
				t.Fatal(err)
			}
			s.Write(func(tx *db.Tx) error {
				found, total, err := readPage(tx, s.Store.Key, readFilter(form.Read(node), store.Example), pageOf(100))
				var numbers []string
				for i := range found {
					numbers = append(numbers, found[i].DocumentNumber)
				}
				if got := strings.Join(numbers, " "); got != want || total != int64(len(found)) {
					t.Errorf("%q lists %s of %d, want %s", query, got, total, want)
				}
				return err
			})
		}
	})
}

func TestLabelsAreFoundAfterAChange(t *testing.T) {
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		draft := document("A", "", 1)
		draft.Labels = []Label{{"old", "1"}, {"kept", "1"}}
		draft.Items[0].Labels = []Label{{"bio", "yes"}, {"bio", "no"}, {"bio", "yes"}}
		made := s.register(draft)
		s.Write(func(tx *db.Tx) error {
			made, err := lock(tx, s.Store.Key, made.ID)
			if err != nil {
				return err
			}
			return setLabels(tx, made, []Label{{"kept", "1"}, {"new", "2"}})
		})
		if diff := cmp.Diff([]Label{{"kept", "1"}, {"new", "2"}}, s.find(made.ID).Labels); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		s.Write(func(tx *db.Tx) error {
			for key, want := range map[string]int64{"old": 0, "kept": 1, "new": 1} {
				_, total, err := readPage(tx, s.Store.Key, filter{labels: []Label{{Key: key}}}, pageOf(10))
				if err != nil || total != want {
					t.Errorf("%s finds %d (%v), want %d", key, total, err, want)
				}
			}
			seen, err := itemLabels(tx, s.Store.Key)
			if diff := cmp.Diff(map[string][]string{"bio": {"no", "yes"}}, seen); diff != "" {
				t.Errorf("labels of items (-want +got):\n%s", diff)
			}
			return err
		})
	})
}

// Another store's documents are unknown, and its numbers are free.
func TestStoresDoNotMix(t *testing.T) {
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		made := s.register(document("S-1", "", 1))
		s.Write(func(tx *db.Tx) error {
			other, err := store.Create(tx, store.New{Code: "OTHER", Currency: "EUR", Settings: store.DefaultSettings()})
			if err != nil {
				return err
			}
			if _, err := Find(tx, other.Key, made.ID); err == nil {
				t.Error("the other store sees the sale")
			}
			_, err = Register(tx, other, back("R-1", "", 1, "S-1"), Hooks{})
			if refused, is := errors.AsType[*Refused](err); !is || refused.Revised != errNoSale {
				t.Errorf("a return to the other store: %v", err)
			}
			_, err = Register(tx, other, document("S-1", "", 1), Hooks{})
			return err
		})
	})
}

func TestEventsOfADocument(t *testing.T) {
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		s.customer("ida@example.com", "", "")
		before := s.eventTypes()
		s.register(document("S-1", "", 1))
		s.register(document("S-2", "ida@example.com", 100))
		s.register(back("R-1", "ida@example.com", 1, "S-2"))
		got := s.eventTypes()[len(before):]
		want := []string{
			"Transaction.Event.TransactionWasRegistered",
			"Transaction.Event.TransactionWasRegistered", "Transaction.Event.CustomerWasAssignedToTransaction",
			"User.Event.AssignedTransactionToCustomer", "Account.Event.PointsWereAdded", "User.Event.CustomerWasMovedToLevel",
			"Transaction.Event.TransactionWasRegistered", "Transaction.Event.CustomerWasAssignedToTransaction",
			"User.Event.AssignedTransactionToCustomer", "Account.Event.PointsWereSpent", "User.Event.CustomerWasMovedToLevel",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// eventTypes returns the types of the events so far, without their common prefix.
func (s *shop) eventTypes() []string {
	s.Helper()
	events, _, err := event.List(s.Context(), s.DB, 0, 100, false)
	if err != nil {
		s.Fatal(err)
	}
	types := make([]string, len(events))
	for i := range events {
		types[i] = strings.TrimPrefix(events[i].Type, "Platform.Domain.")
	}
	return slices.Clip(types)
}

func pageOf(limit int) api.Page { return api.Page{Limit: limit} }
