package webhook

import (
	"cmp"
	"slices"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/delivery"
)

// Trouble is a subscription that does not work.
type Trouble struct {
	ID       string
	Name     string    // its description, or its URL
	Disabled bool      // by the server
	Since    time.Time // of the first failure after the last success; zero if calls succeed
	Failed   int       // deliveries
}

// Troubles returns the subscriptions of a store that were disabled or fail, and those with deliveries that failed since
// a time. It looks at the newest limit of the failed deliveries of each.
func Troubles(tx *db.Tx, storeKey int64, since time.Time, limit int) ([]Trouble, error) {
	subscriptions, err := readPage(tx, storeKey, "subscription_id", SubscriptionLimit+1, 0)
	if err != nil || len(subscriptions) == 0 {
		return nil, err
	}
	all := make([]Trouble, len(subscriptions))
	queries := make([]db.Query, len(subscriptions))
	for i, s := range subscriptions {
		all[i] = Trouble{ID: s.ID, Name: cmp.Or(s.Description, s.URL), Disabled: s.DisabledReason != ""}
		if s.Active || all[i].Disabled {
			all[i].Since = s.FailingSince
		}
		to := delivery.Receiver{StoreKey: storeKey, ID: s.ID}
		queries[i] = deliveries.SelectFailed(to, since, limit, &all[i].Failed)
	}
	err = tx.Run(queries...)
	return slices.DeleteFunc(all, func(t Trouble) bool { return !t.Disabled && t.Since.IsZero() && t.Failed == 0 }), err
}
