package transaction

import (
	"cmp"
	"errors"
	"slices"

	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/membership"
	"punchcard/loyalty/points"
	"punchcard/loyalty/pos"
	"punchcard/loyalty/rollup"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
	"punchcard/platform/event"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// The errors of a document. Clients compare the texts.
var (
	errNotUnique    = fault.New(fault.Fields, "document_number_taken", "Document number should be unique")
	errNoSale       = fault.New(fault.Fields, "unknown_sale", "Transaction not exist")
	errNotASale     = fault.New(fault.Fields, "not_a_sale", "Transaction wrong type")
	errWrongOwner   = fault.New(fault.Fields, "wrong_owner", "Incorrect owner of the transaction")
	errContradicted = fault.New(fault.Fields, "lines_contradict", "The lines of this document contradict each other.")
	errAhead        = fault.New(fault.Fields, "too_far_ahead", "This date is too far in the future.")
	errUnknownPOS   = form.Invalid("unknown_point_of_sale")
)

// Refused is the error of a document with invalid fields. A nil error means that the field is valid.
type Refused struct {
	Document   *fault.Error // error of the document number
	Ahead      bool         // the date is too far in the future
	POSUnknown bool         // the store has no such point of sale
	Revised    *fault.Error // error of the number of the returned sale
}

// Error returns a constant text. Clients get the messages of the fields.
func (r *Refused) Error() string { return "the document is refused by a field" }

// Register stores a document with the customer it identifies, and updates points, sums and level in the same database
// transaction. A *Refused error names the invalid fields. Sending a document again is refused, and has no effect.
func Register(tx *db.Tx, s *store.Store, draft Transaction, hooks Hooks) (*Transaction, error) {
	who, err := identify(tx, s, &draft)
	if err != nil {
		return nil, err
	}
	return registerFor(tx, s, draft, who, hooks)
}

// registerFor is Register for a customer who is known already; nil stands for nobody. A return always gets the customer
// of its sale.
func registerFor(tx *db.Tx, s *store.Store, draft Transaction, who *customer.Customer, hooks Hooks) (
	*Transaction, error) {
	t := &draft
	t.StoreKey, t.ID, t.RegisteredAt, t.Excluded = s.Key, tx.NewID(), tx.Now(), excludedNow(s)
	if t.PurchasedAt.IsZero() {
		t.PurchasedAt = tx.Now()
	}
	sale, who, err := examine(tx, s, t, who, hooks)
	if err != nil {
		return nil, err
	}
	change := t.enter(sale)
	if who != nil {
		t.own(tx, who)
	}
	if inserted, err := insert(tx, s, t); err != nil || !inserted {
		return nil, cmp.Or(err, error(&Refused{Document: errNotUnique})) // a concurrent request has registered it
	}
	if err := event.Append(tx, s.Key, registered(s, t)); err != nil {
		return nil, err
	}
	if who != nil {
		if err := settle(tx, s, t, sale, who, hooks, true); err != nil {
			return nil, err
		}
	}
	return t, count(tx, s, t, sale, change, hooks)
}

// identify returns the customer that the document's data identifies, or nil: the first active one by the fields of
// the store's priority. Later fields are not compared. See docs/behaviour/transactions.md#matching.
func identify(tx *db.Tx, s *store.Store, t *Transaction) (*customer.Customer, error) {
	fields := slices.SortedStableFunc(slices.Values(s.Settings.Identification), func(a, b store.Identification) int {
		return cmp.Compare(a.Priority, b.Priority)
	})
	for _, field := range fields {
		c, found, err := customer.Identify(tx, s, field.Field, t.CustomerData.value(field.Field))
		if err != nil || found {
			return c, err
		}
	}
	return nil, nil
}

// examine returns a *Refused error with all invalid fields of a document. It locks and returns the sale of a return,
// and returns the customer of the document, whom its data identifies as who.
func examine(tx *db.Tx, s *store.Store, t *Transaction, who *customer.Customer, hooks Hooks) (
	sale *Transaction, of *customer.Customer, err error) {
	var refused Refused
	refused.Ahead = hooks.Ahead > 0 && t.PurchasedAt.After(tx.Now().Add(hooks.Ahead))
	if t.POSID != "" {
		_, found, err := pos.Find(tx, s.Key, t.POSID)
		if err != nil {
			return nil, nil, err
		}
		refused.POSUnknown = !found
	}
	of = who
	if t.Type == Return {
		if sale, of, refused.Revised, err = revised(tx, s, t, who); err != nil {
			return nil, nil, err
		}
	}
	_, err = FindByDocument(tx, s.Key, t.DocumentNumber)
	switch {
	case err == nil:
		refused.Document = errNotUnique
	case !errors.Is(err, fault.ErrNotFound):
		return nil, nil, err
	}
	if refused != (Refused{}) {
		return nil, nil, &refused
	}
	return sale, of, nil
}

// revised locks the sale of a return and finds its customer, or returns why it cannot be returned.
func revised(tx *db.Tx, s *store.Store, t *Transaction, who *customer.Customer) (
	sale *Transaction, of *customer.Customer, refused *fault.Error, err error) {
	sale, err = lockByDocument(tx, s.Key, t.RevisedDocument)
	switch {
	case errors.Is(err, fault.ErrNotFound):
		return nil, nil, errNoSale, nil
	case err != nil:
		return nil, nil, nil, err
	case sale.Type != Sell:
		return nil, nil, errNotASale, nil
	case !sale.takes(s, t, who):
		return nil, nil, errWrongOwner, nil
	}
	of, err = sale.owner(tx, who)
	return sale, of, nil, err
}

// takes reports whether a return whose data identifies a customer can be a return of the sale. Its number names the
// sale, so the customer of the sale need not be found by the data: their contacts may have changed since. Another
// customer is accepted if the data is that of the sale, because they may have the contact by now.
func (t *Transaction) takes(s *store.Store, of *Transaction, who *customer.Customer) bool {
	if who == nil || t.CustomerID == "" || t.CustomerID == who.ID {
		return true
	}
	return slices.ContainsFunc([]string{store.ByEmail, store.ByPhone, store.ByLoyaltyCard}, func(field string) bool {
		return customer.SameContact(s, field, of.CustomerData.value(field), t.CustomerData.value(field))
	})
}

// owner returns the customer of a document, who may be blocked or anonymized, or nil if it belongs to nobody. It does
// not read the known one.
func (t *Transaction) owner(tx *db.Tx, known *customer.Customer) (*customer.Customer, error) {
	switch {
	case t.CustomerID == "":
		return nil, nil
	case known != nil && known.ID == t.CustomerID:
		return known, nil
	}
	return customer.Find(tx, t.StoreKey, t.CustomerID)
}

// enter sums up a new document, subtracts a return from its sale, and returns the change of the sums of the
// customer and the point of sale.
func (t *Transaction) enter(sale *Transaction) customer.Purchases {
	if sale == nil {
		t.Amounts = t.Excluded.sum(t.Items)
		change := t.Amounts.purchases(1)
		change.LastAt = t.PurchasedAt
		return change
	}
	before := sale.FullyReturned
	t.RevisedID, t.Amounts = sale.ID, sale.Excluded.sum(t.Items)
	taken := sale.takeBack(t.Amounts)
	t.Returned.Gross, t.FullyReturned = taken.Gross, sale.FullyReturned
	if sale.FullyReturned && !before {
		return Amounts{}.minus(taken).purchases(-1)
	}
	return Amounts{}.minus(taken).purchases(0)
}

func (a Amounts) purchases(count int64) customer.Purchases {
	return customer.Purchases{
		Count: count, Amount: a.Gross, AmountWithoutDelivery: a.WithoutDelivery,
		ExcludedForLevel: a.ExcludedForLevel, ExcludedDelivery: a.ExcludedDelivery,
	}
}

// own makes the customer the owner of a document, and reports whether it never had one before.
func (t *Transaction) own(tx *db.Tx, who *customer.Customer) (first bool) {
	first = t.AssignedAt.IsZero()
	t.CustomerID, t.AssignedAt = who.ID, tx.Now()
	return first
}

// settle runs the effects of a document with a customer, except for the customer's sums. Without earns, a sale earns
// nothing.
func settle(tx *db.Tx, s *store.Store, t, sale *Transaction, who *customer.Customer, hooks Hooks, earns bool) error {
	if err := event.Append(tx, s.Key, assigned(t, who)...); err != nil {
		return err
	}
	if sale != nil || earns {
		if err := effects(tx, s, t, sale, who, hooks); err != nil {
			return err
		}
	}
	return points.Activate(tx, s, who.ID)
}

// effects earns the points of a sale, or takes back those of a returned one.
func effects(tx *db.Tx, s *store.Store, t, sale *Transaction, who *customer.Customer, hooks Hooks) error {
	if sale == nil {
		return hooks.earned(tx, s, t, who)
	}
	if !s.Settings.Returns {
		return nil
	}
	if err := hooks.returned(tx, s, sale, t); err != nil {
		return err
	}
	var taken points.Amount
	wallet, err := points.Change(tx, points.Owner{Store: s, CustomerID: who.ID},
		func(w *points.Wallet) ([]event.Entry, error) {
			moved, err := w.OfSale(sale.ID)
			value := share(moved.Earned, moved.Taken, t.Returned.Gross, sale.Amounts.Gross, t.FullyReturned)
			if s.Settings.WholePoints() && moved.Earned%decimal.Whole(1) == 0 {
				value = max(0, moved.Earned-moved.Taken-sale.staying(&s.Settings, moved.Earned))
			}
			used := w.Used
			entries := w.TakeBack(moved, value, t.ID, "Return "+t.DocumentNumber)
			taken = w.Used - used
			return entries, err
		})
	if err != nil || taken == 0 {
		return err
	}
	err = customer.AddPurchases(tx, s.Key, who.ID, customer.Purchases{PointsTakenBack: taken})
	if err != nil {
		return err
	}
	return membership.PointsChanged(tx, s, wallet.Account)
}

// count adds a new document to the sums of customer, store and point of sale. The most contended rows come last.
func count(tx *db.Tx, s *store.Store, t, sale *Transaction, change customer.Purchases, hooks Hooks) error {
	of := t
	if sale != nil {
		of = sale
		if err := saveReturned(tx, sale); err != nil {
			return err
		}
	}
	countIn(rollup.Adding(tx, s), of.PurchasedAt, change, of.CustomerID != "")
	if err := addPurchases(tx, s, of.CustomerID, change, hooks); err != nil {
		return err
	}
	if err := index(tx, t); err != nil {
		return err
	}
	if of.POSID == "" {
		return nil
	}
	return pos.Count(tx, s.Key, of.POSID, change.Amount, change.Count)
}

// addPurchases changes a customer's sums, and the level accordingly. After a sale was completely returned, an earlier
// one may be the last.
func addPurchases(tx *db.Tx, s *store.Store, customerID string, change customer.Purchases, hooks Hooks) error {
	if customerID == "" {
		return nil
	}
	if err := customer.AddPurchases(tx, s.Key, customerID, change); err != nil {
		return err
	}
	if change.Count < 0 {
		last, err := lastSale(tx, s.Key, customerID)
		if err == nil {
			err = customer.SetLastPurchase(tx, s.Key, customerID, last)
		}
		if err != nil {
			return err
		}
	}
	if s.Settings.TierAssignType == store.TierTransactions {
		err := membership.CheckLevel(tx, s, points.Account{StoreKey: s.Key, CustomerID: customerID})
		if err != nil {
			return err
		}
	}
	return hooks.counted(tx, s, customerID)
}
