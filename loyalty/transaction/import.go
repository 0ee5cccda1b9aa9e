package transaction

import (
	"errors"

	"punchcard/api/access"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/dataimport"
	"punchcard/loyalty/store"
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
			Resource: access.Transactions, Root: "transactions",
			New:     func() dataimport.Record { return new(transactionRecord) },
			Example: func() dataimport.Record { return &exampleTransaction },
			Batch:   1, Apply: h.applyImported, Object: object,
		},
		{
			Name: "assignments", Path: "admin/transaction/customer/assign/import", Summary: "Import assignments",
			Resource: access.Transactions, Root: "matchCustomers",
			New:     func() dataimport.Record { return new(assignmentRecord) },
			Example: func() dataimport.Record { return &exampleAssignment },
			Batch:   1, Apply: h.applyImported, Object: object,
		},
	}
}

var exampleTransaction = transactionRecord{
	DocumentNumber: "R-1001", DocumentType: Sell, PurchaseDate: "2031-04-17T10:00:00+02:00", PurchasePlace: "Oslo",
	Customer: customerRecord{Name: "Ida Berg", Email: "ida@example.org"},
	Items: []itemRecord{{
		SKU: skuRecord{"ALE-1"}, Name: "Ale", Quantity: "2", GrossValue: "10.50", Category: "drinks",
	}},
}

var exampleAssignment = assignmentRecord{Number: "R-1001", Email: "ida@example.org"}

// imported is a record of either kind.
type imported interface {
	run(tx *db.Tx, s *store.Store, h Hooks) (*Transaction, error)
}

// applyImported carries out records, one in each transaction: a document locks its customer and its point of sale for
// a short time only, in the same order as other documents.
func (h Hooks) applyImported(tx *db.Tx, s *store.Store, of *dataimport.Import, records []dataimport.Record) (
	[]dataimport.Result, error) {
	if of.Options.WithoutMessages {
		customer.Quietly(tx)
	}
	results := make([]dataimport.Result, len(records))
	for i, r := range records {
		made, err := r.(imported).run(tx, s, h)
		if refused, is := errors.AsType[*Refused](err); is {
			err = refused.ofRecord()
		}
		if err == nil {
			results[i].ID = made.ID
		} else if results[i], err = dataimport.Refuse(err); err != nil {
			return nil, err
		}
	}
	return results, nil
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
