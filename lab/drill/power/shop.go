package power

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"sync"

	"punchcard/app"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/earning"
	"punchcard/loyalty/identity/admin"
	"punchcard/loyalty/level"
	"punchcard/loyalty/points"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/segment"
	"punchcard/loyalty/transaction"
	"punchcard/platform/check"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
	"punchcard/platform/event"
)

// workers is how many goroutines trade.
const workers = 8

// shop is a store whose customers buy, get points and send receipts, without HTTP.
type shop struct {
	store     *store.Store
	customers []string // ids, one for each worker and one for all
	campaigns []string // one with codes, and one that is sold without end

	mutex    sync.Mutex
	receipts int // numbers that were used
	// acknowledged are the ids of transfers, coupons and receipts whose writes succeeded.
	transfers, coupons, receiptIDs map[string]bool
}

func email(customer int) string { return fmt.Sprintf("c%d@example.com", customer) }

// openShop fills an empty database. codes is how many coupons one of the campaigns has, more than are sold.
func openShop(ctx context.Context, d *db.DB, codes int) (*shop, error) {
	s := &shop{transfers: map[string]bool{}, coupons: map[string]bool{}, receiptIDs: map[string]bool{}}
	err := d.Write(ctx, func(tx *db.Tx) error {
		if err := s.open(tx); err != nil {
			return err
		}
		bronze, err := level.Create(tx, s.store, level.Level{Active: true, Reward: level.Reward{Name: "B", Code: "B"}})
		if err != nil {
			return err
		}
		desk := purchase.NewDesk(d, campaign.RewardTypes)
		if _, err := earning.New(desk).Create(tx, s.store, earning.Rule{
			Type: earning.Spending, Name: "A point for each euro", Description: "All", Active: true, AllTime: true,
			Definition: earning.Definition{Everybody: true, General: earning.General{
				PointValue: decimal.Whole(1).Rate(), LabelsInclusion: earning.AnyLabels,
			}},
		}); err != nil {
			return err
		}
		for range 2 {
			draft := campaign.Draft{Campaign: campaign.Campaign{
				Reward: campaign.DiscountCode, Active: true, Cost: decimal.Whole(1), Unlimited: true,
				SingleCoupon: len(s.campaigns) == 1,
				Activity:     campaign.Window{AllTime: true}, Visibility: campaign.Window{AllTime: true},
				Definition: campaign.Definition{Levels: []string{bronze.ID},
					Translations: []campaign.Translation{{Locale: "en", Name: "Coffee"}}},
			}}
			draft.Codes = []string{"COFFEE"}
			if !draft.SingleCoupon {
				draft.Codes = nil
				for i := range codes {
					draft.Codes = append(draft.Codes, fmt.Sprint("CODE", i))
				}
			}
			id, err := campaign.Create(tx, s.store, draft)
			if err != nil {
				return err
			}
			s.campaigns = append(s.campaigns, id)
		}
		return s.register(tx)
	})
	return s, err
}

func (s *shop) open(tx *db.Tx) (err error) {
	if err := store.AddLanguage(tx, store.Language{Code: "en", Name: "English", Default: true}); err != nil {
		return err
	}
	if err := admin.CreateRoles(tx); err != nil {
		return err
	}
	s.store, err = store.Create(tx, store.New{
		Code: app.DefaultStore, Name: "Shop", Currency: "EUR", Settings: store.DefaultSettings(),
	})
	return err
}

// register adds the customers, with points for all that they will buy.
func (s *shop) register(tx *db.Tx) error {
	for i := range workers + 1 {
		c, err := customer.Register(tx, s.store, customer.Registration{
			Email: email(i), Agreements: [3]bool{true}, Active: true,
		})
		if err != nil {
			return err
		}
		if _, err := s.give(tx, c.ID, 1_000_000); err != nil {
			return err
		}
		s.customers = append(s.customers, c.ID)
	}
	return nil
}

func (s *shop) give(tx *db.Tx, customerID string, whole int64) (transferID string, err error) {
	_, err = points.Change(tx, points.Owner{Store: s.store, CustomerID: customerID},
		func(w *points.Wallet) ([]event.Entry, error) {
			lot, entry := w.Add(points.Grant{Value: decimal.Whole(whole), Issuer: points.ByAdmin, CreatedAt: tx.Now()})
			transferID = lot.ID
			return []event.Entry{entry}, nil
		})
	return transferID, err
}

// trade sells, gives points and registers receipts on several goroutines until a call fails, which is the error, or
// each has done a number of calls.
func (s *shop) trade(ctx context.Context, d *db.DB, random *rand.Rand, calls int) error {
	desk := purchase.NewDesk(d, campaign.RewardTypes)
	segments := segment.New()
	segments.Unused = purchase.Unused
	feature.Connect(d, feature.On(purchase.Reduced), feature.On(desk.Returned), feature.On(segments.Counted))
	registrar := transaction.NewRegistrar(d, transaction.Hooks{Earn: earning.New(desk).Earn})
	errs := make(chan error, workers)
	for worker := range workers {
		random := rand.New(rand.NewPCG(random.Uint64(), 0))
		go func() {
			var err error
			for n := 0; n < calls && err == nil; n++ {
				who := worker
				if random.IntN(4) == 0 {
					who = workers
				}
				err = s.call(ctx, d, desk, registrar, who, random)
			}
			errs <- err
		}()
	}
	var failed error
	for range workers {
		if err := <-errs; err != nil {
			failed = err
		}
	}
	return failed
}

