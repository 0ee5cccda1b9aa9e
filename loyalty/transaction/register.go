package transaction

import (
	"context"
	"slices"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/platform/db"
	"punchcard/platform/db/batch"
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

	errUnknownCustomer = form.Invalid("unknown_customer")
)

// Refused is the error of a document with invalid fields. A nil error means that the field is valid.
type Refused struct {
	Document   *fault.Error // error of the document number
	Ahead      bool         // the date is too far in the future
	POSUnknown bool         // the store has no such point of sale
	// CustomerUnknown means that Draft.Customer names no active customer.
	CustomerUnknown bool
	Revised         *fault.Error // error of the number of the returned sale
}

// Error returns a constant text. Clients get the messages of the fields.
func (r *Refused) Error() string { return "the document is refused by a field" }

// Registrar registers documents.
type Registrar struct {
	Hooks
	batch *api.Batched[Draft, *Transaction]
}

// NewRegistrar returns a registrar of the stores of d.
func NewRegistrar(d *db.DB, hooks Hooks) *Registrar {
	r := &Registrar{Hooks: hooks}
	r.batch = api.NewBatched(d, r.registerAll, func(a *asked) (any, error) { return a.In.respond(a.Out), nil })
	return r
}

// Draft is a document to register.
type Draft struct {
	Store *store.Store
	Transaction
	// Customer names the customer by an id, an e-mail address, a loyalty card or a phone. Empty means whom the data of
	// the document identifies, if anybody.
	Customer string
	tells    bool // the response says who the customer is, and what the document earns
}

// asked is a document in a batch of calls.
type asked = api.Asked[Draft, *Transaction]

// Register stores a document with the customer it identifies, and updates points, sums and level with it. It returns
// after the document is durable. A *Refused error names the invalid fields. Sending a document again is refused, and
// has no effect.
func (r *Registrar) Register(ctx context.Context, draft Draft) (*Transaction, error) {
	return r.batch.Do(ctx, draft.Store, draft)
}

// registerAll registers the documents of a batch.
func (r *Registrar) registerAll(tx *db.Tx, s *store.Store, calls []*asked) error {
	documents := make([]*receipt, len(calls))
	for i, a := range calls {
		draft := a.In.Transaction
		documents[i] = &receipt{Transaction: &draft, asked: a, named: a.In.Customer}
	}
	if err := register(tx, s, documents, r.Hooks); err != nil {
		return err
	}
	for i, a := range calls {
		a.Err = documents[i].err
	}
	return nil
}

// Register is Registrar.Register in an operation of the caller.
func Register(tx *db.Tx, s *store.Store, draft Transaction, hooks Hooks) (*Transaction, error) {
	return registerOne(tx, s, &receipt{Transaction: &draft}, hooks)
}

// registerFor is Register for a customer who is known already; nil stands for nobody. A return always gets the customer
// of its sale.
func registerFor(tx *db.Tx, s *store.Store, draft Transaction, who *customer.Customer, hooks Hooks) (
	*Transaction, error) {
	return registerOne(tx, s, &receipt{Transaction: &draft, identified: true, who: who}, hooks)
}

func registerOne(tx *db.Tx, s *store.Store, d *receipt, hooks Hooks) (*Transaction, error) {
	if err := register(tx, s, []*receipt{d}, hooks); err != nil {
		return nil, err
	}
	if d.err != nil {
		return nil, d.err
	}
	return d.Transaction, nil
}

// register registers documents in order of arrival. Those that depend on others follow them. The error of a refused
// document is in the document.
func register(tx *db.Tx, s *store.Store, documents []*receipt, hooks Hooks) error {
	return (&registration{tx: tx, store: s, hooks: hooks}).run(documents)
}

// registerWhole is register for documents that are not registered one by one when a number was taken meanwhile: the
// transaction runs again.
func registerWhole(tx *db.Tx, s *store.Store, documents []*receipt, hooks Hooks) error {
	return (&registration{tx: tx, store: s, hooks: hooks, whole: true}).run(documents)
}

func (r *registration) run(documents []*receipt) error {
	if len(documents) == 0 {
		return nil
	}
	if err := r.read(documents); err != nil {
		return err
	}
	return batch.Rounds(documents, r.dependsOn, r.enter)
}

// examine returns a *Refused error with all invalid fields of a document that is not registered.
func examine(tx *db.Tx, draft Draft, hooks Hooks) error {
	r := &registration{tx: tx, store: draft.Store, hooks: hooks}
	d := &receipt{Transaction: &draft.Transaction, named: draft.Customer}
	if err := r.read([]*receipt{d}); err != nil {
		return err
	}
	return r.examine(d)
}

// identify returns the customer that the document's data identifies, or nil.
func identify(tx *db.Tx, s *store.Store, t *Transaction) (*customer.Customer, error) {
	r, d := &registration{tx: tx, store: s}, &receipt{Transaction: t}
	err := r.read([]*receipt{d})
	return d.who, err
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
	t.CustomerID, t.LevelID, t.AssignedAt = who.ID, who.LevelID, tx.Now()
	return first
}
