package notification

import (
	"time"

	"punchcard/platform/db"
	"punchcard/platform/delivery"
	"punchcard/platform/outbound"
)

// The states of a push.
const (
	Pending   = "pending" // an attempt is due
	Delivered = "delivered"
	Dead      = "dead" // the last attempt failed, or the notifications were deleted
)

// States lists the states of pushes, in the order in which a push goes through them.
var States = []string{Pending, Delivered, Dead}

// PushLimit is the maximum number of notifications in one call of a gateway.
const PushLimit = 100

// Gateway is the address that a store's notifications are pushed to, besides the inboxes.
type Gateway struct {
	StoreKey int64
	URL      string
	Secret   string
	Active   bool
}

// Push is one call of the gateway with some notifications. Its times are those of the server's
// clock, not of a sandbox store's.
type Push struct {
	StoreKey int64
	ID       string // the same for every attempt
	Items    []key
	Size     int
	delivery.Progress
}

var pushes = &delivery.Table[Push]{
	Name:     "notification_pushes",
	Key:      []string{"store_id", "push_id"},
	Columns:  []string{"items", "size"},
	Fields:   func(p *Push) []any { return []any{&p.StoreKey, &p.ID, db.JSON(&p.Items), &p.Size} },
	Progress: func(p *Push) *delivery.Progress { return &p.Progress },
	States:   States, Pending: Pending, Accepted: Delivered, Failed: Dead,
}

// toGateway queues notifications for the store's gateway, if there is an active one. Marketing goes to customers who
// agreed to it.
func toGateway(tx *db.Tx, storeKey int64, all []Notification) error {
	gateway, found, err := findGateway(tx, storeKey)
	if err != nil || !found || !gateway.Active {
		return err
	}
	if all, err = withConsent(tx, storeKey, all); err != nil {
		return err
	}
	var rows [][]any
	for from := 0; from < len(all); from += PushLimit {
		p := Push{
			StoreKey: storeKey, ID: tx.NewID(),
			Progress: delivery.Progress{State: Pending, CreatedAt: tx.ServerNow(), DueAt: tx.ServerNow()},
		}
		for _, n := range all[from:min(from+PushLimit, len(all))] {
			p.Items = append(p.Items, key{n.CustomerID, n.ID})
		}
		p.Size = len(p.Items)
		rows = append(rows, pushes.Row(&p))
	}
	return tx.Insert("notification_pushes", pushes.AllColumns(), "", rows...)
}

// settleAttempt stores the outcome of an attempt. A finished push does not need its notifications any more.
func settleAttempt(tx *db.Tx, p *Push, o outbound.Outcome) error {
	after, stored, err := pushes.Settle(tx, p, o)
	if err != nil || !stored || !after.Finished() {
		return err
	}
	return clearItems(tx, p)
}

// SelectFailed returns a query that sets n to the number of pushes of a store that failed for good since a time, among
// the newest limit of those that failed.
func SelectFailed(storeKey int64, since time.Time, limit int, n *int) db.Query {
	return pushes.SelectFailed(delivery.Receiver{StoreKey: storeKey}, since, limit, n)
}