// call does one operation and notes what was acknowledged.
func (s *shop) call(ctx context.Context, d *db.DB, desk *purchase.Desk, registrar *transaction.Registrar, who int,
	random *rand.Rand) error {
	id := s.customers[who]
	switch random.IntN(4) {
	case 0:
		var transfer string
		err := store.Write(ctx, d, s.store, func(tx *db.Tx) (err error) {
			transfer, err = s.give(tx, id, 1)
			return err
		})
		if err == nil {
			s.note(func() { s.transfers[transfer] = true })
		}
		return err
	case 1:
		document, err := registrar.Register(ctx, transaction.Draft{Store: s.store, Transaction: s.receipt(who)})
		if err == nil {
			s.note(func() { s.receiptIDs[document.ID] = true })
		}
		return err
	}
	coupons, err := desk.Buy(ctx, purchase.Buy{
		Store: s.store, CustomerID: id, CampaignID: s.campaigns[random.IntN(2)], Quantity: 1 + random.Int64N(2), Locale: "en",
	})
	s.note(func() {
		for _, c := range coupons {
			s.coupons[c.ID] = true
		}
	})
	return err
}

func (s *shop) note(stored func()) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	stored()
}

func (s *shop) receipt(who int) transaction.Transaction {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.receipts++
	return transaction.Transaction{
		DocumentNumber: fmt.Sprint("R-", s.receipts), Type: transaction.Sell,
		CustomerData: transaction.CustomerData{Name: "Ida Berg", Email: email(who)},
		Items: []transaction.Item{{SKU: transaction.SKU{Code: "TEA"}, Name: "Tea", Quantity: 1000, Category: "food",
			GrossValue: decimal.Whole(3).Money(), Labels: []transaction.Label{}}},
	}
}

// written is how many writes were acknowledged.
func (s *shop) written() int { return len(s.transfers) + len(s.coupons) + len(s.receiptIDs) }

// lost compares what was acknowledged with what is stored, and returns how much is missing.
func (s *shop) lost(ctx context.Context, d *db.DB, out io.Writer) (missing int, err error) {
	stored := map[string]string{}
	err = d.Snapshot(ctx, func(tx *db.Tx) error {
		transfers, err := everything(func(after string) ([]points.Transfer, error) {
			return points.After(tx, s.store.Key, points.Filter{}, after, pageRows)
		}, func(t points.Transfer) string { return t.ID })
		if err != nil {
			return err
		}
		for _, t := range transfers {
			stored[t.ID] = ""
		}
		coupons, err := everything(func(after string) ([]purchase.Purchase, error) {
			return purchase.After(tx, s.store.Key, after, pageRows)
		}, func(p purchase.Purchase) string { return p.CouponID })
		if err != nil {
			return err
		}
		for _, p := range coupons {
			stored[p.CouponID] = ""
		}
		return transaction.OfCustomers(tx, s.store.Key, s.customers, func(t *transaction.Transaction) { stored[t.ID] = "" })
	})
	miss := func(kind, id string) {
		if _, is := stored[id]; !is {
			missing++
			fmt.Fprintf(out, "%s %s was acknowledged and is lost\n", kind, id)
		}
	}
	for id := range s.transfers {
		miss("transfer", id)
	}
	for id := range s.coupons {
		miss("coupon", id)
	}
	for id := range s.receiptIDs {
		miss("receipt", id)
	}
	return missing, err
}

const pageRows = 1000

// everything reads all pages of a list.
func everything[T any](page func(after string) ([]T, error), id func(T) string) (all []T, err error) {
	after := ""
	for {
		found, err := page(after)
		all = append(all, found...)
		if err != nil || len(found) < pageRows {
			return all, err
		}
		after = id(found[len(found)-1])
	}
}

// damaged runs the rules of punchcard check, and on SQLite its own check, and returns the number of findings.
func damaged(ctx context.Context, d *db.DB, out io.Writer) (int, error) {
	findings := 0
	if d.Engine() == "sqlite" {
		if err := d.Verify(ctx, true); err != nil {
			findings++
			fmt.Fprintln(out, err)
		}
	}
	sum, err := check.Run(ctx, d, app.Kinds{}.Rules(), check.Report{
		Begin:   func(string, int, int) {},
		Finding: func(f check.Finding) { fmt.Fprintln(out, f) },
		More:    func(rule string, n int64) { fmt.Fprintf(out, "%s: %d more findings\n", rule, n) },
	})
	return findings + int(sum.Findings), err
}
