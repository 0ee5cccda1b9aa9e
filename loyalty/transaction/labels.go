package transaction

import (
	"cmp"
	"slices"

	"punchcard/platform/counter"
	"punchcard/platform/db"
)

// counterName is the name of the counter of a store's transactions.
const counterName = "transactions"

// index adds new documents of a store to the indexes of lists: their labels, those of their items, and the store's
// counter.
func index(tx *db.Tx, storeKey int64, documents []*receipt) error {
	var labels, ofItems []*labelled
	for _, d := range documents {
		labels = append(labels, d.labelRows()...)
	}
	for _, label := range itemLabelsOf(documents) {
		ofItems = append(ofItems, &labelled{storeKey: storeKey, Label: label})
	}
	if err := labelTable.InsertOr(tx, "ON CONFLICT DO NOTHING", labels...); err != nil {
		return err
	}
	if err := itemLabelTable.InsertOr(tx, "ON CONFLICT DO NOTHING", ofItems...); err != nil {
		return err
	}
	counter.Add(tx, storeKey, counterName, int64(len(documents)))
	return nil
}

// labelled is a label of a document, or of some item of a store.
type labelled struct {
	storeKey int64
	Label
	transactionID string
}

var (
	// labelTable holds labels in the form in which filters compare them.
	labelTable = db.NewTable("transaction_labels", "store_id, label_key, label_value, transaction_id",
		func(l *labelled) db.Row {
			return db.Row{
				"store_id", &l.storeKey, "label_key", db.Derived(&l.Key, filterKey),
				"label_value", db.Derived(&l.Value, filterKey), "transaction_id", &l.transactionID,
			}
		})

	itemLabelTable = db.NewTable("transaction_item_labels", "store_id, label_key, label_value",
		func(l *labelled) db.Row {
			return db.Row{"store_id", &l.storeKey, "label_key", &l.Key, "label_value", &l.Value}
		})
)

func (t *Transaction) labelRows() []*labelled {
	rows := make([]*labelled, len(t.Labels))
	for i, label := range t.Labels {
		rows[i] = &labelled{t.StoreKey, label, t.ID}
	}
	return rows
}

// itemLabelsOf returns the distinct labels of the items of documents in a fixed order, so that two batches with the
// same new labels do not deadlock.
func itemLabelsOf(documents []*receipt) []Label {
	var all []Label
	for _, d := range documents {
		for i := range d.Items {
			all = append(all, d.Items[i].Labels...)
		}
	}
	slices.SortFunc(all, func(a, b Label) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Value, b.Value))
	})
	return slices.Compact(all)
}

// setLabels replaces the labels of a locked transaction.
func setLabels(tx *db.Tx, t *Transaction, labels []Label) error {
	if err := labelTable.Delete(tx, t.labelRows()...); err != nil {
		return err
	}
	t.Labels = labels
	if err := labelTable.InsertOr(tx, "ON CONFLICT DO NOTHING", t.labelRows()...); err != nil {
		return err
	}
	return table.Update(tx, "labels", t)
}

// ItemLabelLimit is the maximal number of item labels in one response.
const ItemLabelLimit = 10_000

// itemLabels returns the labels that items of a store have had: values by key.
func itemLabels(tx *db.Tx, storeKey int64) (map[string][]string, error) {
	byKey := map[string][]string{}
	return byKey, itemLabelTable.Each(tx, func(l labelled) { byKey[l.Key] = append(byKey[l.Key], l.Value) },
		`SELECT label_key, label_value FROM transaction_item_labels WHERE store_id = ?
			ORDER BY label_key, label_value LIMIT ?`, storeKey, ItemLabelLimit)
}
