package cashback

import (
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
	"punchcard/platform/event"
)

// forgottenAtOnce is how many cashbacks one step of Forget clears, and the page size of Export.
const forgottenAtOnce = 500

// Forget clears the providers' messages about the payments of a customer, in steps. It continues
// after the coupon after, and returns where the next step continues, empty when nothing is left.
func Forget(tx *db.Tx, s *store.Store, customerID, after string) (last string, err error) {
	found, last, err := readPage(tx, s.Key, customerID, after, forgottenAtOnce)
	if err != nil || len(found) == 0 {
		return "", err
	}
	_, err = tx.Exec(`UPDATE cashbacks SET message = '' WHERE store_id = ? AND customer_id = ? AND coupon_id >= ?
		AND coupon_id <= ?`, s.Key, customerID, found[0].CouponID, found[len(found)-1].CouponID)
	if err != nil || after != "" {
		return last, err
	}
	return last, event.Rewrite(tx, s.Key, PersonalEvents, customerID)
}

// PersonalEvents are the edits that clear a provider's message from events.
var PersonalEvents = map[string]event.Edit{
	campaignBoughtCashbackStatusWasChanged{}.EventType(): event.Editing(
		func(c *campaignBoughtCashbackStatusWasChanged) { c.Message = "" }),
}

// readPage returns cashbacks of a customer after a coupon, and where to continue, empty on the last
// page.
func readPage(tx *db.Tx, storeKey int64, customerID, after string, limit int) (
	found []Cashback, last string, err error) {
	found, err = table.All(tx, `SELECT * FROM cashbacks
		WHERE store_id = ? AND customer_id = ? AND coupon_id > ? ORDER BY coupon_id LIMIT ?`,
		storeKey, customerID, after, limit)
	if len(found) == limit {
		last = found[limit-1].CouponID
	}
	return found, last, err
}

// exported is a cashback in the personal data export. Its purchase has the same coupon.
type exported struct {
	CouponID     string        `json:"couponId"`
	Points       points.Amount `json:"pointsAmount"`
	PointValue   decimal.Rate  `json:"pointValue"`
	RewardAmount decimal.Money `json:"rewardAmount"`
	Provider     string        `json:"provider"`
	Status       State         `json:"status"`
	Code         string        `json:"code"`
	Message      string        `json:"message"`
	CreatedAt    string        `json:"createdAt"`
	UpdatedAt    string        `json:"updatedAt"`
}

// Export returns a page of a customer's cashbacks for the personal data export.
func Export(tx *db.Tx, s *store.Store, customerID, after string) (items []any, next string, err error) {
	found, next, err := readPage(tx, s.Key, customerID, after, forgottenAtOnce)
	for _, c := range found {
		items = append(items, exported{
			c.CouponID, c.Points, c.PointValue, c.RewardAmount, c.Provider, c.State, c.Code, c.Message,
			api.Timestamp(c.CreatedAt, s.Zone), api.Timestamp(c.UpdatedAt, s.Zone),
		})
	}
	return items, next, err
}
