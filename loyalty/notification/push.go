package notification

import (
	"time"

	"punchcard/platform/db"
	"punchcard/platform/outbound"
)

// The states of a push.
const (
	Pending   = "pending" // has an attempt before it
	Delivered = "delivered"
	Dead      = "dead" // the last attempt failed, or nothing is left to be sent
)

// States are the states of pushes, in the order of a push's life.
var States = []string{Pending, Delivered, Dead}

const (
	// PushLimit is how many notifications one call of a gateway has at most.
	PushLimit = 100
	// CountLimit is the highest total that the list of pushes tells: there may be more.
	CountLimit = 10_000
)

// Gateway is where a store's notifications are sent to as well.
type Gateway struct {
	StoreKey int64
	URL      string
	Secret   string
	Active   bool
}

// Push is some notifications in one call of the gateway. Its moments are those of the product's clock.
type Push struct {
	StoreKey int64
	ID       string // the same for every attempt
	Items    []key
	Size     int
	outbound.AttemptState
	FinishedAt time.Time
}

// attempted tells a pending push how its attempt went.
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

// push hands notifications to the gateway of their store, if it has one that is switched on.
func push(tx *db.Tx, storeKey int64, all []Notification) error {
	gateway, found, err := findGateway(tx, storeKey)
	if err != nil || !found || !gateway.Active {
		return err
	}
	var rows [][]any
	for from := 0; from < len(all); from += PushLimit {
		p := Push{
			StoreKey: storeKey, ID: tx.NewID(),
			AttemptState: outbound.AttemptState{State: Pending, CreatedAt: tx.Began(), DueAt: tx.Began()},
		}
		for _, n := range all[from:min(from+PushLimit, len(all))] {
			p.Items = append(p.Items, key{n.CustomerID, n.ID})
		}
		p.Size = len(p.Items)
		rows = append(rows, p.row())
	}
	return tx.Insert("notification_pushes", pushColumns, "", rows...)
}

// settle stores how an attempt went, unless the push has gone on without it.
func settle(tx *db.Tx, sent *Push, o outbound.Outcome) error {
	p, found, err := lockPush(tx, sent.StoreKey, sent.ID)
	if err != nil || !found || p.State != Pending || p.Attempts != sent.Attempts {
		return err
	}
	p.attempted(o, tx.Began())
	return updatePush(tx, &p)
}
