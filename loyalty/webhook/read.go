package webhook

import (
	"context"
	"slices"

	"punchcard/platform/db"
	"punchcard/platform/event"
)

const (
	eventsAtOnce = 200 // events read in one transaction, each for at most SubscriptionLimit deliveries of a store
	placesAtOnce = 16  // distinct positions of subscriptions that one round reads from
)

// read turns events into deliveries, for every subscription after its position. Subscriptions that
// keep up share one position, so that events are read once for all of them. more reports that events
// are left.
func (s *Sender) read(ctx context.Context, subscriptions []Subscription) (more bool, err error) {
	newest, err := event.Last(ctx, s.db)
	if err != nil {
		return false, err
	}
	var places []int64
	for i := range subscriptions {
		if at := subscriptions[i].Position; at < newest && !s.isFull(subscriptions[i].ID) {
			places = append(places, at)
		}
	}
	slices.SortFunc(places, func(a, b int64) int { return int(b - a) }) // newest first: those far behind delay nobody
	places = slices.Compact(places)
	for _, place := range places[:min(placesAtOnce, len(places))] {
		events, further, err := event.After(ctx, s.db, place, eventsAtOnce)
		if err != nil {
			return false, err
		}
		if len(events) == 0 {
			continue
		}
		full, err := s.take(ctx, place, events)
		if err != nil {
			return false, err
		}
		for _, id := range full {
			s.full[id] = s.db.Now().Add(fullRest)
		}
		more = more || further
	}
	return more || len(places) > placesAtOnce, nil
}

// take creates deliveries for the subscriptions at the position, and moves them past the events.
// Subscriptions with OpenLimit unfinished deliveries stay, and are returned in full.
func (s *Sender) take(ctx context.Context, position int64, events []event.Event) (full []string, err error) {
	err = s.db.Write(ctx, func(tx *db.Tx) error {
		full = nil
		at, err := lockAt(tx, position)
		if err != nil {
			return err
		}
		var moved []*Subscription
		for i := range at {
			wanted := at[i].deliveriesOf(events, tx.ServerNow())
			if len(wanted) > 0 {
				open, err := countOpen(tx, &at[i], OpenLimit)
				if err != nil {
					return err
				}
				if open == OpenLimit {
					full = append(full, at[i].ID)
					continue
				}
				if err := begin(tx, &at[i], wanted); err != nil {
					return err
				}
			}
			moved = append(moved, &at[i])
		}
		if len(moved) == 0 {
			return nil
		}
		return moveTo(tx, events[len(events)-1].ID, moved...)
	})
	return full, err
}
