package points

import (
	"time"

	"punchcard/platform/db"
)

// Holding is the points of an account that a customer still has.
type Holding struct {
	LevelID string // of the customer; empty for none
	Points  Amount // available, pending and blocked
	Blocked Amount // a part of Points, which belongs to no open lot
	Gone    bool   // the customer was deleted or erased
	lots    []openLot
}

// EachLot visits what is left of the open lots with the time of their expiry, which is zero if they never expire.
func (h *Holding) EachLot(visit func(left Amount, expiresAt time.Time)) {
	for _, lot := range h.lots {
		visit(Amount(lot.Left), moment(lot.ExpiresAt))
	}
}

// EachHolding visits all accounts of a store that hold points, in one statement and so at one moment. levels is the
// query of the levels of customers: customer_id, level_id and gone.
func EachHolding(tx *db.Tx, storeKey int64, levels *db.SQL, visit func(h Holding)) error {
	q := db.NewSQL(`SELECT c.level_id, c.gone, a.points + a.locked + a.blocked, a.blocked, a.lots FROM accounts a
		JOIN (?) c ON c.customer_id = a.customer_id
		WHERE a.store_id = ? AND (a.points > 0 OR a.locked > 0 OR a.blocked > 0)`, levels, storeKey)
	return db.Each(tx, func(h *Holding) []any {
		return []any{&h.LevelID, &h.Gone, &h.Points, &h.Blocked, db.JSON(&h.lots)}
	}, visit, q.Text(), q.Args()...)
}
