package notification

import (
	"time"

	"punchcard/platform/db"
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

const (
	// PushLimit is the maximum number of notifications in one call of a gateway.
	PushLimit = 100
	// CountLimit is the highest total that the list of pushes returns. There may be more pushes.
	CountLimit = 10_000
)

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
	outbound.AttemptState
	FinishedAt time.Time
}

// attempted records the outcome of an attempt of a pending push.
func (p *Push) attempted(o outbound.Outcome, now time.Time) {
	p.Begin(now)
	switch last := p.End(o, now); {
	case o.OK():
		p.finish(Delivered, now)
	case last:
		p.finish(Dead, now)
	}
}

func (p *Push) finish(state string, now time.Time) {
	p.State, p.DueAt, p.FinishedAt, p.Items = state, time.Time{}, now, nil
}

// push queues notifications for the store's gateway, if there is an active one.
func push(tx *db.Tx, storeKey int64, all []Notification) error {
	gateway, found, err := findGateway(tx, storeKey)
	if err != nil || !found || !gateway.Active {
		return err
	}
	var rows [][]any
	for from := 0; from < len(all); from += PushLimit {
		p := Push{
			StoreKey: storeKey, ID: tx.NewID(),
			AttemptState: outbound.AttemptState{State: Pending, CreatedAt: tx.ServerNow(), DueAt: tx.ServerNow()},
		}
		for _, n := range all[from:min(from+PushLimit, len(all))] {
			p.Items = append(p.Items, key{n.CustomerID, n.ID})
		}
		p.Size = len(p.Items)
		rows = append(rows, p.row())
	}
	return tx.Insert("notification_pushes", pushColumns, "", rows...)
}

// settle stores the outcome of an attempt, unless another node has stored one meanwhile.
func settle(tx *db.Tx, sent *Push, o outbound.Outcome) error {
	p, found, err := lockPush(tx, sent.StoreKey, sent.ID)
	if err != nil || !found || p.State != Pending || p.Attempts != sent.Attempts {
		return err
	}
	p.attempted(o, tx.ServerNow())
	return updatePush(tx, &p)
}
