package transfer

import (
	"punchcard/core/api"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
)

// detail is the JSON of one transfer: docs/behaviour/points.md#one-transfer.
type detail struct {
	view
	Left     *points.Amount `json:"left,omitempty"`          // of a lot
	Lapsed   *points.Amount `json:"expiredPoints,omitempty"` // what a lot lost when it expired
	Lots     []takenLot     `json:"lots,omitempty"`
	Purchase *Purchase      `json:"purchase,omitempty"`
}

// takenLot is a lot that a transfer took points from.
type takenLot struct {
	ID        string        `json:"pointsTransferId"`
	Value     points.Amount `json:"value"` // what was taken of it
	Type      string        `json:"type"`
	State     string        `json:"state" enum:"active,pending,expired,canceled"`
	Comment   string        `json:"comment"`
	CreatedAt string        `json:"createdAt"`
	ExpiresAt *string       `json:"expiresAt,omitempty"`
}

func showTransfer(r *api.Reading) (detail, error) {
	t, from, err := points.Find(r.Tx, r.Store, r.PathID("transfer"))
	if err != nil {
		return detail{}, err
	}
	views, err := viewsOf(r.Tx, r.Store, []points.Transfer{t})
	if err != nil {
		return detail{}, err
	}
	shown := detail{view: views[0], Lots: takenLots(r.Store, &t, from, r.Tx)}
	switch {
	case t.State == points.Expired:
		shown.Lapsed = &t.Lapsed
	case t.IsLot() && t.State != points.Canceled:
		shown.Left = &t.Available
	}
	if t.Type != points.Spending {
		return shown, nil
	}
	asked := PurchaseOf{Spend: &t}
	err = feature.React(r.Tx, r.Store, &asked)
	shown.Purchase = asked.Purchase
	return shown, err
}

func takenLots(s *store.Store, t *points.Transfer, from map[string]points.Transfer, tx *db.Tx) []takenLot {
	var lots []takenLot
	for _, part := range t.Lots {
		lot := from[part.LotID]
		lots = append(lots, takenLot{
			ID: part.LotID, Value: points.Amount(part.Amount), Type: lot.Type, State: lot.StateAt(tx.Now()),
			Comment: lot.Comment, CreatedAt: api.Timestamp(lot.CreatedAt, s.Zone),
			ExpiresAt: api.OptionalTimestamp(lot.ExpiresAt, s.Zone),
		})
	}
	return lots
}
