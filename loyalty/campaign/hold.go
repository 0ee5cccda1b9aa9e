package campaign

import (
	"time"

	"punchcard/platform/db"
)

// Hold keeps purchases of a campaign for a reservation until it ends: they count for the limit of all customers, and
// for the codes.
type Hold struct {
	CampaignID    string
	ReservationID string
	EndsAt        time.Time // first moment at which they count no longer
	Quantity      int64
}

// holdRow is a row of campaign_holds.
type holdRow struct {
	storeKey int64
	Hold
}

var holdTable = db.NewTable("campaign_holds", "store_id, campaign_id, ends_at, reservation_id",
	func(h *holdRow) db.Row {
		return db.Row{
			"store_id", &h.storeKey, "campaign_id", &h.CampaignID, "ends_at", db.Time(&h.EndsAt),
			"reservation_id", &h.ReservationID, "quantity", &h.Quantity,
		}
	})

// KeepHolds stores holds of campaigns whose counters are locked.
func KeepHolds(tx *db.Tx, counters map[string]Counters, holds ...Hold) error {
	var rows []*holdRow
	var longer []*Counters
	for _, h := range holds {
		k := counters[h.CampaignID]
		rows = append(rows, &holdRow{k.StoreKey, h})
		if k.HeldUntil.Before(h.EndsAt) {
			longer = append(longer, &Counters{StoreKey: k.StoreKey, CampaignID: h.CampaignID, HeldUntil: h.EndsAt})
		}
	}
	if err := holdTable.Insert(tx, rows...); err != nil {
		return err
	}
	return counterTable.Update(tx, "held_until", longer...)
}

// EndHolds removes holds.
func EndHolds(tx *db.Tx, storeKey int64, holds ...Hold) error {
	rows := make([]*holdRow, len(holds))
	for i, h := range holds {
		rows[i] = &holdRow{storeKey, h}
	}
	return holdTable.Delete(tx, rows...)
}

// countHolds sets Counters.Held of campaigns with holds that have not ended. It costs nothing for the others. If the
// counters are locked, no hold is missing.
func countHolds(tx *db.Tx, storeKey int64, counters map[string]Counters) error {
	var ids []string
	for id, k := range counters {
		if !k.HeldCounted && k.HeldUntil.After(tx.Now()) {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	type row struct {
		id   string
		held int64
	}
	held := map[string]int64{}
	err := db.Each(tx, func(r *row) []any { return []any{&r.id, &r.held} }, func(r row) { held[r.id] = r.held },
		`SELECT h.campaign_id, CAST(SUM(h.quantity) AS BIGINT) FROM ? AS v (store, id) CROSS JOIN campaign_holds h
		WHERE h.store_id = v.store AND h.campaign_id = v.id AND h.ends_at > ? GROUP BY h.campaign_id`,
		tx.Among(storeKey, ids...), tx.Now().UnixMicro())
	for _, id := range ids {
		k := counters[id]
		k.Held, k.HeldCounted = held[id], true
		counters[id] = k
	}
	return err
}

// DeleteHolds deletes at most limit holds of a store that ended before a time, and returns how many it deleted.
func DeleteHolds(tx *db.Tx, storeKey int64, before time.Time, limit int) (int64, error) {
	ended := db.NewSQL(`store_id = ? AND ends_at < ? ORDER BY ends_at`, storeKey, before.UnixMicro())
	return tx.DeleteSome("campaign_holds", "store_id, campaign_id, ends_at, reservation_id", ended, limit)
}

// EachHold visits the holds of all campaigns, ended ones included. It is meant for checks.
func EachHold(tx *db.Tx, visit func(storeKey int64, h Hold)) error {
	return holdTable.Each(tx, func(h holdRow) { visit(h.storeKey, h.Hold) }, `SELECT * FROM campaign_holds`)
}
