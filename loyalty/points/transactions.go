package points

import (
	"slices"

	"punchcard/platform/db"
	"punchcard/platform/event"
)

// OfTransactions returns the points that transactions moved, by id: those that a sale earned, including pending ones
// but not cancelled ones, and those that a return took back. Transactions that moved nothing are missing.
func OfTransactions(tx *db.Tx, storeKey int64, ids ...string) (map[string]Amount, error) {
	type row struct {
		id    string
		value Amount
	}
	moved := make(map[string]Amount, len(ids))
	return moved, db.EachOf(tx, ids, func(r *row) []any { return []any{&r.id, &r.value} },
		func(r row) { moved[r.id] += r.value },
		`SELECT transaction_id, value FROM transfers WHERE store_id = ? AND transaction_id = $key
			AND transaction_id <> '' AND type IN ('adding', 'spending') AND state <> 'canceled'`, storeKey)
}

// Values returns the points of transfers by id, without cancelled ones.
func Values(tx *db.Tx, storeKey int64, ids ...string) (map[string]Amount, error) {
	found := make(map[string]Amount, len(ids))
	if len(ids) == 0 {
		return found, nil
	}
	return found, db.Each(tx, func(t *Transfer) []any { return []any{&t.ID, &t.Value} },
		func(t Transfer) { found[t.ID] = t.Value },
		`SELECT t.transfer_id, t.value FROM ? AS v (store, id) CROSS JOIN transfers t
		WHERE t.store_id = v.store AND t.transfer_id = v.id AND t.state <> 'canceled'`,
		tx.Among(storeKey, ids...))
}

// Sale holds the points that a sale moved.
type Sale struct {
	ID     string
	Earned Amount // including pending points, without cancelled ones
	Taken  Amount // by the returns of the sale
	lots   []string
}

// OfSale returns the points that a sale of the account's customer moved so far, also in the accounts of customers who
// were merged into them.
func (w *Wallet) OfSale(id string, merged ...string) (Sale, error) {
	sale, owners := Sale{ID: id}, db.List(append(merged, w.CustomerID))
	err := db.Each(w.tx, func(t *Transfer) []any { return []any{&t.ID, &t.Type, &t.Value} }, func(t Transfer) {
		sale.lots = append(sale.lots, t.ID)
		if t.Type == Adding {
			sale.Earned += t.Value
		}
	}, `SELECT transfer_id, type, value FROM transfers WHERE store_id = ? AND transaction_id = ? AND transaction_id <> ''
		AND customer_id IN ? AND type IN ('adding', 'merge_adding') AND state <> 'canceled'`, w.StoreKey, id, owners)
	if err != nil {
		return sale, err
	}
	sale.Taken, err = db.Value[Amount](w.tx, `SELECT CAST(COALESCE(SUM(value), 0) AS BIGINT) FROM transfers
		WHERE store_id = ? AND customer_id IN ? AND revised_transaction_id = ? AND revised_transaction_id <> ''
		AND type = 'spending'`, w.StoreKey, owners, id)
	return sale, err
}

// TakeBack takes points of a sale away for the return returnID: pending points of the sale first, then spendable
// ones. Points that the customer no longer has are not owed. If there is nothing to take, there is no event. See
// docs/behaviour/transactions.md#points-taken-back.
func (w *Wallet) TakeBack(sale Sale, value Amount, returnID, comment string) []event.Entry {
	t := &Transfer{
		StoreKey: w.StoreKey, CustomerID: w.CustomerID, ID: w.tx.NewID(), Type: Spending, State: Active,
		CreatedAt: w.tx.Now(), Issuer: BySystem, Comment: comment, TransactionID: returnID, RevisedTransactionID: sale.ID,
	}
	for _, state := range []string{Pending, Active} {
		for _, lot := range w.lots {
			if lot.State == state && (state == Active || slices.Contains(sale.lots, lot.ID)) {
				w.takeFrom(lot, t, value-t.Value)
			}
		}
	}
	if t.Value == 0 {
		return nil
	}
	w.closeLots()
	w.append(t)
	w.Used += t.Value
	return []event.Entry{w.entry(typeSpent, moved(w.store, t))}
}

func (w *Wallet) takeFrom(lot, spend *Transfer, value Amount) {
	part := min(value, lot.Available)
	if part <= 0 {
		return
	}
	lot.Available -= part
	lot.Open = lot.Available > 0 || w.isHeld(lot)
	if lot.State == Pending {
		w.Locked -= part
		w.changed[lot] = true
	} else {
		w.receive(lot, -part)
	}
	spend.Value += part
	spend.Lots = append(spend.Lots, Taken{LotID: lot.ID, Amount: int64(part)})
}
