package transaction

import (
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/points"
	"punchcard/loyalty/points/transfer"
	"punchcard/loyalty/pos"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
)

// transactionView is the JSON of a transaction. See docs/behaviour/transactions.md#fields.
type transactionView struct {
	ID                      string        `json:"transactionId"`
	DocumentNumber          string        `json:"documentNumber"`
	DocumentType            string        `json:"documentType" enum:"sell,return"`
	RevisedDocument         string        `json:"revisedDocument,omitempty"`
	PurchaseDate            string        `json:"purchaseDate"`
	PurchasePlace           string        `json:"purchasePlace,omitempty"`
	GrossValue              decimal.Money `json:"grossValue"`
	CustomerID              string        `json:"customerId,omitempty"`
	AssignedToCustomerDate  string        `json:"assignedToCustomerDate,omitempty"` // with a colon in the offset
	CustomerData            CustomerData  `json:"customerData"`
	Items                   []Item        `json:"items"`
	Labels                  []Label       `json:"labels"`
	POSID                   string        `json:"posId,omitempty"`
	POSName                 string        `json:"posName,omitempty"`
	Currency                string        `json:"currency"`
	PointsEarned            points.Amount `json:"pointsEarned"`
	ExcludedDeliverySKUs    []string      `json:"excludedDeliverySKUs"`
	ExcludedLevelSKUs       []string      `json:"excludedLevelSKUs"`
	ExcludedLevelCategories []string      `json:"excludedLevelCategories"`
}

type viewList struct {
	Transactions []transactionView `json:"transactions"`
	Total        int64             `json:"total"`
}

type identity struct {
	ID string `json:"transactionId"`
}

// registeredDraft is the response to a document. It has more members than the id if the document names its customer by
// Draft.Customer, or if the client prefers it.
type registeredDraft struct {
	identity
	*outcome
}

type outcome struct {
	CustomerID string `json:"customerId"` // empty for nobody
	// Points are those that a sale earns, pending ones included; below 0 those that a return takes back.
	Points points.Amount `json:"points"`
}

func (d Draft) respond(t *Transaction) registeredDraft {
	v := registeredDraft{identity: identity{t.ID}}
	if d.tells {
		v.outcome = &outcome{t.CustomerID, t.moved}
	}
	return v
}

func newView(s *store.Store, t *Transaction, moved points.Amount) transactionView {
	v := transactionView{
		ID: t.ID, DocumentNumber: t.DocumentNumber, DocumentType: t.Type, RevisedDocument: t.RevisedDocument,
		PurchaseDate: api.Timestamp(t.PurchasedAt, s.Zone), PurchasePlace: t.PurchasePlace,
		GrossValue: t.Amounts.Gross, CustomerID: t.CustomerID, CustomerData: t.CustomerData,
		Items: t.Items, Labels: append([]Label{}, t.Labels...), POSID: t.POSID, Currency: s.Currency,
		PointsEarned:            moved,
		ExcludedDeliverySKUs:    append([]string{}, t.Excluded.DeliverySKUs...),
		ExcludedLevelSKUs:       append([]string{}, t.Excluded.LevelSKUs...),
		ExcludedLevelCategories: append([]string{}, t.Excluded.LevelCategories...),
	}
	if t.CustomerID != "" {
		v.AssignedToCustomerDate = api.EventTimestamp(t.AssignedAt, s.Zone)
	}
	return v
}

func viewsOf(tx *db.Tx, s *store.Store, found []Transaction) ([]transactionView, error) {
	views := make([]transactionView, len(found))
	if len(found) == 0 {
		return views, nil
	}
	ids, tills := make([]string, len(found)), []string(nil)
	for i := range found {
		ids[i] = found[i].ID
		if found[i].POSID != "" {
			tills = append(tills, found[i].POSID)
		}
	}
	moved, err := points.OfTransactions(tx, s.Key, ids...)
	if err != nil {
		return nil, err
	}
	names := map[string]string{}
	if len(tills) > 0 {
		names, err = pos.Names(tx, s.Key, db.Distinct(tills)...)
	}
	for i := range found {
		views[i] = newView(s, &found[i], moved[found[i].ID])
		views[i].POSName = names[found[i].POSID]
	}
	return views, err
}

// OfTransfers returns the documents of transfers of points, in the form that transfers show.
func OfTransfers(tx *db.Tx, s *store.Store, ids ...string) (map[string]transfer.Transaction, error) {
	byID := make(map[string]transfer.Transaction, len(ids))
	err := table.Each(tx, func(t Transaction) {
		byID[t.ID] = transfer.Transaction{DocumentNumber: t.DocumentNumber, POSID: t.POSID, View: partOf(&t)}
	}, `SELECT t.* FROM ? AS v (store, id)
		CROSS JOIN transactions t WHERE t.store_id = v.store AND t.transaction_id = v.id`,
		tx.Among(s.Key, ids...))
	return byID, err
}

// part is the JSON of a document within a transfer.
type part struct {
	GrossValue decimal.Money `json:"grossValue"`
	Labels     []Label       `json:"labels"`
	Items      []Item        `json:"items"`
}

func partOf(t *Transaction) part {
	return part{t.Amounts.Gross, append([]Label{}, t.Labels...), t.Items}
}
