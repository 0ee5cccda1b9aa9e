package transaction

import (
	"errors"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/customer/arrival"
	"punchcard/loyalty/dataimport"
	"punchcard/loyalty/pos"
	"punchcard/platform/db"
	"punchcard/platform/form"
)

// Imports returns what can be imported: transactions, and assignments to customers. A file that is sent again adds
// nothing, because its numbers are taken.
func Imports(h Hooks) []*dataimport.Kind {
	object := func(id string) any { return identity{id} }
	return []*dataimport.Kind{
		{
			Name: "transactions", Path: "admin/transaction/import", Summary: "Import transactions",
			Resource: access.Transactions, Root: "transactions", Audit: api.Audited("ImportTransactions", "transaction"),
			New:     func() dataimport.Record { return new(transactionRecord) },
			Example: func() dataimport.Record { return &exampleTransaction },
			Batch:   importBatch, Apply: h.registerImported, Object: object,
		},
		{
			Name: "assignments", Path: "admin/transaction/customer/assign/import", Summary: "Import assignments",
			Resource: access.Transactions, Root: "matchCustomers",
			Audit:   api.Audited("ImportTransactionAssignments", "transaction"),
			New:     func() dataimport.Record { return new(assignmentRecord) },
			Example: func() dataimport.Record { return &exampleAssignment },
			Batch:   1, Apply: h.assignImported, Object: object,
		},
	}
}

// importBatch is how many documents of a file one database transaction registers. It keeps such a transaction within
// some tens of milliseconds, because SQLite has a single writer.
const importBatch = 50

var exampleTransaction = transactionRecord{
	DocumentNumber: "R-1001", DocumentType: Sell, PurchaseDate: "2031-04-17T10:00:00+02:00", PurchasePlace: "Oslo",
	Customer: customerRecord{Name: "Ida Berg", Email: "ida@example.org"},
	Items: []itemRecord{{
		SKU: skuRecord{"ALE-1"}, Name: "Ale", Quantity: "2", GrossValue: "10.50", Category: "drinks",
	}},
}

var exampleAssignment = assignmentRecord{Number: "R-1001", Email: "ida@example.org"}

// registerImported registers documents by the same rules as the endpoint.
func (h Hooks) registerImported(tx *db.Tx, s *store.Store, of *dataimport.Import, records []dataimport.Record) (
	[]dataimport.Result, error) {
	quietly(tx, of)
	results := make([]dataimport.Result, len(records))
	var documents []*receipt
	places := map[*receipt]int{} // in records
	byIdentifier := map[string]pos.POS{}
	for i, r := range records {
		draft, err := r.(*transactionRecord).draft(tx, s, byIdentifier)
		if err != nil {
			if results[i], err = dataimport.Refuse(err); err != nil {
				return nil, err
			}
			continue
		}
		d := &receipt{Transaction: &draft}
		documents, places[d] = append(documents, d), i
	}
	if err := registerWhole(tx, s, documents, h); err != nil {
		return nil, err
	}
	for _, d := range documents {
		var err error
		if results[places[d]], err = resultOf(d.Transaction, d.err); err != nil {
			return nil, err
		}
	}
	return results, nil
}

// assignImported assigns documents by the same rules as the endpoint.
func (h Hooks) assignImported(tx *db.Tx, s *store.Store, of *dataimport.Import, records []dataimport.Record) (
	[]dataimport.Result, error) {
	quietly(tx, of)
	results := make([]dataimport.Result, len(records))
	for i, r := range records {
		made, err := r.(*assignmentRecord).run(tx, s, h)
		if results[i], err = resultOf(made, err); err != nil {
			return nil, err
		}
	}
	return results, nil
}

func quietly(tx *db.Tx, of *dataimport.Import) {
	if of.Options.WithoutMessages {
		arrival.Quietly(tx)
	}
}

// resultOf returns the result of a record, or an error that fails the batch.
func resultOf(made *Transaction, err error) (dataimport.Result, error) {
	if err == nil {
		return dataimport.Result{ID: made.ID}, nil
	}
	if refused, is := errors.AsType[*Refused](err); is {
		err = refused.ofRecord()
	}
	return dataimport.Refuse(err)
}

// ofRecord returns the errors of the fields of a record.
func (r *Refused) ofRecord() error {
	g := form.Read(nil)
	if r.Document != nil {
		g.AddError("documentNumber", r.Document)
	}
	if r.Revised != nil {
		g.AddError("revisedDocument", r.Revised)
	}
	if r.Ahead {
		g.AddError("purchaseDate", errAhead)
	}
	if r.POSUnknown {
		g.AddError("posId", errUnknownPOS)
	}
	return g.Err()
}
