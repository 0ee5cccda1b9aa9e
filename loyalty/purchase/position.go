package purchase

import "punchcard/platform/db"

// recentLimit is about how many rows the table recent_positions of SQLite holds before they move to purchase_positions.
// Every read of a campaign's purchases looks through them, and every page that the move changes is written once for
// all of them.
const recentLimit = 1000

// positions holds the latest positions on SQLite, which numbers rows whose number is NULL.
var positions = db.NewTable("recent_positions", "number", func(p *Purchase) db.Row {
	return db.Row{
		"number", new(*int64), "store_id", &p.StoreKey, "campaign_id", &p.CampaignID, "position", &p.Position,
		"coupon_id", &p.CouponID,
	}
})

// addPositions makes new purchases known to the view campaign_purchases. PostgreSQL has an index for this.
func addPositions(tx *db.Tx, purchases []*Purchase) error {
	if tx.Engine() != "sqlite" {
		return nil
	}
	if err := positions.Insert(tx, purchases...); err != nil {
		return err
	}
	count, err := db.Value[int64](tx, `SELECT MAX(number) FROM recent_positions`)
	if err != nil || count < recentLimit {
		return err
	}
	// A position that is taken, which punchcard check finds, must not stop all sales.
	for _, statement := range []string{
		`INSERT INTO purchase_positions (store_id, campaign_id, position, coupon_id)
			SELECT store_id, campaign_id, position, coupon_id FROM recent_positions WHERE TRUE
			ORDER BY store_id, campaign_id, position ON CONFLICT DO NOTHING`,
		`DELETE FROM recent_positions`,
	} {
		if _, err := tx.Exec(statement); err != nil {
			return err
		}
	}
	return nil
}

// MakePositions fills the table of positions on SQLite from the purchases, after these were written by other means.
// PostgreSQL has an index for this.
func MakePositions(tx *db.Tx) error {
	if tx.Engine() != "sqlite" {
		return nil
	}
	for _, statement := range []string{
		`DELETE FROM recent_positions`,
		`DELETE FROM purchase_positions`,
		`INSERT INTO purchase_positions (store_id, campaign_id, position, coupon_id)
			SELECT store_id, campaign_id, position, coupon_id FROM purchases WHERE TRUE
			ORDER BY store_id, campaign_id, position ON CONFLICT DO NOTHING`,
	} {
		if _, err := tx.Exec(statement); err != nil {
			return err
		}
	}
	return nil
}
