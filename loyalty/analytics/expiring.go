package analytics

import (
	"punchcard/core/api"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
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

func showExpiring(r *api.Reading) (expiringView, error) {
	first := Today(r.Call)
	last := first + expiringDays - 1
	v := expiringView{frame: frameOf(r.Call), From: first.String(), To: last.String()}
	found, all, err := points.EndingSoon(r.Tx, r.Store, (last + 1).Start(r.Store.Zone), ExpiringAccountsLimit,
		customer.Present("a"))
	for _, e := range found {
		v.Points += e.Points
	}
	v.Customers, v.Complete = len(found), all
	return v, err
}
