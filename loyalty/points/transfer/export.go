package transfer

import (
	"punchcard/core/store"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
)

// exportedAtOnce is the number of transfers in one page of an export.
const exportedAtOnce = 200

// exported is a transfer with its later changes.
type exported struct {
	view
	Lapsed *points.Amount `json:"expiredPoints,omitempty"` // the rest of a lot that was lost when it expired
	Lots   []lot          `json:"lots,omitempty"`          // the lots that a spend took from
}

type lot struct {
	ID    string        `json:"pointsTransferId"`
	Value points.Amount `json:"value"`
}

// Export returns a page of a customer's transfers, newest first. next is empty on the last page.
func Export(tx *db.Tx, s *store.Store, customerID, after string) (items []any, next string, err error) {
	found, next, err := points.Before(tx, s.Key, customerID, after, exportedAtOnce)
	if err != nil || len(found) == 0 {
		return nil, "", err
	}
	views, err := viewsOf(tx, s, found)
	for i, v := range views {
		t := exported{view: v}
		if found[i].State == points.Expired && found[i].Lapsed > 0 {
			t.Lapsed = &found[i].Lapsed
		}
		for _, taken := range found[i].Lots {
			t.Lots = append(t.Lots, lot{taken.LotID, points.Amount(taken.Amount)})
		}
		items = append(items, t)
	}
	return items, next, err
}
