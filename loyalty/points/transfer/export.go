package transfer

import (
	"punchcard/loyalty/points"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
)

// exportedAtOnce is how many transfers an export holds in memory.
const exportedAtOnce = 200

// exported is a transfer with what became of it.
type exported struct {
	view
	Lapsed *points.Amount `json:"expiredPoints,omitempty"` // what a lot lost when it expired
	Lots   []lot          `json:"lots,omitempty"`          // that a spend took from
}

type lot struct {
	ID    string        `json:"pointsTransferId"`
	Value points.Amount `json:"value"`
}

// Export is the section of a customer's transfers, the newest first.
func (r Related) Export(tx *db.Tx, s *store.Store, customerID, after string) (items []any, next string, err error) {
	found, next, err := points.Before(tx, s.Key, customerID, after, exportedAtOnce)
	if err != nil || len(found) == 0 {
		return nil, "", err
	}
	views, err := r.views(tx, s, found)
	for i, v := range views {
		t := exported{view: v}
		if found[i].Lapsed > 0 {
			t.Lapsed = &found[i].Lapsed
		}
		for _, taken := range found[i].Lots {
			t.Lots = append(t.Lots, lot{taken.LotID, points.Amount(taken.Amount)})
		}
		items = append(items, t)
	}
	return items, next, err
}
