package webhook

import (
	"errors"
	"maps"
	"slices"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/event"
	"punchcard/platform/fault"
	"punchcard/platform/outbound"
)

// The limits of replays and of unfinished deliveries.
const (
	// ReplayLimit is the maximum length of the event range of a replay. Events of other stores
	// count.
	ReplayLimit = 10_000
	// OpenLimit is how many unfinished deliveries a subscription may have before it stops reading
	// events. Later events stay in the event store until then.
	OpenLimit = 10_000

	replayedAtOnce = 500
)

// Draft is the submitted data of a subscription.
type Draft struct {
	URL         string
	Description string
	EventNames  []string
	Headers     []Header // an empty value keeps the present one
	Signed      bool
	Active      bool
	KeepActive  bool // Active was not submitted

	SubscriberID string // who submits it
}

// Create adds a subscription that receives the events after the position. The result contains its
// secret.
func Create(tx *db.Tx, storeKey, position int64, d Draft) (*Subscription, error) {
	n, err := countSubscriptions(tx, storeKey)
	if err != nil {
		return nil, err
	}
	if _, found, err := lockManaged(tx, storeKey); err != nil {
		return nil, err
	} else if found {
		n--
	}
	if n >= SubscriptionLimit {
		return nil, ErrTooMany
	}
	s := &Subscription{
		StoreKey: storeKey, ID: tx.NewID(), Position: position, CreatedAt: tx.ServerNow(), Secret: outbound.NewSecret(),
		Active: d.Active || d.KeepActive,
	}
	s.take(d)
	return s, insertSubscription(tx, s)
}

// Update replaces the data of a subscription. If signing is switched on, it gets a new secret and
// fresh is true. A subscription that is activated again continues with the first event that it has
// not read.
func Update(tx *db.Tx, storeKey int64, id string, d Draft) (s *Subscription, fresh bool, err error) {
	if s, err = lockOwn(tx, storeKey, id); err != nil {
		return nil, false, err
	}
	if fresh = d.Signed && !s.Signed; fresh {
		s.Secret, s.OldSecret = outbound.NewSecret(), ""
	}
	switch {
	case d.KeepActive:
	case d.Active && !s.Active:
		s.switchOn()
	case !d.Active:
		s.Active = false
	}
	s.take(d)
	return s, fresh, updateSubscription(tx, s)
}

func (s *Subscription) take(d Draft) {
	s.URL, s.Description, s.EventNames, s.Signed = d.URL, d.Description, d.EventNames, d.Signed
	s.SubscriberID = d.SubscriberID
	headers := slices.Clone(d.Headers)
	for i, h := range headers {
		same := func(old Header) bool { return old.Name == h.Name }
		if at := slices.IndexFunc(s.Headers, same); h.Value == "" && at >= 0 {
			headers[i].Value = s.Headers[at].Value
		}
	}
	s.Headers = headers
}

// Rotate gives a subscription a new secret. The old one signs too for RotationOverlap.
func Rotate(tx *db.Tx, storeKey int64, id string) (*Subscription, error) {
	s, err := lockSubscription(tx, storeKey, id)
	if err != nil {
		return nil, err
	}
	if !s.Signed {
		return nil, ErrNotSigned
	}
	s.rotate(tx.ServerNow())
	return s, updateSubscription(tx, s)
}

// Delete soft-deletes a subscription. Its deliveries stop at once, and Clean purges them.
func Delete(tx *db.Tx, storeKey int64, id string) error {
	s, err := lockOwn(tx, storeKey, id)
	if err != nil {
		return err
	}
	s.Deleted, s.Secret, s.OldSecret, s.Headers = true, "", "", nil
	return updateSubscription(tx, s)
}

// replay sends those of the events that the subscription wants again, and returns their number.
// Unfinished deliveries are left unchanged.
func replay(tx *db.Tx, storeKey int64, id string, events []event.Event) (replayed int, err error) {
	s, err := lockSubscription(tx, storeKey, id)
	if err != nil || len(events) == 0 {
		return 0, err
	}
	open, err := openAmong(tx, s, events[0].ID, events[len(events)-1].ID)
	if err != nil {
		return 0, err
	}
	wanted := s.deliveriesOf(events, tx.ServerNow())
	wanted = slices.DeleteFunc(wanted, func(d Delivery) bool {
		// Events after the position are read later anyway.
		return slices.Contains(open, d.EventID) || d.EventID > s.Position
	})
	return len(wanted), begin(tx, s, wanted)
}

// deliveriesOf returns new deliveries of the events that the subscription wants.
func (s *Subscription) deliveriesOf(events []event.Event, now time.Time) []Delivery {
	var wanted []Delivery
	for i := range events {
		if e := &events[i]; e.StoreKey == s.StoreKey && s.wants(e) {
			wanted = append(wanted, newDelivery(s, e, now))
		}
	}
	return wanted
}

// begin stores deliveries of a locked subscription, in the order of their events. The first of each
// aggregate is due now, unless the aggregate has an unfinished one already.
func begin(tx *db.Tx, s *Subscription, added []Delivery) error {
	if len(added) == 0 {
		return nil
	}
	aggregates := map[string]bool{} // whether the aggregate has an unfinished delivery
	for i := range added {
		aggregates[added[i].AggregateID] = false
	}
	busy, err := openAggregates(tx, s, slices.Sorted(maps.Keys(aggregates)))
	if err != nil {
		return err
	}
	for _, id := range busy {
		aggregates[id] = true
	}
	for i := range added {
		if d := &added[i]; !aggregates[d.AggregateID] {
			d.State, d.DueAt = Pending, tx.ServerNow()
			aggregates[d.AggregateID] = true
		}
	}
	return insertDeliveries(tx, added)
}

// settleAttempt stores the outcome of an attempt and updates the subscription. It returns the reason if that
// disabled the subscription.
func settleAttempt(tx *db.Tx, d *Delivery, o outbound.Outcome) (disabled string, err error) {
	s, err := lockSubscription(tx, d.StoreKey, d.SubscriptionID)
	if errors.Is(err, fault.ErrNotFound) {
		return "", nil // deleted meanwhile
	}
	if err != nil {
		return "", err
	}
	after, stored, err := deliveries.Settle(tx, d, o)
	if err != nil || !stored {
		return "", err
	}
	if after.Finished() {
		if err := promote(tx, s, d.AggregateID); err != nil {
			return "", err
		}
	}
	wasActive := s.Active
	if !s.record(o, tx.ServerNow()) {
		return "", nil
	}
	if wasActive && !s.Active {
		disabled = s.DisabledReason
	}
	return disabled, updateSubscription(tx, s)
}
