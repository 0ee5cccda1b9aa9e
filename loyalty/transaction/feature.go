package transaction

import (
	"punchcard/core/access"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/points/transfer"
	"punchcard/loyalty/storeapi"
	"punchcard/platform/check"
	"punchcard/platform/db"
)

// Feature returns receipts. See docs/behaviour/transactions.md.
func (r *Registrar) Feature() feature.Feature {
	return feature.Feature{
		Section: feature.Section{Name: "Transactions",
			Description: "Receipts: register sales and returns, and match them with customers."},
		Endpoints: r.Endpoints(),
		Customers: feature.Personal{
			Exports:        []feature.Export{{Name: "transactions", Rank: 4, Read: Export}},
			Forget:         []feature.Trace{Forget},
			ForgetUnlinked: ForgetUnclaimed,
			NotHandedOver:  "a merge moves the receipts before it locks the accounts",
		},
		On: []feature.Reaction{
			feature.On(disown),
			feature.On(func(tx *db.Tx, s *store.Store, u *storeapi.CurrencyUse) (err error) {
				u.Receipts, err = HasAny(tx, s.Key)
				return err
			}),
			feature.On(func(tx *db.Tx, s *store.Store, q *transfer.ReceiptsOf) (err error) {
				q.Receipts, err = OfTransfers(tx, s, q.IDs...)
				return err
			}),
		},
		Rules:    Rules(),
		Tables:   []check.Table{Transactions},
		Timeline: []feature.TimelineSource{{Kind: "transaction", Resource: access.Transactions, Rank: 3, Page: timeline}},
		Limits: []feature.Limit{
			feature.Seconds("receiptsAhead", r.Ahead, "--receipts-ahead"),
			{Name: "transactionItems", Value: ItemLimit, Unit: "items"},
			{Name: "transactionLabels", Value: LabelLimit, Unit: "labels"},
			{Name: "transactionItemLabelsShown", Value: ItemLabelLimit, Unit: "labels"},
		},
	}
}
