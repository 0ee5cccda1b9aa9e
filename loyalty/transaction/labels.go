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
	var labels, ofItems [][]any
	for _, d := range documents {
		labels = append(labels, d.labelRows()...)
	}
	for _, label := range itemLabelsOf(documents) {
		ofItems = append(ofItems, []any{storeKey, label.Key, label.Value})
	}
	if err := tx.Insert("transaction_labels", labelColumns, "ON CONFLICT DO NOTHING", labels...); err != nil {
		return err
	}
	err := tx.Insert("transaction_item_labels", "store_id, label_key, label_value", "ON CONFLICT DO NOTHING", ofItems...)
	if err != nil {
		return err
	}
	counter.Add(tx, storeKey, counterName, int64(len(documents)))
	return nil
}

const labelColumns = "store_id, label_key, label_value, transaction_id"

func (t *Transaction) labelRows() [][]any {
	rows := make([][]any, len(t.Labels))
	for i, label := range t.Labels {
		rows[i] = []any{t.StoreKey, filterKey(label.Key), filterKey(label.Value), t.ID}
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
	for _, row := range t.labelRows() {
		_, err := tx.Exec(`DELETE FROM transaction_labels
			WHERE store_id = ? AND label_key = ? AND label_value = ? AND transaction_id = ?`, row...)
		if err != nil {
			return err
		}
	}
	t.Labels = labels
	if err := tx.Insert("transaction_labels", labelColumns, "ON CONFLICT DO NOTHING", t.labelRows()...); err != nil {
		return err
	}
	_, err := tx.Exec(`UPDATE transactions SET labels = ? WHERE store_id = ? AND transaction_id = ?`,
		db.JSON(&t.Labels), t.StoreKey, t.ID)
	return err
}

// ItemLabelLimit is the maximal number of item labels in one response.
const ItemLabelLimit = 10_000

// itemLabels returns the labels that items of a store have had: values by key.
func itemLabels(tx *db.Tx, storeKey int64) (map[string][]string, error) {
	byKey := map[string][]string{}
	return byKey, db.Each(tx, func(l *Label) []any { return []any{&l.Key, &l.Value} },
		func(l Label) { byKey[l.Key] = append(byKey[l.Key], l.Value) },
		`SELECT label_key, label_value FROM transaction_item_labels WHERE store_id = ?
			ORDER BY label_key, label_value LIMIT ?`, storeKey, ItemLabelLimit)
}
