package points

import (
	"slices"

	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// LotsShown is how many lots Lots returns at most.
const LotsShown = 100

// Lots lists the open lots of a customer in spending order, and returns the number of all. What is due is unlocked or
// expired in the result, and stays as it is in the database.
func Lots(tx *db.Tx, s *store.Store, customerID string) (lots []Transfer, total int, err error) {
	account, _, err := findAccount(tx, s.Key, customerID)
	if err != nil {
		return nil, 0, err
	}
	w := newWallet(tx, s, account)
	w.settle()
	left := slices.DeleteFunc(w.lots, func(lot *Transfer) bool { return lot.Available == 0 })
	total = len(left)
	open := left[:min(total, LotsShown)]
	if len(open) == 0 {
		return nil, 0, nil
	}
	ids := make([]string, len(open))
	for i, lot := range open {
		ids[i] = lot.ID
	}
	byID, err := findAll(tx, s.Key, ids...)
	for _, lot := range open {
		t := byID[lot.ID]
		t.Available, t.State, t.LockedUntil = lot.Available, lot.State, lot.LockedUntil
		lots = append(lots, t)
	}
	return lots, total, err
}

// Find returns a transfer with what is left of it, and the lots that it took from by their ids. What is due is unlocked
// or expired in the result, and stays as it is in the database.
func Find(tx *db.Tx, s *store.Store, id string) (t Transfer, from map[string]Transfer, err error) {
	found, err := findAll(tx, s.Key, id)
	if err != nil {
		return t, nil, err
	}
	t, known := found[id]
	if !known {
		return t, nil, fault.ErrNotFound
	}
	if t.Open {
		account, _, err := findAccount(tx, s.Key, t.CustomerID)
		if err != nil {
			return t, nil, err
		}
		w := newWallet(tx, s, account)
		w.settle()
		lot, err := w.transfer(id)
		if err != nil {
			return t, nil, err
		}
		t.Available, t.State, t.LockedUntil, t.Open = lot.Available, lot.State, lot.LockedUntil, lot.Open
		t.Lapsed += lot.Lapsed
	}
	if len(t.Lots) == 0 {
		return t, nil, nil
	}
	ids := make([]string, len(t.Lots))
	for i, part := range t.Lots {
		ids[i] = part.LotID
	}
	from, err = findAll(tx, s.Key, ids...)
	return t, from, err
}

// findAll returns transfers of a store as they are stored, by id. Unknown ids are missing from the result.
func findAll(tx *db.Tx, storeKey int64, ids ...string) (map[string]Transfer, error) {
	byID := make(map[string]Transfer, len(ids))
	return byID, transferTable.Each(tx, func(t Transfer) { byID[t.ID] = t },
		`SELECT * FROM ? AS v (store, id) CROSS JOIN transfers
			WHERE store_id = v.store AND transfer_id = v.id`, tx.Among(storeKey, ids...))
}
