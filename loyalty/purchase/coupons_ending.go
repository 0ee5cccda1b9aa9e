package purchase

import (
	"fmt"
	"time"

	"punchcard/platform/db"
)

// Ending returns a page of unused coupons that expire at or after from and before before, earliest first. The first
// page has an empty after; the next one has the key of the last coupon, which is returned.
func Ending(tx *db.Tx, storeKey int64, from, before time.Time, after string, limit int) (
	found []Purchase, last string, err error) {
	start, couponID := from.UnixMicro(), ""
	if after != "" {
		if _, err := fmt.Sscanf(after, "%d %s", &start, &couponID); err != nil {
			return nil, "", err
		}
	}
	found, err = table.All(tx, `SELECT * FROM purchases
		WHERE store_id = ? AND status = '`+Active+`' AND used = FALSE AND active_to IS NOT NULL
			AND active_to >= ? AND active_to < ? AND (active_to > ? OR coupon_id > ?)
		ORDER BY active_to, coupon_id LIMIT ?`, storeKey, start, before.UnixMicro(), start, couponID, limit)
	if len(found) > 0 {
		p := &found[len(found)-1]
		last = fmt.Sprintf("%d %s", p.ActiveTo.UnixMicro(), p.CouponID)
	}
	return found, last, err
}
