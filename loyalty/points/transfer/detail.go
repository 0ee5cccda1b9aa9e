package transfer

import (
	"strings"

	"punchcard/api"
	"punchcard/loyalty/points"
	"punchcard/loyalty/store"
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
	State     string        `json:"state"`
	Comment   string        `json:"comment"`
	CreatedAt string        `json:"createdAt"`
	ExpiresAt *string       `json:"expiresAt,omitempty"`
}

// show serves the transfer of the path.
func (h Hooks) show(c *api.Call) error {
	var response detail
	err := c.Read(func(tx *db.Tx) error {
		t, from, err := points.Find(tx, c.Store, strings.ToLower(c.PathValue("transfer")))
		if err != nil {
			return err
		}
		views, err := h.views(tx, c.Store, []points.Transfer{t})
		if err != nil {
			return err
		}
		response = detail{view: views[0], Lots: takenLots(c.Store, &t, from, tx)}
		switch {
		case t.State == points.Expired:
			response.Lapsed = &t.Lapsed
		case t.IsLot() && t.State != points.Canceled:
			response.Left = &t.Available
		}
		if t.Type == points.Spending && h.Purchase != nil {
			response.Purchase, err = h.Purchase(tx, c.Store, &t)
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
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
