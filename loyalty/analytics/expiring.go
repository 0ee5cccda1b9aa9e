package analytics

import (
	"punchcard/api"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
)

// ExpiringAccountsLimit is how many accounts are examined for points that expire soon.
const ExpiringAccountsLimit = 1000

const expiringDays = 30

// expiringView is the JSON of the points that expire soon. See docs/behaviour/analytics.md#points-that-expire-soon.
type expiringView struct {
	frame
	From      string        `json:"from"`
	To        string        `json:"to"`
	Points    points.Amount `json:"points"`
	Customers int           `json:"customers"`
	Complete  bool          `json:"complete"`
}

func expiring(c *api.Call) error {
	first := Today(c)
	last := first + expiringDays - 1
	response := expiringView{frame: frameOf(c), From: first.String(), To: last.String()}
	err := c.Read(func(tx *db.Tx) error {
		found, all, err := points.EndingSoon(tx, c.Store, (last + 1).Start(c.Store.Zone), ExpiringAccountsLimit,
			customer.Present("a"))
		for _, e := range found {
			response.Points += e.Points
		}
		response.Customers, response.Complete = len(found), all
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}
