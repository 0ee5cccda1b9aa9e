package purchase

import (
	"time"

	"punchcard/api"
	"punchcard/platform/db"
)

// exportedAtOnce is the number of purchases that the export reads at a time.
const exportedAtOnce = 1000

// export serves the CSV of purchases in order of purchase, up to the moment of the request. See
// docs/behaviour/purchase.md#csv-export.
func export(c *api.Call) error {
	query, err := c.Query()
	if err != nil {
		return err
	}
	asked := span{"purchased_at", time.Time{}, c.Now()}
	if found := readSpan(query, "purchasedAt", "purchased_at", c.Store.Zone); len(found) > 0 {
		asked.from = found[0].from
		if to := found[0].to; !to.IsZero() && to.Before(asked.to) {
			asked.to = to
		}
	}
	rows := &exported{storeKey: c.Store.Key, end: asked.end(), bought: asked.first()}
	if err := c.Read(rows.next); err != nil {
		return err
	}
	table := c.CSV("redeemed_rewards_report")
	err = table.Row("0.Name", "1.Date", "2.Cost", "3.Tax value", "4.email", "5.phone", "6.Firstname", "7.Surname",
		"8.Points balance", "9.Is used")
	for err == nil && len(rows.found) > 0 {
		for i := range rows.found {
			if err := table.Row(rows.found[i].cells(c.Store.Zone)...); err != nil {
				return err
			}
		}
		err = c.Read(rows.next)
	}
	if err != nil {
		return err
	}
	return table.Close()
}

func (p *Purchase) cells(zone *time.Location) []string {
	tax, used := "", ""
	if p.TaxPrice != nil {
		tax = p.TaxPrice.String()
	}
	if p.Used {
		used = "1"
	}
	return []string{
		p.CampaignName, p.PurchasedAt.In(zone).Format(time.DateTime), p.Price.String(), tax, p.Email, p.Phone,
		p.FirstName, p.LastName, whole(p.PointsBefore).String(), used,
	}
}

// exported iterates over the purchases of a store in pages.
type exported struct {
	storeKey int64
	end      int64  // exclusive, in microseconds
	bought   int64  // purchase time of the last one, in microseconds
	couponID string // of the last one
	found    []Purchase
}

// next reads the page after the last purchase.
func (e *exported) next(tx *db.Tx) (err error) {
	e.found, err = db.All(tx, (*Purchase).row, `SELECT `+columns+` FROM purchases
		WHERE store_id = $1 AND purchased_at < $2 AND (purchased_at, coupon_id) > ($3, $4)
		ORDER BY purchased_at, coupon_id LIMIT $5`, e.storeKey, e.end, e.bought, e.couponID, exportedAtOnce)
	if n := len(e.found); n > 0 {
		e.bought, e.couponID = e.found[n-1].PurchasedAt.UnixMicro(), e.found[n-1].CouponID
	}
	return err
}
