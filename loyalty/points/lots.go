package points

import (
	"punchcard/loyalty/store"
	"punchcard/platform/db"
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
	total = len(w.lots)
	open := w.lots[:min(total, LotsShown)]
	if len(open) == 0 {
		return nil, 0, nil
	}
	ids := make([]string, len(open))
	for i, lot := range open {
		ids[i] = lot.ID
	}
	wanted, args := tx.Among([]any{s.Key}, ids...)
	rows, err := db.All(tx, (*Transfer).row, `SELECT `+transferColumns+` FROM `+wanted+` CROSS JOIN transfers
		WHERE store_id = v.store AND transfer_id = v.column1`, args...)
	byID := make(map[string]Transfer, len(rows))
	for _, t := range rows {
		byID[t.ID] = t
	}
	for _, lot := range open {
		t := byID[lot.ID]
		t.Available, t.State, t.LockedUntil = lot.Available, lot.State, lot.LockedUntil
		lots = append(lots, t)
	}
	return lots, total, err
}
